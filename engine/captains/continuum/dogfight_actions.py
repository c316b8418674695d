"""What a captain's craft do in dogfights by actions: stay, break off, or avoid them.

Both sides are assumed to engage until one is destroyed or out of fuel. The result is computed
exactly from the dice. Of foreign craft only public facts are used: their number and type.
Rules: Dogfight actions [dog.actions]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import dist, factorial
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
    plain = figures.weapons == (group.craft,) and figures.damage >= group.craft
    hurried = is_crippled(state, group) and SquadronTrait.RUGGED not in figures.traits
    number = REDUCED_FIRE_CONTROL if hurried else figures.fire_control
    pools = (0,) if plain else tuple(sorted(figures.weapons, reverse=True)[:number])
    return Fighter(
        figures.damage - damage_of(state, group), group.endurance - group.used_endurance, pools
    )


@cache
def face_count_chances(dice: int) -> tuple[float, float, float, float]:
    """Return the chances that the most frequent face shows once, twice, thrice or more."""

    def up_to(most: int) -> float:
        ways = [1.0, *(0.0 for _ in range(dice))]
        for _ in range(FACES):
            ways = [
                sum(ways[n - k] / factorial(k) for k in range(min(most, n) + 1))
                for n in range(dice + 1)
            ]
        return ways[dice] * factorial(dice) / float(FACES) ** dice

    single, pair, three = (up_to(most) for most in (1, PAIR, THREE))
    return single, pair - single, three - pair, 1.0 - three


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
    result: dict[int, float] = {}
    for points, chance in first.items():
        for second_points, likely in second.items():
            total = min(points + second_points, most)
            result[total] = result.get(total, 0.0) + chance * likely
    return result


@cache
def expected_losses(actor: Fighter, opponent: Fighter) -> tuple[float, float]:
    """Return the points that `actor`, acting first, inflicts and loses if both fight on."""
    if (
        actor.points_left <= 0
        or opponent.points_left <= 0
        or (actor.fuel <= 0 and opponent.fuel <= 0)
    ):
        return 0.0, 0.0
    if actor.fuel <= 0:
        loss, gain = expected_losses(opponent, actor)
        return gain, loss
    pools = (actor.points_left,) if actor.pools == (0,) else actor.pools
    gain = loss = 0.0
    for points, chance in damage_chances(pools, opponent.points_left).items():
        after = opponent._replace(points_left=opponent.points_left - points)
        foe_gain, own_gain = expected_losses(after, actor._replace(fuel=actor.fuel - 1))
        gain += chance * (points + own_gain)
        loss += chance * foe_gain
    return gain, loss


def worth_of_fight(state: BattleState, group: Group, foe: Group) -> float:
    """Return the craft that a group destroys of one it attacks, less a part of its own losses."""
    own_fighter = fighter_of(state, group)
    foe_fighter = fighter_of(state, foe)
    # The group that is intercepted acts first
    loss, gain = expected_losses(foe_fighter, own_fighter)
    return gain * foe.craft / max(foe_fighter.points_left, 1) - CAUTION * loss * group.craft / max(
        own_fighter.points_left, 1
    )


def with_fight_plan(
    state: BattleState, view: SideView, group: Group, attacks: Sequence[Attack]
) -> tuple[Attack, ...]:
    """Return a group's attacks with its actions in a dogfight.

    It breaks off and flies towards its carrier if the fight would cost much more than it gains.
    Heavy fighters stay on their target.
    """
    if not is_by_actions(state, group) or group.is_exhausted:
        return tuple(attacks)
    figures = squadron_of(state, group)
    aimed = set()
    for attack in attacks:
        for name in attack.targets:
            aimed.add(name)
    foes = []
    for flyer in view.foreign_pieces_of(Group):
        if view.is_hostile(flyer) and _near(group, flyer):
            foes.append(flyer)
    foe = min(
        foes,
        key=lambda foe_group: (
            foe_group.id not in aimed,
            dist((group.x, group.y), (foe_group.x, foe_group.y)),
        ),
        default=None,
    )
    if foe is None:
        return tuple(attacks)
    gain, loss = expected_losses(fighter_of(state, group), fighter_of(state, foe))
    able = max(figures.skill, group.endurance - group.used_endurance) >= PAIR
    further: tuple[FightAction, ...] = ()
    to: tuple[float, ...] = ()
    if foe.id not in aimed and able and loss > LOSS_RATIO * gain:
        further = (FightAction.BREAK_OFF,)
        to = _towards_carrier(state, group)
    elif SquadronTrait.HEAVY in figures.traits:
        further = (FightAction.STAY,)
    if not further:
        return tuple(attacks)
    first = attacks[0] if attacks else Attack(group.row.guns.name, ())
    return (_with_actions(first, further, to), *attacks[1:])


def _with_actions(
    attack: Attack, actions: tuple[FightAction, ...], to: tuple[float, ...]
) -> Attack:
    return replace(attack, actions=tuple(map(str, actions)), to=to)


def _near(group: Group, other: Group) -> bool:
    return dist((group.x, group.y), (other.x, other.y)) <= NEAR_ENOUGH


def _towards_carrier(state: BattleState, group: Group) -> tuple[float, ...]:
    """Return how near to its carrier a group can fly; () if that is not on the table."""
    home = group.carrier(state)
    if home is None or home.status != FIGHTING:
        return ()
    away = dist((group.x, group.y), (home.x, home.y))
    if away:
        share = min((group.row.speed - ROUNDING_MARGIN) / away, 1.0)
    else:
        share = 0.0
    return round(group.x + (home.x - group.x) * share, 2), round(
        group.y + (home.y - group.y) * share, 2
    )
