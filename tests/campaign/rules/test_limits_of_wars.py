"""One table of limits for scenarios, orders, battles and servers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.costs import MAX_SECONDS, cost_violations, largest_battle, seconds_of
from campaign.rules.files import fixture_scenario
from campaign.rules.starting_positions import place_ships
from engine.battle import start
from engine.core.edition import Edition
from engine.core.errors import RuleViolations
from engine.core.limits import DUMMIES, FACTIONS, SHIPS_OF_A_BATTLE, SHIPS_OF_A_WAR, ships_of_a_navy
from engine.notation.files import fixture_classes


def battle_file(count: int) -> Any:
    """Return the umpire's battle file for two sides of so many frigates."""
    table, posts = place_ships((72, 48), [[count], [count]])
    sides = []
    for name, fleets in zip("ab", posts, strict=True):
        ships = [
            {
                "id": f"{name}{n}",
                "class": "Frigate",
                "at": list(position.at),
                "course": position.course,
                "velocity": 0,
            }
            for n, position in enumerate(fleets[0])
        ]
        sides.append({"name": name, "ships": ships})
    return {
        "edition": "second-edition",
        "table": list(table),
        "sides": sides,
        "hostile": [["a", "b"]],
    }


def test_largest_war_can_meet_in_one_battle() -> None:
    """Scenarios once allowed 3,000 ships and battles 2,000: such a war failed at its first large
    battle.
    """
    battle = start(battle_file(SHIPS_OF_A_WAR // 2), fixture_classes("second-edition"))
    assert len(battle.state.ships) == SHIPS_OF_A_WAR
    most = sum(ships_of_a_navy(2) for _ in range(2)) + DUMMIES * FACTIONS
    assert most <= SHIPS_OF_A_BATTLE


def test_larger_battle_is_refused_with_the_limit() -> None:
    with pytest.raises(RuleViolations, match=f"at most {SHIPS_OF_A_BATTLE} ships"):
        start(battle_file(SHIPS_OF_A_BATTLE // 2 + 1), fixture_classes("second-edition"))


def test_cost_of_a_war_counts_all_its_ships() -> None:
    scenario = fixture_scenario("first-steps")
    assert largest_battle(scenario) < 5
    assert cost_violations(scenario) == []
    (faction, fleets), *other_defaults = scenario.defaults
    (cls, _), *other_ships = fleets[0].ships
    huge = replace(fleets[0], ships=((cls, 20_000), *other_ships))
    costly = replace(scenario, defaults=((faction, (huge, *fleets[1:])), *other_defaults))
    assert largest_battle(costly) > MAX_SECONDS
    assert [fault.code for fault in cost_violations(costly)] == ["too-costly"]


@pytest.mark.parametrize("edition", list(Edition))
def test_double_ships_cost_at_most_four_times_as_much(edition: str) -> None:
    for ships in (10, 100, 1000):
        assert (
            2 * seconds_of(edition, ships)
            < seconds_of(edition, 2 * ships)
            <= 4 * seconds_of(edition, ships)
        )
