"""What a captain does with his craft as a battle begins: those with drives of their own come along, and multi-role
groups are fitted out.

Rules: Continuum "Fighter types" 8.15 [pc.fighter-types]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from engine.captains.continuum.carriers import CALL
from engine.captains.continuum.craft_prizes import fights
from engine.continuum.craft.decks import launch_fault
from engine.continuum.defence_orders import hidden_fault
from engine.continuum.weapon_orders import SetWeapon
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.registry import craft_type
from engine.craft.roles import row_in
from engine.pieces.group import Group
from engine.view.side_view import SideView


def come_along(
    state: BattleState, view: SideView, ships: Sequence[ShipState], found: dict[str, Plot], never: tuple[str, ...]
) -> None:
    """As a battle begins, craft with drives of their own have come along in flight, in place: whatever their ships do.

    Rules: Continuum "FTL fighters" 8.15 [pc.fighter-types]; Continuum "FTL gunboats" 9.2 [pc.gunboats]
    """
    foes = [(contact.x, contact.y) for contact in view.contacts if contact.hostile]
    for ship in ships:
        if not any(dist((ship.x, ship.y), foe) <= CALL for foe in foes):
            continue
        for index in ship.profile.bays:
            bay, row = ship.sheet.fits[index].id, row_in(ship, index)
            if ship.sheet.fits[index].type in never:
                continue
            if not row.comes_along(view.turn) or not ship.stock[index] or not fights(row):
                continue
            plot = found.get(ship.id, HOLD)
            more = replace(plot, launch=(*plot.launch, bay))
            if bay not in plot.launch and not (launch_fault(state, ship, more) or hidden_fault(state, ship, more)):
                found[ship.id] = more


def fit_out(view: SideView, ships: list[ShipState], found: dict[str, Plot]) -> None:
    """Before anything is launched, multi-role groups are fitted out, in place: to attack ships, every other one to meet
    craft where foes have some.

    Rules: Continuum "Multi-role fighters" 8.15 [pc.fighter-types]
    """
    if view.turn > 1:
        return
    seen = [contact for contact in view.contacts if contact.hostile and contact.sheet is not None]
    met = bool(view.others_of(Group)) or any(contact.profile is not None and contact.profile.bays for contact in seen)
    number = 0
    for ship in ships:
        for index in ship.profile.bays:
            bay = ship.sheet.fits[index].id
            if not craft_type(ship.profile.craft[index]).roles or ship.record.setting.get(bay) or not ship.stock[index]:
                continue
            role = "interceptor" if met and number % 2 else "attack"
            number += 1
            plot = found.get(ship.id, HOLD)
            found[ship.id] = replace(plot, further=(*plot.further, SetWeapon(bay, role)))
