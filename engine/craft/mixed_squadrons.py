"""Squadrons of gunboats of several types, as one combined type in which each fires what it carries.

The id of such a type lists the types and their numbers: `2*beam-gunboat&4*k-gun-gunboat+heavy`. The
last in the list are shot down first.
Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.rolls import Effect, Shot
from engine.craft.craft_type import Armament, CraftType, Fire, no_fire

AND = "&"  # in the id, between types
TIMES = "*"  # in the id, after the number of a type

Part = tuple[CraftType, int]


def remaining_by_type(numbers: Sequence[int], craft: int) -> tuple[int, ...]:
    """Return how many of each type are among the craft that are left.

    With more craft than the squadron began with, the numbers grow in proportion.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    full = sum(numbers)
    if craft > full:
        return tuple(craft * number // full for number in numbers)
    counts: list[int] = []
    for number in numbers:
        counts.append(min(number, craft))
        craft -= counts[-1]
    return tuple(counts)


def _carriers_of_type(numbers: Sequence[int], place: int) -> Callable[[int], int]:
    """Return the function from the craft left to those of the type at a place of the list."""
    return lambda craft: remaining_by_type(numbers, craft)[place]


def _combine_fire(weapons: Sequence[Armament], fire_of: Callable[[Armament], Fire | None]) -> Fire:
    """Return the fire at one target of all types in a squadron that reach it.

    Args:
        fire_of: Picks the kind of fire of each armament, at ships for example.
    """
    if all(fire_of(weapon) in (None, no_fire) for weapon in weapons):
        return no_fire

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        total = Effect()
        for weapon in weapons:
            weapon_fire = fire_of(weapon)
            number = weapon.carriers(craft)
            if weapon_fire is None or weapon_fire is no_fire or not number:
                continue
            if shot.distance > weapon.reach + NEAR:
                continue
            effect = weapon_fire(replace(shot), dice, number)  # fire may change its shot
            total.dice += effect.dice
            total.damage += effect.damage
            total.damage_types += effect.damage_types
            total.craft += effect.craft
            total.needled = total.needled or effect.needled
            total.emp += effect.emp
            total.marines_landed += effect.marines_landed
        return total

    return fire


def _fire_at_boats(weapon: Armament) -> Fire | None:
    """Return how a weapon fires at gunboats: in its own way, else as at other craft."""
    return weapon.at_boats or weapon.at_craft


def mixed_row(id_: str, parts: Sequence[Part]) -> CraftType:
    """Return the combined type of a squadron of several types.

    Weapons with a few shots become loads of the squadron under the name of their type.

    Rules: Continuum "Gunboat rules" 9.1, "Gunboat types" 9.2 [pc.gunboats]
    """
    rows = [row for row, _ in parts]
    weapons, loads = _weapons_and_loads(parts)
    first = rows[0]
    needs: list[str] = []
    exhausted_fire: Fire = no_fire
    for row in rows:
        needs += row.needs
        if exhausted_fire is no_fire:
            exhausted_fire = row.exhausted_fire
    return replace(
        first,
        id=id_,
        type="-and-".join(row.type for row in rows),
        guns=_combine_guns(first.guns, weapons),
        loads=tuple(loads),
        needs=tuple(dict.fromkeys(needs)),
        exhausted_fire=exhausted_fire,
    )


def _weapons_and_loads(parts: Sequence[Part]) -> tuple[list[Armament], list[Armament]]:
    """Return the guns of the types in a squadron, and its loads.

    A type whose guns have a few shots appears in both lists, if it fires at craft.
    """
    numbers = [number for _, number in parts]
    weapons: list[Armament] = []
    loads: list[Armament] = []
    for place, (row, _) in enumerate(parts):
        carriers = _carriers_of_type(numbers, place)
        loads += [replace(load, carried_by=carriers) for load in row.loads]
        if row.guns.rounds:
            packs = replace(row.guns, name=row.type, carried_by=carriers, combinable=True)
            loads.append(packs)
            if packs.at_craft is not no_fire:
                weapons.append(packs)
        elif row.guns.fires():
            weapons.append(replace(row.guns, carried_by=carriers))
    return weapons, loads


def _combine_guns(first_guns: Armament, weapons: Sequence[Armament]) -> Armament:
    """Return one armament that fires all guns of a squadron; it reaches as far as the longest.

    Args:
        first_guns: The guns of the squadron's first type, which give the name.
    """
    unlimited = [weapon for weapon in weapons if not weapon.rounds]
    fires_at_ordnance = any(weapon.at_ordnance is not None for weapon in unlimited)
    return Armament(
        first_guns.name,
        _combine_fire(unlimited, lambda weapon: weapon.at_ships),
        _combine_fire(weapons, lambda weapon: weapon.at_craft),
        reach=max((weapon.reach for weapon in weapons), default=first_guns.reach),
        at_ordnance=0 if fires_at_ordnance else None,
        at_boats=_combine_fire(weapons, _fire_at_boats),
        with_ships=True,
        snipes=any(weapon.snipes for weapon in weapons),
        jams=any(weapon.jams for weapon in weapons),
        type_weapons=tuple(weapons),
    )


def id_of(parts: Sequence[tuple[str, int]], mods: Sequence[str]) -> str:
    """Return the id of a combined type, from the types' ids and numbers and their modifications."""
    return "+".join((AND.join(f"{number}{TIMES}{id_}" for id_, number in parts), *mods))


def parts_of(first: str) -> list[tuple[str, int]]:
    """Return the ids and numbers of the types in the id of a combined type."""
    pairs = (part.partition(TIMES) for part in first.split(AND))
    return [(id_, int(number)) for number, _, id_ in pairs]
