"""The included scenarios, Lafayette first: figures, force lists, views."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from campaign.orders.defaults import default_orders
from campaign.orders.validation import order_violations
from campaign.rules.codec import decode, encode
from campaign.rules.files import fixture_scenario, fixture_scenarios
from campaign.rules.forces import deploy_force, initial_world
from campaign.rules.hexes import distance
from campaign.rules.orders import Orders
from campaign.rules.perception import build_view, initial_view
from campaign.rules.queries import are_hostile, ship_classes, side_of
from campaign.rules.scenario import Condition, Scenario
from campaign.rules.starmap import star_map
from campaign.rules.view import View
from campaign.rules.world import World
from engine.core.errors import RuleViolations

SLUGS = (
    *("convoy-to-baffin", "el-dorado", "evacuation", "first-steps", "knot-of-gates"),
    *("lafayette", "lafayette-continuum", "three-powers"),
)
SINGLE = (
    *("carrier-strike", "con-am-12", "convoy-990", "first-battle", "meeting-engagement"),
    *("nagisa-last-stand", "winchester-bring-her-home"),
)


def world_with_default_forces(scenario: Scenario) -> World:
    """Return the first week's world with every default force on the map."""
    forces = [
        deploy_force(
            scenario,
            faction.id,
            default_orders(scenario, initial_view(scenario, faction.id)).deploy,
        )
        for faction in scenario.factions
    ]
    fleets = tuple(fleet for force in forces for fleet in force[0])
    ships = tuple(ship for force in forces for ship in force[1])
    return replace(initial_world(scenario), week=1, stage="orders", fleets=fleets, ships=ships)


def test_bundled_wars_and_battles_cover_both_editions() -> None:
    assert fixture_scenarios() == tuple(sorted((*SLUGS, *SINGLE)))
    assert [fixture_scenario(slug).slug for slug in SLUGS] == list(SLUGS)
    with pytest.raises(RuleViolations, match="there is no scenario 'moon'"):
        fixture_scenario("moon")


@pytest.mark.rule("camp.budget")
@pytest.mark.parametrize("slug", SLUGS)
def test_default_forces_are_valid_and_use_their_budgets(slug: str) -> None:
    scenario = fixture_scenario(slug)
    classes = ship_classes(scenario)
    drones = 0
    for faction in scenario.factions:
        view = initial_view(scenario, faction.id)
        orders = default_orders(scenario, view)
        assert order_violations(scenario, view, orders) == ()
        spent_by_budget: Counter[str] = Counter()
        for fleet in orders.deploy:
            spent_by_budget[fleet.budget] += (
                sum(classes[cls].points for cls, _ in fleet.ships) + fleet.decoys * 20
            )
            drones += fleet.decoys
        for budget in scenario.budgets:
            if budget.faction == faction.id:
                assert budget.points * 0.8 <= spent_by_budget[budget.id] <= budget.points
    assert drones > 0


@pytest.mark.parametrize("slug", SLUGS)
def test_default_first_orders_are_valid(slug: str) -> None:
    scenario = fixture_scenario(slug)
    world = world_with_default_forces(scenario)
    for faction in scenario.factions:
        view = build_view(scenario, world, faction.id, initial_view(scenario, faction.id), ())
        assert default_orders(scenario, view) == Orders()
        assert order_violations(scenario, view, Orders()) == ()


@pytest.mark.rule("camp.lafayette")
def test_lafayette_has_the_printed_figures() -> None:
    scenario = fixture_scenario("lafayette")
    budgets = {budget.id: (budget.points, budget.ftl, budget.deploy) for budget in scenario.budgets}
    assert budgets == {
        "esu/mobile": (10000, "required", ("entry",)),
        "nac/mobile": (6000, "required", ("any",)),
        "nac/lafayette": (1500, "none", ("lafayette",)),
        "nac/hudson": (1000, "none", ("hudson",)),
        "nac/merrills": (800, "none", ("merrills",)),
        "nac/baffin": (800, "none", ("baffin",)),
        "nac/new-toledo": (1200, "none", ("new-toledo",)),
        "nac/kakisa": (500, "none", ("kakisa",)),
    }
    assert (scenario.weeks, scenario.hexes_per_week, scenario.classification_limit) == (
        7,
        6,
        (1, 2),
    )
    settled = [system.id for system in scenario.systems if system.settled]
    assert settled == ["baffin", "hudson", "kakisa", "lafayette", "merrills", "new-toledo"]
    bases = {system.id: system.facility for system in scenario.systems if system.facility}
    toledo, small = bases["new-toledo"], bases["vn-459"]
    assert (toledo.repairs, toledo.repair_mass_limit, toledo.replenishes, toledo.fighters) == (
        True,
        None,
        True,
        True,
    )
    assert (small.repairs, small.repair_mass_limit, small.replenishes) == (True, 20, True)
    assert sorted(bases) == ["new-toledo", "vn-459"]
    assert len(scenario.systems) == 9


@pytest.mark.rule("camp.lafayette")
@pytest.mark.rule("camp.objectives")
def test_lafayette_has_the_printed_victory_conditions() -> None:
    scenario = fixture_scenario("lafayette")
    assert scenario.victory == (
        Condition("ESU total victory", "esu", "esu", ("settled",), 3, ("lafayette",), True),
        Condition("draw", None, "esu", ("settled",), 2, ("lafayette",)),
        Condition("draw", None, "esu", ("settled",), 3),
        Condition("NAC victory", "nac"),
    )


@pytest.mark.rule("camp.lafayette")
def test_lafayette_navies_have_class_names() -> None:
    scenario = fixture_scenario("lafayette")
    names = {faction: dict(pairs) for faction, pairs in scenario.class_names}
    assert sorted(names["nac"]) == sorted(names["esu"])
    assert len(names["nac"]) == 13
    assert (names["nac"]["Heavy Cruiser"], names["esu"]["Heavy Cruiser"]) == (
        "Vandenburg",
        "Gorshkov",
    )
    ships = {ship.name for ship in world_with_default_forces(scenario).ships}
    assert {"Victoria 3", "Petrograd 7", "Lenov 2"} <= ships
    assert len(ships) == len(world_with_default_forces(scenario).ships)


@pytest.mark.rule("camp.lafayette")
def test_eurasian_force_can_reach_every_system_in_time() -> None:
    scenario = fixture_scenario("lafayette")
    (entry,) = scenario.entries
    assert (entry.faction, entry.week) == ("esu", 1)
    world = world_with_default_forces(scenario)
    assert {fleet.hex for fleet in world.fleets if fleet.faction == "esu"} == {entry.hex}
    systems = {system.hex for system in scenario.systems}
    assert {fleet.hex for fleet in world.fleets if fleet.faction == "nac"} <= systems
    assert entry.hex not in systems
    assert max(distance(entry.hex, hex_) for hex_ in systems) <= 6 * 4


@pytest.mark.parametrize("slug", SLUGS)
def test_views_stay_small_and_round_trip(slug: str) -> None:
    scenario = fixture_scenario(slug)
    world = world_with_default_forces(scenario)
    for faction in scenario.factions:
        view = build_view(scenario, world, faction.id, None, ())
        data = encode(view)
        assert len(data) < 60_000
        assert decode(View, data) == view
    assert decode(Scenario, encode(scenario)) == scenario


@pytest.mark.rule("camp.map")
def test_three_powers_has_a_wide_map_with_links() -> None:
    scenario = fixture_scenario("three-powers")
    assert (scenario.columns, scenario.rows) == (32, 24)
    assert side_of(scenario, "halcyon") == ("halcyon", "thessaly") == side_of(scenario, "thessaly")
    assert side_of(scenario, "karst") == ("karst",)
    assert are_hostile(scenario, "karst", "thessaly")
    assert not are_hostile(scenario, "halcyon", "thessaly")
    chart = star_map(scenario)
    assert {link.kind for link in scenario.links} == {"portal", "gate", "jump-point"}
    assert chart.distance("1608", "0821") == 0
    assert distance("1608", "0821") == 17
    assert all(chart.distance("1603", system.hex) is not None for system in scenario.systems)


def test_first_steps_takes_three_weeks() -> None:
    scenario = fixture_scenario("first-steps")
    assert (scenario.weeks, len(scenario.systems)) == (3, 2)
    first, second = scenario.systems
    assert distance(first.hex, second.hex) <= scenario.hexes_per_week
