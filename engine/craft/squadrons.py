"""Squadrons of gunboats of several types: one row made of theirs, in which each type fires what it
carries.

The id of such a row names the types and how many of each: `2*beam-gunboat&4*k-gun-gunboat+heavy`.
The last listed are shot down first.
Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.geometry import NEAR
from engine.core.rolls import Effect, Shot
from engine.craft.craft_type import Armament, CraftType, Fire, no_fire

AND, TIMES = "&", "*"  # in the id of a row: between its types, and behind how many there are of one

Part = tuple[CraftType, int]


def left_of(numbers: Sequence[int], craft: int) -> tuple[int, ...]:
    """How many of each type are among so many craft that are left; of more than there were, as many
    times as there are.

    Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
    """
    full = sum(numbers)
    if craft > full:
        return tuple(craft * number // full for number in numbers)
    left: list[int] = []
    for number in numbers:
        left.append(min(number, craft))
        craft -= left[-1]
    return tuple(left)


def _carried(numbers: Sequence[int], place: int) -> Callable[[int], int]:
    return lambda craft: left_of(numbers, craft)[place]


def _together(crews: Sequence[Armament], of: Callable[[Armament], Fire | None]) -> Fire:
    """What the crews of one squadron do that fire at one target, all those that reach it; `of`:
    which fire of each.
    """
    if all(of(crew) in (None, no_fire) for crew in crews):
        return no_fire

    def fire(shot: Shot, dice: Dice, craft: int) -> Effect:
        found = Effect()
        for crew in crews:
            own, number = of(crew), crew.carriers(craft)
            if own is None or own is no_fire or not number or shot.distance > crew.reach + NEAR:
                continue
            effect = own(replace(shot), dice, number)
            found.dice += effect.dice
            found.damage += effect.damage
            found.damage_types += effect.damage_types
            found.craft += effect.craft
            found.needled = found.needled or effect.needled
        return found

    return fire


def _at_boats(crew: Armament) -> Fire | None:
    return crew.at_boats or crew.at_craft


def mixed(id_: str, parts: Sequence[Part]) -> CraftType:
    """The row of a squadron of several types, from theirs and how many there are of each.

    What is carried for a few shots is a load of the squadron under the name of its type.

    Rules: Continuum "Gunboat rules" 9.1, "Gunboat types" 9.2 [pc.gunboats]
    """
    numbers = [number for _, number in parts]
    crews: list[Armament] = []
    loads: list[Armament] = []
    for place, (row, _) in enumerate(parts):
        by = _carried(numbers, place)
        loads += [replace(load, carried_by=by) for load in row.loads]
        if row.guns.rounds:
            packs = replace(row.guns, name=row.type, carried_by=by, beside=True)
            loads.append(packs)
            crews += [packs] if packs.at_craft is not no_fire else []
        elif row.guns.fires():
            crews.append(replace(row.guns, carried_by=by))
    first, _ = parts[0]
    at_ships = _together([crew for crew in crews if not crew.rounds], lambda crew: crew.at_ships)
    guns = Armament(
        first.guns.name, at_ships, _together(crews, lambda crew: crew.at_craft), reach=first.guns.reach,
        at_ordnance=0 if any(crew.at_ordnance is not None and not crew.rounds for crew in crews) else None,
        at_boats=_together(crews, _at_boats), with_ships=True, snipes=any(crew.snipes for crew in crews),
        crews=tuple(crews),
    )  # fmt: skip
    guns = replace(guns, reach=max((crew.reach for crew in crews), default=guns.reach))
    needs = tuple(dict.fromkeys(need for row, _ in parts for need in row.needs))
    spent = next((row.spent for row, _ in parts if row.spent is not no_fire), no_fire)
    type_ = "-and-".join(row.type for row, _ in parts)
    return replace(
        first, id=id_, type=type_, guns=guns, loads=tuple(loads), needs=needs, spent=spent
    )


def id_of(parts: Sequence[tuple[str, int]], mods: Sequence[str]) -> str:
    """The id of a row made of types, by theirs and how many there are of each, with what modifies
    all of them.
    """
    return "+".join((AND.join(f"{number}{TIMES}{id_}" for id_, number in parts), *mods))


def parts_of(first: str) -> list[tuple[str, int]]:
    """The ids of the types in the id of such a row, and how many there are of each."""
    named = (part.partition(TIMES) for part in first.split(AND))
    return [(id_, int(number)) for number, _, id_ in named]
