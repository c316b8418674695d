"""A group's figures for dogfights by actions: weapons, fire control, fuel, skill and damage.

A battle may give these figures. They are stored with the bay the group flies from
(`ShipRecord.craft_figures`), each as a number: `hangar-1/fuel: 6`, `hangar-1/weapon-1: 2`,
`hangar-1/fast: 1`. Missing figures are derived from the group.
Rules: Dogfight actions [dog.actions]
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.kinds import LabelledEnum
from engine.core.phrase import phrase
from engine.core.ship_facts import ShipRecord


class SquadronTrait(StrEnum):
    """Traits of a group in dogfights by actions."""

    FAST = "fast"  # rolls one more die to break off, and drops the worst
    HEAVY = "heavy"  # may stay on its target when it is intercepted
    RUGGED = "rugged"  # damage does not reduce its fire control


class FightAction(LabelledEnum):
    """What a group may do when its turn comes in a dogfight."""

    ENGAGE = "engage"
    BREAK_OFF = phrase("break off")
    STAY = phrase("stay on target")


MAX_ACTIONS = 12  # in the orders of one group
WEAPONS = 6  # the most weapons that a battle may give to one group
FIGURES = ("fire_control", "fuel", "skill", "damage")
SKILL = 3  # the default skill of pilots


@dataclass(frozen=True, slots=True)
class Squadron:
    """The figures of a group in dogfights that are fought action by action.

    Rules: Dogfight actions [dog.actions]

    Attributes:
        weapons: The dice of each weapon.
        fire_control: How many weapons it fires at once.
        fuel: The fuel that it has left for its actions.
        skill: The skill of its pilots.
        damage: The points of damage that destroy it.
        traits: Its traits.
    """

    weapons: tuple[int, ...]
    fire_control: int
    fuel: int
    skill: int
    damage: int
    traits: tuple[SquadronTrait, ...]


def figure(record: ShipRecord, bay: str, name: str) -> int:
    """Return one figure of the group of a bay, 0 if the battle gives none."""
    return record.craft_figures.get(f"{bay}/{name}", 0)


def figures_of(record: ShipRecord | None, bay: str, default: Squadron) -> Squadron:
    """Return the figures of the group of a bay.

    Args:
        default: The figures to use where the battle gives none.
    """
    if record is None or not record.craft_figures:
        return default
    traits: list[SquadronTrait] = []
    for trait in SquadronTrait:
        if trait in default.traits or figure(record, bay, trait):
            traits.append(trait)
    return Squadron(
        weapons=_weapon_dice(record, bay) or default.weapons,
        fire_control=figure(record, bay, "fire_control") or default.fire_control,
        fuel=figure(record, bay, "fuel") or default.fuel,
        skill=figure(record, bay, "skill") or default.skill,
        damage=figure(record, bay, "damage") or default.damage,
        traits=tuple(traits),
    )


def _weapon_dice(record: ShipRecord, bay: str) -> tuple[int, ...]:
    """Return the dice of each weapon that the battle gives to the group of a bay."""
    weapons = [figure(record, bay, f"weapon-{number}") for number in range(1, WEAPONS + 1)]
    return tuple(dice for dice in weapons if dice)
