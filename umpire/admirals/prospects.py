"""Goals that a force might move to, rated by value, odds and travel time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.scenario import StarSystem
from umpire.admirals.character import Character
from umpire.admirals.situation import Situation
from umpire.admirals.strength import win_chance

WEEKLY_DISCOUNT = 0.8  # factor on the value of a goal for each further week
HIDDEN_SHARE = 0.8  # share of the enemy's unseen strength assumed to be at systems
NEAR_CHANCE, FAR_CHANCE = (
    0.25,
    0.08,
)  # chance that an unseen enemy comes, with or without a possible hiding place in reach
STRIKE_CHANCE = 0.6  # chance that a known force strikes at any system within a week's reach
EMPTY_SYSTEM_FACTOR = 0.5  # value of an undefended system as a share of a contested one's
WITHDRAWAL_FACTOR = 0.5  # share of the risk that remains, because a force may withdraw on arrival
SAFE_SUPERIORITY = 1.4  # ratio of strengths that is enough
BASE_BONUS = 0.1
CAUTION_WEEKS = (
    3  # caution shrinks over the last weeks, when there is little left to save ships for
)
NEXT_GOAL_FACTOR = 0.3  # weight of the best following goal
TRAVEL_COST = 0.002  # per week of travel, to prefer the nearer of two equal goals
JOINING_BONUS = 0.04  # for joining another force of the same side


@dataclass(frozen=True, slots=True)
class Prospect:
    """A goal for a force.

    Attributes:
        hex: The hex of the goal.
        weeks: The weeks of travel; 0 at the present hex.
        need: The strength that is enough there.
        score: The expected value of going there.
    """

    hex: str
    weeks: int
    need: float
    score: float


def lurking_strength(situation: Situation, system: StarSystem) -> float:
    """Return the strength of unseen enemies assumed to be at a system out of sight."""
    if situation.system_views[system.id].week == situation.view.week:
        return 0.0
    total_want = sum(situation.aims.want.values())
    if total_want:
        return situation.unseen * HIDDEN_SHARE * situation.aims.want[system.id] / total_want
    return 0.0


def find_threat(situation: Situation, system: StarSystem) -> tuple[float, float]:
    """Return (chance, strength) of the worst enemy that may come to a system this week."""
    reach = situation.scenario.hexes_per_week
    haunts = (
        other.hex for other in situation.scenario.systems if situation.may_hide_enemies(other)
    )
    near = any(situation.chart.is_within(hex_, system.hex, reach) for hex_ in haunts)
    worst, chance = situation.unseen * HIDDEN_SHARE, NEAR_CHANCE if near else FAR_CHANCE
    for hex_, strength in sorted(situation.enemies.items()):
        there = situation.system_at.get(hex_)
        if there is not None:
            strength -= situation.fixed_points(there) * situation.estimator.fixed
        if (
            hex_ == system.hex
            or strength <= 0
            or not situation.chart.is_within(hex_, system.hex, reach)
        ):
            continue
        tempting = sum(
            situation.aims.want[other.id]
            for other in situation.scenario.systems
            if other.hex != hex_ and situation.chart.is_within(hex_, other.hex, reach)
        )
        comes = STRIKE_CHANCE * situation.aims.want[system.id] / tempting
        if comes * strength > chance * worst:
            worst, chance = strength, comes
    return chance, worst


def rate_goal(
    situation: Situation,
    character: Character,
    system: StarSystem,
    strength: float,
    there: float,
    damaged: bool,
) -> tuple[float, float]:
    """Rate a system as a goal for a force.

    Args:
        strength: The strength of the force.
        there: The own strength already committed to the system.
        damaged: Whether the force needs repairs.

    Returns:
        The expected gain minus the risk, and the enemy's strength at the system.
    """
    care = character.caution / 100 * min(1.0, situation.weeks_left / CAUTION_WEEKS)
    scale = max(strength, situation.mobile, 1.0)
    system_view, stake = situation.system_views[system.id], situation.stake(system.id)
    enemy = situation.enemies.get(system.hex, 0.0)
    is_ours = (
        system_view.superior if system_view.superior is not None else system_view.holder
    ) in situation.aims.side
    if enemy > 0 or not is_ours:
        chance = 1.0
        enemy += lurking_strength(situation, system)
    else:
        chance, enemy = find_threat(situation, system)
    wins = win_chance(strength + there, enemy)
    if enemy > 0:
        better = wins - win_chance(there, enemy)
    elif there <= 0:
        better = EMPTY_SYSTEM_FACTOR
    else:
        better = 0.0
    gain = stake * chance * better + JOINING_BONUS * there / (there + scale)
    if damaged and is_ours and system.facility is not None and system.facility.repairs:
        gain += BASE_BONUS
    return gain - (1.0 - wins) * WITHDRAWAL_FACTOR * chance * strength / scale * care, enemy


def rank_goals(
    situation: Situation,
    character: Character,
    strength: float,
    start: str,
    committed: Mapping[str, float],
    *,
    must_leave: bool = False,
    damaged: bool = False,
) -> list[Prospect]:
    """Return every goal that a force can reach in time, best first.

    The score of a goal includes a share of the best goal that could follow it.

    Args:
        start: The hex of the force.
        committed: The own strength at each hex or on its way there.
        must_leave: Whether the present hex is excluded.
        damaged: Whether the force needs repairs.
    """
    week_of: dict[str, int] = {}
    for system in situation.scenario.systems:
        weeks = situation.weeks_to(start, system.hex)
        if (
            weeks is not None
            and max(1, weeks) <= situation.weeks_left + 1
            and not (must_leave and weeks == 0)
        ):
            week_of[system.hex] = weeks
    promised = {}
    for system in situation.scenario.systems:
        if system.hex in week_of:
            promised[system.hex] = rate_goal(
                situation, character, system, strength, committed.get(system.hex, 0.0), damaged
            )
    result: list[Prospect] = []
    for hex_, weeks in sorted(week_of.items()):
        gain, enemy = promised[hex_]
        time = max(1, weeks)
        onward = 0.0
        for then, (next_gain, _) in sorted(promised.items()):
            on = (
                situation.weeks_to(hex_, then) if weeks and then != hex_ and next_gain > 0 else None
            )
            if on is not None and time + on <= situation.weeks_left + 1:
                onward = max(onward, next_gain * discount(time + on))
        score = gain * discount(time) + NEXT_GOAL_FACTOR * onward - TRAVEL_COST * weeks
        result.append(
            Prospect(
                hex_, weeks, max(0.0, SAFE_SUPERIORITY * enemy - committed.get(hex_, 0.0)), score
            )
        )
    return sorted(result, key=lambda prospect: (-prospect.score, prospect.weeks, prospect.hex))


def discount(weeks: int) -> float:
    """Return the value of a gain in so many weeks, as a share of its value this week."""
    worth = 1.0
    for _ in range(1, weeks):
        worth *= WEEKLY_DISCOUNT
    return worth
