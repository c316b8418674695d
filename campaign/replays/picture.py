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

WIDTH: Final = 760.0  # pixels
MAX_HEIGHT: Final = 0.8  # of the width
MIN_HEIGHT: Final = 0.55  # of the width
MARGIN: Final = 7.0  # MU shown around the ships
MIN_WIDTH_SHOWN: Final = 40.0  # MU
GRID: Final = 12  # MU between grid lines
LETTER_SIZE: Final = 13.0  # pixels
# Radii of symbols by classification, in pixels at a medium scale.
RADIUS: Final = {
    "fighter": 8,
    "interceptor": 8,
    "bomber": 8,
    "shuttle": 8,
    "gunboat": 9,
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
        turn: Its rotation in degrees.
        symbol: Its silhouette in the sprite.
        cls: Its CSS classes.
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
    """A trail or a line of fire.

    Attributes:
        path: An SVG path in MU.
        cls: Its CSS classes.
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
    """A turn as SVG values.

    Attributes:
        matrix: The SVG transform from MU to pixels.
        table: Width and depth of the table in MU.
        lines: The SVG path of the grid.
        scale: Figures at the edges: x and y in pixels, and the MU they stand for.
        ground: Large pieces, drawn to scale in MU.
        dots: Small pieces, in pixels.
        names: The placed name of each ship, with its CSS classes.
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


@dataclass(frozen=True, slots=True)
class _Frame:
    """The part of the table that a picture shows.

    Attributes:
        scale: Pixels per MU.
        x: Pixels from the left edge to the corner (0, 0) of the table.
        y: Pixels from the upper edge to that corner.
        height: Of the picture, in pixels.
    """

    scale: float
    x: float
    y: float
    height: float

    def pixels(self, x: float, y: float) -> Point:
        """Return the place of a point of the table on the picture."""
        return round(self.x + x * self.scale, 1), round(self.y - y * self.scale, 1)


def picture_of(replay: Replay, turn: int) -> Picture:
    """Draw the picture of a turn."""
    start, end = states_at(replay, turn)
    moments = [moment for moment in replay.moments if moment.turn == turn]
    present = {key: state for key, state in end.items() if not state.get("out")}
    destroyed = _destroyed_units(start, end)
    frame = _frame(replay, [*present.values(), *destroyed.values()])
    marks = []
    spots = []
    for key, state in {**destroyed, **present}.items():
        unit = replay.units[key]
        is_destroyed = key in destroyed
        marks.append(_mark(replay, unit, state, frame, is_destroyed=is_destroyed))
        spots.append(_name_spot(unit, state, frame, is_destroyed=is_destroyed))
    names = place_names(spots, WIDTH, frame.height, LETTER_SIZE)
    ground = []
    dots = []
    for piece in moments[-1].pieces if moments else ():
        if piece.r:
            ground.append(_piece(replay, piece, (piece.x, piece.y)))
        else:
            dots.append(_piece(replay, piece, frame.pixels(piece.x, piece.y)))
    scale, x, y = frame.scale, frame.x, frame.y
    return Picture(
        width=WIDTH,
        height=round(frame.height, 1),
        matrix=f"matrix({scale:.3f} 0 0 {-scale:.3f} {x:.1f} {y:.1f})",
        table=replay.table,
        lines=_grid(replay.table),
        scale=_edge_figures(replay.table, frame),
        trails=tuple(_trails(replay, moments, end)),
        fire=tuple(_fire(replay, moments, end)),
        ground=tuple(ground),
        dots=tuple(dots),
        marks=tuple(marks),
        names=tuple((placed, unit_style(replay, end[placed.key])) for placed in names),
    )


def _destroyed_units(
    start: Mapping[str, UnitState], end: Mapping[str, UnitState]
) -> dict[str, UnitState]:
    """Return the units that were destroyed during a turn."""
    destroyed_label = ShipStatus.label_of(DESTROYED)
    destroyed = {}
    for key, state in end.items():
        was_present = not start.get(key, {}).get("out")
        if was_present and state.get("out") == destroyed_label:
            destroyed[key] = state
    return destroyed


def _mark(
    replay: Replay, unit: Unit, state: UnitState, frame: _Frame, *, is_destroyed: bool
) -> PictureMark:
    """Draw a unit with its silhouette, or as a wreck."""
    x, y = frame.pixels(state["x"], state["y"])
    style = unit_style(replay, state)
    return PictureMark(
        x=x,
        y=y,
        turn=state["c"] % 12 * DEGREES,
        symbol=LOST_SYMBOL if is_destroyed else silhouette(unit.size),
        cls=f"{style} wreck" if is_destroyed else style,
        words=unit_words(unit, state),
    )


def _name_spot(unit: Unit, state: UnitState, frame: _Frame, *, is_destroyed: bool) -> NameSpot:
    """Return the spot beside which a unit's name is to be written; wrecks come last."""
    x, y = frame.pixels(state["x"], state["y"])
    symbol_size = max(0.8, min(1.7, frame.scale / 11))
    return NameSpot(
        key=unit.key,
        x=x,
        y=y,
        r=RADIUS.get(unit.size, 11) * symbol_size,
        name=unit.code or unit_name(unit, state),
        rank=1 if is_destroyed else 4,
    )


def _grid(table: tuple[float, float]) -> str:
    """Return the SVG path of the grid lines, in MU."""
    width, depth = table
    parts = [f"M{x} 0V{depth}" for x in range(GRID, int(width), GRID)]
    parts += [f"M0 {y}H{width}" for y in range(GRID, int(depth), GRID)]
    return "".join(parts)


def _edge_figures(
    table: tuple[float, float], frame: _Frame
) -> tuple[tuple[float, float, int], ...]:
    """Return the figures along the lower and left edges, with their places in pixels."""
    width, depth = table
    figures = []
    for x in range(0, int(width) + 1, GRID):
        x_pixels, _ = frame.pixels(x, 0)
        if 0 < x_pixels < WIDTH:
            figures.append((x_pixels, round(frame.height - 4, 1), x))
    for y in range(GRID, int(depth) + 1, GRID):
        _, y_pixels = frame.pixels(0, y)
        if 0 < y_pixels < frame.height - 20:
            figures.append((12.0, y_pixels + 4, y))
    return tuple(figures)


def _trails(
    replay: Replay, moments: Iterable[Moment], states: Mapping[str, UnitState]
) -> Iterable[PictureLine]:
    """Draw the paths of all units that moved."""
    for moment in moments:
        for key, path in moment.paths.items():
            if key in states:
                yield PictureLine(_path(path), f"trail {unit_style(replay, states[key])}")


def _frame(replay: Replay, states: Iterable[UnitState]) -> _Frame:
    """Return the smallest frame that shows all these units; without units, the whole table."""
    places = [(state["x"], state["y"]) for state in states] or [(0.0, 0.0), replay.table]
    xs = [x for x, _ in places]
    ys = [y for _, y in places]
    width_mu = max(max(xs) - min(xs) + 2 * MARGIN, MIN_WIDTH_SHOWN)
    height_mu = max(max(ys) - min(ys) + 2 * MARGIN, MIN_WIDTH_SHOWN * MIN_HEIGHT)
    height = WIDTH * max(MIN_HEIGHT, min(MAX_HEIGHT, height_mu / width_mu))
    scale = min(WIDTH / width_mu, height / height_mu)
    return _Frame(
        scale=scale,
        x=WIDTH / 2 - (max(xs) + min(xs)) / 2 * scale,
        y=height / 2 + (max(ys) + min(ys)) / 2 * scale,
        height=height,
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
    """Return the SVG path through points."""
    return "M" + "L".join(phrase("{:g} {:g}", x, y) for x, y in path)


def _fire(
    replay: Replay, moments: Iterable[Moment], states: Mapping[str, UnitState]
) -> Iterable[PictureLine]:
    """Draw a line from each shooter to each of its targets."""
    for moment in moments:
        if moment.kind != FIRE or moment.shooter not in states:
            continue
        shooter = states[moment.shooter]
        for key, hits in moment.shots.items():
            if key in states:
                target = states[key]
                path = _path(((shooter["x"], shooter["y"]), (target["x"], target["y"])))
                result = "hit" if hits else "miss"
                yield PictureLine(path, f"beam {unit_style(replay, shooter)} {result}")


def _piece(replay: Replay, piece: Piece, at: Point) -> PicturePiece:
    """Draw a piece at a place, in the colour of its owner's seat."""
    side = NO_SIDE if piece.side is None else piece.side
    if 0 <= side < len(replay.sides):
        seat = replay.sides[side].seat
    else:
        seat = 0
    x, y = at
    return PicturePiece(x, y, piece.r, cls=f"{piece.kind} seat-{seat}", words=piece.words)
