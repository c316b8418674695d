"""Leaving a battle in Continuum: by FTL if that hurts no friend, otherwise over an edge."""

from __future__ import annotations

from dataclasses import replace

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.move_options import Option, options_of
from engine.captains.common.objectives import PURSUIT_LOSS_LIMIT
from engine.captains.common.retreat import MAX_TURNS_WAITING, loss_share
from engine.captains.continuum.orbiting import landing_plot, plot_out_of_orbit
from engine.captains.continuum.targets import Target, drift_of, max_fire
from engine.continuum.fleet_morale import withdrawal_fault
from engine.continuum.orbits import orbited_planet
from engine.continuum.sections import ships_carried
from engine.continuum.weapon_orders import rest_fault
from engine.core.geometry import COURSES, length_of, squared_length
from engine.core.kinds import CLOAKED, FIGHTING, RETURNING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import NO_FTL
from engine.movement.edges import EDGES
from engine.second_edition.ftl import DANGER_RADIUS
from engine.view.side_view import SideView

FOE_RANGE_LIMIT = 60.0  # MU from a foe beyond which more distance does not count
JUMP = Plot(ftl=True)
SAFE_GAP = 9.0  # MU from a friend beyond which a jump is safe


def should_break_off(ships: list[ShipState], targets: list[Target], doctrine: Doctrine) -> bool:
    """Return whether a side leaves now.

    It does if it has to flee or withdraw, or if its losses reach the limit of its doctrine and it
    is not clearly winning.
    """
    if doctrine.flee or is_withdrawing(ships):
        return True
    if doctrine.break_off >= 100 or loss_share(ships) < doctrine.break_off:
        return False
    own_strength = 0.0
    for ship in ships:
        if ship.status == FIGHTING:
            own_strength += max_fire(ship, doctrine.never) * (ship.sheet.boxes - ship.damage)
    return own_strength < 2 * sum(target.threat * target.boxes_left for target in targets)


def would_pursue(view: SideView, doctrine: Doctrine, *, fleeing: bool) -> bool:
    """Return whether a side pursues one that leaves.

    It does unless it is leaving itself, cannot fight, or has lost too much.

    Rules: Continuum "Disengaging from battle" 16.5 [pc.disengaging]
    """
    if fleeing or loss_share(view.own_ships) >= PURSUIT_LOSS_LIMIT:
        return False
    for ship in view.own_ships:
        if ship.status == FIGHTING and ship.thrust and max_fire(ship, doctrine.never):
            return True
    return False


def retreat(
    state: BattleState, ship: ShipState, view: SideView, targets: list[Target], waited: int
) -> Plot:
    """Return a fleeing ship's plot.

    Args:
        waited: The number of turns that the side has been fleeing.
    """
    if ship.status == RETURNING:
        return Plot(stay=True)
    if ship.warm:
        return HOLD
    if ship.status == CLOAKED:
        if orbited_planet(state, ship) is not None:
            return plot_out_of_orbit(state, ship)
        options = options_of(state, ship)
        return _best_exit(options, ship, view, targets, jumps=False).plot()
    jumps = can_jump(state, ship, view)
    if jumps and _should_jump(state, ship, view, waited):
        return JUMP
    if orbited_planet(state, ship) is not None:
        landing = landing_plot(state, ship, targets)
        return landing or replace(plot_out_of_orbit(state, ship), leave=True)
    plot = _exit_option(state, ship, view, targets, jumps=jumps).plot()
    if jumps:
        return plot
    return replace(plot, leave=True)


def _should_jump(state: BattleState, ship: ShipState, view: SideView, waited: int) -> bool:
    """Return whether a ship jumps now: no friend is near, or it has waited long enough."""
    if waited >= MAX_TURNS_WAITING:
        return True
    return _is_jump_clear(ship, _ships_left_behind(state, ship, view))


def _exit_option(
    state: BattleState, ship: ShipState, view: SideView, targets: list[Target], *, jumps: bool
) -> Option:
    """Return the best move of a ship that leaves and does not jump this turn."""
    options = allowed_moves(state, ship)
    option = _best_exit(options, ship, view, targets, jumps=jumps)
    # It may only turn before it moves off.
    if ship.record.withdrawing and targets and _is_at_rest(option):
        turns = [candidate for candidate in options if _is_at_rest(candidate)]
        return max(turns, key=lambda candidate: _faces_away(candidate, ship, targets))
    return option


def _best_exit(
    options: list[Option], ship: ShipState, view: SideView, targets: list[Target], *, jumps: bool
) -> Option:
    """Return the move that serves a leaving ship best."""
    return max(options, key=lambda option: _leaving_score(option, ship, view, targets, jumps=jumps))


def is_withdrawing(ships: list[ShipState]) -> bool:
    """Return whether a side withdraws by its commander's morale, whatever its doctrine.

    Rules: Continuum 12.8 [pc.morale]
    """
    return any(ship.record.withdrawing for ship in ships)


def can_jump(state: BattleState, ship: ShipState, view: SideView) -> bool:
    """Return whether a ship can leave now by its own FTL drive."""
    if NO_FTL in view.terms.options or ship.profile.ftl < 0 or not ship.alive[ship.profile.ftl]:
        return False
    return not rest_fault(state, ship, JUMP) and ship.record.cloaked <= state.turn


def allowed_moves(state: BattleState, ship: ShipState) -> list[Option]:
    """Return the moves of a leaving ship; only valid ones if its fleet has to withdraw."""
    options = options_of(state, ship)
    if not ship.record.withdrawing:
        return options
    moves: list[Option] = []
    for option in options:
        if not withdrawal_fault(state, ship, option.plot()):
            moves.append(option)
    return moves


def _ships_left_behind(state: BattleState, ship: ShipState, view: SideView) -> list[ShipState]:
    """Return the ships of a side that do not jump along with a ship as its sections or its tow."""
    jumping_ids = [other.id for other in ships_carried(state, ship)]
    return [other for other in view.own_ships if other.id not in jumping_ids]


def _is_jump_clear(ship: ShipState, ships: list[ShipState]) -> bool:
    """Return whether no friend is likely to be too near the place of the jump."""
    gx, gy = drift_of(ship)
    x, y = ship.x + gx * 1.5, ship.y + gy * 1.5
    reach = DANGER_RADIUS + 1.0
    reach *= reach
    for friend in ships:
        if friend is not ship and friend.status == FIGHTING:
            ox, oy = drift_of(friend)
            turns = 1.5 if friend.warm else 2.0
            if squared_length(friend.x + ox * turns - x, friend.y + oy * turns - y) < reach:
                return False
    return True


def _leaving_score(
    option: Option, ship: ShipState, view: SideView, targets: list[Target], *, jumps: bool
) -> float:
    """Rate a move of a leaving ship: far from foes, and from friends to jump, or near an edge."""
    x, y = option.x, option.y
    score = 0.0
    for target in targets:
        score += min(length_of(target.x - x, target.y - y), FOE_RANGE_LIMIT)
    if not jumps:
        x, y = x + option.gx, y + option.gy
        return score - 2.0 * min(x, y, view.table[0] - x, view.table[1] - y)
    friends_score = 0.0
    for friend in view.own_ships:
        if friend is not ship and friend.status == FIGHTING:
            friends_score += min(length_of(friend.x - x, friend.y - y), SAFE_GAP)
    return score + friends_score


def _is_at_rest(option: Option) -> bool:
    """Return whether a move leaves the ship at rest."""
    return not (option.gx or option.gy)


def _faces_away(option: Option, ship: ShipState, targets: list[Target]) -> float:
    """Return how far a ship faces away from the nearest of its foes."""
    nearest = min(targets, key=lambda target: squared_length(target.x - ship.x, target.y - ship.y))
    ux, uy = COURSES[option.course]
    return ux * (ship.x - nearest.x) + uy * (ship.y - nearest.y)


def plot_for_edge(state: BattleState, ship: ShipState, edge: str) -> Plot:
    """Return the plot that brings a ship over an edge soonest: first course, then speed."""
    inward = EDGES[edge]

    def score(option: Option) -> float:
        nearness = -(option.x * inward[0] + option.y * inward[1])
        speed = -(option.gx * inward[0] + option.gy * inward[1])
        if inward[0]:
            position, size = option.y + 2.0 * option.gy, state.table[1]
        else:
            position, size = option.x + 2.0 * option.gx, state.table[0]
        overshoot = max(-position, position - size, 0.0)
        return nearness + 2.0 * speed + ship.thrust * speed / 10.0 - 3.0 * overshoot

    return max(allowed_moves(state, ship), key=score).plot()
