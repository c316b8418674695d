"""Dogfights by actions, an option: groups act in turn until one side or its fuel is gone.

The group that was intercepted acts first, then each of the others in canonical order, and so on. A
weapon rolls its dice together and counts the most dice of one face. docs/reference/rulings.md
settles what the rule leaves open.

Rules: Dogfight actions [dog.actions]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.continuum.craft.morale import full_strength, is_limited_by_endurance, rolls_to_attack
from engine.continuum.craft.moves import leave_fight
from engine.continuum.craft.pilots import reveal_pilots
from engine.core.kinds import ACE, TURKEY
from engine.core.reason import reason
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import DOGFIGHT_ACTIONS
from engine.craft.dogfight_figures import SKILL, FightAction, Squadron, SquadronTrait, figures_of
from engine.pieces.group import Group
from engine.pieces.squadron_events import DogfightAction, SquadronHurt

DOGFIGHT = "dogfight"
PAIR, THREE, FOUR = 2, 3, 4  # dice of one face
POINTS = {PAIR: 1, THREE: 2}  # damage points; four of a kind destroy the group
FUEL = 1  # endurance used to engage or to break off
HURRIED = 1  # weapons of a group that is crippled or has just made a secondary move
ACES_SKILL: Mapping[str, int] = {ACE: 1, TURKEY: -1}
USUAL_FIRE_CONTROL = 1  # by default
NO_ACTIONS = reason(
    "no-actions",
    "orders for a dogfight need the optional rule '{}'",
    DOGFIGHT_ACTIONS,
)
NOT_HEAVY = reason("not-heavy", "only heavy fighters can stay on target")
NOT_BOATS = reason("not-boats", "dogfight actions do not apply to gunboats")
DUELS_NOT = reason("duels-not", "with dogfight actions, aces do not duel")


def is_by_actions(state: BattleState, group: Group) -> bool:
    """Return whether a group's dogfights are fought by actions, as fighters' are by the option."""
    return DOGFIGHT_ACTIONS in state.terms.options and is_limited_by_endurance(group.row)


def actions_fault(state: BattleState, group: Group, actions: Sequence[str]) -> str:
    """Return the reason why a group cannot be ordered to act so in a dogfight, or "".

    Rules: Dogfight actions [dog.actions]
    """
    if DOGFIGHT_ACTIONS not in state.terms.options:
        return NO_ACTIONS
    if not is_limited_by_endurance(group.row):
        return NOT_BOATS
    heavy = SquadronTrait.HEAVY in squadron_of(state, group).traits
    if heavy or FightAction.STAY not in actions:
        return ""
    return NOT_HEAVY


def squadron_of(state: BattleState, group: Group) -> Squadron:
    """Return a group's values for dogfights by actions; by default one weapon, a die a craft."""
    mods = group.row.id.split("+")[1:]
    usual = Squadron(
        weapons=(max(group.craft, 1),),
        fire_control=USUAL_FIRE_CONTROL,
        fuel=group.endurance,
        skill=SKILL + ACES_SKILL.get(group.pilots, 0),
        damage=full_strength(state, group),
        traits=tuple(trait for trait in SquadronTrait if trait in mods),
    )
    home = group.carrier(state)
    return figures_of(home.record if home is not None else None, group.bay, usual)


def damage_of(state: BattleState, group: Group) -> int:
    """Return the damage points a group has taken, including those of craft lost elsewhere."""
    full = full_strength(state, group)
    most = squadron_of(state, group).damage
    return max(group.craft_damage, most * (full - group.craft) // full)


def is_crippled(state: BattleState, group: Group) -> bool:
    """Return whether a group has taken at least half of the damage that destroys it.

    Rules: Dogfight actions [dog.actions]
    """
    return 2 * damage_of(state, group) >= squadron_of(state, group).damage


def fire_control_of(state: BattleState, group: Group, *, first: bool) -> int:
    """Return how many weapons a group fires at once.

    Args:
        first: Whether the group has not acted in this fight yet.

    Rules: Dogfight actions [dog.actions]
    """
    figures = squadron_of(state, group)
    hurried = group.this_turn.has_moved_again and first
    if hurried or (is_crippled(state, group) and SquadronTrait.RUGGED not in figures.traits):
        return min(HURRIED, figures.fire_control)
    return figures.fire_control


def damage_points(dice: Sequence[int], remaining: int) -> int:
    """Return the damage points of one weapon's dice, by the most dice of one face.

    Args:
        remaining: The points that destroy the target.

    Rules: Dogfight actions [dog.actions]
    """
    most = max(Counter(dice).values(), default=0)
    if most >= FOUR:
        return remaining
    return min(POINTS.get(most, 0), remaining)


def first_to_act(groups: Sequence[Group], answering: Sequence[Group]) -> Group:
    """Return the group that was intercepted and therefore acts first.

    That is a group that only answers, or one that a screen has intercepted. If all groups attack
    each other, it is the first one attacked by a group before it in canonical order.

    Rules: Dogfight actions [dog.actions]
    """
    answering_groups = []
    for group in groups:
        if group in answering and not group.escorts:
            answering_groups.append(group)
    if answering_groups:
        return answering_groups[0]
    raiders = [group for group in groups if group not in answering]
    if raiders and len(raiders) < len(groups):
        return raiders[0]
    later = (
        group
        for n, group in enumerate(groups)
        if any(group.id in attacker.this_turn.targets for attacker in groups[:n])
    )
    return next(later, groups[0])


def fight_by_actions(table: Table, groups: Sequence[Group], answering: Sequence[Group]) -> None:
    """Fight one dogfight by actions; groups that fail their morale roll do not act.

    Rules: Dogfight actions [dog.actions]; Continuum "Fighter morale" 8.17 [pc.fighter-morale]
    """
    willing = []
    for group in groups:
        if group in answering or rolls_to_attack(table, group):
            willing.append(group)
    begins = first_to_act(groups, answering)
    turn = groups.index(begins)
    order = [*groups[turn:], *groups[:turn]]
    away: list[Group] = []
    acted: Counter[str] = Counter()
    fuel_used = True
    while fuel_used:
        fuel_used = False
        for group in order:
            foe = _foe(group, [candidate for candidate in order if candidate not in away])
            if (
                foe is None
                or group.craft <= 0
                or group in away
                or group not in willing
                or group.is_exhausted
            ):
                continue
            action = _next_action(table.state, group, acted[group.id], intercepted=group is begins)
            first = not acted[group.id]
            acted[group.id] += 1
            fuel_used = fuel_used or action is not FightAction.STAY
            if action is FightAction.BREAK_OFF:
                if _breaks_off(table, group, foe):
                    away.append(group)
                    leave_fight(table, group)
            else:
                _fires(
                    table,
                    group,
                    foe=foe,
                    action=action,
                    weapons=1 if action is FightAction.STAY else None,
                    first=first,
                )
    for group in order:
        if group.craft > 0 and group not in away:
            leave_fight(table, group)


def _foe(group: Group, there: Sequence[Group]) -> Group | None:
    """Return the first group left that a group attacks or that attacks it."""
    targets = group.this_turn.targets
    foes = (
        other
        for other in there
        if other.craft > 0 and (other.id in targets or group.id in other.this_turn.targets)
    )
    return next(foes, None)


def _next_action(state: BattleState, group: Group, acted: int, *, intercepted: bool) -> FightAction:
    """Return a group's next action as ordered; the last order repeats.

    A group without orders engages, and so does one that may not stay on its target.

    Args:
        acted: How many actions it has taken.
    """
    actions = group.this_turn.actions or (FightAction.ENGAGE,)
    action = FightAction(actions[min(acted, len(actions) - 1)])
    if action is FightAction.STAY and not (
        intercepted and SquadronTrait.HEAVY in squadron_of(state, group).traits
    ):
        return FightAction.ENGAGE
    return action


def _fires(
    table: Table, group: Group, foe: Group, action: FightAction, weapons: int | None, *, first: bool
) -> None:
    """Fire a group's weapons with the most dice at another group.

    Args:
        weapons: How many weapons fire; None for as many as its fire control allows.
    """
    state = table.state
    figures = squadron_of(state, group)
    number = weapons or fire_control_of(state, group, first=first)
    best = sorted(range(len(figures.weapons)), key=lambda n: -figures.weapons[n])[:number]
    pools = [figures.weapons[n] for n in sorted(best)]
    rolls = [tuple(table.dice.roll(DOGFIGHT, group.id) for _ in range(dice)) for dice in pools]
    before = damage_of(state, foe)
    most = squadron_of(state, foe).damage
    points = 0
    for dice in rolls:
        points += damage_points(dice, max(most - before - points, 0))
    reveal_pilots(table, group, at_ship=False)
    cost = 0 if action is FightAction.STAY else FUEL
    flat = tuple(die for dice in rolls for die in dice)
    table.carry_out(
        DogfightAction(
            table.turn,
            group.id,
            target=foe.id,
            action=action,
            cost=cost,
            dice=flat,
            weapons=tuple(pools),
            points=points,
            succeeded=points > 0,
        )
    )
    if points:
        table.carry_out(SquadronHurt(table.turn, foe.id, before + points, most))
        _lose(table, foe, most, group)


def _lose(table: Table, foe: Group, most: int, group: Group) -> None:
    """Remove craft in proportion to a group's damage; the last point destroys the group."""
    full = full_strength(table.state, foe)
    remaining = -(-full * max(most - foe.craft_damage, 0) // most)
    foe.take_damage(table, max(foe.craft - remaining, 0), f"fire:{group.id}")


def _breaks_off(table: Table, group: Group, foe: Group) -> bool:
    """Roll for a group that breaks off and return whether it escapes.

    Rules: Dogfight actions [dog.actions]
    """
    figures = squadron_of(table.state, group)
    fuel = group.endurance - group.used_endurance
    base_dice = max(figures.skill, fuel)
    extra_dice = int(SquadronTrait.FAST in figures.traits)
    dice = tuple(table.dice.roll(DOGFIGHT, group.id) for _ in range(base_dice + extra_dice))
    escaped = base_dice >= PAIR and max(Counter(dice).values(), default=0) >= PAIR
    reveal_pilots(table, group, at_ship=False)
    table.carry_out(
        DogfightAction(
            table.turn,
            group.id,
            target=foe.id,
            action=FightAction.BREAK_OFF,
            cost=FUEL,
            dice=dice,
            weapons=(len(dice),),
            points=0,
            succeeded=escaped,
        )
    )
    return escaped
