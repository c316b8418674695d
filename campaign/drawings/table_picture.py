"""The table of a battle as a picture for readers without scripts. Pure functions.

Names do not overlap: each is tried around its mark, then further out with a leader line, and
otherwise left out, because the lists contain it. Widths are generous estimates for common fonts at
12 pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from engine.core.phrase import join_phrases, phrase

WIDTH: Final = 900.0  # of the picture, in pixels
ON_PHONE: Final = 44  # rem of its width on a phone, which shows a part of it (battle_orders.css)
TABLE_MARGIN: Final = 2.5  # MU around the table
LINES: Final = 12  # MU between grid lines
RADII: Final = {
    "fighter": 8,
    "escort": 10,
    "cruiser": 12,
    "capital": 14,
    "merchant": 12,
    "installation": 13,
}
HIGH: Final = 15.0  # of a line of text
NARROW, WIDE = "iljtfrI.,'1 ", "mwMW@"
ADVANCES: Final = (4.2, 7.4, 11.2)  # of a narrow letter, most letters, a wide letter
GAPS: Final = (5.0, 18.0, 34.0, 52.0)  # between a mark and its name; beyond the first with a leader
NEAR: Final = 0.72  # of the distance, on the diagonals

Box = tuple[float, float, float, float]  # left, top, right, bottom
Tag = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """A ship on the picture.

    Attributes:
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
class Picture:
    """The picture in pixels, y downwards.

    Attributes:
        floor: Left, top, width and height of the table on it.
        middle: On a phone, rem from its left to the middle of the ships.
    """

    width: float
    height: float
    floor: Box
    lines: str
    trails: tuple[tuple[str, str], ...]
    shots: tuple[tuple[str, str], ...]
    spots: tuple[Spot, ...]
    marks: tuple[Mark, ...]
    middle: int


def table_picture(data: Mapping[str, Any]) -> Picture:
    """Draw a table from the data of `campaign.pages.table.table_data`."""
    wide, high = data["table"]
    scale = WIDTH / (wide + 2 * TABLE_MARGIN)

    def px(x: float, y: float) -> tuple[float, float]:
        return (x + TABLE_MARGIN) * scale, (high + TABLE_MARGIN - y) * scale

    def path_data(points: Iterable[Iterable[float]]) -> str:
        return "M" + "L".join("{:.1f} {:.1f}".format(*px(*point)) for point in points)

    ships = [*data["own"], *data["contacts"]]
    seats = {ship["id"]: f"seat-{ship['seat']}" for ship in ships}
    left, top = px(0, high)
    right, bottom = px(wide, 0)
    inside = (0.0, 0.0, WIDTH, (high + 2 * TABLE_MARGIN) * scale)
    places = [px(ship["x"], ship["y"]) for ship in ships]
    radii = [RADII.get(ship["size"], RADII["escort"]) for ship in ships]
    tags = place_names(
        [(*at, r, ship["name"]) for at, r, ship in zip(places, radii, ships, strict=True)], inside
    )
    grid = [path_data([(x, 0), (x, high)]) for x in range(LINES, int(wide), LINES)]
    grid += [path_data([(0, y), (wide, y)]) for y in range(LINES, int(high), LINES)]
    return Picture(
        WIDTH,
        round(inside[3], 1),
        (round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)),
        "".join(grid),
        tuple((seats[key], path_data(path)) for key, path in data["tracks"].items()),
        tuple(
            (
                f"{'own' if is_own else 'foe'}{'' if is_hit else ' miss'}",
                path_data([(a, b), (c, d)]),
            )
            for a, b, c, d, is_own, is_hit in data["shots"]
        ),
        tuple(_spot(marker, px, scale) for marker in data["things"]),
        tuple(
            _mark(ship, at, r, tag)
            for ship, at, r, tag in zip(ships, places, radii, tags, strict=True)
        ),
        _middle([x for x, _ in places]),
    )


def _middle(across: Sequence[float]) -> int:
    if across:
        return round(ON_PHONE * (min(across) + max(across)) / 2 / WIDTH)
    return ON_PHONE // 2


def _spot(marker: Mapping[str, Any], px: Any, scale: float) -> Spot:
    x, y = px(marker["x"], marker["y"])
    if marker["r"]:
        look = f"thing {marker['kind']}"
    else:
        look = f"dot {marker['kind']}"
    return Spot(look, round(x, 1), round(y, 1), round(marker["r"] * scale, 1) or 4, marker["words"])


def _mark(ship: Mapping[str, Any], at: tuple[float, float], r: float, tag: Tag | None) -> Mark:
    (x, y), foe = at, "foe" in ship
    classes = f"seat-{ship['seat']} {'foe' if foe else 'own'}" + (
        " bogey" if foe and "cls" not in ship else ""
    )
    words = join_phrases(
        ", ", [ship["name"], *([ship["cls"]] if "cls" in ship else []), _motion(ship)]
    )
    if tag is None:
        leader = ""
    else:
        leader = _leader(x, y, r, tag, width_of(ship["name"]))
    name_at = tag and (round(tag[0] + 2, 1), round(tag[1] + 11.5, 1))
    if ship["size"] in RADII:
        size = ship["size"]
    else:
        size = "escort"
    turn = ship["course"] % 12 * 30
    return Mark(
        ship["id"],
        size,
        classes,
        round(x, 1),
        round(y, 1),
        turn,
        words,
        ship["name"],
        name_at,
        leader,
    )


def _motion(ship: Mapping[str, Any]) -> str:
    return phrase(
        "course {}, velocity {}", ship["course"], "unknown" if ship["v"] is None else ship["v"]
    )


def width_of(text: str) -> float:
    """Estimate the width of a text in pixels, with some space around it."""
    return 4 + sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    narrow, usual, wide = ADVANCES
    if letter in NARROW:
        return narrow
    if letter in WIDE:
        return wide
    return usual


def place_names(marks: Iterable[tuple[float, float, float, str]], inside: Box) -> list[Tag | None]:
    """Return left and top of each mark's name, None for one without room.

    Args:
        marks: x, y, radius and name; the first are named first.
    """
    marks = list(marks)
    occupied: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r, _ in marks]
    tags: list[Tag | None] = []
    for x, y, r, name in marks:
        wide = width_of(name)
        spots = ((x + dx, y + dy) for gap in GAPS for dx, dy in _around(r + gap, wide))
        boxes = ((left, top, left + wide, top + HIGH) for left, top in spots)
        box = next(
            (
                box
                for box in boxes
                if _is_inside(box, inside)
                and not any(_overlap(box, taken_box) for taken_box in occupied)
            ),
            None,
        )
        if box is not None:
            occupied.append(box)
        tags.append(None if box is None else (box[0], box[1]))
    return tags


def _around(far: float, wide: float) -> tuple[tuple[float, float], ...]:
    """Return the positions of a name around its mark, best first."""
    near = far * NEAR
    return (
        (far, -HIGH / 2),
        (-far - wide, -HIGH / 2),
        (near, -near - HIGH + 4),
        (near, near - 4),
        (-near - wide, -near - HIGH + 4),
        (-near - wide, near - 4),
        (-wide / 2, -far - HIGH),
        (-wide / 2, far),
    )


def _is_inside(box: Box, outer: Box) -> bool:
    return (
        box[0] >= outer[0] + 2
        and box[1] >= outer[1] + 2
        and box[2] <= outer[2] - 2
        and box[3] <= outer[3] - 2
    )


def _overlap(box: Box, second: Box) -> bool:
    return box[0] < second[2] and box[2] > second[0] and box[1] < second[3] and box[3] > second[1]


def _leader(x: float, y: float, r: float, tag: Tag, wide: float) -> str:
    """Return the line from a mark to a name beyond the first gap, or an empty text."""
    ex = max(tag[0], min(x, tag[0] + wide))
    ey = max(tag[1] + 3, min(y, tag[1] + HIGH - 3))
    far = hypot(ex - x, ey - y)
    if far <= r + GAPS[0] + 8:
        return ""
    return (
        f"M{x + (ex - x) / far * (r + 2):.1f} {y + (ey - y) / far * (r + 2):.1f}L{ex:.1f} {ey:.1f}"
    )
