"""Craft that fire at a ship with its reflex field up: one die for a group's fire, and who hit may
burn in it.

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

NO_FIELD = -1  # in the place of how many do damage


def is_reflected(ship: ShipState, armament: Armament) -> bool:
    """Whether a ship's reflex field meets what craft fire: it is up and works, and standard screens
    weaken that.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    return armament.energy and ship.this_turn.reflex and working_count(ship, "reflex-field") > 0


def resolve_craft_fire(
    table: Table, ship: ShipState, armament: Armament, shot: Shot, number: int
) -> tuple[Effect, int]:
    """What the fire of so many of a group's craft does at a ship; and where its reflex field meets
    that, how many of them do any damage, else NO_FIELD. Each throws by itself then.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    if not is_reflected(ship, armament):
        return armament.at_ships(shot, table.dice, number), NO_FIELD
    effects = [armament.at_ships(replace(shot), table.dice, 1) for _ in range(number)]
    together = Effect(
        tuple(die for effect in effects for die in effect.dice),
        tuple(die for effect in effects for die in effect.damage),
        tuple(typed for effect in effects for typed in effect.damage_types),
    )
    return together, sum(bool(effect.damage_types) for effect in effects)


def roll_reflex_field(
    table: Table, group: Group, ship: ShipState, effect: Effect, hitting: int
) -> None:
    """The die of a field under a group's fire, in place: what of the damage its ship takes, and on
    a 5 or 6 as many craft as did any are lost. Nothing where there is NO_FIELD.

    Rules: Continuum "Reflex field" 7.25 [pc.reflex-field]
    """
    if hitting == NO_FIELD:
        return
    points = sum(typed.points for typed in effect.damage_types)
    die = table.dice.roll("reflex", f"{group.id}>{ship.id}")
    damage_through, _ = reflect(points, die)
    effect.damage_types = first_points(effect.damage_types, damage_through)
    burned = min(hitting, group.craft) if die >= REFLEX_BURNS else 0
    table.tell(CraftReflected, ship.id, group.id, die, points, damage_through, burned)
    if burned:
        group.take_damage(table, burned, "reflex")
