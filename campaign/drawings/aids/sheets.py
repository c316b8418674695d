"""What a play aid consists of: pages of drawings, measured in millimetres, and of tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

# Millimetres of a MU, by the unit that the players measure with.
MM_PER_MU: Final = {"inch": 25.4, "cm": 10.0}
POINTS: Final = 12  # of the course gauge
DEGREES_PER_POINT: Final = 30


@dataclass(frozen=True, slots=True)
class Line:
    """A path in black.

    Attributes:
        kind: line, thin or dashed.
    """

    path: str
    kind: str = "line"


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; see `Line` for the kinds."""

    x: float
    y: float
    radius: float
    kind: str = "line"


@dataclass(frozen=True, slots=True)
class Label:
    """A text.

    Attributes:
        x: The point given by `anchor`.
        size: Font size in millimetres.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Picture:
    """A symbol of `static/img/battle.svg` with its upper left corner at x, y."""

    symbol: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class AidDrawing:
    """A drawing, true to scale: its size and all coordinates are millimetres, y downwards.

    Attributes:
        alt: What it shows, in words.
    """

    width: float
    height: float
    alt: str
    lines: tuple[Line, ...] = ()
    circles: tuple[Circle, ...] = ()
    labels: tuple[Label, ...] = ()
    pictures: tuple[Picture, ...] = ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the symbols that it shows."""
        return tuple(picture.symbol for picture in self.pictures)


@dataclass(frozen=True, slots=True)
class AidTable:
    """A table.

    Attributes:
        columns: The heading of each column.
        rows: The texts of each row; blank forms have empty ones.
        widths: The share of each column in the width; empty: as wide as their texts.
        row_height: In millimetres; 0: as high as the texts.
        note: A sentence below the table.
        phases: The phases of a battle in which players need it; empty: every phase.
        systems: The types of systems that it is about; empty: it does not depend on them.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...] = ()
    row_height: float = 0
    note: str = ""
    phases: frozenset[str] = frozenset()
    systems: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AidPage:
    """A page of a play aid.

    Attributes:
        note: A sentence below the title.
        text_size: Of tables, in points.
        is_landscape: The page lies on its side.
    """

    title: str
    parts: tuple[AidDrawing | AidTable, ...]
    note: str = ""
    text_size: float = 9.0
    is_landscape: bool = False


def at_bearing(x: float, y: float, distance: float, bearing: float) -> tuple[float, float]:
    """Return the point at a distance from another one, on a bearing in degrees from straight up."""
    angle = radians(bearing)
    return x + distance * sin(angle), y - distance * cos(angle)


def number(value: float) -> str:
    """Format a coordinate."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def segment(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the path of a straight line."""
    return f"M{number(start[0])} {number(start[1])}L{number(end[0])} {number(end[1])}"


def rectangle(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a rectangle."""
    across = number(width)
    return f"M{number(x)} {number(y)}h{across}v{number(height)}h-{across}z"


def cross(x: float, y: float, size: float) -> str:
    """Return the path of a small cross, such as the middle of a template."""
    half = size / 2
    return segment((x - half, y), (x + half, y)) + segment((x, y - half), (x, y + half))
