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
        if not edge:
            continue
        foes = []
        for other in range(len(state.sides)):
            if state.hostile[side] >> other & 1 and _possible_pursuers(state, other):
                foes.append(other)
        if foes:
            _disengage(table, side, edge=edge, foes=foes, pursue=pursue)


def _edge_left_by(state: BattleState, side: int) -> str:
    """Return the edge over which most of a side's ships left; ties go to left, right, bottom, top.

    The result is "" while one of its ships that could follow is on the table or due from FTL.
    """
    count_by_edge = dict.fromkeys(EDGES, 0)
    own_ships = [ship for ship in state.ships if ship.commander == side and not ship.dummy]
    for ship in own_ships:
        if _may_still_follow(ship):
            return ""
        if ship.status in (LEFT_TABLE, RETURNING) and ship.edge:
            count_by_edge[ship.edge] += 1
    most = max(count_by_edge.values())
    if most:
        return next(edge for edge, count in count_by_edge.items() if count == most)
    return ""


def _may_still_follow(ship: ShipState) -> bool:
    """Return whether a ship is due from FTL, or on the table and able to follow the others."""
    if ship.status == INBOUND:
        return True
    return ship.status == FIGHTING and _can_follow(ship)


def _can_follow(ship: ShipState) -> bool:
    """Return whether a ship can fly after others by itself: with thrust and not docked."""
    return ship.thrust > 0 and ship.sheet.kind != INSTALLATION and ship.docking < DOCKED


def _possible_pursuers(state: BattleState, side: int) -> list[ShipState]:
    """Return a side's ships on the table that could pursue."""
    pursuers: list[ShipState] = []
    for ship in state.ships:
        if ship.commander != side or ship.status != FIGHTING:
            continue
        if _can_follow(ship) and not ship.dummy:
            pursuers.append(ship)
    return pursuers


def _fled_ships(state: BattleState, side: int, edge: str) -> list[ShipState]:
    """Return a side's ships that left the table over an edge."""
    ships: list[ShipState] = []
    for ship in state.ships:
        if ship.commander != side or ship.status not in (LEFT_TABLE, RETURNING):
            continue
        if ship.edge == edge:
            ships.append(ship)
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
    own_thrust = _highest_thrust(_fled_ships(state, side, edge))
    thrust_by_foe = {foe: _highest_thrust(_possible_pursuers(state, foe)) for foe in foes}
    die = table.dice.roll("disengage", state.sides[side])
    own_sum = die + (FASTER if own_thrust > max(thrust_by_foe.values()) else 0)
    rolls = [(state.sides[side], die, own_sum)]
    higher_foes = []
    for foe, thrust in thrust_by_foe.items():
        die = table.dice.roll("disengage", state.sides[foe])
        foe_sum = die + (FASTER if thrust > own_thrust else 0)
        rolls.append((state.sides[foe], die, foe_sum))
        if foe_sum > own_sum:
            higher_foes.append(foe)
    pursuers: list[int] = []
    if own_thrust:
        willing = [foe for foe in higher_foes if foe in pursue]
        pursuers = [foe for foe in willing if not _has_other_enemies(state, foe, side)]
    outcome = ChaseOutcome.LET_GO if higher_foes else ChaseOutcome.AWAY
    if pursuers:
        outcome = ChaseOutcome.PURSUED
    if table.listens:
        table.tell(
            SideDisengaged, side=state.sides[side], edge=edge, rolls=tuple(rolls), outcome=outcome
        )
    if pursuers:
        _chase(table, side, edge, pursuers)
    else:
        state.escape(side)


def _highest_thrust(ships: list[ShipState]) -> int:
    """Return the highest thrust of any of some ships, 0 for none."""
    return max((ship.thrust for ship in ships), default=0)


def _has_other_enemies(state: BattleState, side: int, fled: int) -> bool:
    """Return whether a side has other enemies on the table than the one that left."""
    other_enemies = state.hostile[side] & ~(1 << fled)
    for ship in state.ships:
        if ship.status == FIGHTING and not ship.dummy and other_enemies >> ship.commander & 1:
            return True
    return False


def _chase(table: Table, side: int, edge: str, pursuers: list[int]) -> None:
    """Set up a new table for a stern chase.

    All ships fly in the direction in which the fleeing side left, at their own velocity and lateral
    position, the pursuers 24 MU behind. Ships without thrust, and everything else, are left behind.

    Rules: 2E "The moving table and disengaging from battle" [2e.moving-table]
    """
    state = table.state
    inward = EDGES[edge]
    course = COURSES.index((float(-inward[0]), float(-inward[1])), 1)
    fleeing = [ship for ship in _fled_ships(state, side, edge) if _can_follow(ship)]
    on_table = [ship for ship in state.ships if ship.status == FIGHTING]
    pursuing = [ship for ship in on_table if ship.commander in pursuers and _can_follow(ship)]
    state.clear_table()
    table.tell(TableCleared)
    for ship in state.ships:
        if ship in fleeing or ship in pursuing:
            at = _chase_position(state, ship, edge, AHEAD if ship in fleeing else BEHIND)
            ship.place_on_table(at, course)
            table.tell(ShipPlaced, ship=ship.id, at=at, course=ship.course, velocity=ship.velocity)
        elif _is_left_behind(ship):
            ship.leave_behind()
            table.tell(ShipLeftBehind, ship.id)
    _take_groups(table, [*fleeing, *pursuing])


def _is_left_behind(ship: ShipState) -> bool:
    """Return whether a ship without a part in a chase is on the table or has left over an edge."""
    if ship.status == FIGHTING:
        return True
    return ship.status in (LEFT_TABLE, RETURNING) and bool(ship.edge)


def _chase_position(
    state: BattleState, ship: ShipState, edge: str, depth: float
) -> tuple[float, float]:
    """Return where a ship starts the chase: `depth` MU from the edge opposite to where it left."""
    width, height = state.table
    is_sideways = edge in (Edge.LEFT, Edge.RIGHT)
    size = width if is_sideways else height
    depth = min(depth, size * depth / (AHEAD + BEHIND))  # closer together on a small table
    along = depth if edge in (Edge.RIGHT, Edge.TOP) else size - depth
    if is_sideways:
        return along, min(max(ship.y, 0.0), height)
    return min(max(ship.x, 0.0), width), along


def _take_groups(table: Table, chasing: list[ShipState]) -> None:
    """Move fighters in flight to their carrier or the first ship of their side; others are lost."""
    for group in list(table.state.pieces_of(Group)):
        friends = [ship for ship in chasing if ship.commander == group.side]
        if not friends:
            group.take_damage(table, group.craft, "lost")
            continue
        home = next((ship for ship in friends if ship.id == group.ship), friends[0])
        group.x, group.y = home.x, home.y
        group.dogfight = NO_GROUP
        table.tell(GroupPlaced, group.id, (home.x, home.y))
