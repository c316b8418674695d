"""Craft and point defence where point defence is by level, for captains.

It gives the expected damage of craft at such ships, which groups help each other, and the weapons
that count for each ship.

Rules: Fighters by point defence level 1.4 [pdl.fighters]; Fighters by point defence level 1.2
[pdl.sequence]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from engine.captains.common.expected_damage import EMP_WORTH, EvenDice
from engine.continuum.craft.level_runs import (
    HITS,
    LAST_BAND,
    LAST_REROLLED,
    LEVELS_PER_SCREEN,
    free_screens,
    lowered_band,
    screen_dice,
)
from engine.continuum.craft.targets import helps_others
from engine.continuum.defence_level import LevelPlan
from engine.continuum.defence_plans import defence_weapons, guard_of
from engine.core.kinds import FIGHTING
from engine.core.orders import SCREENS, Attack, Defence
from engine.core.rolls import Shot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.craft_type import Armament
from engine.pieces.group import Group
from engine.view.side_view import SideView
from engine.weapons.guard import Guard, PointDefenceTarget

DICE_SAMPLED = 36  # hits of even dice, for the mean of one


def level_mean(guard: Guard) -> float:
    """Return the mean of what a weapon adds to a level, without rerolls."""
    return guard.level_dice * sum(guard.kills[PointDefenceTarget.MISSILES][1:]) / 6


def expected_level(ship: ShipState) -> int:
    """Return the mean level that a ship has without orders."""
    guards = (guard_of(ship, index) for index in defence_weapons(ship) if ship.alive[index])
    return round(
        sum(
            level_mean(guard)
            for guard in guards
            if guard is not None and guard.fires_without_orders
        )
    )


def screen_mean(group: Group) -> float:
    """Return the mean of what a screening group adds to its ship's level."""
    return group.craft * sum(screen_dice(group.row)[1:]) / 6


def points_by_level(
    armament: Armament, level: int, screens: int, advanced: int, helpers: int = 0
) -> float:
    """Return the mean damage points of one craft's armament at a ship with that level.

    Args:
        helpers: Groups that help its own.
    """
    fire = armament.by_level
    added = LEVELS_PER_SCREEN * (screens if armament.energy else advanced)
    band, again = lowered_band(level + added, fire.lower + helpers), lowered_band(added, fire.lower)
    if band >= LAST_BAND:
        return 0.0
    hits = sum(HITS[band]) / 6
    if fire.rerolls and band <= LAST_REROLLED and again < LAST_BAND:
        hits += sum(HITS[again]) / (5 if again <= LAST_REROLLED else 6) / 6
    effect = fire.hits(DICE_SAMPLED, Shot("", 0.0, 0.0, advanced=advanced), EvenDice())
    points = sum(typed.points for typed in effect.damage_types) + effect.emp * EMP_WORTH
    return hits * points / DICE_SAMPLED


def with_assistance(
    attacks_by_group: Mapping[str, tuple[Attack, ...]],
    groups: list[Group],
    targets: Mapping[str, tuple[ShipState, int, int]],
) -> dict[str, tuple[Attack, ...]]:
    """Return attacks in which one group of a pair helps the other, where that does more damage.

    Args:
        targets: The ships attacked, each with the levels of its screens, and how many of them are
            advanced.
    """
    result = dict(attacks_by_group)
    for name, (ship, screens, advanced) in targets.items():
        points = partial(
            _attack_points, level=expected_level(ship), screens=screens, advanced=advanced
        )
        rated = []
        for group, attack in _only_attacking(attacks_by_group, groups, name):
            rated.append((-points(group, attack, helpers=1), group.id, group, attack))
        rated.sort(key=lambda row: row[:2])
        for first, second in list(pairwise(rated))[::2]:
            _, _, group, attack = first
            _, _, helper, helper_attack = second
            separate_points = points(group, attack) + points(helper, helper_attack)
            share_helped = min(group.craft, helper.craft) / group.craft
            points_with_help = points(group, attack, helpers=1) * share_helped
            if helps_others(helper) and points_with_help > separate_points:
                result[helper.id] = (replace(helper_attack, assist=group.id),)
    return result


def _only_attacking(
    attacks_by_group: Mapping[str, tuple[Attack, ...]], groups: list[Group], name: str
) -> list[tuple[Group, Attack]]:
    """Return the groups that attack a ship and nothing else, each with its attack."""
    result = []
    for group in groups:
        attacks = attacks_by_group.get(group.id, ())
        if len(attacks) == 1 and attacks[0].targets == (name,):
            result.append((group, attacks[0]))
    return result


def _attack_points(
    group: Group, attack: Attack, level: int, screens: int, advanced: int, helpers: int = 0
) -> float:
    """Return the mean damage points of a group's attack at a ship with a level."""
    armament = group.row.armament(attack.weapon)
    if armament is None or armament.lands or armament.with_ships:
        return 0.0
    shots = group.rounds(armament) if armament.rounds else group.craft
    return shots * points_by_level(armament, level, screens, advanced, helpers=helpers)


LEVEL_ENOUGH = 7.0  # a level beyond which another die changes little
PLAIN_ENOUGH = 4.0  # a level at which no one-shot weapon is needed


def level_orders(
    view: SideView, state: BattleState, targets: Iterable[str], never: tuple[str, ...]
) -> dict[str, tuple[Defence, ...]]:
    """Return what each ship of a side counts for.

    A ship under attack guards itself, others the friend under the heaviest attack. A ship under
    attack uses its one-shot weapons instead of the others if those make too low a level.

    Args:
        targets: The ships attacked, once for each attack.
    """
    attacks = Counter(targets)
    orders: dict[str, tuple[Defence, ...]] = {}
    ships = [ship for ship in view.own_ships if ship.status == FIGHTING]
    need_help: list[str] = []
    for ship in ships:
        if ship.id in attacks:
            ship_orders = orders[ship.id] = _own_orders(state, ship, never)
            if not any(order.weapon == SCREENS or _bursts(ship, order) for order in ship_orders):
                need_help.append(ship.id)
    need_help.sort(key=lambda name: (-attacks[name], name))
    for ship in ships:
        if ship.id not in attacks:
            orders[ship.id] = _helper_orders(state, ship, need_help, never)
    return {name: ship_orders for name, ship_orders in orders.items() if ship_orders}


def _bursts(ship: ShipState, order: Defence) -> bool:
    """Return whether an order's weapon fires in bursts, which exclude all other point defence."""
    guard = guard_of(ship, ship.profile.index_of[order.weapon])
    return guard is not None and guard.in_bursts


def _own_orders(state: BattleState, ship: ShipState, never: tuple[str, ...]) -> tuple[Defence, ...]:
    """Return what an attacked ship counts for itself: its weapons, or the craft that screen it."""
    weapons, bursts = _guns(ship, never)
    level = sum(level_mean(guard) for _, guard in weapons)
    burst_level = sum(level_mean(guard) for _, guard in bursts)
    if level < min(PLAIN_ENOUGH, burst_level):
        weapons = bursts
        level = burst_level
    screens = Defence(SCREENS, ())
    screen_level = sum(map(screen_mean, free_screens(state, ship)))
    if screen_level > level and not LevelPlan(state, ship).take(screens):
        return (screens,)
    orders = [Defence(ship.sheet.fits[index].id, ()) for index, _ in weapons]
    return _feasible_orders(LevelPlan(state, ship), orders)


def _helper_orders(
    state: BattleState, ship: ShipState, friends: list[str], never: tuple[str, ...]
) -> tuple[Defence, ...]:
    """Return what a ship counts for friends under attack.

    Args:
        friends: Their names, the one under the heaviest attack first.
    """
    weapons, _ = _guns(ship, never)
    orders = []
    for name in friends:
        for index, _ in weapons:
            orders.append(Defence(ship.sheet.fits[index].id, (name,)))
    return _feasible_orders(LevelPlan(state, ship), orders)


def _feasible_orders(plan: LevelPlan, orders: list[Defence]) -> tuple[Defence, ...]:
    """Return orders that can be carried out together, as many as are worth it.

    They are taken in turn until the point-defence level is so high that more dice change little.
    """
    accepted: list[Defence] = []
    level = 0.0
    for order in orders:
        if level < LEVEL_ENOUGH and not plan.take(order):
            accepted.append(order)
            level += level_mean(plan.shares[-1].guard)
    return tuple(accepted)


def _guns(
    ship: ShipState, never: tuple[str, ...]
) -> tuple[list[tuple[int, Guard]], list[tuple[int, Guard]]]:
    """Return weapons worth more as point defence than as guns: repeating ones, and bursts."""
    plain = []
    bursts = []
    for index, fit in enumerate(ship.sheet.fits):
        guard = guard_of(ship, index)
        if guard is None or not ship.alive[index] or fit.type in never:
            continue
        if guard.in_bursts:
            bursts.append((index, guard))
        elif guard.fires_without_orders or fit.size == 1:
            plain.append((index, guard))
    return sorted(plain, key=lambda entry: not entry[1].fires_without_orders), bursts
