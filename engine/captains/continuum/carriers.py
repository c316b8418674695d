"""A captain's carriers by Continuum: when they launch their craft, and when they hold their course to recover them.

Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from engine.captains.common.doctrine import Doctrine
from engine.captains.common.flying import STRENGTH, stays
from engine.captains.common.hazards import dangers
from engine.captains.continuum.craft_prizes import fights, lander, may_land, spent
from engine.captains.continuum.passages import odds_by_holding
from engine.continuum.boarding import in_force
from engine.continuum.craft.decks import launch_fault
from engine.core.kinds import ACE
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import no_fire
from engine.craft.roles import row_in
from engine.pieces.group import Group
from engine.systems.outfit import marines_of
from engine.view.side_view import SideView

CALL = 60.0  # MU to the nearest foe at which carriers launch


def deck_plots(state: BattleState, view: SideView, ships: Sequence[ShipState], doctrine: Doctrine) -> dict[str, Plot]:
    """The plots of carriers whose decks are at work: they launch what they can, or hold their course for a landing.

    Rules: Continuum "Launch and recovery" 8.1 [pc.fighter-launch]
    """
    foes = [(contact.x, contact.y) for contact in view.contacts if contact.hostile]
    foes += [(flyer.x, flyer.y) for flyer in view.others_of(Group) if view.is_hostile(flyer)]
    bodies = dangers(state.pieces)
    met = _to_meet(view)
    found: dict[str, Plot] = {}
    for ship in ships:
        if not ship.profile.bays or not stays(ship, view.table) or not _may_hold(ship):
            continue
        if bodies and odds_by_holding(state, bodies, ship):
            continue
        near = any(dist((ship.x, ship.y), foe) <= CALL for foe in foes)
        launched = _launch(state, ship, doctrine, met=met) if near else ()
        if launched:
            found[ship.id] = Plot(launch=launched)
        elif any(spent(group) and may_land(group, ship, HOLD) for group in view.own_of(Group)):
            found[ship.id] = HOLD
    return found


def _may_hold(ship: ShipState) -> bool:
    """Whether a ship is free to hold its course."""
    return not ship.warm and not ship.record.veiled


def _to_meet(view: SideView) -> bool:
    """Whether foes may send anything that craft meet which are nothing against ships: craft of theirs, or ordnance."""
    seen = [contact for contact in view.contacts if contact.hostile]
    flying = any(view.is_hostile(group) for group in view.others_of(Group))
    return flying or any(one.profile is None or one.profile.bays or one.profile.launchers for one in seen)


def _launch(state: BattleState, ship: ShipState, doctrine: Doctrine, *, met: bool) -> tuple[str, ...]:
    """The bays that a ship can launch from together, the strongest groups first; what is nothing against ships only
    where there is something to meet (`met`).
    """
    launched: tuple[str, ...] = ()

    def strength(index: int) -> int:
        return ship.stock[index] + (ship.record.pilots_of(ship.sheet.fits[index].id) == ACE)

    for index in sorted(ship.profile.bays, key=strength, reverse=True):
        fit = ship.sheet.fits[index]
        row = row_in(ship, index)
        if fit.type in doctrine.never or ship.stock[index] < STRENGTH or not fights(row):
            continue
        if lander(row) and not (in_force(state) and marines_of(ship)):
            continue
        if not met and not row.loads and row.guns.at_ships is no_fire:
            continue
        if not launch_fault(state, ship, Plot(launch=(*launched, fit.id))):
            launched = (*launched, fit.id)
    return launched
