"""Pilots at the deployment, by dice or bought, and the thrust of decoy drones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import yaml

from campaign.orders.deploy import deploy_faults
from campaign.orders.preparation import prepare_week
from campaign.orders.validation import order_violations
from campaign.rules.battle_entries import ship_entry
from campaign.rules.files import check_scenario, fixture_scenario, fixture_text
from campaign.rules.forces import initial_world, places_of
from campaign.rules.orders import DeployedFleet, FleetSetting, Orders
from campaign.rules.perception import build_view
from campaign.rules.pilots import ACE_POINTS
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import ACES_BOUGHT, Scenario
from campaign.rules.world import Engagement, Ship, World
from engine.core.dice import ScriptedDice
from engine.core.kinds import ACE, AVERAGE, PILOTS, TURKEY
from umpire.adjudication import week
from umpire.adjudication.indexes import WorldIndex, index_scenario
from umpire.adjudication.rosters import roster_of

CARRIER = "Aerie Light Carrier"
BAYS = ("hangar-1", "hangar-2", "hangar-3")


@cache
def scenario(aces: str = "") -> Scenario:
    """Return Lafayette by Continuum with the rule for aces, and with room for carriers."""
    war = fixture_scenario("lafayette-continuum")
    return replace(war, options=("aces",), aces=aces, classification_limit=(1, 1))


def carriers(war: Scenario, **changes: Any) -> DeployedFleet:
    own_budgets = [budget for budget in war.budgets if budget.faction == "nac"]
    budget = next(budget for budget in own_budgets if budget.ftl == "required")
    place = places_of(war, budget)[0]
    ships = ((CARRIER, "Aerie"), ("Osprey Light Cruiser", "Osprey"))
    return DeployedFleet("First", budget.id, place, ships, **changes)


def deployed(war: Scenario, rules: str, dice: list[int], **changes: Any) -> dict[str, Ship]:
    """Return the ships of a faction after the deployment, by name."""
    orders = {"nac": Orders(deploy=(carriers(war, **changes),))}
    scripted = ScriptedDice({"ace": dice})
    world = week.resolve(
        replace(war, defaults=(), reinforcements=()),
        initial_world(war),
        orders,
        {},
        scripted,
        rules,
    ).world
    return {ship.name: ship for ship in world.ships if ship.faction == "nac"}


def pilots_of(ship: Ship) -> dict[str, str]:
    return {name.partition(":")[2]: PILOTS[number] for name, number in ship.notes}


@pytest.mark.rule("pc.bought-aces", "pc.aces")
def test_pilots_are_rolled_at_the_deployment() -> None:
    ships = deployed(scenario(), "1.1", [6, 3, 1])
    assert pilots_of(ships["Aerie"]) == dict(zip(BAYS, (ACE, AVERAGE, TURKEY), strict=True))
    assert pilots_of(ships["Osprey"]) == {}
    # In a war of older rules the dice are rolled in the first battle.
    assert pilots_of(deployed(scenario(), "1.0", [])["Aerie"]) == {}


@pytest.mark.rule("pc.bought-aces")
def test_bought_aces_replace_the_dice() -> None:
    war = scenario(ACES_BOUGHT)
    ships = deployed(war, "1.1", [], pilots={"Aerie": {"hangar-2": ACE}})
    assert pilots_of(ships["Aerie"]) == {"hangar-2": ACE}
    notes = ship_entry(war, ship_classes(war), ships["Aerie"])["notes"]
    qualities = {bay: PILOTS[notes[f"pilots:{bay}"]] for bay in BAYS}
    assert qualities == {"hangar-1": AVERAGE, "hangar-2": ACE, "hangar-3": AVERAGE}


@pytest.mark.rule("pc.bought-aces")
def test_ace_costs_as_much_as_a_group_of_standard_fighters() -> None:
    war = scenario(ACES_BOUGHT)
    points = sum(ship_classes(war)[cls].points for cls, _ in carriers(war).ships)
    pilots = {"Aerie": dict.fromkeys(BAYS[:2], ACE)}

    def codes(limit: int) -> set[str]:
        budgets = tuple(replace(budget, points=limit) for budget in war.budgets)
        fleet = carriers(war, pilots=pilots)
        return {
            fault.code for fault in deploy_faults(replace(war, budgets=budgets), "nac", [fleet])
        }

    assert codes(points + 2 * ACE_POINTS) == set()
    assert codes(points + 2 * ACE_POINTS - 1) == {"over-budget"}


@pytest.mark.rule("pc.bought-aces")
@pytest.mark.parametrize(
    ("aces", "pilots", "fault"),
    [
        ("", {"Aerie": {"hangar-1": ACE}}, ("deploy[0].pilots", "no-pilots")),
        (ACES_BOUGHT, {"Nobody": {"hangar-1": ACE}}, ("deploy[0].pilots.Nobody", "unknown-ship")),
        (ACES_BOUGHT, {"Aerie": {"hangar-9": ACE}}, ("deploy[0].pilots.Aerie.hangar-9", "pilots")),
        (
            ACES_BOUGHT,
            {"Aerie": {"hangar-1": TURKEY}},
            ("deploy[0].pilots.Aerie.hangar-1", "pilots"),
        ),
        (
            ACES_BOUGHT,
            {"Osprey": {"hangar-1": ACE}},
            ("deploy[0].pilots.Osprey.hangar-1", "pilots"),
        ),
    ],
)
def test_faults_of_bought_aces(aces: str, pilots: Any, fault: tuple[str, str]) -> None:
    war = scenario(aces)
    faults = deploy_faults(war, "nac", [carriers(war, pilots=pilots)])
    assert [(item.where, item.code) for item in faults] == [fault]


def test_scenario_sells_aces_only_with_the_rule_for_them() -> None:
    document = yaml.safe_load(fixture_text("lafayette-continuum"))
    war, faults = check_scenario({**document, "aces": "bought"})
    assert (war.aces, [(fault.where, fault.code) for fault in faults]) == (
        ACES_BOUGHT,
        [("aces", "no-pilots")],
    )


def drones(war: Scenario, world: World) -> list[Any]:
    """Return the drones that the faction's fleet brings to a battle where it is."""
    index = index_scenario(war, world)
    fleet = next(fleet for fleet in world.fleets if fleet.faction == "nac")
    with_decoys_out = replace(fleet, decoys=0, decoys_out=fleet.decoys)
    world = replace(world, fleets=(with_decoys_out,))
    engagement = Engagement("x", fleet.hex, sides=(("nac",), ("esu",)), hostile=(("nac", "esu"),))
    (entries,) = roster_of(index, WorldIndex(index, world), engagement, ("nac",))
    return [entry for entry in entries if entry.get("dummy")]


@pytest.mark.rule("pc.sensors")
def test_player_chooses_the_thrust_of_drones() -> None:
    war = fixture_scenario("lafayette-continuum")
    fleet = carriers(war, decoys=1, decoy_thrust=11)
    orders = {"nac": Orders(deploy=(fleet,))}
    bare = replace(war, defaults=(), reinforcements=())
    world = week.resolve(bare, initial_world(war), orders, {}, ScriptedDice({})).world
    (drone,) = drones(bare, world)
    assert drone["design"]["thrust"] == 11

    def settings(thrust: int) -> tuple[list[tuple[str, str]], int | None]:
        view = build_view(bare, world, "nac", None, ())
        change = Orders(settings=(FleetSetting("nac/f1", decoy_thrust=thrust),))
        faults = order_violations(bare, view, change)
        after = prepare_week(bare, world, {"nac": change}).world.fleets[0].decoy_thrust
        return [(fault.where, fault.code) for fault in faults], after

    assert settings(4) == ([], 4)
    assert settings(0) == ([], None)
    assert settings(17)[0] == [("settings[0].decoy_thrust", "out-of-range")]


@pytest.mark.rule("2e.dummies")
def test_drones_of_the_second_edition_fly_alike() -> None:
    war = fixture_scenario("lafayette")
    force = dict(war.defaults)["nac"][0]
    fleet = DeployedFleet(
        force.name, force.budget, force.hex, (("Destroyer", "One"),), decoy_thrust=6
    )
    faults = {(fault.where, fault.code) for fault in deploy_faults(war, "nac", [fleet])}
    assert ("deploy[0].decoy_thrust", "no-decoy-thrust") in faults
