"""What a group of craft is where dogfights are fought by actions: its weapons, fire control, fuel,
skill and damage.

A battle may say these figures; they are written down of the bay the group flies from
(`ShipRecord.craft_figures`), each as a number, `hangar-1/fuel: 6`, `hangar-1/weapon-1: 2`,
`hangar-1/fast: 1`. What is not said follows from the group.
Rules: Dogfight actions [dog.actions]
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core.kinds import LabelledEnum
from engine.core.phrase import phrase
from engine.core.ship_facts import ShipRecord


class SquadronTrait(StrEnum):
    """What sets a group apart in dogfights by actions."""

    FAST = "fast"  # it throws one die more to break off, and leaves the worst out
    HEAVY = "heavy"  # it may stay on its target where it is intercepted
    RUGGED = "rugged"  # its fire control is whole however much damage it has


class FightAction(LabelledEnum):
    """What a group may do when its turn comes in a dogfight."""

    ENGAGE = "engage"
    BREAK_OFF = phrase("break off")
    STAY = phrase("stay on target")


MOST_ACTIONS = 12  # that orders name for one group
WEAPONS = 6  # that a battle may give a group
FIGURES = ("fire_control", "fuel", "skill", "damage")
SKILL = 3  # of pilots of whom nothing is said


@dataclass(frozen=True, slots=True)
class Squadron:
    """A group in dogfights by actions: the dice of each weapon, how many of them it fires at once,
    its fuel, the skill of its pilots, the points of damage that destroy it, and its traits.
    """

    weapons: tuple[int, ...]
    fire_control: int
    fuel: int
    skill: int
    damage: int
    traits: tuple[SquadronTrait, ...]


def figure(record: ShipRecord, bay: str, name: str) -> int:
    """One figure of the group of a bay, 0 where the battle says none."""
    return record.craft_figures.get(f"{bay}/{name}", 0)


def figures_of(record: ShipRecord | None, bay: str, usual: Squadron) -> Squadron:
    """The figures of the group of a bay; `usual`: what they are where nothing is said."""
    if record is None or not record.craft_figures:
        return usual
    figures = {name: figure(record, bay, name) for name in FIGURES}
    weapons = tuple(
        dice for n in range(WEAPONS) if (dice := figure(record, bay, f"weapon-{n + 1}"))
    )
    traits = tuple(
        trait for trait in SquadronTrait if trait in usual.traits or figure(record, bay, trait)
    )
    return Squadron(
        weapons or usual.weapons,
        figures["fire_control"] or usual.fire_control,
        figures["fuel"] or usual.fuel,
        figures["skill"] or usual.skill,
        figures["damage"] or usual.damage,
        traits,
    )
