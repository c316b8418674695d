"""QR codes as paths: an address that a telephone's camera reads off a sheet. Pure.

The same address gives the same path. Around a code must stay empty as much as `QUIET` of its
modules are wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from qrcode.constants import ERROR_CORRECT_M
from qrcode.main import QRCode

QUIET: Final = 4


@dataclass(frozen=True, slots=True)
class Code:
    """A code in its place: a square of `size` whose upper left corner is at x, y, quiet zone and
    all.

    `modules`: how many stand beside each other, without the quiet zone; `path`: the dark ones, each
    one unit wide.
    """

    x: float
    y: float
    size: float
    modules: int
    path: str

    @property
    def across(self) -> int:
        """How many modules wide it is, quiet zone and all."""
        return self.modules + 2 * QUIET

    @property
    def scale(self) -> float:
        """How large a module is."""
        return round(self.size / self.across, 4)


@lru_cache(maxsize=512)
def code_of(address: str, x: float, y: float, size: float) -> Code:
    """The code of an address, at a place; a sixth of it may be spoilt, and it is still read."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(address, optimize=0)
    code.make(fit=True)
    rows: list[list[bool]] = code.get_matrix()
    return Code(x, y, size, len(rows), "".join(_runs(n, row) for n, row in enumerate(rows)))


def _runs(number: int, row: list[bool]) -> str:
    """The dark modules of a row, those beside each other as one bar."""
    path, first = "", 0
    for n, dark in enumerate((*row, False)):
        if dark and (n == 0 or not row[n - 1]):
            first = n
        if not dark and n and row[n - 1]:
            path += f"M{first + QUIET} {number + QUIET}h{n - first}v1h-{n - first}z"
    return path
