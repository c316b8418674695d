"""Leaving a battle: by FTL if that hurts no friend, otherwise over an edge away from the enemy.

Docked ships cast off if they can fight, or once their pier is under fire.

Rules: 2E "Starbases and other installations" [2e.installations]; Continuum "Docking" 16.6
[pc.docking]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.foes import Foe
from engine.captains.common.move_options import plain_or_hold, possible_moves
from engine.core.geometry import COURSES, length_of, squared_length, turn_course
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, Plot
from engine.core.ship import BERTHED, DOCKED, ShipState
from engine.second_edition.ftl import DANGER_RADIUS
from engine.view.side_view import SideView

MAX_TURNS_WAITING = 3  # turns that a ship looks for a clear place before it risks the jump


def loss_share(ships: list[ShipState]) -> float:
    """Return the percentage of a side's points lost so far, with damage counted by boxes."""
    total = lost_points = 0.0
    for ship in ships:
        if not ship.dummy:
            points = ship.sheet.points
            total += points
            lost_points += points * ship.damage / ship.sheet.boxes
    if total:
        return 100.0 * lost_points / total
    return 0.0


def should_break_off(ships: list[ShipState], foes: list[Foe], doctrine: Doctrine) -> bool:
    """Return whether a side leaves now.

    It does if its doctrine is to flee, or if its losses reach the limit and it is not clearly
    winning.
    """
    if doctrine.flee:
        return True
    if doctrine.break_off >= 100 or loss_share(ships) < doctrine.break_off:
        return False
    own_strength = 0
    for ship in ships:
        if ship.status == FIGHTING:
            own_strength += max(ship.power) * (ship.sheet.boxes - ship.damage)
    foe_strength = sum(foe.threat * foe.boxes_left for foe in foes)
    return own_strength < 2 * foe_strength


def retreat(
    ship: ShipState,
    ships: list[ShipState],
    foes: list[Foe],
    table: tuple[float, float],
    waited: int,
    *,
    jumping: bool = True,
) -> Plot:
    """Return a fleeing ship's plot.

    Args:
        waited: The number of turns that the side has been fleeing.
        jumping: Whether ships may enter FTL here; otherwise they leave over an edge.
    """
    if ship.status == RETURNING:
        return Plot(stay=True)
    if ship.warm:
        return HOLD
    can_jump = jumping and _has_working_ftl(ship)
    if can_jump and (waited >= MAX_TURNS_WAITING or _is_jump_clear(ship, ships)):
        return Plot(ftl=True)
    return _plot_away(ship, foes, ships, table, can_jump=can_jump)


def _has_working_ftl(ship: ShipState) -> bool:
    """Return whether a ship has an FTL drive that works."""
    return ship.profile.ftl >= 0 and ship.alive[ship.profile.ftl] > 0


def _is_jump_clear(ship: ShipState, ships: list[ShipState]) -> bool:
    """Return whether no friend is likely to be within 6 MU, plus a margin, of the jump."""
    ux, uy = COURSES[ship.course]
    x, y = ship.x + ux * ship.velocity * 1.5, ship.y + uy * ship.velocity * 1.5
    reach = DANGER_RADIUS + 1.0
    reach *= reach
    for friend in ships:
        if friend is not ship and friend.status == FIGHTING:
            ox, oy = COURSES[friend.course]
            steps = friend.velocity * (1.5 if friend.warm else 2.0)
            if squared_length(friend.x + ox * steps - x, friend.y + oy * steps - y) < reach:
                return False
    return True


def _plot_away(
    ship: ShipState,
    foes: list[Foe],
    ships: list[ShipState],
    table: tuple[float, float],
    *,
    can_jump: bool,
) -> Plot:
    """Return a plot away from foes and, for a jump, from friends; without a jump over an edge."""
    friends = [friend for friend in ships if friend is not ship and friend.status == FIGHTING]
    best_score = -1e9
    best_plot = HOLD
    for turn, change in possible_moves(ship):
        speed = ship.velocity + change
        ux, uy = COURSES[turn_course(ship.course, turn)]
        x, y = ship.x + ux * speed, ship.y + uy * speed
        score = _total_distance((x, y), foes, limit=60.0)
        if can_jump:
            score += _total_distance((x, y), friends, limit=9.0)
        else:
            score -= 2.0 * min(x, y, table[0] - x, table[1] - y) - speed
        if score > best_score:
            best_score = score
            best_plot = plain_or_hold(turn, change)
    if can_jump:
        return best_plot
    return replace(best_plot, leave=True)


def _total_distance(
    point: tuple[float, float], units: Sequence[Foe | ShipState], limit: float
) -> float:
    """Return the sum of the distances in MU from a point to units, none above a limit."""
    x, y = point
    total = 0.0
    for unit in units:
        total += min(length_of(unit.x - x, unit.y - y), limit)
    return total


CAST_OFF = Plot(undock=True)


def undocking_plots(view: SideView, *, leaving: bool = False) -> dict[str, Plot]:
    """Return the plots of docked ships that cast off, because a docked ship cannot fire or steer.

    Args:
        leaving: Whether its side leaves the battle, so that all cast off.
    """
    own_ships = {ship.id: ship for ship in view.own_ships}
    has_foe = any(contact.hostile for contact in view.contacts)
    plots: dict[str, Plot] = {}
    for ship in view.own_ships:
        is_docked = ship.docking in (DOCKED, BERTHED)
        if ship.status != FIGHTING or not is_docked or not ship.thrust:
            continue
        pier = own_ships.get(ship.dock)
        if leaving or (has_foe and _should_cast_off(ship, pier)):
            plots[ship.id] = CAST_OFF
    return plots


def _should_cast_off(ship: ShipState, pier: ShipState | None) -> bool:
    """Return whether a docked ship can fight, or its pier is lost or under fire."""
    return _is_armed(ship) or pier is None or pier.damage > 0


def _is_armed(ship: ShipState) -> bool:
    """Return whether a ship has a weapon left to fight ships with."""
    fits = ship.sheet.fits
    return any(ship.alive[place] for place, fit in enumerate(fits) if fit.offensive)
