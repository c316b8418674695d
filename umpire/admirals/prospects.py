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
# Chance that an unseen enemy comes, with or without a possible hiding place in reach.
NEAR_CHANCE, FAR_CHANCE = 0.25, 0.08
STRIKE_CHANCE = 0.6  # chance that a known force strikes at any system within a week's reach
EMPTY_SYSTEM_FACTOR = 0.5  # value of an undefended system as a share of a contested one's
WITHDRAWAL_FACTOR = 0.5  # share of the risk that remains, because a force may withdraw on arrival
SAFE_SUPERIORITY = 1.4  # ratio of strengths that is enough
BASE_BONUS = 0.1
CAUTION_WEEKS = 3  # caution shrinks over the last weeks, when there is little to save ships for
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
    chart = situation.chart
    worst = situation.unseen * HIDDEN_SHARE
    chance = NEAR_CHANCE if _has_hiding_place_near(situation, system) else FAR_CHANCE
    for hex_, strength in sorted(situation.enemies.items()):
        enemy_system = situation.system_at.get(hex_)
        if enemy_system is not None:
            strength -= situation.fixed_points(enemy_system) * situation.estimator.fixed_per_point
        can_come = hex_ != system.hex and chart.is_within(hex_, system.hex, reach)
        if strength <= 0 or not can_come:
            continue
        tempting = sum(
            situation.aims.want[other.id]
            for other in situation.scenario.systems
            if other.hex != hex_ and chart.is_within(hex_, other.hex, reach)
        )
        strike_chance = STRIKE_CHANCE * situation.aims.want[system.id] / tempting
        if strike_chance * strength > chance * worst:
            worst, chance = strength, strike_chance
    return chance, worst


def _has_hiding_place_near(situation: Situation, system: StarSystem) -> bool:
    """Return whether unseen enemies may be at a system within a week's reach."""
    reach = situation.scenario.hexes_per_week
    return any(
        situation.may_hide_enemies(other)
        and situation.chart.is_within(other.hex, system.hex, reach)
        for other in situation.scenario.systems
    )


def rate_goal(
    situation: Situation,
    character: Character,
    system: StarSystem,
    *,
    strength: float,
    committed: float,
    damaged: bool,
) -> tuple[float, float]:
    """Rate a system as a goal for a force.

    Args:
        strength: The strength of the force.
        committed: The own strength already committed to the system.
        damaged: Whether the force needs repairs.

    Returns:
        The expected gain minus the risk, and the enemy's strength at the system.
    """
    care = character.caution / 100 * min(1.0, situation.weeks_left / CAUTION_WEEKS)
    scale = max(strength, situation.mobile, 1.0)
    stake = situation.stake(system.id)
    enemy = situation.enemies.get(system.hex, 0.0)
    is_ours = situation.seems_ours(system)
    if enemy > 0 or not is_ours:
        chance = 1.0  # that the enemy is met there
        enemy += lurking_strength(situation, system)
    else:
        chance, enemy = find_threat(situation, system)
    wins = win_chance(strength + committed, enemy)
    if enemy > 0:
        improvement = wins - win_chance(committed, enemy)
    elif committed <= 0:
        improvement = EMPTY_SYSTEM_FACTOR
    else:
        improvement = 0.0
    gain = stake * chance * improvement + JOINING_BONUS * committed / (committed + scale)
    base = situation.facility_of(system)
    if damaged and is_ours and base is not None and base.repairs:
        gain += BASE_BONUS
    risk = (1.0 - wins) * WITHDRAWAL_FACTOR * chance * strength / scale * care
    return gain - risk, enemy


def rank_goals(
    situation: Situation,
    character: Character,
    *,
    strength: float,
    start: str,
    committed: Mapping[str, float],
    must_leave: bool = False,
    damaged: bool = False,
) -> list[Prospect]:
    """Return every goal that a force can reach in time, best first.

    The score of a goal includes a share of the best goal that could follow it.

    Args:
        strength: The strength of the force.
        start: The hex of the force.
        committed: The own strength at each hex or on its way there.
        must_leave: Whether the present hex is excluded.
        damaged: Whether the force needs repairs.
    """
    weeks_to: dict[str, int] = {}
    gains: dict[str, float] = {}
    enemies: dict[str, float] = {}
    for system in situation.scenario.systems:
        weeks = situation.weeks_to(start, system.hex)
        if weeks is None or max(1, weeks) > situation.weeks_left + 1:
            continue
        if must_leave and weeks == 0:
            continue
        weeks_to[system.hex] = weeks
        gains[system.hex], enemies[system.hex] = rate_goal(
            situation,
            character,
            system,
            strength=strength,
            committed=committed.get(system.hex, 0.0),
            damaged=damaged,
        )
    result: list[Prospect] = []
    for hex_, weeks in weeks_to.items():
        next_gain = _best_next_gain(situation, hex_, weeks, gains) if weeks else 0.0
        score = gains[hex_] * discount(max(1, weeks))
        score += NEXT_GOAL_FACTOR * next_gain
        score -= TRAVEL_COST * weeks
        need = max(0.0, SAFE_SUPERIORITY * enemies[hex_] - committed.get(hex_, 0.0))
        result.append(Prospect(hex_, weeks, need, score))
    return sorted(result, key=lambda prospect: (-prospect.score, prospect.weeks, prospect.hex))


def _best_next_gain(
    situation: Situation, hex_: str, weeks: int, gains: Mapping[str, float]
) -> float:
    """Return the present value of the best goal that a force could go on to in time; 0 if none.

    Args:
        hex_: The hex of the first goal.
        weeks: The weeks of travel to it.
        gains: The expected gain at each goal.
    """
    best = 0.0
    for next_hex, gain in gains.items():
        if next_hex == hex_ or gain <= 0:
            continue
        further_weeks = situation.weeks_to(hex_, next_hex)
        if further_weeks is None:
            continue
        arrival = weeks + further_weeks
        if arrival <= situation.weeks_left + 1:
            best = max(best, gain * discount(arrival))
    return best


def discount(weeks: int) -> float:
    """Return the value of a gain in so many weeks, as a share of its value this week."""
    worth = 1.0
    for _ in range(1, weeks):
        worth *= WEEKLY_DISCOUNT
    return worth
