"""Ships' weapons that fire at gunboats in the point-defence phase with their own dice.

Each hit destroys a boat.

Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.combat.detection import reveal_ship
from engine.continuum.defences import tell_cover
from engine.continuum.fire_at_craft import aim_at_group, effect_on_craft
from engine.continuum.fire_control import FireControl, spend_shot
from engine.continuum.fire_phase import weapon_fault
from engine.core.notes import write_fact
from engine.core.orders import Defence, Fire
from engine.core.reason import reason
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.pieces.craft_events import GroupShotAt
from engine.pieces.group import Group
from engine.weapons.guard import PointDefenceTarget
from engine.weapons.weapon import Trait

BOATS_OUT_OF_REACH = reason(
    "boats-out-of-reach", "no gunboats with that name are in its range, in its arcs and in sight"
)


def can_fire_at_boats(ship: ShipState, index: int) -> bool:
    """Return whether a weapon fires at gunboats with its own dice.

    Such a weapon fires at one target and is not point defence against gunboats.

    Args:
        index: The weapon's place in `fits`.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    weapon = ship.profile.weapons[index]
    guard = weapon.guard
    hits_boats = guard is not None and PointDefenceTarget.GUNBOATS in guard.kills
    if guard is not None and hits_boats and guard.accepts_mount(ship, ship.sheet.fits[index]):
        return False
    if weapon.fire is None or not weapon.is_aimed:
        return False
    return not weapon.along and Trait.SHIPS_ALONE not in weapon.traits


def guns_at_boats(ship: ShipState) -> Sequence[int]:
    """Return the places in `fits` of a ship's weapons that fire at gunboats with their own dice."""
    return [index for index in range(len(ship.sheet.fits)) if can_fire_at_boats(ship, index)]


class GunboatFireControl:
    """The FireCons and turrets that a ship uses against gunboats.

    Each squadron takes one FireCon, which is free again in the ships' fire phase.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """

    def __init__(self) -> None:
        self.control = FireControl()

    def aim_weapon(
        self, state: BattleState, ship: ShipState, index: int, order: Defence
    ) -> tuple[Group, Shot] | str:
        """Aim a weapon at the gunboats an order names and return its shot, or a fault."""
        fit = ship.sheet.fits[index]
        is_plain_order = len(order.targets) == 1 and not order.mode
        name = order.targets[0] if is_plain_order else ""
        fire = Fire(fit.id, (name,))
        if fault := weapon_fault(state, ship, fire, self.control):
            return fault
        boats_and_shot = aim_at_group(state, ship, index=index, fire=fire, name=name)
        if boats_and_shot is None or not boats_and_shot[0].row.berth:
            return BOATS_OUT_OF_REACH
        if fault := self.control.set_weapon(ship, index, name):
            return fault
        self.control.fired += [index, index]
        return boats_and_shot


def fire_gun(table: Table, ship: ShipState, index: int, group: Group, shot: Shot) -> None:
    """Roll a weapon's dice against gunboats; it cannot fire again this turn.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    fit = ship.sheet.fits[index]
    weapon = ship.profile.weapons[index]
    reveal_ship(table, ship, fit.id)
    tell_cover(table, group)
    effect = effect_on_craft(weapon, shot, table.dice, boats=True)
    table.tell(
        GroupShotAt,
        ship=ship.id,
        weapon=fit.id,
        group=group.id,
        range=shot.true_distance,
        dice=(*effect.dice, *effect.damage),
        hits=effect.craft,
    )
    spend_shot(table, ship, index=index, mode=shot.mode, effect=effect)
    write_fact(table, ship, "point-defence-weapons", 1, key=fit.id)
    group.take_damage(table, effect.craft, f"fire:{ship.id}")
