"""The picture of a turn as the server draws it: the table after the moves, trails, fire, losses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from campaign.drawings.name_placement import NameSpot, PlacedName, place_names
from campaign.drawings.symbols import LOST_SYMBOL, silhouette
from campaign.replays.moments import FIRE, Moment, Piece
from campaign.replays.replay import Replay, Unit
from campaign.replays.units import NO_SIDE, Point, UnitState
from engine.core.kinds import DESTROYED, ShipStatus
from engine.core.phrase import phrase

WIDTH: Final = 760.0  # pixels of the drawing
TALL, FLAT = 0.8, 0.55  # its largest and smallest height, as fractions of its width
MARGIN, LEAST = 7.0, 40.0  # MU around the ships, and the smallest width shown
LINES: Final = 12  # MU between grid lines
LETTER_SIZE: Final = 13.0
RADIUS: Final = {
    "fighter": 8,
    "escort": 10,
    "cruiser": 12,
    "capital": 14,
    "merchant": 12,
    "installation": 13,
}
DEGREES: Final = 30  # per point of course


@dataclass(frozen=True, slots=True)
class PictureMark:
    """A ship on the picture, in pixels.

    Attributes:
        symbol: Its silhouette in the sprite.
        words: Its title.
    """

    x: float
    y: float
    turn: int
    symbol: str
    cls: str
    words: str


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A trail or a line of fire, as a path in MU.

    Attributes:
        cls: Its style.
    """

    path: str
    cls: str


@dataclass(frozen=True, slots=True)
class PicturePiece:
    """An object on the table: large ones in MU, small ones (`r` 0) in pixels."""

    x: float
    y: float
    r: float
    cls: str
    words: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture.

    Attributes:
        matrix: MU to pixels.
        scale: Figures at the edges, each with its place.
    """

    width: float
    height: float
    matrix: str
    table: tuple[float, float]
    lines: str
    scale: tuple[tuple[float, float, int], ...]
    trails: tuple[PictureLine, ...]
    fire: tuple[PictureLine, ...]
    ground: tuple[PicturePiece, ...]
    dots: tuple[PicturePiece, ...]
    marks: tuple[PictureMark, ...]
    names: tuple[tuple[PlacedName, str], ...]


def states_at(replay: Replay, turn: int) -> tuple[dict[str, UnitState], dict[str, UnitState]]:
    """Return all units as they were at the beginning and at the end of a turn."""
    before: dict[str, UnitState] = {}
    now: dict[str, UnitState] = {}
    for moment in replay.moments:
        if moment.turn > turn:
            break
        for key, changes in moment.changes.items():
            now[key] = {**now.get(key, {}), **changes}
            if moment.turn < turn:
                before[key] = now[key]
    return before, now


def unit_name(unit: Unit, state: UnitState) -> str:
    """Return a unit's present name: a bogey's code while it is one."""
    if state.get("b"):
        return unit.bogey or unit.name
    return unit.name


def unit_style(replay: Replay, state: UnitState) -> str:
    """Return a unit's style: its seat's colour; filled, hollow or dashed.

    A reader who sees the truth sees all units filled.
    """
    side = state.get("s", NO_SIDE)
    if 0 <= side < len(replay.sides):
        seat = replay.sides[side].seat
    else:
        seat = 0
    if state.get("m") or replay.own_side < 0:
        return f"seat-{seat} own"
    if state.get("b"):
        return f"seat-{seat} foe bogey"
    return f"seat-{seat} foe"


def picture_of(replay: Replay, turn: int) -> Picture:
    """Draw the picture of a turn."""
    before, now = states_at(replay, turn)
    moments = [moment for moment in replay.moments if moment.turn == turn]
    present = {key: state for key, state in now.items() if not state.get("out")}
    destroyed = {}
    for key, state in now.items():
        if state.get("out") == ShipStatus.label_of(DESTROYED) and not before.get(key, {}).get(
            "out"
        ):
            destroyed[key] = state
    k, tx, ty, height = _frame(replay, [*present.values(), *destroyed.values()])

    def px(x: float, y: float) -> Point:
        return round(tx + x * k, 1), round(ty - y * k, 1)

    grow = max(0.8, min(1.7, k / 11))
    marks, spots = [], []
    for key, state in {**destroyed, **present}.items():
        unit = replay.units[key]
        x, y = px(state["x"], state["y"])
        is_destroyed = key in destroyed
        style = unit_style(replay, state)
        if is_destroyed:
            symbol = LOST_SYMBOL
        else:
            symbol = silhouette(unit.size)
        cls = f"{style} wreck" if is_destroyed else style
        marks.append(
            PictureMark(x, y, state["c"] % 12 * DEGREES, symbol, cls, unit_words(unit, state))
        )
        spots.append(
            NameSpot(
                key,
                x,
                y,
                RADIUS.get(unit.size, 11) * grow,
                unit_name(unit, state),
                1 if is_destroyed else 4,
            )
        )
    names = place_names(spots, WIDTH, height, LETTER_SIZE)
    pieces = moments[-1].pieces if moments else ()
    width, depth = replay.table
    trails = []
    for moment in moments:
        for key, path in moment.paths.items():
            if key in now:
                trails.append(PictureLine(_path(path), f"trail {unit_style(replay, now[key])}"))
    return Picture(
        width=WIDTH,
        height=round(height, 1),
        matrix=f"matrix({k:.3f} 0 0 {-k:.3f} {tx:.1f} {ty:.1f})",
        table=replay.table,
        lines="".join(f"M{x} 0V{depth}" for x in range(LINES, int(width), LINES))
        + "".join(f"M0 {y}H{width}" for y in range(LINES, int(depth), LINES)),
        scale=(
            *(
                (px(x, 0)[0], round(height - 4, 1), x)
                for x in range(0, int(width) + 1, LINES)
                if 0 < px(x, 0)[0] < WIDTH
            ),
            *(
                (12.0, px(0, y)[1] + 4, y)
                for y in range(LINES, int(depth) + 1, LINES)
                if 0 < px(0, y)[1] < height - 20
            ),
        ),
        trails=tuple(trails),
        fire=tuple(_fire(replay, moments, now)),
        ground=tuple(_piece(replay, piece, (piece.x, piece.y)) for piece in pieces if piece.r),
        dots=tuple(_piece(replay, piece, px(piece.x, piece.y)) for piece in pieces if not piece.r),
        marks=tuple(marks),
        names=tuple((placed, unit_style(replay, now[placed.key])) for placed in names),
    )


def _frame(replay: Replay, states: Iterable[UnitState]) -> tuple[float, float, float, float]:
    """Return pixels per MU, the table's corner (two values), and the height, to show all ships."""
    places = [(state["x"], state["y"]) for state in states] or [(0.0, 0.0), replay.table]
    xs = [x for x, _ in places]
    ys = [y for _, y in places]
    wide = max(max(xs) - min(xs) + 2 * MARGIN, LEAST)
    high = max(max(ys) - min(ys) + 2 * MARGIN, LEAST * FLAT)
    height = WIDTH * max(FLAT, min(TALL, high / wide))
    k = min(WIDTH / wide, height / high)
    return (
        k,
        WIDTH / 2 - (max(xs) + min(xs)) / 2 * k,
        height / 2 + (max(ys) + min(ys)) / 2 * k,
        height,
    )


def unit_words(unit: Unit, state: UnitState) -> str:
    """Describe a unit: name, course, velocity, damage, why it is gone."""
    name = unit_name(unit, state)
    velocity = state.get("v")
    if state.get("out"):
        return phrase("{}, {}", name, state["out"])
    if unit.cls == "craft":
        return phrase("{}, {} craft", name, state.get("d", 0))
    words = phrase(
        "{}, course {}, velocity {}", name, state["c"], "unknown" if velocity is None else velocity
    )
    if state.get("d"):
        words = phrase("{}, {} damage", words, state["d"])
    if state.get("note"):
        return phrase("{}, {}", words, state["note"])
    return words


def _path(path: Iterable[Point]) -> str:
    return "M" + "L".join(phrase("{:g} {:g}", x, y) for x, y in path)


def _fire(
    replay: Replay, moments: Iterable[Moment], now: Mapping[str, UnitState]
) -> Iterable[PictureLine]:
    for moment in moments:
        if moment.kind != FIRE or moment.shooter not in now:
            continue
        a = now[moment.shooter]
        for key, hits in moment.shots.items():
            if key in now:
                b = now[key]
                cls = f"beam {unit_style(replay, a)} {'hit' if hits else 'miss'}"
                yield PictureLine(_path(((a["x"], a["y"]), (b["x"], b["y"]))), cls)


def _piece(replay: Replay, piece: Piece, at: Point) -> PicturePiece:
    side = NO_SIDE if piece.side is None else piece.side
    if 0 <= side < len(replay.sides):
        seat = replay.sides[side].seat
    else:
        seat = 0
    return PicturePiece(at[0], at[1], piece.r, f"{piece.kind} seat-{seat}", piece.words)
