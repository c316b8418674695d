"""The table of a battle as a picture for readers without scripts. Pure functions.

Names do not overlap: each is tried around its mark, then further out with a leader line, and
otherwise left out, because the lists contain it. Widths are generous estimates for common fonts at
12 pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from engine.core.phrase import join_phrases, phrase

WIDTH: Final = 900.0  # of the picture, in pixels
ON_PHONE: Final = 44  # rem of its width on a phone, which shows a part of it (battle_orders.css)
TABLE_MARGIN: Final = 2.5  # MU around the table
GRID: Final = 12  # MU between grid lines
# Radii of marks in pixels, by size.
RADII: Final = {
    "fighter": 8,
    "escort": 10,
    "cruiser": 12,
    "capital": 14,
    "merchant": 12,
    "installation": 13,
}
LINE_HEIGHT: Final = 15.0  # of a line of text
NARROW = "iljtfrI.,'1 "
WIDE = "mwMW@"
# Advances of letters in pixels.
NARROW_ADVANCE: Final = 4.2
WIDE_ADVANCE: Final = 11.2
OTHER_ADVANCE: Final = 7.4
GAPS: Final = (5.0, 18.0, 34.0, 52.0)  # between a mark and its name; beyond the first with a leader
DIAGONAL: Final = 0.72  # on a diagonal, of the distance to the right and down

Box = tuple[float, float, float, float]  # left, top, right, bottom
Tag = tuple[float, float]  # left and top of a name


@dataclass(frozen=True, slots=True)
class Mark:
    """A ship on the picture.

    Attributes:
        classes: Its CSS classes.
        turn: Degrees.
        name_at: Where its name begins; None without room.
        leader: A path from the mark to a distant name.
    """

    id: str
    size: str
    classes: str
    x: float
    y: float
    turn: int
    words: str
    name: str
    name_at: Tag | None
    leader: str


@dataclass(frozen=True, slots=True)
class Spot:
    """Any other object on the picture: a circle."""

    classes: str
    x: float
    y: float
    r: float
    words: str


@dataclass(frozen=True, slots=True)
class ZoneArea:
    """A zone in which a side may set up: a rectangle, or a circle with centre and radius."""

    classes: str
    box: Box | None
    circle: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture in pixels, y downwards.

    Attributes:
        floor: Left, top, width and height of the table on it.
        lines: The path of the grid.
        zones: The zones of the set-up, while it lasts.
        trails: The CSS class and the path of each ship's last move.
        shots: The CSS classes and the path of each shot.
        middle: On a phone, rem from its left to the middle of the ships.
    """

    width: float
    height: float
    floor: Box
    lines: str
    zones: tuple[ZoneArea, ...]
    trails: tuple[tuple[str, str], ...]
    shots: tuple[tuple[str, str], ...]
    spots: tuple[Spot, ...]
    marks: tuple[Mark, ...]
    middle: int


@dataclass(frozen=True, slots=True)
class _Scale:
    """How points of the table become points of the picture.

    Attributes:
        depth: Of the table in MU.
        factor: Pixels per MU.
    """

    depth: float
    factor: float

    def pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the table in pixels."""
        return (x + TABLE_MARGIN) * self.factor, (self.depth + TABLE_MARGIN - y) * self.factor

    def path(self, points: Iterable[Iterable[float]]) -> str:
        """Return the SVG path through points of the table."""
        texts = []
        for x, y in points:
            pixel_x, pixel_y = self.pixels(x, y)
            texts.append(f"{pixel_x:.1f} {pixel_y:.1f}")
        return "M" + "L".join(texts)


def table_picture(data: Mapping[str, Any]) -> Picture:
    """Draw a table from the data of `campaign.pages.table.table_data`."""
    width, depth = data["table"]
    scale = _Scale(depth, WIDTH / (width + 2 * TABLE_MARGIN))
    ships = [*data["own"], *data["contacts"]]
    seats = {ship["id"]: f"seat-{ship['seat']}" for ship in ships}
    left, top = scale.pixels(0, depth)
    right, bottom = scale.pixels(width, 0)
    picture_box = (0.0, 0.0, WIDTH, (depth + 2 * TABLE_MARGIN) * scale.factor)
    places = [scale.pixels(ship["x"], ship["y"]) for ship in ships]
    to_name = []
    for ship, (x, y) in zip(ships, places, strict=True):
        to_name.append((x, y, RADII[_size(ship)], ship["name"]))
    marks = []
    for ship, place, tag in zip(ships, places, place_names(to_name, picture_box), strict=True):
        marks.append(_mark(ship, place, tag))
    trails = []
    for key, path in data["tracks"].items():
        trails.append((seats[key], scale.path(path)))
    return Picture(
        width=WIDTH,
        height=round(picture_box[3], 1),
        floor=(round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)),
        lines=_grid(scale, width, depth),
        zones=tuple(_zone(zone, scale) for zone in data.get("zones", ())),
        trails=tuple(trails),
        shots=tuple(_shot(shot, scale) for shot in data["shots"]),
        spots=tuple(_spot(marker, scale) for marker in data["things"]),
        marks=tuple(marks),
        middle=_middle([x for x, _ in places]),
    )


def _grid(scale: _Scale, width: float, depth: float) -> str:
    """Return the path of the grid."""
    paths = [scale.path([(x, 0), (x, depth)]) for x in range(GRID, int(width), GRID)]
    paths += [scale.path([(0, y), (width, y)]) for y in range(GRID, int(depth), GRID)]
    return "".join(paths)


def _zone(zone: Mapping[str, Any], scale: _Scale) -> ZoneArea:
    """Return a zone of the set-up in pixels."""
    classes = f"zone seat-{zone['seat']} {'own' if zone['own'] else 'foe'}"
    if zone["circle"] is not None:
        x, y, radius = zone["circle"]
        centre_x, centre_y = scale.pixels(x, y)
        return ZoneArea(classes, None, (centre_x, centre_y, radius * scale.factor))
    left, bottom, right, top = zone["box"]
    x, y = scale.pixels(left, top)
    size = (right - left) * scale.factor, (top - bottom) * scale.factor
    return ZoneArea(classes, (x, y, *size), None)


def _shot(shot: Sequence[Any], scale: _Scale) -> tuple[str, str]:
    """Return the CSS classes and the path of a shot."""
    from_x, from_y, to_x, to_y, is_own, is_hit = shot
    classes = "own" if is_own else "foe"
    if not is_hit:
        classes += " miss"
    return classes, scale.path([(from_x, from_y), (to_x, to_y)])


def _middle(xs: Sequence[float]) -> int:
    """Return how far the middle of the ships is from the left on a phone, in rem."""
    if xs:
        return round(ON_PHONE * (min(xs) + max(xs)) / 2 / WIDTH)
    return ON_PHONE // 2


def _spot(marker: Mapping[str, Any], scale: _Scale) -> Spot:
    """Return the circle of an object; one without a radius is a dot of four pixels."""
    x, y = scale.pixels(marker["x"], marker["y"])
    look = "thing" if marker["r"] else "dot"
    return Spot(
        classes=f"{look} {marker['kind']}",
        x=round(x, 1),
        y=round(y, 1),
        r=round(marker["r"] * scale.factor, 1) or 4,
        words=marker["words"],
    )


def _size(ship: Mapping[str, Any]) -> str:
    """Return the size of a ship's symbol; an unknown one is drawn as an escort."""
    size = str(ship["size"])
    return size if size in RADII else "escort"


def _mark(ship: Mapping[str, Any], place: tuple[float, float], tag: Tag | None) -> Mark:
    """Return the mark of a ship.

    Args:
        tag: Where its name is; None without room.
    """
    x, y = place
    is_foe = "foe" in ship
    classes = f"seat-{ship['seat']} {'foe' if is_foe else 'own'}"
    if is_foe and "cls" not in ship:
        classes += " bogey"
    parts = [ship["name"]]
    if "cls" in ship:
        parts.append(ship["cls"])
    parts.append(_motion(ship))
    leader = ""
    name_at = None
    if tag is not None:
        left, top = tag
        name_at = (round(left + 2, 1), round(top + 11.5, 1))
        leader = _leader(x, y, RADII[_size(ship)], tag, name_width=width_of(ship["name"]))
    return Mark(
        id=ship["id"],
        size=_size(ship),
        classes=classes,
        x=round(x, 1),
        y=round(y, 1),
        turn=ship["course"] % 12 * 30,
        words=join_phrases(", ", parts),
        name=ship["name"],
        name_at=name_at,
        leader=leader,
    )


def _motion(ship: Mapping[str, Any]) -> str:
    """Return a ship's course and velocity as text."""
    velocity = "unknown" if ship["v"] is None else ship["v"]
    return phrase("course {}, velocity {}", ship["course"], velocity)


def width_of(text: str) -> float:
    """Estimate the width of a text in pixels, with some space around it."""
    return 4 + sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    """Return how far a letter moves the next one, in pixels."""
    if letter in NARROW:
        return NARROW_ADVANCE
    if letter in WIDE:
        return WIDE_ADVANCE
    return OTHER_ADVANCE


def place_names(marks: Iterable[tuple[float, float, float, str]], inside: Box) -> list[Tag | None]:
    """Return left and top of each mark's name, None for one without room.

    Args:
        marks: x, y, radius and name; the first are named first.
    """
    marks = list(marks)
    occupied: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r, _ in marks]
    tags: list[Tag | None] = []
    for x, y, r, name in marks:
        tag = None
        for box in _possible_boxes(x, y, r, width_of(name)):
            is_inside = _is_inside(box, inside)
            if is_inside and not any(_overlap(box, other) for other in occupied):
                occupied.append(box)
                left, top, _, _ = box
                tag = (left, top)
                break
        tags.append(tag)
    return tags


def _possible_boxes(x: float, y: float, r: float, width: float) -> Iterator[Box]:
    """Yield the boxes around a mark in which its name may be written, best first."""
    for gap in GAPS:
        for dx, dy in _around(r + gap, width):
            left = x + dx
            top = y + dy
            yield left, top, left + width, top + LINE_HEIGHT


def _around(far: float, width: float) -> tuple[tuple[float, float], ...]:
    """Return the positions of a name around its mark, best first."""
    diagonal = far * DIAGONAL
    return (
        (far, -LINE_HEIGHT / 2),
        (-far - width, -LINE_HEIGHT / 2),
        (diagonal, -diagonal - LINE_HEIGHT + 4),
        (diagonal, diagonal - 4),
        (-diagonal - width, -diagonal - LINE_HEIGHT + 4),
        (-diagonal - width, diagonal - 4),
        (-width / 2, -far - LINE_HEIGHT),
        (-width / 2, far),
    )


def _is_inside(box: Box, outer: Box) -> bool:
    """Return whether a box is inside another, two pixels from its edges."""
    left, top, right, bottom = box
    outer_left, outer_top, outer_right, outer_bottom = outer
    fits_in_x = left >= outer_left + 2 and right <= outer_right - 2
    return fits_in_x and top >= outer_top + 2 and bottom <= outer_bottom - 2


def _overlap(first: Box, second: Box) -> bool:
    """Return whether two boxes overlap."""
    left, top, right, bottom = first
    other_left, other_top, other_right, other_bottom = second
    overlap_in_x = left < other_right and right > other_left
    return overlap_in_x and top < other_bottom and bottom > other_top


def _leader(x: float, y: float, r: float, tag: Tag, *, name_width: float) -> str:
    """Return the line from a mark to a name beyond the first gap, or an empty text."""
    left, top = tag
    end_x = max(left, min(x, left + name_width))
    end_y = max(top + 3, min(y, top + LINE_HEIGHT - 3))
    distance = hypot(end_x - x, end_y - y)
    if distance <= r + GAPS[0] + 8:
        return ""
    start_x = x + (end_x - x) / distance * (r + 2)
    start_y = y + (end_y - y) / distance * (r + 2)
    return f"M{start_x:.1f} {start_y:.1f}L{end_x:.1f} {end_y:.1f}"
