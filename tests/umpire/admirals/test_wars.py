"""Whole wars in memory: they end, repeat exactly, contain no illegal order, and differ by seed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from campaign.rules.codec import to_document
from campaign.rules.files import fixture_scenario, fixture_scenarios, neutral_region_text
from campaign.rules.orders import Move, Orders
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_editing import read_file
from campaign.rules.view import View
from engine.core.canonical import digest
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from tests.umpire.adjudication.wars import war_digest
from tools.bench import any_wars
from tools.bench.admirals import WarFigures, play_war, print_results, summary
from umpire import rehearsal
from umpire.admirals import orders_for
from umpire.rehearsal import RehearsedWar, play

ROOT = Path(__file__).resolve().parents[3]
SEEDS = {
    "first-steps": range(6),
    "knot-of-gates": range(3),
    "lafayette": range(4),
    "lafayette-continuum": range(4, 7),
    "three-powers": range(3),
}
NAMES = ("steady", "bold", "cautious")


def mixed_characters(scenario: Scenario, seed: int) -> dict[str, str]:
    """Give every faction a character that depends on the seed."""
    return {power.id: NAMES[(seed + n) % 3] for n, power in enumerate(scenario.factions)}


@cache
def war_of(slug: str, seed: int) -> RehearsedWar:
    """Return a war of mixed characters, played once for these tests."""
    scenario = fixture_scenario(slug)
    return play(scenario, mixed_characters(scenario, seed), seed)


@pytest.mark.parametrize("slug", sorted(SEEDS))
def test_every_war_ends_validly_and_seeds_differ(slug: str) -> None:
    """`play` raises on illegal orders; no order may be dropped at its resolution either."""
    scenario = fixture_scenario(slug)
    wars = [war_of(slug, seed) for seed in SEEDS[slug]]
    results = {condition.result: condition.winner for condition in scenario.victory}
    for war in wars:
        assert 1 <= war.weeks <= scenario.weeks
        assert results[war.result] == war.winner
        assert war.history[-1].outcome.world == war.world
        event_codes = [event.code for played in war.history for event in played.outcome.week_events]
        assert "order-dropped" not in event_codes
    assert len({war.result for war in wars}) > 1
    assert len({digest(to_document(war.world)) for war in wars}) == len(wars)


def test_every_other_bundled_war_ends() -> None:
    for slug in sorted(set(fixture_scenarios()) - set(SEEDS)):
        scenario = fixture_scenario(slug)
        war = play(scenario, dict.fromkeys((power.id for power in scenario.factions), "steady"), 1)
        assert (war.world.stage, bool(war.result)) == ("over", True), slug
        assert war.weeks <= scenario.weeks, slug


def test_random_wars_and_tournaments_are_played_and_checked() -> None:
    document = read_file(neutral_region_text())
    for seed in (1, 2):
        assert any_wars.play_war(document, seed)[0] == 6
    assert any_wars.play_tournament(3) > 0


@pytest.mark.rule("camp.shipyard")
def test_admirals_build_and_use_ships() -> None:
    war = play(fixture_scenario("knot-of-gates"), {}, 1)
    events = [item for played in war.history for item in played.outcome.week_events]
    built_ships = {dict(item.facts)["ship"] for item in events if item.code == "launched"}
    lost_ships = {dict(item.facts)["ship"] for item in events if item.code == "ship-lost"}
    assert len(built_ships) > 3
    assert built_ships & (
        lost_ships
        | {ship.name for ship in war.world.ships if ship.damage or ship.fleet.endswith("f1")}
    )
    assert all(len(item.audience) == 1 for item in events if item.code == "launched")


@pytest.mark.rule("camp.replenish")
def test_lost_fighters_and_missiles_are_replaced_at_a_base_only() -> None:
    """Follow carriers and missile cruisers of the Knot: losses stay until they have docked."""
    scenario = fixture_scenario("knot-of-gates")
    took, brought = 0, 0
    for seed in (5, 7, 11):
        for played in play(scenario, {}, seed).history:
            replenished = {
                dict(item.facts)["ship"]
                for item in played.outcome.week_events
                if item.code == "replenished"
            }
            before = {ship.key: dict(ship.stock) for ship in played.before.ships}
            for ship in played.outcome.world.ships:
                had, has = before.get(ship.key, {}), dict(ship.stock)
                more = {name for name in had if has.get(name, 99) > had[name]}
                took += bool(set(has) - set(had)) and "Carrier" in ship.cls
                brought += bool(more)
                assert not more or ship.name in replenished, (
                    seed,
                    played.before.week,
                    ship.name,
                    had,
                    has,
                )
    assert took
    assert brought


def digests_of_wars() -> list[str]:
    """Return a digest of a war of each scenario with admirals, and of wars of random orders.

    Seed 21 of the later Lafayette once failed at a hulk at rest beyond the edge.
    """
    digests = []
    for slug in sorted(SEEDS):
        war = war_of(slug, 21 if slug == "lafayette-continuum" else 0)
        assert len(war.history) == 1 + 3 * war.weeks
        digests.append(hashlib.sha256(repr(war).encode()).hexdigest())
    return digests + [war_digest(seed) for seed in range(8)]


@pytest.mark.rule("camp.decision")
def test_wars_are_equal_in_another_process_with_another_hash_seed() -> None:
    script = f"from {__name__} import digests_of_wars; print(*digests_of_wars())"
    there = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        check=True,
        capture_output=True,
        text=True,
    )
    here = digests_of_wars()
    assert there.stdout.split() == here
    assert len(set(here)) == len(here)


@pytest.mark.rule("camp.lafayette")
def test_lafayette_is_balanced() -> None:
    """A small sample of what `python -m tools.bench.admirals` shows over 100 seeds."""
    wars = [
        war
        for war in (play_war(("lafayette", (), seed)) for seed in range(8))
        if isinstance(war, WarFigures)
    ]
    assert len(wars) == 8
    totals = summary(wars)
    winners = totals["winners"]
    assert isinstance(winners, dict)
    assert winners["esu"] < 0.85
    assert winners["nac"] < 0.85
    assert sum(winners.values()) == pytest.approx(1.0, abs=0.01)
    for lively in ("battles", "withdrew", "glared", "repaired", "retaken"):
        assert sum(getattr(war, lively) for war in wars) > 0, lively


def test_failing_war_is_reported_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dying(scenario: Scenario, characters: Mapping[str, str], seed: int) -> RehearsedWar:
        if seed == 1:
            raise ZeroDivisionError("float division by zero")
        return play(scenario, characters, seed)

    monkeypatch.setattr("tools.bench.admirals.play", dying)
    assert (
        print_results(
            "first-steps",
            (),
            [play_war(("first-steps", (), seed)) for seed in range(5)],
            each=False,
        )
        == 1
    )
    printed = capsys.readouterr()
    assert printed.err.startswith("first-steps, seed 1: ZeroDivisionError")
    last = json.loads(printed.out.splitlines()[-1])
    assert (last["died"], last["wars"], sum(last["decided"].values())) == ([1], 4, 1.0)


def test_battles_without_captains_differ() -> None:
    scenario = fixture_scenario("first-steps")
    with_them, without = (
        [play(scenario, {}, seed, captains=c) for seed in range(6)] for c in (True, False)
    )
    assert [war.world for war in with_them] != [war.world for war in without]


def test_every_stage_is_reported() -> None:
    stages: list[str] = []
    war = play(
        fixture_scenario("first-steps"),
        {},
        1,
        on_stage=lambda played: stages.append(played.before.stage),
    )
    assert stages == ["deploy", *["orders", "decisions", "battles"] * war.weeks]


def test_invalid_orders_name_faction_and_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stubborn(scenario: Scenario, view: View, name: str, dice: Dice) -> Orders:
        orders = orders_for(scenario, view, name, dice)
        if view.stage == "orders":
            return replace(orders, moves=(*orders.moves, Move("frost/f99", to="0101")))
        return orders

    monkeypatch.setattr(rehearsal, "orders_for", stubborn)
    with pytest.raises(RuleViolations) as caught:
        play(fixture_scenario("first-steps"), {}, 0)
    assert "unknown-fleet" in [fault.code for fault in caught.value.violations]
    assert all(fault.where.startswith("ember.moves") for fault in caught.value.violations)


def test_character_makes_a_difference() -> None:
    scenario = fixture_scenario("lafayette")
    wars: list[RehearsedWar] = [play(scenario, {"esu": name}, 2) for name in NAMES]
    assert len({digest(to_document(war.world)) for war in wars}) == len(NAMES)
