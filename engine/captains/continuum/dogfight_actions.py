"""What a captain's craft do in dogfights by actions: stay, break off, or avoid them.

Both sides are assumed to engage until one is destroyed or out of fuel. The result is computed
exactly from the dice. Of foreign craft only public facts are used: their number and type.
Rules: Dogfight actions [dog.actions]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import factorial
from typing import NamedTuple

from engine.captains.common.fighter_tactics import ROUNDING_MARGIN
from engine.continuum.craft.squadron_fights import (
    PAIR,
    REDUCED_FIRE_CONTROL,
    THREE,
    damage_of,
    is_by_actions,
    is_crippled,
    squadron_of,
)
from engine.core.geometry import dist
from engine.core.kinds import FIGHTING
from engine.core.orders import Attack
from engine.core.state import BattleState
from engine.craft.dogfight_figures import FightAction, SquadronTrait
from engine.pieces.group import Group
from engine.view.side_view import SideView

FACES = 6
NEAR_ENOUGH = 12.0  # MU to craft that may attack a group this turn
LOSS_RATIO = 2.0  # losses, as a multiple of gains, above which a group breaks off
CAUTION = 0.5  # weight of losses against gains


class Fighter(NamedTuple):
    """A group in a dogfight.

    Attributes:
        points_left: The points of damage it can still take.
        fuel: Its fuel.
        pools: The dice of each weapon that it fires at once; 0 for as many dice as points left.
    """

    points_left: int
    fuel: int
    pools: tuple[int, ...]


def fighter_of(state: BattleState, group: Group) -> Fighter:
    """Return a group's state in a dogfight."""
    figures = squadron_of(state, group)
    has_plain_guns = figures.weapons == (group.craft,) and figures.damage >= group.craft
    pools: tuple[int, ...] = (0,)
    if not has_plain_guns:
        is_hurried = is_crippled(state, group) and SquadronTrait.RUGGED not in figures.traits
        weapon_count = REDUCED_FIRE_CONTROL if is_hurried else figures.fire_control
        pools = tuple(sorted(figures.weapons, reverse=True)[:weapon_count])
    return Fighter(
        points_left=figures.damage - damage_of(state, group),
        fuel=group.endurance - group.used_endurance,
        pools=pools,
    )


@cache
def face_count_chances(dice: int) -> tuple[float, float, float, float]:
    """Return the chances that the most frequent face shows once, twice, thrice or more."""
    single = _chance_of_at_most(1, dice)
    pair = _chance_of_at_most(PAIR, dice)
    three = _chance_of_at_most(THREE, dice)
    return single, pair - single, three - pair, 1.0 - three


def _chance_of_at_most(limit: int, dice: int) -> float:
    """Return the chance that no face shows more than `limit` times.

    The ways to roll are counted face by face: entry n is the number of ways, divided by n
    factorial, in which n dice show the faces so far.
    """
    ways = [1.0] + [0.0] * dice
    for _ in range(FACES):
        new_ways = []
        for number in range(dice + 1):
            possible_times = range(min(limit, number) + 1)
            new_ways.append(
                sum(ways[number - times] / factorial(times) for times in possible_times)
            )
        ways = new_ways
    return ways[dice] * factorial(dice) / float(FACES) ** dice


@cache
def damage_chances(pools: tuple[int, ...], points_left: int) -> Mapping[int, float]:
    """Return the chance of each number of points that the dice of all weapons do.

    Args:
        pools: The dice of each weapon.
        points_left: The most points the target can take.
    """
    chances_so_far = {0: 1.0}
    for dice in pools:
        chances: dict[int, float] = {}
        for points, chance in zip((0, 1, 2, points_left), face_count_chances(dice), strict=True):
            chances[min(points, points_left)] = chances.get(min(points, points_left), 0.0) + chance
        chances_so_far = _combine_chances(chances_so_far, chances, points_left)
    return chances_so_far


def _combine_chances(
    first: Mapping[int, float], second: Mapping[int, float], most: int
) -> dict[int, float]:
    """Return the chance of each sum of points of two independent rolls, up to a limit."""
    result: dict[int, float] = {}
    for points, chance in first.items():
        for second_points, second_chance in second.items():
            total = min(points + second_points, most)
            result[total] = result.get(total, 0.0) + chance * second_chance
    return result


@cache
def expected_losses(actor: Fighter, opponent: Fighter) -> tuple[float, float]:
    """Return the points that `actor`, acting first, inflicts and loses if both fight on."""
    is_over = actor.points_left <= 0 or opponent.points_left <= 0
    if is_over or (actor.fuel <= 0 and opponent.fuel <= 0):
        return 0.0, 0.0
    if actor.fuel <= 0:
        loss, gain = expected_losses(opponent, actor)
        return gain, loss
    pools = (actor.points_left,) if actor.pools == (0,) else actor.pools
    gain = loss = 0.0
    for points, chance in damage_chances(pools, opponent.points_left).items():
        opponent_after = opponent._replace(points_left=opponent.points_left - points)
        actor_after = actor._replace(fuel=actor.fuel - 1)
        foe_gain, own_gain = expected_losses(opponent_after, actor_after)
        gain += chance * (points + own_gain)
        loss += chance * foe_gain
    return gain, loss


def worth_of_fight(state: BattleState, group: Group, foe: Group) -> float:
    """Return the craft that a group destroys of one it attacks, less a part of its own losses."""
    own_fighter = fighter_of(state, group)
    foe_fighter = fighter_of(state, foe)
    # The group that is intercepted acts first
    loss, gain = expected_losses(foe_fighter, own_fighter)
    craft_taken = gain * foe.craft / max(foe_fighter.points_left, 1)
    return craft_taken - CAUTION * loss * group.craft / max(own_fighter.points_left, 1)


def with_fight_plan(
    state: BattleState, view: SideView, group: Group, attacks: Sequence[Attack]
) -> tuple[Attack, ...]:
    """Return a group's attacks with its actions in a dogfight.

    It breaks off and flies towards its carrier if the fight would cost much more than it gains.
    Heavy fighters stay on their target.
    """
    if not is_by_actions(state, group) or group.is_exhausted:
        return tuple(attacks)
    attacked: set[str] = set()
    for attack in attacks:
        attacked.update(attack.targets)
    foe = _most_likely_opponent(view, group, attacked)
    if foe is None:
        return tuple(attacks)
    actions: tuple[FightAction, ...] = ()
    to: tuple[float, ...] = ()
    if foe.id not in attacked and _should_break_off(state, group, foe):
        actions = (FightAction.BREAK_OFF,)
        to = _towards_carrier(state, group)
    elif SquadronTrait.HEAVY in squadron_of(state, group).traits:
        actions = (FightAction.STAY,)
    if not actions:
        return tuple(attacks)
    first = attacks[0] if attacks else Attack(group.row.guns.name, ())
    return (_with_actions(first, actions, to), *attacks[1:])


def _most_likely_opponent(view: SideView, group: Group, attacked: set[str]) -> Group | None:
    """Return the hostile group near enough to fight: one that is attacked, else the nearest."""
    foes = []
    for flyer in view.foreign_pieces_of(Group):
        if view.is_hostile(flyer) and _is_near(group, flyer):
            foes.append(flyer)
    here = (group.x, group.y)
    return min(
        foes, key=lambda foe: (foe.id not in attacked, dist(here, (foe.x, foe.y))), default=None
    )


def _should_break_off(state: BattleState, group: Group, foe: Group) -> bool:
    """Return whether a group can break off a fight, and would lose much more than it gains."""
    gain, loss = expected_losses(fighter_of(state, group), fighter_of(state, foe))
    endurance_left = group.endurance - group.used_endurance
    can_break_off = max(squadron_of(state, group).skill, endurance_left) >= PAIR
    return can_break_off and loss > LOSS_RATIO * gain


def _with_actions(
    attack: Attack, actions: tuple[FightAction, ...], to: tuple[float, ...]
) -> Attack:
    """Return an attack with actions in the dogfight, and where the group flies by them."""
    return replace(attack, actions=tuple(map(str, actions)), to=to)


def _is_near(group: Group, other: Group) -> bool:
    """Return whether another group may attack a group this turn."""
    return dist((group.x, group.y), (other.x, other.y)) <= NEAR_ENOUGH


def _towards_carrier(state: BattleState, group: Group) -> tuple[float, ...]:
    """Return how near to its carrier a group can fly; () if that is not on the table."""
    home = group.carrier(state)
    if home is None or home.status != FIGHTING:
        return ()
    distance = dist((group.x, group.y), (home.x, home.y))
    share = min((group.row.speed - ROUNDING_MARGIN) / distance, 1.0) if distance else 0.0
    x = group.x + (home.x - group.x) * share
    y = group.y + (home.y - group.y) * share
    return round(x, 2), round(y, 2)
