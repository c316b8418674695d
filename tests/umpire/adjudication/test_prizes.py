"""Prizes and hulks: the holder of the field gets them under new keys, laid up until a base has
worked
on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.orders import Decision, Dock, Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Facility, Scenario
from campaign.rules.world import Cargo, Holding, Loss, World
from tests.umpire.adjudication.small_sector import (
    COLONY,
    PORT,
    ROCK,
    battle,
    codes,
    decide,
    fleet,
    fleet_of,
    holding,
    resolve,
    scenario,
    ship_of,
    week_through,
    world,
)
from umpire.adjudication.outcome import StageOutcome

FIELD = scenario()
HURT: dict[str, Any] = {"damage": 7, "lost": ("firecon-1",), "stock": (("pack-1", 0),)}


def world_before_battle(field: Scenario = FIELD, hex_: str = ROCK, **changes: Any) -> World:
    """Return red and blue before a battle at Rock: two cruisers and a battleship each."""
    before = world(
        field,
        fleet("red/f1", hex_, "Battleship", "Cruiser", "Cruiser"),
        fleet("blue/f1", hex_, "Battleship", "Cruiser", "Cruiser"),
        ships={"red/f1/2": HURT, **changes},
    )
    choices = decide(red=(hex_, "blue", "fight"), blue=(hex_, "red", "fight"))
    return resolve(field, resolve(field, before).world, choices).world


def resolve_battle(before: World, winner: str | None, **statuses: str) -> StageOutcome:
    return resolve(FIELD, before, results=[battle(before, winner, **statuses)])


@pytest.mark.rule("camp.prizes")
@pytest.mark.parametrize("how", ["captured", "struck", "hulk"])
def test_holder_of_the_field_takes_prizes_as_they_are(how: str) -> None:
    outcome = resolve_battle(world_before_battle(), "blue", red="destroyed", red_f1_2=how)
    (prize,) = [ship for ship in outcome.world.ships if ship.faction == "blue" and ship.laid_up]
    assert (prize.damage, prize.lost, prize.stock) == (HURT["damage"], HURT["lost"], HURT["stock"])
    assert (prize.key, prize.name, prize.cls) == ("blue/s1", "Cruiser prize 1", "Cruiser")
    where = fleet_of(outcome.world, prize.fleet)
    assert (where.key, where.faction, where.hex, where.name) == (
        "blue/f2",
        "blue",
        ROCK,
        "Prizes of Rock",
    )
    losses = {loss.ship.key: loss.cause for loss in outcome.world.losses}
    assert losses == {"red/f1/1": "destroyed", "red/f1/2": how, "red/f1/3": "destroyed"}
    assert codes(outcome, "blue").count("prize") == 1
    assert codes(outcome, "red").count("prize") == 0
    assert codes(outcome, "red").count("ship-lost") == 3


@pytest.mark.rule("camp.prizes")
@pytest.mark.parametrize("how", ["captured", "struck", "hulk"])
def test_holder_of_the_field_recovers_own_hulks(how: str) -> None:
    outcome = resolve_battle(world_before_battle(), "red", blue="destroyed", red_f1_2=how)
    hulk = ship_of(outcome.world, "red/f1/2")
    assert (hulk.laid_up, hulk.damage, hulk.fleet) == (True, 7, "red/f1")
    assert [loss.ship.faction for loss in outcome.world.losses] == ["blue"] * 3
    assert codes(outcome, "red").count("recovered") == 1
    assert codes(outcome, "blue").count("recovered") == 0


@pytest.mark.rule("camp.prizes")
def test_nobody_recovers_without_a_holder() -> None:
    outcome = resolve_battle(world_before_battle(), None, red_f1_2="captured", blue_f1_2="hulk")
    assert sorted((loss.ship.key, loss.cause) for loss in outcome.world.losses) == [
        ("blue/f1/2", "hulk"),
        ("red/f1/2", "captured"),
    ]
    assert not any(ship.laid_up for ship in outcome.world.ships)
    assert not {"prize", "recovered"} & {*codes(outcome, "red"), *codes(outcome, "blue")}


@pytest.mark.rule("pc.atmosphere")
@pytest.mark.parametrize("winner", ["red", None])
def test_landed_ship_takes_off_unless_an_enemy_holds_the_field(
    winner: str | None,
) -> None:
    blue = {"blue": "destroyed"} if winner else {}
    outcome = resolve_battle(world_before_battle(), winner, red_f1_2="landed", **blue)
    landed = ship_of(outcome.world, "red/f1/2")
    assert (landed.faction, landed.laid_up, landed.damage) == ("red", False, 7)
    wrecked: dict[str, Any] = {"red/f1/2": HURT | {"lost": ("drive", "drive", "ftl")}}
    crashed = resolve_battle(
        world_before_battle(FIELD, ROCK, **wrecked), winner, red_f1_2="landed", **blue
    )
    assert ship_of(crashed.world, "red/f1/2").laid_up
    assert codes(crashed, "red").count("recovered") == 1


@pytest.mark.rule("pc.atmosphere")
def test_landed_ship_becomes_a_prize_of_the_enemy_holding_the_field() -> None:
    outcome = resolve_battle(world_before_battle(), "blue", red="destroyed", red_f1_2="landed")
    (prize,) = [ship for ship in outcome.world.ships if ship.laid_up]
    assert (prize.faction, prize.damage) == ("blue", 7)
    assert {loss.ship.key: loss.cause for loss in outcome.world.losses}["red/f1/2"] == "landed"
    assert codes(outcome, "blue").count("prize") == 1
    assert codes(outcome, "red").count("ship-lost") == 3


@pytest.mark.rule("camp.prizes")
def test_destroyed_ship_is_no_prize() -> None:
    outcome = resolve_battle(world_before_battle(), "blue", red="destroyed")
    assert {ship.key for ship in outcome.world.ships} == {"blue/f1/1", "blue/f1/2", "blue/f1/3"}


@pytest.mark.rule("camp.prizes")
def test_prize_goes_to_its_captor_or_the_strongest_ally() -> None:
    pact = scenario(("red", "blue", "green"), {"blue": "pact", "green": "pact"})
    before = world(
        pact,
        fleet("red/f1", ROCK, "Cruiser", "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        fleet("green/f1", ROCK, "Battleship"),
    )
    choices = decide(blue=(ROCK, "red", "fight"), green=(ROCK, "red", "fight"))
    ready = resolve(pact, resolve(pact, before).world, choices).world
    result = battle(ready, "blue+green", red="captured")
    ships = tuple(
        replace(item, captor="blue") if item.ship == "red/f1/1" else item for item in result.ships
    )
    world_after = resolve(pact, ready, results=[replace(result, ships=ships)]).world
    assert sorted(ship.key for ship in world_after.ships if ship.laid_up) == ["blue/s1", "green/s1"]
    away = battle(ready, "blue+green", red="captured", blue="ftl", green="destroyed")
    assert not any(ship.laid_up for ship in resolve(pact, ready, results=[away]).world.ships)


@pytest.mark.rule("camp.prizes")
def test_prize_keys_and_names_count_the_captors_ships_only() -> None:
    loss = Loss(fleet("blue/f9", ROCK, "Cruiser")[1][0], 1, ROCK, "destroyed")
    before = replace(
        world_before_battle(), losses=(replace(loss, ship=replace(loss.ship, key="blue/s41")),)
    )
    world_after = resolve_battle(before, "blue", red="captured").world
    prizes = {ship.key: ship.name for ship in world_after.ships if ship.laid_up}
    assert prizes == {
        "blue/s42": "Battleship prize 42",
        "blue/s43": "Cruiser prize 43",
        "blue/s44": "Cruiser prize 44",
    }


@pytest.mark.rule("camp.prizes", "camp.hidden")
def test_each_faction_sees_its_part() -> None:
    third = scenario(("red", "blue", "green"))
    outcome = resolve(
        third,
        world_before_battle(third),
        results=[battle(world_before_battle(third), "blue", red="captured")],
    )
    views = {
        name: build_view(third, outcome.world, name, None, ()) for name in ("red", "blue", "green")
    }
    assert [(loss.cause, loss.cls) for loss in views["red"].losses] == [
        ("captured", "Battleship")
    ] + [("captured", "Cruiser")] * 2
    assert views["red"].ships == ()
    assert (views["blue"].losses, sum(ship.laid_up for ship in views["blue"].ships)) == ((), 3)
    assert (views["green"].losses, views["green"].ships) == ((), ())
    assert "red" not in repr(views["blue"].ships)
    assert codes(outcome, "green") == []


# --- what a prize can do


def prize_at(hex_: str, *others: Any, field: Scenario = FIELD, **changes: Any) -> World:
    return world(
        field,
        fleet("red/f1", hex_, "Cruiser"),
        *others,
        ships={"red/f1/1": {"laid_up": True, **changes}},
    )


@pytest.mark.rule("camp.prizes", "camp.superiority")
def test_prize_holds_nothing_and_joins_no_battle() -> None:
    world_after = week_through(FIELD, prize_at(ROCK)).world
    assert (holding(world_after, "rock").superior, ship_of(world_after, "red/f1/1").laid_up) == (
        None,
        True,
    )
    before = prize_at(ROCK, fleet("red/f2", ROCK, "Cruiser"), fleet("blue/f1", ROCK, "Cruiser"))
    ready = resolve(FIELD, resolve(FIELD, before).world, decide(blue=(ROCK, "red", "fight"))).world
    assert {item.ship for item in battle(ready).ships} == {"red/f2/1", "blue/f1/1"}


@pytest.mark.rule("camp.prizes")
def test_prize_sails_home_and_is_fit_after_a_week_at_dock() -> None:
    home = week_through(
        FIELD, prize_at(ROCK, damage=3), orders={"red": Orders(moves=(Move("red/f1", to=PORT),))}
    ).world
    assert fleet_of(home, "red/f1").hex == PORT
    outcome = week_through(
        FIELD, home, orders={"red": Orders(dock=(Dock("red/f1/1"),))}, dice={"repair": [2]}
    )
    fit = ship_of(outcome.world, "red/f1/1")
    assert (fit.laid_up, fit.damage) == (False, 1)
    assert codes(outcome, "red").count("in-service") == 1


@pytest.mark.rule("camp.prizes", "camp.facility-limits")
@pytest.mark.parametrize(
    ("base", "fit"),
    [
        (Facility("yard", repairs=True), True),
        (Facility("small yard", repairs=True, repair_mass_limit=20, replenishes=True), False),
        (Facility("depot", replenishes=True), False),
    ],
)
def test_only_a_repairing_base_makes_a_prize_fit(base: Facility, fit: bool) -> None:
    field = scenario(base=base)
    world_after = week_through(
        field, prize_at(PORT, field=field), orders={"red": Orders(dock=(Dock("red/f1/1"),))}
    ).world
    assert ship_of(world_after, "red/f1/1").laid_up is not fit


@pytest.mark.rule("camp.prizes")
def test_lone_prize_is_overrun_and_recaptured() -> None:
    before = prize_at(ROCK, fleet("blue/f1", ROCK, "Cruiser"), damage=4)
    ready = resolve(FIELD, resolve(FIELD, before).world, decide(blue=(ROCK, "red", "fight"))).world
    assert ready.engagements == ()
    outcome = resolve(FIELD, ready)
    (prize,) = [ship for ship in outcome.world.ships if ship.laid_up]
    assert (prize.faction, prize.damage) == ("blue", 4)
    assert codes(outcome, "blue").count("prize") == 1
    assert [(loss.ship.faction, loss.cause) for loss in outcome.world.losses] == [
        ("red", "captured")
    ]


@pytest.mark.rule("camp.prizes", "camp.decision")
@pytest.mark.parametrize(("die", "is_kept"), [(5, True), (6, False)])
def test_prize_with_a_drive_may_flee_and_be_caught(die: int, is_kept: bool) -> None:
    before = resolve(FIELD, prize_at(ROCK, fleet("blue/f1", ROCK, "Cruiser"))).world
    choices = decide(red=(ROCK, "blue", "withdraw"), blue=(ROCK, "red", "fight"))
    ready = resolve(FIELD, before, choices, {"catch": [die]}).world
    assert ready.engagements == ()
    world_after = resolve(FIELD, ready).world
    assert {ship.faction for ship in world_after.ships if ship.laid_up} == (
        {"red"} if is_kept else {"blue"}
    )
    assert [fleet.in_ftl for fleet in world_after.fleets if fleet.faction == "red"] == (
        [True] if is_kept else []
    )


@pytest.mark.rule("camp.prizes", "camp.non-ftl")
def test_prize_without_a_drive_cannot_flee() -> None:
    before = resolve(FIELD, prize_at(ROCK, fleet("blue/f1", ROCK, "Cruiser"), lost=("ftl",))).world
    ready = resolve(
        FIELD, before, decide(red=(ROCK, "blue", "withdraw"), blue=(ROCK, "red", "fight"))
    ).world
    world_after = resolve(FIELD, ready).world
    assert {ship.faction for ship in world_after.ships} == {"blue"}


@pytest.mark.rule("camp.prizes")
def test_prizes_leave_with_their_squadron() -> None:
    both = (fleet("red/f2", ROCK, "Cruiser"), fleet("blue/f1", ROCK, "Cruiser"))
    before = resolve(FIELD, prize_at(ROCK, *both)).world
    choices = decide(red=(ROCK, "blue", "withdraw"), blue=(ROCK, "red", "stand-off"))
    world_after = resolve(FIELD, before, choices).world
    assert {fleet.key: fleet.in_ftl for fleet in world_after.fleets} == {
        "blue/f1": False,
        "red/f1": True,
        "red/f2": True,
    }


# --- taken at dock


@pytest.mark.rule("camp.prizes", "camp.repairs")
@pytest.mark.parametrize(("scuttle", "prizes"), [(False, ["Cruiser prize 1"]), (True, [])])
def test_docked_ship_becomes_a_prize_unless_scuttled(scuttle: bool, prizes: list[str]) -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {**HURT, "docked": True}},
    )
    contact_world = resolve(
        FIELD, before, {"red": Orders(dock=(Dock("red/f1/1", replenish=True, scuttle=scuttle),))}
    ).world
    outcome = resolve(
        FIELD, resolve(FIELD, contact_world, decide(blue=(PORT, "red", "fight"))).world
    )
    prize_ships = [ship for ship in outcome.world.ships if ship.laid_up]
    assert [ship.name for ship in prize_ships] == prizes
    for ship in prize_ships:
        assert (ship.docked, ship.scuttle, ship.repair, ship.replenish) == (False, False, (), False)
        assert (ship.damage, ship.lost, ship.stock) == (HURT["damage"], HURT["lost"], HURT["stock"])
    assert codes(outcome, "blue").count("taken-at-dock") == 1


@pytest.mark.rule("camp.prizes", "camp.facility-limits")
def test_captured_base_repairs_its_prize_after_a_full_week() -> None:
    holdings = [Holding("port", "blue", 1, "held", "blue")]
    before = world(
        FIELD,
        fleet("blue/f1", PORT, "Cruiser", "Cruiser"),
        ships={"blue/f1/1": {"laid_up": True}},
        holdings=holdings,
    )
    world_after = week_through(
        FIELD, before, orders={"blue": Orders(dock=(Dock("blue/f1/1"),))}
    ).world
    assert ship_of(world_after, "blue/f1/1").laid_up is False


@pytest.mark.rule("camp.prizes", "2e.cargo")
def test_prize_keeps_its_cargo() -> None:
    ore = Cargo("tons of ore", 600, 450)
    before = world(
        FIELD,
        fleet("red/f1", COLONY, "Tanker"),
        fleet("blue/f1", COLONY, "Cruiser"),
        ships={"red/f1/1": {"cargo": ore}},
    )
    choices = {"blue": Orders(decide=(Decision(COLONY, "red", "fight"),))}
    ready = resolve(FIELD, resolve(FIELD, before).world, choices).world
    outcome = resolve(FIELD, ready, results=[battle(ready, "blue", red="struck")])
    (prize,) = [ship for ship in outcome.world.ships if ship.laid_up]
    assert (prize.faction, prize.cargo) == ("blue", ore)
    facts = next(dict(item.facts) for item in outcome.week_events if item.code == "cargo-lost")
    assert (facts["what"], facts["lost"], facts["remaining"]) == ("tons of ore", 450, 0)
    view = build_view(FIELD, outcome.world, "red", None, ())
    assert [loss.cargo for loss in view.losses] == [ore]
