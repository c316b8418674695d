"""Documents of the first version, read by this release: what was spent is a stock of nothing."""

from __future__ import annotations

from typing import Any

from campaign.rules.codec import from_document, to_document
from campaign.rules.files import fixture_scenario
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Loss, World
from tests.campaign.rules import space
from tests.campaign.rules.space import fleet, ship

SHORT = ship("red/s1", "red/f1", stock=(("submunition-1", 0), ("submunition-2", 0)))
LOSS = Loss(ship("red/s2", "red/f1", stock=(("submunition-1", 0),)), 1, "0303", "destroyed")
NEW = ("stock", "tug", "laid_up", "cargo")


def first_ship(body: dict[str, Any]) -> dict[str, Any]:
    """A ship as the first version wrote it."""
    return {k: v for k, v in body.items() if k not in NEW} | {
        "spent": [system for system, _ in body["stock"]]
    }


def test_a_world_and_a_view_of_the_first_version() -> None:
    world = space.world(fleet("red/f1"), SHORT, losses=(LOSS,))
    old = to_document(world)
    old["schema"] = 1
    old["body"]["ships"] = [first_ship(ship_document) for ship_document in old["body"]["ships"]]
    old["body"]["losses"] = [
        loss | {"ship": first_ship(loss["ship"])} for loss in old["body"]["losses"]
    ]
    assert from_document(World, old) == world

    view = space.view(fleet("red/f1"), SHORT)
    old = to_document(view)
    old["schema"] = 1
    old["body"]["ships"] = [first_ship(ship_document) for ship_document in old["body"]["ships"]]
    assert from_document(View, old) == view


def test_a_scenario_of_the_first_version_gets_its_stocks_and_tugs_from_the_designs() -> None:
    for slug in ("lafayette", "first-steps"):
        scenario = fixture_scenario(slug)
        old = to_document(scenario)
        old["schema"] = 1
        del old["body"]["cargo"]
        for cls in old["body"]["catalogue"]:
            cls["expendables"] = [system for system, _ in cls.pop("stock")]
            del cls["tug"]
        assert from_document(Scenario, old) == scenario
        assert any(cls.tug for cls in scenario.catalogue)
        assert any(dict(cls.stock).get("fighter-bay-1") == 6 for cls in scenario.catalogue)


def test_a_class_without_a_design_has_one_of_each_expendable() -> None:
    old = to_document(space.scenario())
    old["schema"] = 1
    del old["body"]["cargo"]
    for cls in old["body"]["catalogue"]:
        cls["expendables"] = ["submunition-1"] * (cls["name"] == "Cruiser")
        del cls["stock"]
        del cls["tug"]
    classes = {cls.name: cls for cls in from_document(Scenario, old).catalogue}
    assert (classes["Cruiser"].stock, classes["Destroyer"].stock) == ((("submunition-1", 1),), ())


def test_a_scenario_of_the_third_version_has_nothing_on_its_tables() -> None:
    scenario = fixture_scenario("lafayette-continuum")
    old = to_document(scenario)
    old["schema"] = 3
    for system in old["body"]["systems"]:
        del system["terrain"]
    for faction in old["body"]["factions"]:
        for key in ("withdraws_at", "navy", "no_quarter"):
            del faction[key]
    assert from_document(Scenario, old) == scenario
    assert {system.terrain for system in scenario.systems} == {()}


def test_in_a_scenario_of_the_fourth_version_factions_have_no_nerve_of_their_own() -> None:
    scenario = fixture_scenario("lafayette-continuum")
    old = to_document(scenario)
    old["schema"] = 4
    for faction in old["body"]["factions"]:
        for key in ("withdraws_at", "navy", "no_quarter"):
            del faction[key]
    assert from_document(Scenario, old) == scenario
    assert {(power.withdraws_at, power.navy, power.no_quarter) for power in scenario.factions} == {
        (50, "", ())
    }
