"""Superiority, ownership, reversion; victory conditions; reinforcements and deployment."""

from __future__ import annotations

import pytest

from campaign.rules.files import fixture_scenario
from campaign.rules.orders import DeployedFleet, Orders
from campaign.rules.scenario import Condition, Entry, FleetPick, Reinforcement, Scenario
from campaign.rules.world import Holding, World
from engine.core.dice import Dice
from tests.umpire.adjudication.small_sector import (
    COLONY,
    DEEP,
    PORT,
    ROCK,
    codes,
    fleet,
    fleet_of,
    holding,
    move,
    resolve,
    scenario,
    stand_off,
    week_through,
    world,
)
from umpire.adjudication import week
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.superiority import find_end_condition

FIELD = scenario()


@pytest.mark.rule("camp.superiority")
def test_lone_warship_holds_an_enemy_settlement() -> None:
    outcome = week_through(FIELD, world(FIELD, fleet("red/f1", COLONY, "Cruiser")))
    assert holding(outcome.world, "colony") == Holding("colony", "red", 3, "held", "red")
    (event,) = [item for item in outcome.week_events if item.code == "holding"]
    assert event.audience == ("blue", "red")


@pytest.mark.rule("camp.superiority")
@pytest.mark.parametrize(
    "change",
    [
        {"lost": ("firecon-1",)},
        {"lost": ("battery-1",), "stock": (("pack-1", 0),)},
        {"lost": ("battery-1", "pack-1")},
    ],
)
def test_ship_without_firecon_or_weapon_takes_nothing(
    change: dict[str, tuple[str, ...]],
) -> None:
    before = world(FIELD, fleet("red/f1", COLONY, "Cruiser"), ships={"red/f1/1": change})
    assert holding(week_through(FIELD, before).world, "colony") == Holding("colony", "blue", 0)


@pytest.mark.rule("camp.superiority")
def test_one_remaining_weapon_is_enough() -> None:
    before = world(
        FIELD,
        fleet("red/f1", COLONY, "Cruiser"),
        ships={"red/f1/1": {"lost": ("battery-1", "drive")}},
    )
    assert holding(week_through(FIELD, before).world, "colony").superior == "red"


@pytest.mark.rule("camp.superiority")
def test_unarmed_ship_takes_nothing() -> None:
    world_after = week_through(FIELD, world(FIELD, fleet("red/f1", COLONY, "Tanker"))).world
    assert holding(world_after, "colony").holder == "blue"


@pytest.mark.rule("camp.superiority")
def test_unguarded_settlement_returns_to_its_owner() -> None:
    before = world(
        FIELD,
        fleet("red/f1", COLONY, "Cruiser"),
        holdings=[Holding("colony", "red", 1, "held", "red")],
    )
    world_after = week_through(FIELD, before, orders=move(red={"red/f1": DEEP})).world
    assert holding(world_after, "colony") == Holding("colony", "blue", 3)


@pytest.mark.rule("camp.superiority")
def test_unsettled_system_stays_with_its_last_holder() -> None:
    world_after = week_through(FIELD, world(FIELD, fleet("red/f1", ROCK, "Cruiser"))).world
    assert holding(world_after, "rock") == Holding("rock", "red", 3, "held", "red")
    world_after = week_through(FIELD, world_after, orders=move(red={"red/f1": DEEP})).world
    assert holding(world_after, "rock") == Holding("rock", "red", 3)
    blue = world(
        FIELD, fleet("blue/f1", ROCK, "Cruiser"), holdings=[holding(world_after, "rock")], at_week=4
    )
    assert holding(week_through(FIELD, blue).world, "rock") == Holding(
        "rock", "blue", 4, "held", "blue"
    )


@pytest.mark.rule("camp.stand-off")
def test_stand_off_keeps_holder_and_superiority() -> None:
    before = world(
        FIELD,
        fleet("red/f1", COLONY, "Cruiser"),
        fleet("blue/f1", COLONY, "Cruiser"),
        holdings=[Holding("colony", "red", 1, "held", "red")],
        contacts=(stand_off(COLONY, "red", "blue", "red"),),
    )
    world_after = week_through(FIELD, before).world
    assert holding(world_after, "colony") == Holding("colony", "red", 1, "stand-off", "red")


@pytest.mark.rule("camp.superiority")
def test_allies_hold_together_and_keep_the_owner() -> None:
    pact = scenario(("red", "blue", "green"), {"red": "pact", "green": "pact"})
    world_after = week_through(pact, world(pact, fleet("green/f1", PORT, "Cruiser"))).world
    assert holding(world_after, "port") == Holding("port", "red", 0, "held", "green")
    captured_world = week_through(
        pact,
        world(pact, fleet("green/f1", COLONY, "Cruiser"), fleet("red/f1", COLONY, "Battleship")),
    ).world
    assert holding(captured_world, "colony") == Holding("colony", "red", 3, "held", "red")


@pytest.mark.rule("camp.superiority")
def test_fleet_in_ftl_space_holds_nothing() -> None:
    before = world(
        FIELD, fleet("red/f1", COLONY, "Cruiser", in_ftl=True, must_leave=True), stage="battles"
    )
    assert holding(resolve(FIELD, before).world, "colony").holder == "blue"


# --- objectives


def holdings_of(setting: Scenario, faction: str, *systems: str) -> list[Holding]:
    return [
        Holding(system.id, faction, 1, "held", faction)
        if system.id in systems
        else Holding(system.id, None, 0)
        for system in setting.systems
    ]


@pytest.mark.rule("camp.lafayette")
@pytest.mark.rule("camp.objectives")
@pytest.mark.parametrize(
    ("systems", "at_week", "result"),
    [
        (("lafayette", "hudson", "baffin"), 7, "ESU total victory"),
        (("lafayette", "hudson", "baffin"), 3, "ESU total victory"),
        (("lafayette", "hudson", "rock"), 7, "draw"),
        (("lafayette", "hudson"), 7, "draw"),
        (("kakisa", "hudson", "baffin"), 7, "draw"),
        (("kakisa", "hudson", "baffin"), 6, None),
        (("lafayette", "hudson"), 6, None),
        (("lafayette", "rock", "vn-459"), 7, "NAC victory"),
        (("hudson", "baffin"), 7, "NAC victory"),
        ((), 7, "NAC victory"),
        ((), 6, None),
    ],
)
def test_victory_conditions_of_lafayette(
    systems: tuple[str, ...], at_week: int, result: str | None
) -> None:
    lafayette = fixture_scenario("lafayette")
    verdict = find_end_condition(
        ScenarioIndex(lafayette), holdings_of(lafayette, "esu", *systems), at_week
    )
    assert (verdict.result if verdict else None) == result


@pytest.mark.rule("camp.objectives")
def test_alliance_wins_by_its_factions_superiority() -> None:
    war = Condition("pact victory", "pact", "pact", ("all",), 2, ("rock",), True)
    pact = scenario(
        ("red", "blue", "green"), {"red": "pact", "green": "pact"}, victory=(war, Condition("draw"))
    )
    before = world(pact, fleet("red/f1", ROCK, "Cruiser"), fleet("green/f1", COLONY, "Cruiser"))
    outcome = week_through(pact, before)
    assert (outcome.world.stage, outcome.world.result, outcome.world.winner) == (
        "over",
        "pact victory",
        "pact",
    )
    assert [item.audience for item in outcome.week_events if item.code == "war-over"] == [
        ("blue", "green", "red")
    ]


@pytest.mark.rule("camp.objectives")
def test_war_ends_after_its_last_week() -> None:
    short = scenario(weeks=3)
    world_after = week_through(short, world(short, fleet("red/f1", ROCK, "Cruiser"))).world
    assert (world_after.week, world_after.stage, world_after.result, world_after.winner) == (
        3,
        "over",
        "draw",
        None,
    )
    with pytest.raises(ValueError, match="over"):
        resolve(short, world_after)


# --- deployment and reinforcements


@pytest.mark.rule("camp.lafayette")
def test_lafayette_begins_with_secret_deployment() -> None:
    lafayette = fixture_scenario("lafayette")
    start_world = week.create_world(lafayette)
    assert (start_world.week, start_world.stage, start_world.fleets) == (0, "deploy", ())
    outcome = week.resolve(lafayette, start_world, {}, {}, Dice(1))
    assert (outcome.world.week, outcome.world.stage) == (1, "orders")
    assert {fleet_.hex for fleet_ in outcome.world.fleets if fleet_.faction == "esu"} == {"0108"}
    assert all(len(event.audience) == 1 for event in outcome.week_events)
    assert holding(outcome.world, "lafayette") == Holding("lafayette", "nac", 0, "held", "nac")


@pytest.mark.rule("camp.lafayette")
def test_sealed_or_default_force_is_deployed() -> None:
    pick = FleetPick("Watch", "home", COLONY, (("Cruiser", 2), ("Destroyer", 1)), 1)
    field = scenario(defaults=(("blue", (pick,)),))
    sealed = Orders(
        deploy=(DeployedFleet("First", "home", PORT, (("Cruiser", "Alba"),), standing="fight"),)
    )
    world_after = resolve(field, week.create_world(field), {"red": sealed}).world
    assert [(item.name, item.hex, item.standing) for item in world_after.fleets] == [
        ("Watch", COLONY, None),
        ("First", PORT, "fight"),
    ]
    assert sorted(ship.cls for ship in world_after.ships if ship.faction == "blue") == [
        "Cruiser",
        "Cruiser",
        "Destroyer",
    ]


def with_arrivals(at_week: int) -> Scenario:
    return scenario(
        reinforcements=(
            Reinforcement("r1", "red", at_week, "0101", "Relief", (("Battleship", 2),)),
        )
    )


@pytest.mark.rule("camp.reinforcements")
def test_reinforcements_arrive_at_the_start_of_their_week_and_are_private() -> None:
    field = with_arrivals(4)
    before = world(field, fleet("red/f1", PORT, "Cruiser"), fleet("blue/f1", COLONY, "Cruiser"))
    outcome = week_through(field, before)
    relief = fleet_of(outcome.world, "red/f2")
    assert (relief.name, relief.hex, outcome.world.week) == ("Relief", "0101", 4)
    assert [ship.cls for ship in outcome.world.ships if ship.fleet == "red/f2"] == [
        "Battleship",
        "Battleship",
    ]
    assert ("reinforced" in codes(outcome, "red"), "reinforced" in codes(outcome, "blue")) == (
        True,
        False,
    )
    assert len(week_through(field, outcome.world).world.ships) == 4


@pytest.mark.rule("camp.reinforcements")
def test_first_week_reinforcements_are_present_at_the_start() -> None:
    field = with_arrivals(1)
    world_after: World = resolve(field, week.create_world(field)).world
    assert [item.name for item in world_after.fleets] == ["Relief"]


@pytest.mark.rule("camp.meeting")
def test_waiting_fleet_is_not_on_the_map() -> None:
    field = scenario(entries=(Entry("blue", PORT, 4),))
    both = fleet("red/f1", PORT, "Cruiser"), fleet("blue/f1", PORT, "Cruiser")
    assert resolve(field, world(field, *both)).world.pairs == ()
    assert len(resolve(field, world(field, *both, at_week=4)).world.pairs) == 1
