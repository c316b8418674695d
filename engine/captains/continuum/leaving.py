"""Leaving a battle of Continuum: by FTL where that hurts no friend, else over an edge, away from
the foe.
"""

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
from engine.core.geometry import COURSES
from engine.core.kinds import CLOAKED, FIGHTING, RETURNING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import NO_FTL
from engine.movement.edges import EDGES
from engine.second_edition.ftl import DANGER_RADIUS
from engine.view.side_view import SideView

FOE_RANGE_LIMIT = 60.0  # MU from a foe beyond which more matters no more
JUMP = Plot(ftl=True)
SAFE_GAP = 9.0  # MU from a friend beyond which a jump is safe


def should_break_off(ships: list[ShipState], targets: list[Target], doctrine: Doctrine) -> bool:
    """Whether a side leaves now: told to flee, or its share of losses is reached while it is not
    clearly winning.
    """
    if doctrine.flee or is_withdrawing(ships):
        return True
    if doctrine.break_off >= 100 or loss_share(ships) < doctrine.break_off:
        return False
    own_strength = sum(
        max_fire(ship, doctrine.never) * (ship.sheet.boxes - ship.damage)
        for ship in ships
        if ship.status == FIGHTING
    )
    return own_strength < 2 * sum(target.threat * target.boxes_left for target in targets)


def would_pursue(view: SideView, doctrine: Doctrine, *, fleeing: bool) -> bool:
    """Whether a side would go after one that leaves: it does not leave itself, can fight, and has
    not lost too much.

    Rules: Continuum "Disengaging from battle" 16.5 [pc.disengaging]
    """
    able = any(
        ship.status == FIGHTING and ship.thrust and max_fire(ship, doctrine.never)
        for ship in view.own_ships
    )
    return able and not fleeing and loss_share(view.own_ships) < PURSUIT_LOSS_LIMIT


def retreat(
    state: BattleState, ship: ShipState, view: SideView, targets: list[Target], waited: int
) -> Plot:
    """A fleeing ship's plot; `waited`: the turns its side has fled."""
    if ship.status == RETURNING:
        return Plot(stay=True)
    if ship.warm:
        return HOLD
    if ship.status == CLOAKED:
        return max(
            options_of(state, ship),
            key=lambda option: _leaving_score(option, ship, view, targets, jumps=False),
        ).plot()
    jumps = can_jump(state, ship, view)
    if jumps and (
        waited >= MAX_TURNS_WAITING or _is_jump_clear(ship, _ships_left_behind(state, ship, view))
    ):
        return JUMP
    if orbited_planet(state, ship) is not None:
        return landing_plot(state, ship, targets) or replace(
            plot_out_of_orbit(state, ship), leave=True
        )
    lawful = allowed_moves(state, ship)
    option = max(
        lawful, key=lambda option: _leaving_score(option, ship, view, targets, jumps=jumps)
    )
    if (
        ship.record.withdrawing and targets and _is_at_rest(option)
    ):  # it may only come about before it makes way
        option = max(
            filter(_is_at_rest, lawful), key=lambda candidate: _faces_away(candidate, ship, targets)
        )
    return option.plot() if jumps else replace(option.plot(), leave=True)


def is_withdrawing(ships: list[ShipState]) -> bool:
    """Whether a side's commander withdraws, whatever its captain was told.

    Rules: Continuum 12.8 [pc.morale]
    """
    return any(ship.record.withdrawing for ship in ships)


def can_jump(state: BattleState, ship: ShipState, view: SideView) -> bool:
    """Whether a ship can leave by an FTL drive of its own now."""
    works = (
        NO_FTL not in view.terms.options
        and ship.profile.ftl >= 0
        and ship.alive[ship.profile.ftl] > 0
    )
    return works and not rest_fault(state, ship, JUMP) and ship.record.cloaked <= state.turn


def allowed_moves(state: BattleState, ship: ShipState) -> list[Option]:
    """The moves a ship that leaves may make: any, where its fleet does not have to withdraw."""
    options = options_of(state, ship)
    if not ship.record.withdrawing:
        return options
    return [option for option in options if not withdrawal_fault(state, ship, option.plot())]


def _ships_left_behind(state: BattleState, ship: ShipState, view: SideView) -> list[ShipState]:
    """The ships of its side that do not go along when a ship jumps: other sections of its whole do,
    and who is in its tow.
    """
    along = [other.id for other in ships_carried(state, ship)]
    return [other for other in view.own_ships if other.id not in along]


def _is_jump_clear(ship: ShipState, ships: list[ShipState]) -> bool:
    """Whether no friend will be too near the place of FTL entry, as far as it can be foreseen."""
    gx, gy = drift_of(ship)
    x, y = ship.x + gx * 1.5, ship.y + gy * 1.5
    reach = (DANGER_RADIUS + 1.0) ** 2
    for friend in ships:
        if friend is not ship and friend.status == FIGHTING:
            ox, oy = drift_of(friend)
            turns = 1.5 if friend.warm else 2.0
            if (friend.x + ox * turns - x) ** 2 + (friend.y + oy * turns - y) ** 2 < reach:
                return False
    return True


def _leaving_score(
    option: Option, ship: ShipState, view: SideView, targets: list[Target], *, jumps: bool
) -> float:
    """What a move is worth to a ship that leaves: far from foes, from friends too for a jump, else
    near an edge.
    """
    x, y = option.x, option.y
    score: float = sum(
        min(((target.x - x) ** 2 + (target.y - y) ** 2) ** 0.5, FOE_RANGE_LIMIT)
        for target in targets
    )
    if jumps:
        crowd = [
            friend for friend in view.own_ships if friend is not ship and friend.status == FIGHTING
        ]
        score += sum(
            min(((friend.x - x) ** 2 + (friend.y - y) ** 2) ** 0.5, SAFE_GAP) for friend in crowd
        )
        return score
    x, y = x + option.gx, y + option.gy
    return score - 2.0 * min(x, y, view.table[0] - x, view.table[1] - y)


def _is_at_rest(option: Option) -> bool:
    """Whether a move leaves the ship at rest."""
    return not (option.gx or option.gy)


def _faces_away(option: Option, ship: ShipState, targets: list[Target]) -> float:
    """How far a ship faces away from the nearest of its foes."""
    near = min(targets, key=lambda target: (target.x - ship.x) ** 2 + (target.y - ship.y) ** 2)
    ux, uy = COURSES[option.course]
    return ux * (ship.x - near.x) + uy * (ship.y - near.y)


def plot_for_edge(state: BattleState, ship: ShipState, edge: str) -> Plot:
    """The plot that brings a ship over an edge soonest: course first, then all the speed it can
    get.
    """
    inward = EDGES[edge]

    def worth(option: Option) -> float:
        along = -(option.x * inward[0] + option.y * inward[1])
        speed = -(option.gx * inward[0] + option.gy * inward[1])
        side = option.y + 2.0 * option.gy if inward[0] else option.x + 2.0 * option.gx
        size = state.table[1] if inward[0] else state.table[0]
        return along + 2.0 * speed + ship.thrust * speed / 10.0 - 3.0 * max(-side, side - size, 0.0)

    return max(allowed_moves(state, ship), key=worth).plot()
