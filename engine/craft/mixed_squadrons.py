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


def _carried(numbers: Sequence[int], place: int) -> Callable[[int], int]:
    return lambda craft: remaining_by_type(numbers, craft)[place]


def _combine_fire(weapons: Sequence[Armament], of: Callable[[Armament], Fire | None]) -> Fire:
    """Return the fire at one target of all types in a squadron that reach it.

    Args:
        of: Picks the kind of fire of each armament.
    """
    if all(of(weapon) in (None, no_fire) for weapon in weapons):
        return no_fire

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        total = Effect()
        for weapon in weapons:
            weapon_fire = of(weapon)
            number = weapon.carriers(craft)
            if (
                weapon_fire is None
                or weapon_fire is no_fire
                or not number
                or shot.distance > weapon.reach + NEAR
            ):
                continue
            effect = weapon_fire(replace(shot), dice, number)
            total.dice += effect.dice
            total.damage += effect.damage
            total.damage_types += effect.damage_types
            total.craft += effect.craft
            total.needled = total.needled or effect.needled
        return total

    return fire


def _fire_at_boats(weapon: Armament) -> Fire | None:
    return weapon.at_boats or weapon.at_craft


def mixed_row(id_: str, parts: Sequence[Part]) -> CraftType:
    """Return the combined type of a squadron of several types.

    Weapons with a few shots become loads of the squadron under the name of their type.

    Rules: Continuum "Gunboat rules" 9.1, "Gunboat types" 9.2 [pc.gunboats]
    """
    numbers = [number for _, number in parts]
    weapons: list[Armament] = []
    loads: list[Armament] = []
    for place, (row, _) in enumerate(parts):
        by = _carried(numbers, place)
        loads += [replace(load, carried_by=by) for load in row.loads]
        if row.guns.rounds:
            packs = replace(row.guns, name=row.type, carried_by=by, combinable=True)
            loads.append(packs)
            weapons += [packs] if packs.at_craft is not no_fire else []
        elif row.guns.fires():
            weapons.append(replace(row.guns, carried_by=by))
    first, _ = parts[0]
    at_ships = _combine_fire(
        [weapon for weapon in weapons if not weapon.rounds], lambda weapon: weapon.at_ships
    )
    guns = Armament(
        first.guns.name,
        at_ships,
        _combine_fire(weapons, lambda weapon: weapon.at_craft),
        reach=first.guns.reach,
        at_ordnance=0
        if any(weapon.at_ordnance is not None and not weapon.rounds for weapon in weapons)
        else None,
        at_boats=_combine_fire(weapons, _fire_at_boats),
        with_ships=True,
        snipes=any(weapon.snipes for weapon in weapons),
        type_weapons=tuple(weapons),
    )
    guns = replace(guns, reach=max((weapon.reach for weapon in weapons), default=guns.reach))
    needs = tuple(dict.fromkeys(need for row, _ in parts for need in row.needs))
    exhausted_fire = next(
        (row.exhausted_fire for row, _ in parts if row.exhausted_fire is not no_fire), no_fire
    )
    type_ = "-and-".join(row.type for row, _ in parts)
    return replace(
        first,
        id=id_,
        type=type_,
        guns=guns,
        loads=tuple(loads),
        needs=needs,
        exhausted_fire=exhausted_fire,
    )


def id_of(parts: Sequence[tuple[str, int]], mods: Sequence[str]) -> str:
    """Return the id of a combined type, from the types' ids and numbers and their modifications."""
    return "+".join((AND.join(f"{number}{TIMES}{id_}" for id_, number in parts), *mods))


def parts_of(first: str) -> list[tuple[str, int]]:
    """Return the ids and numbers of the types in the id of a combined type."""
    pairs = (part.partition(TIMES) for part in first.split(AND))
    return [(id_, int(number)) for number, _, id_ in pairs]
