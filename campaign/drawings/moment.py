"""A moment of a war as a picture: a place, and the fleets that met there in line of battle.

Pure functions. `Moment` has everything that `templates/campaign/_moment.html` shows: the pictures
for wide and for narrow screens, and the words on them. Own ships are filled, foreign ships hollow,
contacts that may be decoys dashed, and lost ships pale. Everything is drawn from the counts that
the caller gives, so a picture contains nothing that its reader does not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise
from math import ceil
from typing import Final

Point = tuple[float, float]

WIDE: Final = 1168  # pixels: the widest content of a page
NARROW: Final = 366
HEIGHTS: Final = {"hero": 272, "card": 240, "strip": 136}
NARROW_HEIGHTS: Final = {"hero": 262, "card": 262, "strip": 136}
GAP: Final = {"hero": 120, "card": 110, "strip": 96}  # from the middle to the first ships
NARROW_GAP: Final = 34
DEPTH: Final = 290  # room for a fleet behind its first ships
NARROW_DEPTH: Final = 132
# Room for words above and below the fleets.
ABOVE: Final = 50
BELOW: Final = 34
NARROW_ABOVE: Final = 74
NARROW_BELOW: Final = {"hero": 52, "card": 52, "strip": 26}
PRINTED_WIDTH: Final = 760  # of a picture on paper, with the room that fleets can take
PRINTED_TOP: Final = 34  # room for words, which paper has beside the picture
MARGIN: Final = 180  # stars beyond the sides of a narrow picture, for wider phones
SKY_PER_STAR: Final = 2600  # square pixels
STAR_SIZES: Final = 3
SUN: Final = 0.36  # of the height
LIMB: Final = 560  # radius of the planet
LIMB_BELOW: Final = 40  # its top is so far above the lower edge
SCALES: Final = (1.0, 0.9, 0.8, 0.72, 0.62, 0.54, 0.46, 0.4, 0.34, 0.28, 0.22)
BEND: Final = 2.4  # a line of battle is a shallow arc: so far back for each ship from its middle
BETWEEN_KINDS: Final = 10
CENTRE: Final = 16  # of an outline
UNKNOWN: Final = "unknown"  # the kind of a ship that nobody classified

# Outlines of ships, bow up, in a square of 32: those of static/img/battle.svg.
_OUTLINES: Final[dict[str, tuple[Point, ...]]] = {
    "escort": ((16, 5), (20.5, 24), (16, 21), (11.5, 24)),
    "cruiser": (
        *((16, 3.5), (19, 11.5), (24, 23.5), (19, 24), (16, 27)),
        *((13, 24), (8, 23.5), (13, 11.5)),
    ),
    "capital": (
        *((16, 2), (19.5, 9), (20.5, 15.5), (26.5, 24.5), (23.5, 27), (19.5, 25.5), (16, 29)),
        *((12.5, 25.5), (8.5, 27), (5.5, 24.5), (11.5, 15.5), (12.5, 9)),
    ),
    "merchant": ((16, 4), (20, 8), (20, 24), (18.5, 27), (13.5, 27), (12, 24), (12, 8)),
    "installation": (
        *((16, 4), (24.5, 7.5), (28, 16), (24.5, 24.5), (16, 28), (7.5, 24.5), (4, 16)),
        (7.5, 7.5),
    ),
    "fighter": (
        *((16, 7), (18, 14), (24, 20), (24, 22), (18, 21), (16, 24), (14, 21), (8, 22)),
        *((8, 20), (14, 14)),
    ),
    UNKNOWN: ((16, 8), (24, 16), (16, 24), (8, 16)),
}
# How large each kind is drawn, how far apart its ships are, and in which sequence: escorts ahead.
_SIZES: Final = {
    "fighter": (0.6, 18),
    "escort": (0.76, 22),
    UNKNOWN: (0.76, 24),
    "cruiser": (0.84, 27),
    "merchant": (0.8, 27),
    "capital": (1.0, 34),
    "installation": (1.0, 36),
}


class MomentSize(StrEnum):
    """How large a moment is shown."""

    HERO = "hero"
    CARD = "card"
    STRIP = "strip"


@dataclass(frozen=True, slots=True)
class Ships:
    """Ships of one kind, of one faction.

    Attributes:
        kind: Their classification, or "unknown".
        count: How many there are, with the lost and the doubtful ones.
        lost: How many of them are lost or gone.
        maybe: How many of the others may be decoys.
    """

    kind: str
    count: int
    lost: int = 0
    maybe: int = 0


@dataclass(frozen=True, slots=True)
class Force:
    """The ships of one faction on a side.

    Attributes:
        seat: The seat of the faction, which gives the colour; 0 for none.
    """

    seat: int
    ships: tuple[Ships, ...]


@dataclass(frozen=True, slots=True)
class MomentSide:
    """A side of a moment: its ships, and the words at its edge of the picture.

    Attributes:
        name: Of the side, such as "You" or "New Anglian Confederation".
        figures: What there is of it, such as "13 of 28 left".
        detail: More about that, left out on a phone.
        note: A line below it, shown in the largest size alone.
        short_name: The name on a phone.
        is_own: Whether these are the reader's ships, which are filled.
        forces: By faction; the first one is ahead.
    """

    name: str
    figures: str
    forces: tuple[Force, ...]
    detail: str = ""
    note: str = ""
    short_name: str = ""
    is_own: bool = False

    @property
    def seat(self) -> int:
        """Return the seat of the first faction; 0 without ships."""
        return self.forces[0].seat if self.forces else 0


@dataclass(frozen=True, slots=True)
class DrawnForce:
    """The ships of a faction as paths: those that fight, may be decoys, and are lost."""

    seat: int
    is_own: bool
    ships: str
    maybe: str
    lost: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of a moment, in pixels.

    Attributes:
        sky: The paths of stars, faintest first.
        middle: The horizontal middle.
        sun: The height of the sun.
        limb: The height of the planet's centre.
    """

    width: int
    height: int
    sky: tuple[str, ...]
    middle: float
    sun: float
    limb: float
    forces: tuple[DrawnForce, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as `_moment.html` shows it.

    Attributes:
        place: Where it is.
        when: A line above the place.
        outcome: One sentence below: what happened, or what it decides.
        alt: The pictures in words.
        narrow: The picture for phones.
    """

    size: MomentSize
    place: str
    when: str
    left: MomentSide
    right: MomentSide
    outcome: str
    alt: str
    wide: Scene
    narrow: Scene


def draw_moment(
    size: MomentSize,
    left: MomentSide,
    right: MomentSide,
    *,
    place: str,
    when: str = "",
    outcome: str = "",
    alt: str,
) -> Moment:
    """Draw a moment.

    Args:
        left: The side at the left, usually the reader's.
        place: Its name also decides where the stars are.
        alt: The picture in words, for readers who do not see it.
    """
    height = HEIGHTS[size]
    sides = (left, right)
    wide_frame = _Frame(WIDE, height, ABOVE, BELOW, GAP[size], DEPTH, margin=0)
    narrow_frame = _Frame(
        NARROW,
        NARROW_HEIGHTS[size],
        NARROW_ABOVE,
        NARROW_BELOW[size],
        NARROW_GAP,
        NARROW_DEPTH,
        margin=MARGIN,
    )
    return Moment(
        size=size,
        place=place,
        when=when,
        left=left,
        right=right,
        outcome=outcome,
        alt=alt,
        wide=_scene(place, sides, wide_frame),
        narrow=_scene(place, sides, narrow_frame),
    )


def print_svg(scene: Scene) -> str:
    """Return the fleets of a picture as an SVG for paper: black lines, no sky."""
    parts = []
    for force in scene.forces:
        fill = "#000" if force.is_own else "none"
        for path, style in (
            (force.lost, 'fill="none" stroke="#999"'),
            (force.maybe, 'fill="none" stroke="#000" stroke-dasharray="2.2 1.8"'),
            (force.ships, f'fill="{fill}" stroke="#000"'),
        ):
            if path:
                parts.append(f'<path {style} d="{path}"/>')
    left = (scene.width - PRINTED_WIDTH) // 2
    height = scene.height - PRINTED_TOP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PRINTED_WIDTH}" height="{height}" '
        f'viewBox="{left} {PRINTED_TOP} {PRINTED_WIDTH} {height}">{"".join(parts)}</svg>'
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """The measures of a picture.

    Attributes:
        above: Room for words above the fleets.
        below: Room for words below them.
        gap: From the middle to the first ships.
        depth: Room for a fleet.
        margin: Stars beyond the left and right edge.
    """

    width: int
    height: int
    above: int
    below: int
    gap: int
    depth: int
    margin: int

    @property
    def room(self) -> int:
        """Return the height of the longest line of battle."""
        return self.height - self.above - self.below

    @property
    def middle_line(self) -> float:
        """Return the height of the middle of the lines of battle."""
        return self.above + self.room / 2


def _scene(seed: str, sides: Sequence[MomentSide], frame: _Frame) -> Scene:
    """Draw one picture, with both fleets at the largest scale that has room for them."""
    scale = min(_scale_that_fits(side.forces, frame) for side in sides)
    forces: list[DrawnForce] = []
    for side, ahead in zip(sides, (1, -1), strict=True):
        forces += _fleet(side, ahead, frame, scale)
    return Scene(
        width=frame.width,
        height=frame.height,
        sky=_sky(seed, frame),
        middle=frame.width / 2,
        sun=round(frame.height * SUN),
        limb=frame.height + LIMB - LIMB_BELOW,
        forces=tuple(forces),
    )


def _scale_that_fits(forces: Sequence[Force], frame: _Frame) -> float:
    """Return the largest scale at which a fleet has room, or the smallest."""
    for scale in SCALES:
        stations = _stations(forces, frame, scale)
        if max((station.far for station in stations), default=0) <= frame.depth:
            return scale
    return SCALES[-1]


@dataclass(frozen=True, slots=True)
class _Station:
    """The place of a ship in its fleet.

    Attributes:
        far: How far it is behind the first ships.
        y: Its height on the picture.
        number: Its number among the ships of its kind, from 0.
    """

    force: Force
    ships: Ships
    number: int
    far: float
    y: float


def _stations(forces: Sequence[Force], frame: _Frame, scale: float) -> Iterator[_Station]:
    """Yield the places of a fleet's ships: columns side by side, escorts ahead."""
    far = 0.0
    for force in forces:
        for kind, (_, distance) in _SIZES.items():
            step = distance * scale
            for ships in force.ships:
                if _kind(ships) != kind or ships.count <= 0:
                    continue
                rows = max(1, min(ships.count, int(frame.room // step)))
                columns = ceil(ships.count / rows)
                placed = 0
                for column in range(columns):
                    far += step * (0.98 if far else 0.2)
                    here = min(rows, ceil((ships.count - placed) / (columns - column)))
                    for row in range(here):
                        off_middle = row - (here - 1) / 2
                        yield _Station(
                            force=force,
                            ships=ships,
                            number=placed,
                            far=far + abs(off_middle) * BEND * scale,
                            y=frame.middle_line + off_middle * step,
                        )
                        placed += 1
                far += BETWEEN_KINDS * scale


def _kind(ships: Ships) -> str:
    """Return the kind whose outline is drawn."""
    return ships.kind if ships.kind in _OUTLINES else UNKNOWN


def _fleet(side: MomentSide, ahead: int, frame: _Frame, scale: float) -> Iterator[DrawnForce]:
    """Yield the forces of a side as paths.

    Args:
        ahead: 1 if the bows point to the right, -1 if to the left.
    """
    parts: dict[int, dict[str, list[str]]] = {}
    for station in _stations(side.forces, frame, scale):
        ships = station.ships
        state = "ships"
        if station.number >= ships.count - ships.lost:
            state = "lost"
        elif station.number >= ships.count - ships.lost - ships.maybe:
            state = "maybe"
        x = frame.width / 2 - ahead * (frame.gap + station.far)
        path = _outline(_kind(ships), x, station.y, ahead, scale)
        paths = parts.setdefault(station.force.seat, {"ships": [], "maybe": [], "lost": []})
        paths[state].append(path)
    for seat, paths in parts.items():
        joined = {state: "".join(texts) for state, texts in paths.items()}
        yield DrawnForce(seat=seat, is_own=side.is_own, **joined)


def _outline(kind: str, x: float, y: float, ahead: int, scale: float) -> str:
    """Return the outline of a ship as a path with relative lines, so that equal ships compress."""
    size = _SIZES[kind][0] * scale
    turned = []
    for across, down in _OUTLINES[kind]:
        turned.append((ahead * (CENTRE - down) * size, ahead * (across - CENTRE) * size))
    first_x, first_y = turned[0]
    path = f"M{_figure(x + first_x)} {_figure(y + first_y)}l"
    lines = []
    for (from_x, from_y), (to_x, to_y) in pairwise(turned):
        lines.append(f"{_figure(to_x - from_x)} {_figure(to_y - from_y)}")
    return path + " ".join(lines) + "z"


def _figure(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0").replace("-0.", "-.")


def _sky(seed: str, frame: _Frame) -> tuple[str, ...]:
    """Return the paths of stars by size; the same place always has the same sky."""
    paths = [""] * STAR_SIZES
    width = frame.width + 2 * frame.margin
    stars = width * frame.height // SKY_PER_STAR
    state = int.from_bytes(sha256(seed.encode()).digest()[:4], "big")
    for number in range(stars):
        state, x = _next_figure(state, width)
        state, y = _next_figure(state, frame.height)
        size = STAR_SIZES - 1 if number % 7 == 0 else number % (STAR_SIZES - 1)
        paths[size] += f"M{x - frame.margin} {y}h0"
    return tuple(paths)


def _next_figure(state: int, below: int) -> tuple[int, int]:
    """Return the next state of a generator of figures, and a figure from 0."""
    state = (state * 1664525 + 1013904223) % 2**32
    return state, (state >> 12) % below
