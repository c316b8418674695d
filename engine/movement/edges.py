"""Ships that leave the table and come back, and the table that moves along with a drifting battle.

Rules: 2E "Ships leaving the table" [2e.leaving-table]; 2E "The moving table and disengaging from
battle" [2e.moving-table]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.continuum.legs import leg_of, motion, tell_move
from engine.core.geometry import COURSES, NEAR, Point, turn_course
from engine.core.kinds import FIGHTING, FTL, INSTALLATION, LEFT_TABLE, RETURNING, Edge
from engine.core.orders import HOLD, Plot
from engine.core.reason import reason
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import MOVING_TABLE, ORBITAL_TABLE, TABLE_RETURN, Terms
from engine.core.victory import can_jump
from engine.events.battle import TableMoved
from engine.events.movement import LeftTable, ReturnGivenUp, ShipEscaped, ShipReturned
from engine.movement.orbital_table import fly_round_planet
from engine.movement.paths import move_along
from engine.pieces.piece import by_kind
from engine.ruleset import rules_of
from engine.second_edition.movement import advance

# Each edge and the direction that leads inwards from it.
EDGES: dict[str, tuple[int, int]] = {
    Edge.LEFT: (1, 0),
    Edge.RIGHT: (-1, 0),
    Edge.BOTTOM: (0, 1),
    Edge.TOP: (0, -1),
}


RETURNS_ON = 4  # the lowest die on which a ship that left comes back, after so many turns


def edge_crossed(a: Point, b: Point, table: Point) -> tuple[str, Point] | None:
    """Return the edge that a path from `a` to `b` crosses, and where; None if `b` is on the table.

    A path may start beyond the table, as for a hulk that the moving table has left behind. It then
    counts from the nearest point of the table.
    """
    width, height = table
    a = min(max(a[0], 0.0), width), min(max(a[1], 0.0), height)
    crossings: list[tuple[float, str]] = []
    dx, dy = b[0] - a[0], b[1] - a[1]
    if b[0] < -NEAR:
        crossings.append((-a[0] / dx, Edge.LEFT))
    elif b[0] > width + NEAR:
        crossings.append(((width - a[0]) / dx, Edge.RIGHT))
    if b[1] < -NEAR:
        crossings.append((-a[1] / dy, Edge.BOTTOM))
    elif b[1] > height + NEAR:
        crossings.append(((height - a[1]) / dy, Edge.TOP))
    if not crossings:
        return None
    share, edge = min(crossings)
    return edge, (min(max(a[0] + dx * share, 0.0), width), min(max(a[1] + dy * share, 0.0), height))


def returns_possible(terms: Terms) -> bool:
    """Return whether a ship that left the table may come back.

    Rules: Continuum 3.9 [pc.leaving-table]
    """
    return rules_of(terms.edition).ships_return or TABLE_RETURN in terms.options


def leave_if_off(
    table: Table, ship: ShipState, path: tuple[Point, ...], *, for_good: bool = False
) -> None:
    """Take a ship off the table if its path crossed an edge; a moving table waits for all moves.

    Args:
        for_good: The ship means to leave, and does not fly round a planet.

    Rules: 2E "Ships leaving the table" [2e.leaving-table]; 2E "The moving table" [2e.moving-table]
    """
    state = table.state
    width, height = state.table
    for place in range(1, len(path)):
        x, y = path[place]
        if not (-NEAR <= x <= width + NEAR and -NEAR <= y <= height + NEAR):
            break
    else:
        return
    if MOVING_TABLE in state.terms.options:
        return
    crossed = edge_crossed(path[place - 1], path[place], state.table)
    assert crossed is not None
    edge, at = crossed
    leave_over_edge(table, ship, edge, at, for_good=for_good)


def leave_over_edge(
    table: Table, ship: ShipState, edge: str, at: Point, *, for_good: bool = False
) -> None:
    """Take a ship off the table over an edge, and roll for its return.

    On 1-3 the ship is lost; 4-6 is the number of turns until it returns. In battles without returns
    it is lost without a roll. Over its side's jump edge it escapes into FTL if it can.
    Installations, sections of ships and ships of a withdrawing fleet do not come back. On an
    orbital table the others go round the planet.
    Rules: 2E "Ships leaving the table" [2e.leaving-table]; 2E "The attack on Convoy 990"
    [2e.convoy-990]; Continuum "Ships leaving the table" 3.9 [pc.leaving-table]
    """
    state = table.state
    if edge == state.terms.jump_edge(ship.commander) and can_jump(ship):
        ship.leave(edge, at, FTL)
        table.tell(ShipEscaped, ship=ship.id, edge=edge, at=at)
        return
    stays_away = bool(ship.record.section or ship.record.withdrawing)
    if ORBITAL_TABLE in state.terms.options and not for_good and not stays_away:
        fly_round_planet(table, ship, edge, at)
        return
    die = 0
    if _may_return(state.terms, ship) and not stays_away:
        die = table.dice.roll("re-entry", ship.id)
    if die >= RETURNS_ON:
        ship.leave(edge, at, RETURNING, table.turn + die)
    else:
        ship.leave(edge, at, LEFT_TABLE, 0)
    table.tell(LeftTable, ship=ship.id, edge=edge, at=at, die=die, due=ship.due)


def _may_return(terms: Terms, ship: ShipState) -> bool:
    """Return whether a ship that leaves the table could come back; installations cannot."""
    return ship.sheet.kind != INSTALLATION and returns_possible(terms)


def entry_fault(ship: ShipState, entry: tuple[float, float, int], table: Point) -> str:
    """Return why a ship cannot re-enter at a place, or "" if it can.

    It must enter over the edge it left by, on a course that leads inwards.
    """
    x, y, course = entry
    distance_to_edge = {
        Edge.LEFT: abs(x),
        Edge.RIGHT: abs(x - table[0]),
        Edge.BOTTOM: abs(y),
        Edge.TOP: abs(y - table[1]),
    }
    is_on_table = -NEAR <= x <= table[0] + NEAR and -NEAR <= y <= table[1] + NEAR
    if distance_to_edge[Edge(ship.edge)] > NEAR or not is_on_table:
        return reason(
            "place-not-left",
            "the position ({:g}, {:g}) is not on the {} by which it left",
            x,
            y,
            Edge.label_of(ship.edge),
        )
    inward = EDGES[ship.edge]
    if COURSES[course][0] * inward[0] + COURSES[course][1] * inward[1] <= NEAR:
        return reason("course-not-lead-onto", "course {} does not lead onto the table", course)
    return ""


def come_back(table: Table, ship: ShipState, plot: Plot) -> tuple[Point, ...]:
    """Take a returning ship's movement phase, and return its path.

    The ship stays away for good, waits, or enters and makes its full move. Without a legal order it
    enters where it left, on the opposite course. With vector movement too, it enters the way it
    faces.
    Rules: 2E "Ships leaving the table" [2e.leaving-table]; Continuum "Ships leaving the table" 3.9
    [pc.leaving-table]
    """
    if plot.stay:
        ship.stay_away()
        table.tell(ReturnGivenUp, ship.id)
        return ()
    if table.turn < ship.due:
        return ()
    entry = plot.enter
    if entry is None or entry_fault(ship, entry, table.state.table):
        entry = (ship.x, ship.y, turn_course(ship.course, 6))
        if entry_fault(ship, entry, table.state.table):
            inward = EDGES[ship.edge]
            entry = (ship.x, ship.y, COURSES.index((float(inward[0]), float(inward[1])), 1))
    ship.place_on_table(entry[:2], entry[2])
    table.tell(ShipReturned, ship=ship.id, at=(ship.x, ship.y), course=ship.course)
    start = (ship.x, ship.y)
    if ship.drift is not None:
        path = tell_move(table, ship, leg_of(ship, HOLD))
    else:
        mid = advance(ship, turn=0, thrust=0)
        path = move_along(table, ship, (start, mid, (ship.x, ship.y)))
    leave_if_off(table, ship, path)
    return path


def shift_or_leave(table: Table, plots: Mapping[str, Plot]) -> None:
    """Move the table along with ships that are off it, or let them leave, after all movement.

    Ships ordered to leave do so. For the others the table moves, if everything that stays fits on
    it; otherwise they leave too.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]; Continuum "Moving
    table" 16.4 [pc.disengaging]
    """
    state = table.state
    on_table = [ship for ship in state.ships if ship.status == FIGHTING]
    ships_off = [ship for ship in on_table if _is_off_table(state, ship)]
    if not ships_off:
        return
    leaving = []
    for ship in ships_off:
        if plots.get(ship.id, HOLD).leave or ship.record.withdrawing:
            leaving.append(ship)
    if len(leaving) < len(ships_off):
        shift = _shift_needed(state, leaving)
        if shift is None:
            leaving = ships_off
        else:
            lost_pieces = move_table(state, *shift)
            table.tell(TableMoved, by_x=shift[0], by_y=shift[1], removed=lost_pieces)
    for ship in leaving:
        if _is_off_table(state, ship):
            edge, at = _edge_crossed_by(state, ship)
            leave_over_edge(table, ship, edge, at)


def _is_off_table(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship is beyond an edge of the table."""
    width, height = state.table
    return not (-NEAR <= ship.x <= width + NEAR and -NEAR <= ship.y <= height + NEAR)


def _shift_needed(state: BattleState, leaving: list[ShipState]) -> Point | None:
    """Return the x and y in MU that bring all that stays onto the table; None if it cannot fit.

    Along an axis on which anything is off the table, the whole is centred. Along the other axis
    nothing moves.
    """
    staying = []
    for ship in state.ships:
        if ship.status == FIGHTING and ship not in leaving:
            staying.append((ship.x, ship.y))
    staying += [(piece.x, piece.y) for piece in state.pieces if piece.flies_along]
    width, height = state.table
    shift_x = _axis_shift([x for x, _ in staying], width)
    shift_y = _axis_shift([y for _, y in staying], height)
    if shift_x is None or shift_y is None:
        return None
    return shift_x, shift_y


def _axis_shift(places: list[float], size: float) -> float | None:
    """Return how far to shift places along one axis of the table; None if they cannot fit."""
    low, high = min(places), max(places)
    if high - low > size + NEAR:
        return None
    if low >= -NEAR and high <= size + NEAR:
        return 0.0
    return (size - low - high) / 2


def move_table(state: BattleState, by_x: float, by_y: float) -> tuple[str, ...]:
    """Shift everything on the table; return the ids of the pieces that are left behind."""
    state.shift(by_x, by_y)
    lost_pieces: list[str] = []
    for piece in by_kind(state.pieces):
        if not piece.flies_along and piece.is_off_table(state.table):
            lost_pieces.append(piece.id)
    state.remove(tuple(lost_pieces))
    return tuple(lost_pieces)


def _edge_crossed_by(state: BattleState, ship: ShipState) -> tuple[str, Point]:
    """Return over which edge a ship left the table, and where.

    That is where the second half of its move crosses an edge. If the ship was off the table at
    half its move already, it is the point of the table nearest to it then.
    """
    dx, dy = motion(ship)
    mid = ship.x - dx * 0.5, ship.y - dy * 0.5
    crossing = edge_crossed(mid, (ship.x, ship.y), state.table)
    assert crossing is not None  # the ship is off the table
    return crossing
