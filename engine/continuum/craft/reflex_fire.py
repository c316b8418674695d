"""Fire of craft at a ship with an active reflex field.

One die applies to a group's whole fire; craft that hit may be lost to the field.

Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
"""

from __future__ import annotations

from dataclasses import replace

from engine.continuum.defences import first_points, working_count
from engine.core.rolls import Effect, Shot
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.craft.craft_type import Armament
from engine.pieces.craft_events import CraftReflected
from engine.pieces.group import Group
from engine.systems.defences import REFLEX_BURNS, reflect

NO_FIELD = -1  # in place of the number of craft that did damage


def is_reflected(ship: ShipState, armament: Armament) -> bool:
    """Return whether a ship's reflex field works against an armament: only energy weapons.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    return armament.energy and ship.this_turn.reflex and working_count(ship, "reflex-field") > 0


def resolve_craft_fire(
    table: Table, ship: ShipState, armament: Armament, shot: Shot, number: int
) -> tuple[Effect, int]:
    """Roll the fire of some of a group's craft at a ship.

    Under a reflex field each craft rolls separately.

    Returns:
        The effect, and how many craft did any damage; NO_FIELD without a reflex field.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    if not is_reflected(ship, armament):
        return armament.at_ships(shot, table.dice, number), NO_FIELD
    total = Effect()
    craft_with_damage = 0
    for _ in range(number):
        effect = armament.at_ships(replace(shot), table.dice, 1)
        total.dice += effect.dice
        total.damage += effect.damage
        total.damage_types += effect.damage_types
        craft_with_damage += bool(effect.damage_types)
    return total, craft_with_damage


def roll_reflex_field(
    table: Table, group: Group, ship: ShipState, effect: Effect, craft_with_damage: int
) -> None:
    """Roll a reflex field's die against a group's fire and apply it.

    The die decides how much damage the ship takes. On a 5 or 6 as many craft as did damage are
    lost. Nothing happens for NO_FIELD.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    if craft_with_damage == NO_FIELD:
        return
    points = sum(typed.points for typed in effect.damage_types)
    die = table.dice.roll("reflex", f"{group.id}>{ship.id}")
    damage_through, _ = reflect(points, die)
    effect.damage_types = first_points(effect.damage_types, damage_through)
    if die >= REFLEX_BURNS:
        burned = min(craft_with_damage, group.craft)
    else:
        burned = 0
    table.tell(
        CraftReflected,
        ship=ship.id,
        group=group.id,
        die=die,
        points=points,
        damage_taken=damage_through,
        burned=burned,
    )
    if burned:
        group.take_damage(table, burned, "reflex")
