"""Handicaps: which ships are added and what they cost, and the search for an even size."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml

from campaign.rules.files import check_scenario, fixture_scenario, fixture_text
from campaign.rules.scenario_editing import read_file
from umpire.balance import WarEnd, balance_of, points_of
from umpire.handicap import (
    MAX_TRIES,
    STEPS,
    TOLERANCE,
    Handicap,
    best_step,
    faction_of,
    handicap_of,
    next_step,
    side_behind,
    steps_of,
)

STEPPED = range(1, STEPS + 1)


def handicaps(text: str, faction: str) -> list[Handicap]:
    return [handicap_of(text, faction, step) for step in steps_of(text, faction)]


@pytest.mark.parametrize("slug", ["first-steps", "knot-of-gates", "three-powers"])
def test_handicaps_grow_and_stay_valid(slug: str) -> None:
    before = fixture_scenario(slug)
    power = before.factions[-1]
    faction, side = power.id, power.alliance or power.id
    file = read_file(fixture_text(slug))
    proposals = handicaps(fixture_text(slug), faction)
    assert len(proposals) >= 4
    assert [handicap.points for handicap in proposals] == sorted(
        {handicap.points for handicap in proposals}
    )
    for handicap in (proposals[0], proposals[-1]):
        document = read_file(handicap.text)
        after, faults = check_scenario(document)
        assert faults == ()
        assert points_of(after)[side] - points_of(before)[side] == handicap.points
        budget_points = {
            budget.id: budget.points for budget in after.budgets if budget.faction == faction
        }
        grown = sum(
            budget_points[budget.id] - budget.points
            for budget in before.budgets
            if budget.faction == faction
        )
        assert grown == handicap.points, "players get as much as computer admirals"
        others = [power.id for power in before.factions if power.id != faction]
        assert [document["forces"][key] for key in others] == [
            file["forces"][key] for key in others
        ]
    assert 0 < proposals[0].percent <= 25
    assert 85 <= proposals[-1].percent <= 115


def test_handicap_changes_are_listed_by_fleet() -> None:
    least = handicaps(fixture_text("first-steps"), "frost")[0]
    assert least.name == "Frost Assembly"
    assert least.ships
    assert all(line.split(": ")[0] in ("Icebreaker", "Northern Light") for line in least.ships), (
        "what goes to war"
    )
    assert least.budget_lines == (f"Mobile force: {1200 + least.points} points instead of 1200",)


def test_system_ships_are_added_without_alternatives() -> None:
    document = yaml.safe_load(fixture_text("first-steps"))
    document["forces"]["frost"]["default"] = document["forces"]["frost"]["default"][-1:]
    proposals = handicaps(yaml.safe_dump(document), "frost")
    assert proposals[-1].budgets[0][0] == "System defence of Frost"
    assert (
        read_file(proposals[-1].text)["forces"]["frost"]["system_defence"]["frost-prime"]
        == proposals[-1].budgets[0][2]
    )


def test_weaker_side_is_named_only_with_evidence() -> None:
    scenario = fixture_scenario("first-steps")

    def of(ember: int, frost: int) -> str | None:
        ends = [WarEnd("", "ember", 3)] * ember + [WarEnd("", "frost", 3)] * frost
        side = side_behind(balance_of(scenario, ends))
        return None if side is None else faction_of(scenario, side.side)

    assert (of(60, 20), of(20, 60), of(12, 8), of(0, 0)) == ("frost", "ember", None, None)


def steps_tried(
    share: Callable[[int], float], steps: range | tuple[int, ...] = STEPPED
) -> list[int]:
    """Return the steps that a search tries, given the share that each step brings."""
    tried = {0: share(0)}
    while (step := next_step(list(steps), tried, 0.5)) is not None:
        assert step in steps
        assert step not in tried
        tried[step] = share(step)
    assert len(tried) <= MAX_TRIES + 1
    return list(tried)[1:]


@pytest.mark.parametrize(
    ("start", "rise"), [(0.1, 0.03), (0.3, 0.02), (0.45, 0.05), (0.0, 0.2), (0.35, 0.01)]
)
def test_search_approaches_balance_in_few_tries(start: float, rise: float) -> None:
    def share(step: int) -> float:
        return min(1.0, start + rise * step)

    tried = steps_tried(share)
    best = best_step({step: share(step) for step in (0, *tried)}, 0.5)
    nearest = min(abs(share(step) - 0.5) for step in range(STEPS + 1))
    assert abs(share(best) - 0.5) <= max(TOLERANCE, nearest) + 1e-9


def test_search_ends_without_a_sufficient_handicap() -> None:
    assert steps_tried(lambda step: 0.1 + step / 100)[-1] == STEPS
    assert steps_tried(lambda step: 0.1 + step / 10, (3, 9)) == [9, 3]
    assert steps_tried(lambda step: 0.1, (2,)) == [2]
    assert best_step({0: 0.4, 2: 0.9}, 0.5) == 0
    assert best_step({0: 0.4, 2: 0.6, 3: 0.55}, 0.5) == 3
