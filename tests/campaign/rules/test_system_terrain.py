"""What lies in a system: read from a scenario file, put on the table of a battle, told on pages."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.files import fixture_scenario
from campaign.rules.system_terrain import about_system, read_system_terrain, terrain_on, terrain_words
from tests.campaign.rules.spoiling import put, spoilt

TABLE = (72.0, 48.0)
WORLD = {"kind": "planet", "at": [0, 0], "radius": 4, "gravity": [9, 7]}


@pytest.mark.rule("pc.planets")
def test_bodies_keep_their_place_about_the_middle_of_a_table_of_any_size() -> None:
    cloud = {"kind": "cloud", "at": [-6, 2], "radius": 3}
    entries, faults = read_system_terrain([WORLD, cloud], "continuum", TABLE, "systems[0]")
    assert faults == []
    assert [one["at"] for one in terrain_on(entries, TABLE)] == [[36, 24], [30, 26]]
    assert [one["at"] for one in terrain_on(entries, (144, 96))] == [[72, 48], [66, 50]]
    assert terrain_words(entries) == "planet of 4 MU with gravity up to 9 MU, dust cloud of 3 MU"


@pytest.mark.parametrize(
    ("row", "found"),
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
def test_a_fault_is_named_with_its_place_and_nothing_is_taken(row: Any, found: str) -> None:
    entries, faults = read_system_terrain([row], "continuum", TABLE, "systems[0]")
    assert [f"{fault.where} {fault.code}" for fault in faults] == [found]
    assert entries == ()


def test_the_second_edition_has_no_such_terrain() -> None:
    _, faults = spoilt(put([WORLD], "systems", 0, "terrain"))
    assert faults == ["systems[0].terrain no-terrain"]


def test_pages_say_what_lies_there_and_what_it_is() -> None:
    systems = {system.id: system for system in fixture_scenario("knot-of-gates").systems}
    assert about_system(systems["mere"]) == "planet of 3 MU with gravity up to 6 MU; an ice world"
    assert about_system(systems["slag"]).startswith("field of rocks of 4 MU, field of rocks of 5 MU; ")


@pytest.mark.rule("pc.planets")
def test_words_tell_of_orbits_and_air() -> None:
    air = {"kind": "planet", "at": [0, 0], "radius": 4, "atmosphere": 6, "g": 2}
    assert terrain_words([air]) == "planet of 4 MU, with air: entry and orbit at 6 MU a turn, 2 g on the ground"
    moon = {"kind": "planet", "at": [0, 0], "radius": 3, "orbit": {"velocity": 4}}
    assert terrain_words([moon]) == "planet of 3 MU, without air: orbit at 4 MU a turn"
    simple = {"kind": "planet", "at": [0, 0], "simple": True}
    assert terrain_words([simple]) == "planet, of the simple kind: orbit at 6 to 8 MU a turn"
    for entry in (air, moon, simple):
        entries, faults = read_system_terrain([entry], "continuum", TABLE, "systems[0]")
        assert (entries, faults) == ((entry,), [])
