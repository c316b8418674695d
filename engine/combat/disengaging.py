"""Disengaging: a side that left the table over one edge escapes or faces a stern chase.

Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]; Continuum "Disengaging
from battle" 16.5 [pc.disengaging]
"""

from __future__ import annotations

from engine.core.geometry import COURSES
from engine.core.ids import NO_GROUP
from engine.core.kinds import (
    FIGHTING,
    INBOUND,
    INSTALLATION,
    LEFT_TABLE,
    RETURNING,
    ChaseOutcome,
    Edge,
)
from engine.core.ship import DOCKED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import MOVING_TABLE
from engine.events.battle import (
    GroupPlaced,
    ShipLeftBehind,
    ShipPlaced,
    SideDisengaged,
    TableCleared,
)
from engine.movement.edges import EDGES
from engine.pieces.group import Group

FASTER = 2  # added to the die of the side with a ship faster than all of the other side's
# Distance in MU from the rear edge at which pursuers and pursued start on the new table.
BEHIND = 12.0
AHEAD = 36.0


def disengage(table: Table, pursue: tuple[int, ...]) -> None:
    """Let every side that has left over an edge try to disengage, at the end of a turn.

    Args:
        pursue: The numbers of the sides that want to pursue.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]
    """
    state = table.state
    if MOVING_TABLE not in state.terms.options:
        return
    for side in range(len(state.sides)):
        edge = _edge_left_by(state, side)
        foes = (
            [
                s
                for s in range(len(state.sides))
                if state.hostile[side] >> s & 1 and _possible_pursuers(state, s)
            ]
            if edge
            else []
        )
        if foes:
            _disengage(table, side, edge=edge, foes=foes, pursue=pursue)


def _edge_left_by(state: BattleState, side: int) -> str:
    """Return the edge over which most of a side's ships left; ties go to left, right, bottom, top.

    The result is "" while one of its ships that could follow is on the table or due from FTL.
    """
    count_by_edge = dict.fromkeys(EDGES, 0)
    for ship in state.ships:
        if ship.commander != side or ship.dummy:
            continue
        if ship.status == INBOUND or (ship.status == FIGHTING and _drives(ship)):
            return ""
        if ship.status in (LEFT_TABLE, RETURNING) and ship.edge:
            count_by_edge[ship.edge] += 1
    most = max(count_by_edge.values())
    if most:
        return next(edge for edge, count in count_by_edge.items() if count == most)
    return ""


def _drives(ship: ShipState) -> bool:
    return ship.thrust > 0 and ship.sheet.kind != INSTALLATION and ship.docking < DOCKED


def _possible_pursuers(state: BattleState, side: int) -> list[ShipState]:
    """Return a side's ships on the table that could pursue."""
    pursuers: list[ShipState] = []
    for s in state.ships:
        if s.commander == side and s.status == FIGHTING and _drives(s) and not s.dummy:
            pursuers.append(s)
    return pursuers


def _fled_ships(state: BattleState, side: int, edge: str) -> list[ShipState]:
    ships: list[ShipState] = []
    for s in state.ships:
        if s.commander == side and s.status in (LEFT_TABLE, RETURNING) and s.edge == edge:
            ships.append(s)
    return ships


def _disengage(
    table: Table, side: int, edge: str, foes: list[int], pursue: tuple[int, ...]
) -> None:
    """Roll a die for each side, +2 with a ship faster than all of the other's.

    An equal or higher sum gets the side away for good. Otherwise the sides with a higher sum may
    pursue, unless other enemies hold them on the table.
    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]; Continuum
    "Disengaging from battle" 16.5 [pc.disengaging]
    """
    state = table.state
    fastest = max((ship.thrust for ship in _fled_ships(state, side, edge)), default=0)
    speed = {}
    for foe in foes:
        speed[foe] = max(ship.thrust for ship in _possible_pursuers(state, foe))
    die = table.dice.roll("disengage", state.sides[side])
    own_sum = die + (FASTER if fastest > max(speed.values()) else 0)
    rolls = [(state.sides[side], die, own_sum)]
    sums = {}
    for foe in foes:
        die = table.dice.roll("disengage", state.sides[foe])
        sums[foe] = die + (FASTER if speed[foe] > fastest else 0)
        rolls.append((state.sides[foe], die, sums[foe]))
    higher = [foe for foe in foes if sums[foe] > own_sum]
    after = (
        [foe for foe in higher if foe in pursue and not _has_other_enemies(state, foe, side)]
        if fastest
        else []
    )
    if higher:
        outcome = ChaseOutcome.LET_GO
    else:
        outcome = ChaseOutcome.AWAY
    if after:
        outcome = ChaseOutcome.PURSUED
    if table.listens:
        table.tell(
            SideDisengaged, side=state.sides[side], edge=edge, rolls=tuple(rolls), outcome=outcome
        )
    if after:
        _chase(table, side, edge, after)
    else:
        state.escape(side)


def _has_other_enemies(state: BattleState, side: int, fled: int) -> bool:
    """Return whether a side has other enemies on the table than the one that left."""
    other_enemies = state.hostile[side] & ~(1 << fled)
    return any(
        s.status == FIGHTING and not s.dummy and other_enemies >> s.commander & 1
        for s in state.ships
    )


def _chase(table: Table, side: int, edge: str, after: list[int]) -> None:
    """Set up a new table for a stern chase.

    All ships fly in the direction in which the fleeing side left, at their own velocity and lateral
    position, the pursuers 24 MU behind. Ships without thrust, and everything else, are left behind.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]
    """
    state = table.state
    inward = EDGES[edge]
    course = COURSES.index((float(-inward[0]), float(-inward[1])), 1)
    fled = [ship for ship in _fled_ships(state, side, edge) if _drives(ship)]
    chased = []
    for s in state.ships:
        if s.commander in after and s.status == FIGHTING and _drives(s):
            chased.append(s)
    state.clear_table()
    table.tell(TableCleared)
    for ship in state.ships:
        if ship in fled or ship in chased:
            at = _chase_position(state, ship, edge, AHEAD if ship in fled else BEHIND)
            ship.place_on_table(at, course)
            table.tell(ShipPlaced, ship=ship.id, at=at, course=ship.course, velocity=ship.velocity)
        elif ship.status in (FIGHTING, LEFT_TABLE, RETURNING) and (
            ship.edge or ship.status == FIGHTING
        ):
            ship.leave_behind()
            table.tell(ShipLeftBehind, ship.id)
    _take_groups(table, [*fled, *chased])


def _chase_position(
    state: BattleState, ship: ShipState, edge: str, depth: float
) -> tuple[float, float]:
    """Return where a ship starts the chase: `depth` MU from the edge opposite to where it left."""
    width, height = state.table
    depth = min(
        depth, (width if edge in (Edge.LEFT, Edge.RIGHT) else height) * depth / (AHEAD + BEHIND)
    )
    if edge in (Edge.LEFT, Edge.RIGHT):
        return (depth if edge == Edge.RIGHT else width - depth), min(max(ship.y, 0.0), height)
    return min(max(ship.x, 0.0), width), (depth if edge == Edge.TOP else height - depth)


def _take_groups(table: Table, chasing: list[ShipState]) -> None:
    """Move fighters in flight to their carrier or the first ship of their side; others are lost."""
    for group in list(table.state.pieces_of(Group)):
        friends = [ship for ship in chasing if ship.commander == group.side]
        home = next(
            (ship for ship in friends if ship.id == group.ship), friends[0] if friends else None
        )
        if home is None:
            group.take_damage(table, group.craft, "lost")
            continue
        group.x, group.y = home.x, home.y
        group.dogfight = NO_GROUP
        table.tell(GroupPlaced, group.id, (home.x, home.y))
