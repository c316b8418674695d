"""Terrain of a system: read from a scenario file, placed on the battle table, shown on pages."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.files import (
    SCENARIOS,
    SHIPS,
    fixture_bases,
    fixture_scenario,
    load_sheets,
    read_yaml,
)
from campaign.rules.scenario import GroundTarget, Scenario
from campaign.rules.scenario_file import read_scenario
from campaign.rules.system_terrain import (
    read_system_terrain,
    system_text,
    terrain_on,
    terrain_words,
)
from tests.campaign.rules.faulty_files import set_value, spoil_lafayette

TABLE = (72.0, 48.0)
WORLD = {"kind": "planet", "at": [0, 0], "radius": 4, "gravity": [9, 7]}


@pytest.mark.rule("pc.planets")
def test_bodies_keep_their_place_relative_to_the_table_centre() -> None:
    cloud = {"kind": "cloud", "at": [-6, 2], "radius": 3}
    entries, faults = read_system_terrain([WORLD, cloud], "continuum", TABLE, "systems[0]")
    assert faults == []
    assert [body["at"] for body in terrain_on(entries, TABLE)] == [[36, 24], [30, 26]]
    assert [body["at"] for body in terrain_on(entries, (144, 96))] == [[72, 48], [66, 50]]
    assert terrain_words(entries) == "planet of 4 MU, gravity up to 9 MU, dust cloud of 3 MU"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (WORLD | {"at": [15, 0]}, "systems[0].terrain[0].at off-middle"),
        (WORLD | {"at": [0, -9]}, "systems[0].terrain[0].at off-middle"),
        (WORLD | {"at": "here"}, "systems[0].terrain[0].at not-a-pair"),
        (WORLD | {"at": [2.5, 0]}, "systems[0].terrain[0] not-whole"),
        (WORLD | {"gravity": [8.5]}, "systems[0].terrain[0] not-whole"),
        (WORLD | {"kind": "dragon"}, "systems[0].terrain[0].kind unknown-kind"),
        (WORLD | {"gravity": [3]}, "systems[0].terrain[0].gravity gravity"),
        (WORLD | {"rings": True}, "systems[0].terrain[0].rings unknown-key"),
        (WORLD | {"atmosphere": True}, "systems[0].terrain[0].atmosphere atmosphere"),
        ("planet", "systems[0].terrain[0] not-a-mapping"),
    ],
)
def test_faulty_terrain_is_named_and_nothing_used(row: Any, expected: str) -> None:
    entries, faults = read_system_terrain([row], "continuum", TABLE, "systems[0]")
    assert [f"{fault.where} {fault.code}" for fault in faults] == [expected]
    assert entries == ()


def test_second_edition_has_no_such_terrain() -> None:
    _, faults = spoil_lafayette(set_value([WORLD], "systems", 0, "terrain"))
    assert faults == ["systems[0].terrain no-terrain"]


def test_pages_describe_the_terrain() -> None:
    scenario = fixture_scenario("knot-of-gates")
    systems = {system.id: system for system in scenario.systems}
    assert (
        system_text(scenario, systems["mere"]) == "planet of 3 MU, gravity up to 6 MU; an ice world"
    )
    assert system_text(scenario, systems["slag"]).startswith(
        "field of rocks of 4 MU, field of rocks of 5 MU; "
    )


@pytest.mark.rule("pc.planets")
def test_orbits_and_atmosphere_have_words() -> None:
    air = {"kind": "planet", "at": [0, 0], "radius": 4, "atmosphere": 6, "g": 2}
    assert (
        terrain_words([air])
        == "planet of 4 MU, with air: entry and orbit at 6 MU a turn, 2 g on the ground"
    )
    moon = {"kind": "planet", "at": [0, 0], "radius": 3, "orbit": {"velocity": 4}}
    assert terrain_words([moon]) == "planet of 3 MU, without air: orbit at 4 MU a turn"
    simple = {"kind": "planet", "at": [0, 0], "simple": True}
    assert terrain_words([simple]) == "planet, simple rules: orbit at 6 to 8 MU a turn"
    for entry in (air, moon, simple):
        entries, faults = read_system_terrain([entry], "continuum", TABLE, "systems[0]")
        assert (entries, faults) == ((entry,), [])


GROUND = {"faction": "tarn", "boxes": 4}


def knot() -> dict[str, Any]:
    """Return the file of the Knot of Gates, whose first system has a planet."""
    scenario_file: dict[str, Any] = read_yaml(SCENARIOS / "knot-of-gates.yaml")
    return scenario_file


def read_faults(data: dict[str, Any]) -> tuple[Scenario, list[str]]:
    """Return the scenario, and its faults as "place code"."""
    scenario, faults = read_scenario(data, load_sheets(SHIPS / "continuum.yaml"), fixture_bases())
    return scenario, [f"{fault.where} {fault.code}" for fault in faults]


@pytest.mark.rule("pc.ortillery")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([GROUND | {"boxes": 0}], "systems[0].ground[0].boxes out-of-range"),
        ([GROUND | {"planet": "planet-2"}], "systems[0].ground[0].planet unknown-planet"),
        ([GROUND | {"faction": "nobody"}], "systems[0].ground[0].faction unknown-faction"),
        ([GROUND | {"armour": 3}], "systems[0].ground[0].armour unknown-key"),
        (["yards"], "systems[0].ground[0] not-a-mapping"),
        ("yards", "systems[0].ground not-a-list"),
        ([GROUND] * 51, "systems[0].ground too-many"),
    ],
)
def test_ground_target_has_planet_owner_and_boxes(rows: Any, expected: str) -> None:
    data = knot()
    data["systems"][0]["ground"] = rows
    assert data["systems"][0]["terrain"][0]["kind"] == "planet"
    assert expected in read_faults(data)[1]


@pytest.mark.rule("pc.ortillery")
def test_ground_targets_need_a_planet_and_are_named() -> None:
    data = knot()
    bare = next(
        n
        for n, row in enumerate(data["systems"])
        if row.get("terrain", [{}])[0].get("kind") != "planet"
    )
    data["systems"][bare]["ground"] = [GROUND]
    data["systems"][0]["ground"] = [GROUND | {"name": "Docks"}, GROUND]
    scenario, fault_list = read_faults(data)
    assert fault_list == [f"systems[{bare}].ground[0].planet unknown-planet"]
    system = next(
        item
        for item in scenario.systems
        if len(item.ground) == 2 and item.ground[1] == GroundTarget("tarn", "planet-1", 4)
    )
    power = next(item.name for item in scenario.factions if item.id == "tarn")
    assert f"Docks ({power}), 4 boxes; ground target 2 ({power}), 4 boxes" in system_text(
        scenario, system
    )


@pytest.mark.rule("pc.ortillery", "camp.objectives")
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"of": "tarn", "at_least": 2}, "victory[0].ruins.at_least out-of-range"),
        ({"of": "tarn"}, "victory[0].ruins.at_least out-of-range"),
        ({"of": "nobody", "at_least": 1}, "victory[0].ruins.of unknown-faction"),
        ({"of": "tarn", "at_least": 1}, ""),
    ],
)
def test_required_ruins_are_possible(row: Any, expected: str) -> None:
    data = knot()
    data["systems"][0]["ground"] = [GROUND]
    data["victory"].insert(
        0, {"result": "bombed out", "winner": "skerry", "ruins": row, "total": True}
    )
    scenario, fault_list = read_faults(data)
    assert (
        expected in fault_list
        if expected
        else (fault_list, scenario.victory[0].ruins) == ([], "tarn")
    )
