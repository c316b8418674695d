"""Leaving a battle of Continuum: by FTL where that hurts no friend, else over an edge, away from
the foe.
"""

from __future__ import annotations

from dataclasses import replace

from engine.captains.common.courses import Option, options_of
from engine.captains.common.doctrine import Doctrine
from engine.captains.common.hazards import WORTH_IT
from engine.captains.common.retreat import PATIENCE, loss_share
from engine.captains.continuum.marks import Mark, going, strength
from engine.captains.continuum.orbiting import gets_down, sets_out
from engine.continuum.fleet_morale import withdrawal_fault
from engine.continuum.orbits import orbited
from engine.continuum.sections import carried_by
from engine.continuum.weapon_orders import rest_fault
from engine.core.geometry import COURSES
from engine.core.kinds import FIGHTING, RETURNING, UNSEEN
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.terms import NO_FTL
from engine.movement.edges import EDGES
from engine.second_edition.ftl import DANGER_RADIUS
from engine.view.side_view import SideView

FAR = 60.0  # MU from a foe beyond which more matters no more
JUMP = Plot(ftl=True)
CROWD = 9.0  # MU from a friend beyond which a jump is safe


def breaks_off(own: list[ShipState], marks: list[Mark], doctrine: Doctrine) -> bool:
    """Whether a side leaves now: told to flee, or its share of losses is reached while it is not
    clearly winning.
    """
    if doctrine.flee or withdraws(own):
        return True
    if doctrine.break_off >= 100 or loss_share(own) < doctrine.break_off:
        return False
    ours = sum(
        strength(ship, doctrine.never) * (ship.sheet.boxes - ship.damage)
        for ship in own
        if ship.status == FIGHTING
    )
    return ours < 2 * sum(mark.threat * mark.left for mark in marks)


def goes_after(view: SideView, doctrine: Doctrine, *, fleeing: bool) -> bool:
    """Whether a side would go after one that leaves: it does not leave itself, can fight, and has
    not lost too much.

    Rules: Continuum "Disengaging from battle" 16.5 [pc.disengaging]
    """
    able = any(
        ship.status == FIGHTING and ship.thrust and strength(ship, doctrine.never)
        for ship in view.own
    )
    return able and not fleeing and loss_share(view.own) < WORTH_IT


def retreat(
    state: BattleState, ship: ShipState, view: SideView, marks: list[Mark], waited: int
) -> Plot:
    """A fleeing ship's plot; `waited`: the turns its side has fled."""
    if ship.status == RETURNING:
        return Plot(stay=True)
    if ship.warm:
        return HOLD
    if ship.status == UNSEEN:
        return max(
            options_of(state, ship),
            key=lambda option: _away(option, ship, view, marks, jumps=False),
        ).plot()
    jumps = can_jump(state, ship, view)
    if jumps and (waited >= PATIENCE or _clear(ship, _left_behind(state, ship, view))):
        return JUMP
    if orbited(state, ship) is not None:
        return gets_down(state, ship, marks) or replace(sets_out(state, ship), leave=True)
    lawful = lawful_options(state, ship)
    option = max(lawful, key=lambda option: _away(option, ship, view, marks, jumps=jumps))
    if (
        ship.record.withdrawing and marks and _lies(option)
    ):  # it may only come about before it makes way
        option = max(filter(_lies, lawful), key=lambda one: _faces_away(one, ship, marks))
    return option.plot() if jumps else replace(option.plot(), leave=True)


def withdraws(own: list[ShipState]) -> bool:
    """Whether a side's commander withdraws, whatever its captain was told.

    Rules: Continuum 12.8 [pc.morale]
    """
    return any(ship.record.withdrawing for ship in own)


def can_jump(state: BattleState, ship: ShipState, view: SideView) -> bool:
    """Whether a ship can leave by an FTL drive of its own now."""
    works = (
        NO_FTL not in view.terms.options
        and ship.profile.ftl >= 0
        and ship.alive[ship.profile.ftl] > 0
    )
    return works and not rest_fault(state, ship, JUMP) and ship.record.cloaked <= state.turn


def lawful_options(state: BattleState, ship: ShipState) -> list[Option]:
    """The moves a ship that leaves may make: any, where its fleet does not have to withdraw."""
    options = options_of(state, ship)
    if not ship.record.withdrawing:
        return options
    return [option for option in options if not withdrawal_fault(state, ship, option.plot())]


def _left_behind(state: BattleState, ship: ShipState, view: SideView) -> list[ShipState]:
    """The ships of its side that do not go along when a ship jumps: other sections of its whole do,
    and who is in its tow.
    """
    along = [one.id for one in carried_by(state, ship)]
    return [one for one in view.own if one.id not in along]


def _clear(ship: ShipState, own: list[ShipState]) -> bool:
    """Whether no friend will be too near the place of FTL entry, as far as it can be foreseen."""
    gx, gy = going(ship)
    x, y = ship.x + gx * 1.5, ship.y + gy * 1.5
    reach = (DANGER_RADIUS + 1.0) ** 2
    for other in own:
        if other is not ship and other.status == FIGHTING:
            ox, oy = going(other)
            turns = 1.5 if other.warm else 2.0
            if (other.x + ox * turns - x) ** 2 + (other.y + oy * turns - y) ** 2 < reach:
                return False
    return True


def _away(
    option: Option, ship: ShipState, view: SideView, marks: list[Mark], *, jumps: bool
) -> float:
    """What a move is worth to a ship that leaves: far from foes, from friends too for a jump, else
    near an edge.
    """
    x, y = option.x, option.y
    score: float = sum(min(((mark.x - x) ** 2 + (mark.y - y) ** 2) ** 0.5, FAR) for mark in marks)
    if jumps:
        crowd = [other for other in view.own if other is not ship and other.status == FIGHTING]
        score += sum(
            min(((other.x - x) ** 2 + (other.y - y) ** 2) ** 0.5, CROWD) for other in crowd
        )
        return score
    x, y = x + option.gx, y + option.gy
    return score - 2.0 * min(x, y, view.table[0] - x, view.table[1] - y)


def _lies(option: Option) -> bool:
    """Whether a move leaves the ship at rest."""
    return not (option.gx or option.gy)


def _faces_away(option: Option, ship: ShipState, marks: list[Mark]) -> float:
    """How far a ship faces away from the nearest of its foes."""
    near = min(marks, key=lambda mark: (mark.x - ship.x) ** 2 + (mark.y - ship.y) ** 2)
    ux, uy = COURSES[option.course]
    return ux * (ship.x - near.x) + uy * (ship.y - near.y)


def run_for(state: BattleState, ship: ShipState, edge: str) -> Plot:
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

    return max(lawful_options(state, ship), key=worth).plot()
