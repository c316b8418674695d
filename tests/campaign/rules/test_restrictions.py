"""Scenarios that bar systems and kinds of ships, or say how factions fight."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml

from campaign.rules.files import SCENARIOS, fixture_scenario
from campaign.rules.forces import default_force
from tests.umpire.test_war_command import run

LAFAYETTE: dict[str, Any] = yaml.safe_load(
    (SCENARIOS / "lafayette.yaml").read_text(encoding="utf-8")
)


def scenario_faults(**changes: Any) -> list[tuple[str, str]]:
    status, answer = run("scenario", LAFAYETTE | changes)
    assert status == 2, answer
    return [(fault["where"], fault["code"]) for fault in answer]


def with_faction(**changes: Any) -> list[dict[str, Any]]:
    """Return the factions of the war, the first one with these keys."""
    first, *others = LAFAYETTE["factions"]
    return [{**first, **changes}, *others]


@pytest.mark.rule("2e.agreed-rules")
def test_scenario_says_what_it_bars_and_judges_its_own_forces() -> None:
    status, answer = run("scenario", LAFAYETTE | {"barred": ["nova-cannon", "q-ships"]})
    assert (status, answer["barred"]) == (0, ["nova-cannon", "q-ships"])
    status, answer = run("scenario", LAFAYETTE | {"allowed": ["core", "fighters", "weasels"]})
    assert status == 0
    assert answer["barred"] == [
        *("needle", "pulse-torpedo", "submunition", "nova-cannon", "minelayer", "minesweeper"),
    ]
    faults = scenario_faults(barred=["screen"])
    assert faults
    assert {code for _, code in faults} == {"barred"}
    assert all(".default[" in where for where, _ in faults)
    assert scenario_faults(barred=["mines"], allowed=["core"]) == [("allowed", "both")]
    assert scenario_faults(barred=["mines", "lasers"]) == [("barred[1]", "unknown-system")]


def test_reinforcements_and_deployments_are_judged_too() -> None:
    arrival = {
        "id": "late",
        "faction": "nac",
        "week": 3,
        "at": "new-toledo",
        "name": "Late",
        "ships": {"Fleet Tug": 1},
    }
    assert scenario_faults(barred=["tugs"], reinforcements=[arrival]) == [
        ("reinforcements[0].ships.Fleet Tug", "barred")
    ]
    scenario = LAFAYETTE | {"barred": ["q-ships", "needle"]}
    fleet = {"name": "Wolves", "budget": "nac/mobile", "hex": "1408"}
    needle = {
        "class": "Lancet",
        "edition": "second-edition",
        "kind": "warship",
        "mass": 20,
        "thrust": 4,
        "ftl": "standard",
        "systems": [{"type": "needle", "arcs": ["F"]}],
    }
    deploy = [
        fleet | {"ships": [["Q Ship", "Wolf"], ["nac/Lancet", "One"]]},
    ]
    script = {
        "scenario": scenario,
        "orders": {0: {"deploy": {"nac": {"deploy": deploy, "designs": [needle]}}}},
        "until": {"week": 1, "stage": "orders"},
    }
    status, record = run("war", script)
    assert status == 0, record
    refused = record["refused"]["0"]["deploy"]["nac"]
    assert ("deploy[0].ships[0][0]", "barred") in {
        (fault["where"], fault["code"]) for fault in refused
    }
    assert ("designs[0].systems[0]", "barred") in {
        (fault["where"], fault["code"]) for fault in refused
    }
    fleets = [{"id": "nac/f1", "at": "lafayette", "ships": {"n1": "Q Ship"}}]
    status, answer = run("war", {"scenario": scenario, "fleets": fleets})
    assert (status, [(fault["where"], fault["code"]) for fault in answer]) == (
        2,
        [("fleets[0].ships.n1.class", "barred")],
    )


def test_faults_of_movement_rams_and_dogfights_have_their_place() -> None:
    assert scenario_faults(factions=with_faction(ram_on=1)) == [("factions[0].ram_on", "ram-on")]
    assert scenario_faults(factions=with_faction(ram_on=5), options=["no-ramming"]) == [
        ("factions[0].ram_on", "no-ramming")
    ]
    assert scenario_faults(options=["ram-on-5", "no-ramming"]) == [("options[1]", "options-clash")]
    assert scenario_faults(factions=with_faction(movement="vector")) == [
        ("factions[0].movement", "movement")
    ]
    assert scenario_faults(factions=with_faction(dogfights={"fuel": 6})) == [
        ("factions[0].dogfights", "no-squadrons")
    ]
    assert scenario_faults(battles={"max_turns": 0}) == [("battles.max_turns", "out-of-range")]
    assert ("class_movement.Zeppelin", "unknown-class") in scenario_faults(
        class_movement={"Zeppelin": "courses"}
    )
    status, _ = run("scenario", LAFAYETTE | {"factions": with_faction(ram_on=2)})
    assert status == 0


@pytest.mark.rule("2e.agreed-rules")
def test_core_rules_war() -> None:
    """Nobody rams, contacts are known, there are no drones, and the table does not move.

    By the usual rules the same war has bogeys and drones on a table that moves.
    """
    fleets: list[dict[str, Any]] = [
        {"id": "nac/f1", "at": "lafayette", "ships": {"n1": "Frigate"}, "decoys": 1},
        {"id": "esu/f1", "at": "lafayette", "ships": {"e1": "Heavy Cruiser"}},
    ]
    fight = {"decide": [{"hex": "1408", "toward": "nac", "choice": "fight"}]}
    script = {
        "week": 3,
        "stage": "decisions",
        "fleets": [fleets[0] | {"decoys_out": 1}, fleets[1]],
        "orders": {3: {"decisions": {"esu": fight}}},
        "until": {"week": 4, "stage": "orders"},
    }
    usual = battle_of(script | {"scenario": LAFAYETTE})
    assert usual["options"] == ["moving-table"]
    assert usual["bogeys"]
    assert any(ship.get("dummy") for ship in usual["sides"][1]["ships"])
    core = LAFAYETTE | {"decoys": {"allowed": False}, "forces": without_decoys()}
    core |= {"allowed": ["core"], "options": CORE_OPTIONS}
    file = battle_of(script | {"scenario": core})
    assert file["options"] == CORE_OPTIONS
    assert (file["bogeys"], file["allowed"]) == (False, ["core"])
    assert not any(ship.get("dummy") for side in file["sides"] for ship in side["ships"])
    assert scenario_faults(options=["no-decoys"]) == [("decoys.allowed", "no-decoys")]


CORE_OPTIONS = ["no-ramming", "fixed-table", "known-contacts", "no-decoys"]


def battle_of(script: dict[str, Any]) -> dict[str, Any]:
    """Return the file of the only battle of a scripted war."""
    status, record = run("war", script)
    assert status == 0, record
    (battle,) = record["battles"]
    file: dict[str, Any] = battle["file"]
    return file


def without_decoys() -> dict[str, Any]:
    """Return the forces of the war with core systems only, and without decoys."""
    forces = {}
    for faction, force in LAFAYETTE["forces"].items():
        fleets = []
        for fleet in force["default"]:
            fleet = {key: value for key, value in fleet.items() if key != "decoys"}
            fleets.append(fleet | {"ships": {"Heavy Cruiser": 1}})
        forces[faction] = force | {"default": [fleets[0]]}
    return forces


def test_default_force_of_a_war_without_decoys_has_none() -> None:
    scenario = fixture_scenario("lafayette")
    assert any(fleet.decoys for fleet in default_force(scenario, "nac"))
    without = replace(scenario, decoys=False)
    assert not any(fleet.decoys for fleet in default_force(without, "nac"))
