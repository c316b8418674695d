"""Computer admirals with open markers: whole wars, and dummies that behave like fleets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.codec import to_document
from campaign.rules.files import fixture_scenario
from campaign.rules.orders import DeployedFleet, Dummy
from campaign.rules.scenario import Scenario
from engine.core.canonical import digest
from umpire.admirals.feints import place_dummies
from umpire.rehearsal import RehearsedWar, play

pytestmark = pytest.mark.rule("camp.open-play")


def with_open_markers(slug: str, dummies: int | None = None) -> Scenario:
    return replace(fixture_scenario(slug), open_play=True, dummies=dummies)


def feints(war: RehearsedWar) -> list[tuple[str, str, int]]:
    """Return (marker, goal, week) of every move of a dummy."""
    return [
        (move.fleet, move.to, stage.before.week)
        for stage in war.history
        for orders in stage.orders.values()
        for move in orders.moves
        if "/d" in move.fleet
    ]


@pytest.mark.parametrize(
    ("slug", "seed"), [("first-steps", 1), ("first-steps", 2), ("lafayette", 5)]
)
def test_open_war_ends_and_uses_counters(slug: str, seed: int) -> None:
    scenario = with_open_markers(slug)
    war = play(scenario, {}, seed, captains=False)
    deployed = war.history[0].outcome.world
    assert (war.world.stage, bool(war.result)) == ("over", True)
    assert len(deployed.dummies) == len(deployed.fleets)
    assert {mark.key for mark in war.world.marks} >= {fleet.key for fleet in war.world.fleets}
    event_codes = [item.code for stage in war.history for item in stage.outcome.week_events]
    assert (
        event_codes.count("dummy-lost")
        == event_codes.count("dummy-found")
        == len(deployed.dummies) - len(war.world.dummies)
    )
    assert "order-dropped" not in event_codes


def test_some_counters_stay_and_some_move() -> None:
    war = play(with_open_markers("lafayette"), {}, 5, captains=False)
    out = {
        (dummy.key, stage.before.week)
        for stage in war.history
        for dummy in stage.before.dummies
        if stage.orders
    }
    went = {(key, week) for key, _, week in feints(war)}
    assert 0 < len(went) < len(out) / 2
    systems = {system.hex: system for system in fixture_scenario("lafayette").systems}
    settled = [
        (key, goal) for key, goal, _ in feints(war) if goal in systems and systems[goal].settled
    ]
    assert [key for key, goal in settled if systems[goal].owner != key.partition("/")[0]] == []


def test_open_war_is_reproducible() -> None:
    wars = [play(with_open_markers("first-steps", 2), {}, 3, captains=False) for _ in range(2)]
    assert digest(to_document(wars[0].world)) == digest(to_document(wars[1].world))
    assert [len(stage.before.dummies) for stage in wars[0].history[:2]] == [0, 4]


def test_counters_are_placed_with_fleets_that_may_leave() -> None:
    fleets = [
        DeployedFleet("Guard", "ember/ember-prime", "0304", (("System Defence Ship", "A"),)),
        DeployedFleet("Lance", "ember/mobile", "0505", (("Destroyer", "B"),)),
    ]
    first, *rest = place_dummies(with_open_markers("first-steps", 3), "ember", fleets)
    assert first == Dummy("ember/d1", "0505")
    assert rest == [Dummy("ember/d2", "0304"), Dummy("ember/d3", "0505")]
    assert place_dummies(fixture_scenario("first-steps"), "ember", fleets) == ()
