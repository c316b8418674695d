"""Terrain of a system: read from a scenario file, placed on the battle table, shown on pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.belts import add_seed
from campaign.rules.files import (
    SCENARIOS,
    SHIPS,
    fixture_bases,
    fixture_scenario,
    load_sheets,
    read_yaml,
)
from campaign.rules.scenario import GroundTarget, Scenario, StarSystem
from campaign.rules.scenario_file import read_scenario
from campaign.rules.system_terrain import (
    add_terrain,
    read_system_terrain,
    system_text,
    terrain_on,
    terrain_words,
)
from engine.notation.battle_file import BattleFileDocument
from engine.notation.terms import laid_asteroids
from tests.campaign.rules.faulty_files import spoil_lafayette

TABLE = (72.0, 48.0)
ROCK = {"kind": "asteroid", "at": [0, 6], "radius": 2, "boxes": 50}
BELT = {"kind": "asteroids", "count": 6}
EMPTY = StarSystem("rock", "Rock", "0307", None, settled=False)
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


@pytest.mark.rule("camp.system-asteroids")
@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ({"terrain": [WORLD]}, ["terrain[0].kind no-terrain"]),
        ({"terrain": [{"kind": "asteroids", "roll": True}], "drift": "roll"}, []),
        ({"terrain": [ROCK, ROCK], "drift": {"course": 4, "speed": 3}}, []),
        ({"terrain": [BELT, ROCK]}, ["terrain[1] asteroids-twice"]),
        ({"terrain": [ROCK, BELT, BELT]}, [f"terrain[{n}] asteroids-twice" for n in (1, 2)]),
        ({"terrain": [BELT | {"count": 31}]}, ["terrain[0].count count"]),
        ({"terrain": [BELT | {"count": 30}]}, ["terrain[0].apart no-room"]),
        ({"terrain": [BELT | {"radius": 1.5}]}, ["terrain[0] not-whole"]),
        ({"terrain": [ROCK | {"at": [17, 0]}]}, ["terrain[0].at off-middle"]),
        ({"terrain": [ROCK | {"size": 2}]}, ["terrain[0].size unknown-key"]),
        ({"terrain": [ROCK] * 101}, ["terrain too-many"]),
        ({"drift": {"course": 4, "speed": 3}}, ["drift no-asteroids"]),
        ({"terrain": [BELT], "drift": {"course": 13, "speed": 3}}, ["drift drift"]),
    ],
)
def test_asteroids_of_a_system_are_checked(system: dict[str, Any], expected: list[str]) -> None:
    """The second edition has asteroids as terrain, and nothing else."""
    _, faults = spoil_lafayette(lambda data: data["systems"][0].update(system))
    assert faults == [f"systems[0].{fault}" for fault in expected]


def test_asteroids_stand_on_the_table_of_a_battle() -> None:
    system = replace(EMPTY, terrain=(ROCK, dict(WORLD)), drift="roll")
    file: BattleFileDocument = {"edition": "continuum", "sides": []}
    add_terrain(file, system, TABLE)
    assert file["asteroids"] == [{"at": [36, 30], "radius": 2, "boxes": 50}]
    assert (file["drift"], [entry["kind"] for entry in file["terrain"]]) == ("roll", ["planet"])
    flares = ({"kind": "flares", "turns": [5, 2]}, {"kind": "flares", "turns": [2, 7]})
    flaring: BattleFileDocument = {"edition": "continuum", "sides": []}
    add_terrain(flaring, replace(EMPTY, terrain=flares), TABLE)
    assert flaring["flares"] == [2, 5, 7]
    assert "terrain" not in flaring


def test_belt_has_room_on_its_table() -> None:
    """The battle takes the first seed with room; if none has room, fewer asteroids."""
    file: BattleFileDocument = {"edition": "second-edition", "sides": [], "table": [72, 48]}
    file["asteroids"] = {"count": 9}
    add_seed(file, len)
    assert file["asteroids"] == {"count": 9}
    assert len(laid_asteroids(file)) == 9
    file["asteroids"] = {"count": 12}
    add_seed(file, len)
    assert 9 <= len(laid_asteroids(file)) < 12


def test_belts_have_words() -> None:
    assert terrain_words([BELT], "roll") == (
        "6 asteroids of 1 MU, drifting; dice decide how for each battle"
    )
    assert terrain_words([ROCK], {"course": 4, "speed": 3}) == (
        "asteroid of 2 MU with 50 boxes, drifting 3 MU a turn on course 4"
    )


def test_pages_describe_the_terrain() -> None:
    scenario = fixture_scenario("knot-of-gates")
    systems = {system.id: system for system in scenario.systems}
    assert (
        system_text(scenario, systems["mere"]) == "planet of 3 MU, gravity up to 6 MU; an ice world"
    )
    assert system_text(scenario, systems["slag"]).startswith(
        "field of rocks of 4 MU, field of rocks of 5 MU; "
    )
    barred = replace(systems["mere"], terrain=(), note="Old", income=30, hyper_limit=True)
    assert system_text(scenario, barred) == "no FTL in battles here; yields 30 points a week; Old"


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
