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
DAMAGE_POINTS = {PAIR: 1, THREE: 2}  # four of a kind destroy the group
FUEL = 1  # endurance used to engage or to break off
# Weapons that a group fires if it is crippled or has just made a secondary move.
REDUCED_FIRE_CONTROL = 1
PILOT_SKILL: Mapping[str, int] = {ACE: 1, TURKEY: -1}  # added to the skill
DEFAULT_FIRE_CONTROL = 1
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
    default = Squadron(
        weapons=(max(group.craft, 1),),
        fire_control=DEFAULT_FIRE_CONTROL,
        fuel=group.endurance,
        skill=SKILL + PILOT_SKILL.get(group.pilots, 0),
        damage=full_strength(state, group),
        traits=tuple(trait for trait in SquadronTrait if trait in mods),
    )
    home = group.carrier(state)
    return figures_of(home.record if home is not None else None, group.bay, default)


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


def fire_control_of(state: BattleState, group: Group, *, is_first_action: bool) -> int:
    """Return how many weapons a group fires at once.

    Args:
        is_first_action: Whether the group has not acted in this fight yet.

    Rules: Dogfight actions [dog.actions]
    """
    figures = squadron_of(state, group)
    hurried = group.this_turn.has_moved_again and is_first_action
    if hurried or (is_crippled(state, group) and SquadronTrait.RUGGED not in figures.traits):
        return min(REDUCED_FIRE_CONTROL, figures.fire_control)
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
    return min(DAMAGE_POINTS.get(most, 0), remaining)


def first_to_act(groups: Sequence[Group], answering: Sequence[Group]) -> Group:
    """Return the group that was intercepted and therefore acts first.

    That is a group that only answers, or one that a screen has intercepted. If all groups attack
    each other, it is the first one attacked by a group before it in canonical order.

    Rules: Dogfight actions [dog.actions]
    """
    for group in groups:
        if group in answering and not group.escorts:
            return group
    intercepted = [group for group in groups if group not in answering]
    if intercepted and len(intercepted) < len(groups):
        return intercepted[0]
    for number, group in enumerate(groups):
        if any(group.id in attacker.this_turn.targets for attacker in groups[:number]):
            return group
    return groups[0]


def fight_by_actions(table: Table, groups: Sequence[Group], answering: Sequence[Group]) -> None:
    """Fight one dogfight by actions; groups that fail their morale roll do not act.

    Rules: Dogfight actions [dog.actions]; Continuum "Fighter morale" 8.17 [pc.fighter-morale]
    """
    willing = [group for group in groups if group in answering or rolls_to_attack(table, group)]
    starter = first_to_act(groups, answering)
    start = groups.index(starter)
    order = [*groups[start:], *groups[:start]]
    escaped: list[Group] = []
    actions_taken: Counter[str] = Counter()
    fuel_used = True
    while fuel_used:
        fuel_used = False
        for group in order:
            foe = _find_foe(group, [other for other in order if other not in escaped])
            if foe is None or group in escaped or group not in willing or not _can_act(group):
                continue
            action = _next_action(
                table.state, group, actions_taken[group.id], intercepted=group is starter
            )
            is_first_action = not actions_taken[group.id]
            actions_taken[group.id] += 1
            fuel_used = fuel_used or action is not FightAction.STAY
            if _take_action(table, group, foe, action, is_first_action=is_first_action):
                escaped.append(group)
    for group in order:
        if group not in escaped and group.craft > 0:
            leave_fight(table, group)


def _take_action(
    table: Table, group: Group, foe: Group, action: FightAction, *, is_first_action: bool
) -> bool:
    """Fire at a foe or try to break off, and return whether the group has escaped."""
    if action is not FightAction.BREAK_OFF:
        _fire_at(table, group, foe, action, is_first_action=is_first_action)
        return False
    if not _roll_to_break_off(table, group, foe):
        return False
    leave_fight(table, group)
    return True


def _can_act(group: Group) -> bool:
    """Return whether a group has craft and endurance left for an action."""
    return group.craft > 0 and not group.is_exhausted


def _find_foe(group: Group, others: Sequence[Group]) -> Group | None:
    """Return the first group left that a group attacks or that attacks it."""
    for other in others:
        if other.craft <= 0:
            continue
        if other.id in group.this_turn.targets or group.id in other.this_turn.targets:
            return other
    return None


def _next_action(
    state: BattleState, group: Group, actions_taken: int, *, intercepted: bool
) -> FightAction:
    """Return a group's next action as ordered; the last order repeats.

    A group without orders engages, and so does one that may not stay on its target.

    Args:
        actions_taken: How many actions it has taken in this fight.
        intercepted: Whether it is the group that was intercepted, which alone may stay on target.
    """
    actions = group.this_turn.actions or (FightAction.ENGAGE,)
    action = FightAction(actions[min(actions_taken, len(actions) - 1)])
    if action is FightAction.STAY and not (
        intercepted and SquadronTrait.HEAVY in squadron_of(state, group).traits
    ):
        return FightAction.ENGAGE
    return action


def _fire_at(
    table: Table, group: Group, foe: Group, action: FightAction, *, is_first_action: bool
) -> None:
    """Fire a group's weapons with the most dice at another group.

    A group that stays on target fires one weapon, else as many as its fire control allows.

    Rules: Dogfight actions [dog.actions]
    """
    state = table.state
    weapons = squadron_of(state, group).weapons
    if action is FightAction.STAY:
        weapon_count = 1
        cost = 0
    else:
        weapon_count = fire_control_of(state, group, is_first_action=is_first_action)
        cost = FUEL
    strongest = sorted(range(len(weapons)), key=lambda place: -weapons[place])[:weapon_count]
    dice_counts = [weapons[place] for place in sorted(strongest)]
    damage_before = damage_of(state, foe)
    full_damage = squadron_of(state, foe).damage
    all_dice: list[int] = []
    points = 0
    for dice_count in dice_counts:
        dice = [table.dice.roll(DOGFIGHT, group.id) for _ in range(dice_count)]
        points += damage_points(dice, max(full_damage - damage_before - points, 0))
        all_dice += dice
    reveal_pilots(table, group, at_ship=False)
    table.carry_out(
        DogfightAction(
            table.turn,
            group.id,
            target=foe.id,
            action=action,
            cost=cost,
            dice=tuple(all_dice),
            weapons=tuple(dice_counts),
            points=points,
            succeeded=points > 0,
        )
    )
    if points:
        table.carry_out(SquadronHurt(table.turn, foe.id, damage_before + points, full_damage))
        _remove_craft(table, foe, full_damage, group)


def _remove_craft(table: Table, foe: Group, full_damage: int, group: Group) -> None:
    """Remove craft in proportion to a group's damage; the last point destroys the group.

    Args:
        full_damage: The points that destroy the group.
        group: The group that fired.
    """
    full = full_strength(table.state, foe)
    points_left = max(full_damage - foe.craft_damage, 0)
    remaining = -(-full * points_left // full_damage)  # rounded up
    foe.take_damage(table, max(foe.craft - remaining, 0), f"fire:{group.id}")


def _roll_to_break_off(table: Table, group: Group, foe: Group) -> bool:
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
