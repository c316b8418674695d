"""Properties of every week: ships are conserved, and neither input order nor hash seed matters."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.orders.preparation import prepare_week
from campaign.rules.movement import move_fleets
from campaign.rules.orders import Move
from campaign.rules.world import World
from engine.core.dice import KeyedDice
from tests.umpire.adjudication.wars import WAR, any_world, shuffled, shuffled_scenario, stage
from tools.bench.week import make_scenario, make_world
from umpire.adjudication import week
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.outcome import StageOutcome

ROOT = Path(__file__).resolve().parents[3]
SEEDS = st.integers(0, 2**32)


def intact_keys(world: World) -> list[str]:
    """Return every ship's key, as often as it occurs."""
    return sorted([ship.key for ship in world.ships] + [loss.ship.key for loss in world.losses])


def count_prizes(outcome: StageOutcome) -> int:
    """Return how many ships changed owner in a stage."""
    return sum(
        event.code == "prize"
        or (event.code == "taken-at-dock" and dict(event.facts)["cause"] == "captured")
        for event in outcome.week_events
    )


@pytest.mark.rule("camp.fleets", "camp.prizes", "camp.tugs")
@given(SEEDS)
def test_every_ship_is_in_a_fleet_or_lost_once(
    seed: int,
) -> None:
    chance = Random(seed)
    world = any_world(chance)
    ships, prize_count = intact_keys(world), 0
    for number in range(6):
        _, _, outcome = stage(chance, world, KeyedDice(b"", [number]))
        world = outcome.world
        prize_count += count_prizes(outcome)
        assert set(ships) <= set(intact_keys(world))
        assert len(intact_keys(world)) == len(set(intact_keys(world))) == len(ships) + prize_count
        ship_by_key = {ship.key: ship for ship in world.ships}
        towed = [ship for ship in world.ships if ship.tug]
        assert all(ship_by_key[ship.tug].fleet == ship.fleet and not ship.docked for ship in towed)
        assert {ship.fleet for ship in world.ships} == {fleet.key for fleet in world.fleets}
        owners = {fleet.key: fleet.faction for fleet in world.fleets}
        assert all(owners[ship.fleet] == ship.faction for ship in world.ships)
        assert len(owners) == len(world.fleets)


@pytest.mark.rule("camp.decision")
@given(SEEDS)
def test_week_is_a_function_of_world_orders_and_dice(seed: int) -> None:
    chance = Random(seed)
    world = any_world(chance)
    for number in range(3):
        orders, results, outcome = stage(chance, world, KeyedDice(b"", [number]))
        again = week.resolve(
            shuffled_scenario(chance),
            shuffled(chance, world),
            {name: orders[name] for name in chance.sample(sorted(orders), len(orders))},
            {
                key: replace(results[key], ships=results[key].ships[::-1])
                for key in reversed(results)
            },
            KeyedDice(b"", [number]),
        )
        assert again == outcome
        world = outcome.world


@pytest.mark.rule("camp.battle")
@given(SEEDS)
def test_hostile_fleets_in_a_system_end_the_week_in_contact(
    seed: int,
) -> None:
    chance = Random(seed)
    index = ScenarioIndex(WAR)
    world = any_world(chance)
    for number in range(3):
        world = stage(chance, world, KeyedDice(b"", [number]))[2].world
    touching = {(contact.hex, contact.a, contact.b) for contact in world.contacts}
    hexes = {fleet.key: fleet.hex for fleet in world.fleets if not fleet.in_ftl}
    armed = sorted(
        {
            (hexes[ship.fleet], ship.faction)
            for ship in world.ships
            if hexes.get(ship.fleet) in index.system_at and index.is_operational(ship)
        }
    )
    for hex_, a in armed:
        for other, b in armed:
            if hex_ == other and a < b and index.are_hostile(a, b):
                assert (hex_, a, b) in touching
    for holding in world.holdings:
        hex_ = next(system.hex for system in WAR.systems if system.id == holding.system)
        if holding.state == "held" and holding.superior is not None:
            sides = {index.side[name] for place, name in armed if place == hex_}
            assert sides == {index.side[holding.superior]}


@pytest.mark.parametrize("fleets", [60, 240])
def test_moves_judged_with_the_orders_equal_moves_judged_again(fleets: int) -> None:
    scenario = make_scenario(fleets)
    world, orders = make_world(scenario, fleets)
    prepared = prepare_week(scenario, world, orders)
    assert prepared.dropped == ()
    moves = {move.fleet: move for sheet in prepared.orders.values() for move in sheet.moves}
    assert len(moves) == fleets
    assert move_fleets(scenario, prepared.world, moves, moves) == move_fleets(
        scenario, prepared.world, moves
    )


def test_unjudged_move_is_judged() -> None:
    scenario = make_scenario(60)
    world, _ = make_world(scenario, 60)
    first = world.fleets[0].key
    movement = move_fleets(scenario, world, {first: Move(first, to="0000")}, checked=())
    assert [item.order for item in movement.dropped] == [first]


def test_stage_restores_garbage_collection() -> None:
    scenario = make_scenario(12)
    world, orders = make_world(scenario, 12)
    for searching in (True, False):
        (gc.enable if searching else gc.disable)()
        try:
            week.resolve(scenario, world, orders, {}, KeyedDice(b"x", ["x"]))
            assert gc.isenabled() is searching
        finally:
            gc.enable()
