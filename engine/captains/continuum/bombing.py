"""A captain's plasma bombers: they fly ahead of a ship, drop their bombs, and get away.

A bomb explodes where it was dropped, after ships have moved, so it is laid in a ship's path like a
mine.
Rules: Continuum "Plasma bomber gunboat" 9.2 [pc.gunboats]; Continuum "Plasma bolt launchers" 6.8
[pc.plasma-bolts]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from engine.captains.common.fighter_tactics import ROUNDING_MARGIN
from engine.core.geometry import COURSES, Point, dist
from engine.core.kinds import FIGHTING
from engine.core.orders import Launch
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament, CraftType, no_fire
from engine.pieces.group import Group
from engine.weapons.ordnance import PLASMA_RADIUS

# MU from a ship's expected position at which bombs are still dropped: it may steer
DROP_RANGE = 4.5
SAFE_RANGE = 8.0  # MU that ships of the own side, and their craft, must be away


def bombs_of(row: CraftType) -> Armament | None:
    """Return the bombs that a type drops; None without bombs, or with guns for ships too."""
    if row.guns.at_ships is not no_fire:
        return None
    return next((load for load in row.loads if load.dropped), None)


def position_after(ship: ShipState, turns: int) -> Point:
    """Return where a ship is after so many turns if it holds its course."""
    if ship.drift is not None:
        return ship.x + ship.drift[0] * turns, ship.y + ship.drift[1] * turns
    ux, uy = COURSES[ship.course]
    return ship.x + ux * ship.velocity * turns, ship.y + uy * ship.velocity * turns


def bomb_launches(state: BattleState, group: Group, load: Armament) -> tuple[Launch, ...]:
    """Return the launch of all of a group's bombs if a foe but no friend will be in range.

    Rules: Continuum "Plasma bomber gunboat" 9.2 [pc.gunboats]
    """
    here = group.x, group.y
    hostile = state.hostile[group.commander]
    has_target = False
    for ship in state.ships:
        if ship.status != FIGHTING or ship.dummy:
            continue
        distance = dist(here, position_after(ship, 1))
        if hostile >> ship.commander & 1:
            has_target = has_target or distance <= DROP_RANGE
        elif distance <= SAFE_RANGE:
            return ()
    if has_target:
        return (Launch(load.name, count=group.rounds(load)),)
    return ()


def bombing_run(
    state: BattleState, group: Group, bombs: Armament, ships: Sequence[ShipState], far: float
) -> Point | None:
    """Return where a group with bombs flies; None if there is no target.

    It flies away from bombs that it drops this turn. Otherwise it flies to where the most expensive
    ship in reach will be a turn later, or as near as it can get to one.

    Args:
        far: The MU that the group can fly.

    Rules: Continuum "Plasma bomber gunboat" 9.2 [pc.gunboats]
    """
    here = group.x, group.y
    if bomb_launches(state, group, bombs):
        return _away_from(here, group.course, state.table, far)
    candidates = []
    for ship in ships:
        point = position_after(ship, 2)
        if 0.0 <= point[0] <= state.table[0] and 0.0 <= point[1] <= state.table[1]:
            candidates.append((point, ship.sheet.points))
    if not candidates:
        return None

    def worth(candidate: tuple[Point, int]) -> tuple[bool, float]:
        point, points = candidate
        distance = dist(here, point)
        if distance <= far:
            return True, points
        return False, -distance

    point, _ = max(candidates, key=worth)
    distance = dist(here, point)
    step = min(far - ROUNDING_MARGIN, distance) / distance if distance else 0.0
    x = here[0] + (point[0] - here[0]) * step
    y = here[1] + (point[1] - here[1]) * step
    return round(x, 2), round(y, 2)


def _away_from(bombs: Point, course: int, table: Point, far: float) -> Point:
    """Return where a group flies after dropping bombs: away, towards the table's middle."""
    dx, dy = table[0] / 2 - bombs[0], table[1] / 2 - bombs[1]
    length = sqrt(dx * dx + dy * dy)
    ux, uy = COURSES[course]
    if length > PLASMA_RADIUS:
        ux, uy = dx / length, dy / length
    x, y = bombs[0] + ux * (far - ROUNDING_MARGIN), bombs[1] + uy * (far - ROUNDING_MARGIN)
    return round(min(max(x, 0.0), table[0]), 2), round(min(max(y, 0.0), table[1]), 2)
