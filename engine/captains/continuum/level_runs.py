"""What captains expect of craft at ships where point defence goes by level, and who helps whom there.

Rules: Fighters by point defence level 1.4 [pdl.fighters]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise

from engine.captains.common.expected import EvenDice
from engine.continuum.craft.level_runs import A_SCREEN, HITS, LAST_BAND, LAST_REROLLED, lowered, screen_dice
from engine.continuum.craft.targets import helps_others
from engine.continuum.defence_plans import able, guard_of
from engine.core.orders import Attack
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.craft.craft_type import Armament
from engine.pieces.group import Group
from engine.weapons.guard import Guard, Quarry

THROWN = 36  # hits of even dice, for the mean of one


def level_mean(guard: Guard) -> float:
    """What a weapon adds to a level in the mean, re-rolls left out."""
    return guard.level_dice * sum(guard.kills[Quarry.MISSILES][1:]) / 6


def expected_level(ship: ShipState) -> int:
    """The level that a ship makes without orders, in the mean."""
    guards = (guard_of(ship, index) for index in able(ship) if ship.alive[index])
    return round(sum(level_mean(guard) for guard in guards if guard is not None and guard.by_itself))


def screen_mean(group: Group) -> float:
    """What a group that screens a ship adds to its level, in the mean."""
    return group.craft * sum(screen_dice(group.row)[1:]) / 6


@cache
def points_by_level(armament: Armament, level: int, screens: int, advanced: int, helpers: int = 0) -> float:
    """The damage points that one craft makes with what it has at a ship of that level, in the mean. `helpers`: groups
    that help its own.
    """
    fire = armament.by_level
    added = A_SCREEN * (screens if armament.energy else advanced)
    band, again = lowered(level + added, fire.lower + helpers), lowered(added, fire.lower)
    if band >= LAST_BAND:
        return 0.0
    hits = sum(HITS[band]) / 6
    if fire.rerolls and band <= LAST_REROLLED and again < LAST_BAND:
        hits += sum(HITS[again]) / (5 if again <= LAST_REROLLED else 6) / 6
    effect = fire.hits(THROWN, Shot("", 0.0, 0.0, advanced=advanced), EvenDice())
    return hits * sum(one.points for one in effect.damage_types) / THROWN


def assisted(
    found: Mapping[str, tuple[Attack, ...]], groups: list[Group], targets: Mapping[str, tuple[ShipState, int, int]]
) -> dict[str, tuple[Attack, ...]]:
    """Attacks in which groups help others at a ship whose level stops more than twice as much of two runs as of one.

    `targets`: the ships attacked, each with the levels of its screens, and how many of them are advanced.
    """
    helped = dict(found)
    for name, (ship, screens, advanced) in targets.items():
        level = expected_level(ship)
        at_it = [
            (group, attacks[0])
            for group in groups
            if len(attacks := found.get(group.id, ())) == 1 and attacks[0].targets == (name,)
        ]
        ranked = sorted(at_it, key=lambda one: (-_made(one[0], one[1], level, screens, advanced, helpers=1), one[0].id))
        for (group, attack), (helper, help_) in list(pairwise(ranked))[::2]:
            apart = _made(group, attack, level, screens, advanced) + _made(helper, help_, level, screens, advanced)
            number = min(group.craft, helper.craft) / group.craft
            if helps_others(helper) and _made(group, attack, level, screens, advanced, helpers=1) * number > apart:
                helped[helper.id] = (replace(help_, assist=group.id),)
    return helped


def _made(group: Group, attack: Attack, level: int, screens: int, advanced: int, helpers: int = 0) -> float:
    armament = group.row.armament(attack.weapon)
    if armament is None or armament.lands or armament.with_ships:
        return 0.0
    shots = group.rounds(armament) if armament.rounds else group.craft
    return shots * points_by_level(armament, level, screens, advanced, helpers)
