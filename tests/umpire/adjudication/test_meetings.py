"""Who meets whom at the end of a week, and what long range scans show."""

from __future__ import annotations

import pytest

from campaign.rules.orders import FleetSetting, Orders
from campaign.rules.world import Pair, Scan
from tests.umpire.adjudication.small_sector import (
    COLONY,
    DEEP,
    PORT,
    ROCK,
    codes,
    fleet,
    fleet_of,
    move,
    resolve,
    scenario,
    world,
)
from umpire.adjudication.contacts import count_contacts
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex


@pytest.mark.rule("camp.meeting")
def test_hostile_fleets_in_a_system_meet() -> None:
    field = scenario()
    before = world(field, fleet("red/f1", PORT, "Cruiser"), fleet("blue/f1", COLONY, "Destroyer"))
    contact_world = resolve(field, before, move(blue={"blue/f1": PORT})).world
    assert contact_world.stage == "decisions"
    assert contact_world.pairs == (Pair(PORT, "blue", "red"),)


@pytest.mark.rule("camp.meeting")
def test_fleets_between_stars_do_not_meet() -> None:
    field = scenario()
    before = world(field, fleet("red/f1", DEEP, "Cruiser"), fleet("blue/f1", DEEP, "Cruiser"))
    contact_world = resolve(field, before).world
    assert (contact_world.pairs, contact_world.scans) == ((), ())


@pytest.mark.rule("camp.meeting")
def test_passing_fleets_do_not_meet() -> None:
    field = scenario()
    before = world(field, fleet("red/f1", PORT, "Cruiser"), fleet("blue/f1", DEEP, "Cruiser"))
    contact_world = resolve(field, before, move(blue={"blue/f1": "0202"})).world
    assert contact_world.pairs == ()


@pytest.mark.rule("camp.meeting")
def test_allies_do_not_meet_and_each_meets_the_enemy() -> None:
    field = scenario(("red", "blue", "green"), {"red": "pact", "green": "pact"})
    before = world(
        field,
        fleet("red/f1", ROCK, "Cruiser"),
        fleet("green/f1", ROCK, "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    contact_world = resolve(field, before).world
    assert contact_world.pairs == (Pair(ROCK, "blue", "green"), Pair(ROCK, "blue", "red"))
    assert [(scan.viewer, scan.target) for scan in contact_world.scans] == [
        ("blue", "green"),
        ("blue", "red"),
        ("green", "blue"),
        ("red", "blue"),
    ]


@pytest.mark.rule("camp.meeting")
def test_stages_take_place_without_encounters() -> None:
    field = scenario()
    state = world(field, fleet("red/f1", PORT, "Cruiser"))
    stages = []
    for _ in range(4):
        state = resolve(field, state).world
        stages.append((state.week, state.stage))
    assert stages == [(3, "decisions"), (3, "battles"), (4, "orders"), (4, "decisions")]


@pytest.mark.rule("camp.scan")
def test_empty_settlement_sees_arrivals() -> None:
    field = scenario()
    before = world(field, fleet("red/f1", COLONY, "Cruiser", "Destroyer"))
    contact_world = resolve(field, before).world
    assert contact_world.pairs == ()
    assert contact_world.scans == (
        Scan(COLONY, "blue", "red", (("cruiser", 1), ("escort", 1))),
        Scan(COLONY, "red", "blue", ()),
    )


@pytest.mark.rule("camp.scan")
def test_unsettled_system_sees_nothing() -> None:
    field = scenario()
    assert resolve(field, world(field, fleet("red/f1", ROCK, "Cruiser"))).world.scans == ()


@pytest.mark.rule("camp.scan")
def test_docked_ships_are_scanned() -> None:
    field = scenario()
    before = world(
        field,
        fleet("red/f1", PORT, "Cruiser", "Battleship"),
        fleet("blue/f1", PORT, "Destroyer"),
        ships={"red/f1/2": {"docked": True}},
    )
    contact_world = resolve(field, before).world
    assert Scan(PORT, "blue", "red", (("capital", 1), ("cruiser", 1))) in contact_world.scans


@pytest.mark.rule("camp.scan")
def test_scan_is_private() -> None:
    field = scenario(("red", "blue", "green"))
    before = world(field, fleet("red/f1", ROCK, "Cruiser"), fleet("blue/f1", ROCK, "Destroyer"))
    outcome = resolve(field, before)
    assert codes(outcome, "green") == []
    scan_events = [
        (item.audience, item.facts) for item in outcome.week_events if item.code == "scan"
    ]
    assert scan_events == [
        (("blue",), (("faction", "red"), ("cruiser", 1))),
        (("red",), (("faction", "blue"), ("escort", 1))),
    ]


@pytest.mark.rule("camp.scan")
@pytest.mark.parametrize(("shared", "viewers"), [(False, ["red"]), (True, ["green", "red"])])
def test_allies_share_sight_only_by_scenario_rule(shared: bool, viewers: list[str]) -> None:
    field = scenario(
        ("red", "blue", "green"), {"red": "pact", "green": "pact"}, shared_sight=shared
    )
    before = world(field, fleet("red/f1", ROCK, "Cruiser"), fleet("blue/f1", ROCK, "Destroyer"))
    contact_world = resolve(field, before).world
    assert [scan.viewer for scan in contact_world.scans if scan.target == "blue"] == viewers


@pytest.mark.rule("camp.decoys")
def test_example_newcomers_scan_two_three_six() -> None:
    """Two battleships, three cruisers, two destroyers, and four drones deployed on arrival."""
    field = scenario()
    ships = ["Battleship"] * 2 + ["Cruiser"] * 3 + ["Destroyer"] * 2
    before = world(
        field, fleet("red/f1", DEEP, *ships, decoys=5), fleet("blue/f1", ROCK, "Destroyer")
    )
    orders = Orders(
        settings=(FleetSetting("red/f1", decoys_on=4),),
        moves=move(red={"red/f1": ROCK})["red"].moves,
    )
    contact_world = resolve(field, before, {"red": orders}).world
    assert (
        Scan(ROCK, "blue", "red", (("capital", 2), ("cruiser", 3), ("escort", 6)))
        in contact_world.scans
    )
    assert (
        fleet_of(contact_world, "red/f1").decoys,
        fleet_of(contact_world, "red/f1").decoys_out,
    ) == (1, 4)


@pytest.mark.rule("camp.decoys")
def test_example_defenders_scan_three_two_four() -> None:
    """One battledreadnought, two weasels as capitals, two cruisers, four escorts."""
    field = scenario()
    ships = ["Battleship", "Weasel", "Weasel", "Cruiser", "Cruiser"] + ["Destroyer"] * 4
    before = world(field, fleet("red/f1", ROCK, *ships), fleet("blue/f1", ROCK, "Destroyer"))
    contact_world = resolve(field, before, {"red": Orders(weasels=("red/f1/2", "red/f1/3"))}).world
    assert (
        Scan(ROCK, "blue", "red", (("capital", 3), ("cruiser", 2), ("escort", 4)))
        in contact_world.scans
    )


@pytest.mark.rule("camp.decoys")
def test_inactive_or_lost_weasel_shows_its_class() -> None:
    field = scenario()
    before = world(
        field,
        fleet("red/f1", ROCK, "Weasel", "Weasel"),
        ships={"red/f1/2": {"weasel_on": True, "lost": ("weasel-1",)}},
    )
    index = ScenarioIndex(field)
    assert count_contacts(index, WorldIndex(index, before), before.fleets) == (("escort", 2),)


@pytest.mark.rule("camp.decoys")
def test_at_most_one_drone_is_scanned_per_real_ship() -> None:
    field = scenario()
    before = world(
        field,
        fleet("red/f1", ROCK, "Cruiser", decoys=5, decoys_out=3),
        fleet("blue/f1", ROCK, "Cruiser"),
    )
    contact_world = resolve(field, before).world
    assert Scan(ROCK, "blue", "red", (("cruiser", 1), ("escort", 1))) in contact_world.scans


@pytest.mark.rule("camp.decoys")
def test_deployed_drones_stay_behind() -> None:
    field = scenario()
    before = world(field, fleet("red/f1", ROCK, "Cruiser", decoys=1, decoys_out=1))
    next_world = resolve(field, before, move(red={"red/f1": PORT})).world
    assert (fleet_of(next_world, "red/f1").decoys, fleet_of(next_world, "red/f1").decoys_out) == (
        1,
        0,
    )
