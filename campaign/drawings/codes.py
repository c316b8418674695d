"""QR codes as SVG paths, for addresses on printed sheets. Pure functions.

The same address gives the same path. A code needs an empty border of `QUIET` modules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

QUIET: Final = 4  # modules


@dataclass(frozen=True, slots=True)
class Code:
    """A placed code: a square with its upper left corner at x, y, including the quiet zone.

    Attributes:
        modules: Number of modules per side, without the quiet zone.
        path: The dark modules, each one unit wide.
    """

    x: float
    y: float
    size: float
    modules: int
    path: str

    @property
    def across(self) -> int:
        """Return its width in modules, including the quiet zone."""
        return self.modules + 2 * QUIET

    @property
    def scale(self) -> float:
        """Return the size of a module."""
        return round(self.size / self.across, 4)


@lru_cache(maxsize=512)
def code_of(address: str, x: float, y: float, size: float) -> Code:
    """Return the code of an address at a place; it stays readable with 15% of it damaged."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(address, optimize=0)
    code.make(fit=True)
    rows: list[list[bool]] = code.get_matrix()
    path = "".join(_row_path(number, row) for number, row in enumerate(rows))
    return Code(x, y, size, modules=len(rows), path=path)


def _row_path(number: int, row: list[bool]) -> str:
    """Return the path of a row's dark modules, adjacent ones as one bar."""
    path = ""
    column = 0
    for is_dark, modules in groupby(row):
        length = len(list(modules))
        if is_dark:
            path += f"M{column + QUIET} {number + QUIET}h{length}v1h-{length}z"
        column += length
    return path
