"""Every key of a battle file has a decision who sets it in a war, and the decision is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest
import yaml

from campaign.orders.registry import ORDERS
from campaign.rules import orders as order_types
from campaign.rules.battle_builder import BATTLE_SECTION, finish, new_battle
from campaign.rules.battle_homes import (
    ASTEROID_HOMES,
    CONDITION_HOMES,
    FILE_HOMES,
    OPTION_NEEDS,
    OPTIONS_OF_SINGLE_BATTLES,
    OPTIONS_OF_WARS,
    SHIP_HOMES,
    SIDE_HOMES,
    TERRAIN_HOMES,
    BattleHome,
    HomeKind,
    options_without_effect,
)
from campaign.rules.files import SCENARIOS, fixture_scenario
from campaign.rules.scenario import Scenario, StarSystem
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import apply_form
from campaign.rules.scenario_file import FACTION_KEYS, LINK_KEYS, SYSTEM_KEYS, TOP_KEYS
from campaign.rules.station_file import STATION_KEYS
from campaign.rules.system_terrain import add_terrain
from campaign.web.agreement_forms import option_sections
from engine.core.terms import KNOWN_CONTACTS
from engine.notation.battle_file import (
    CONDITION_KEYS,
    FILE_KEYS,
    SHIP_KEYS,
    SIDE_KEYS,
    BattleFileDocument,
)
from engine.notation.terms import ROCK_KEYS, ROLL_KEYS
from engine.pieces.registry import kinds
from engine.ruleset import all_rules, option_violations
from tests.campaign.rules.test_scenario_editing import form
from tests.umpire.test_war_command import run
from tools.battle_homes_reference import page

FIXED_KEYS = {HomeKind.SCENARIO, HomeKind.ORDERS, HomeKind.WORLD, HomeKind.SET_UP}
TERRAIN = [
    {"kind": "planet", "at": [0, 0], "radius": 3, "orbit": {"velocity": 4}},
    {"kind": "cloud", "at": [-9, 6], "radius": 2},
    {"kind": "field", "at": [9, 6], "radius": 2},
    {"kind": "debris", "at": [9, -6], "radius": 1, "course": 3, "velocity": 2},
    {"kind": "flares", "turns": [2], "at": [-6, -6], "radius": 3},
    {"kind": "flares", "turns": [1]},
    {"kind": "asteroid", "at": [-12, -6], "radius": 1, "boxes": 20},
]
BELTS = (
    {"kind": "asteroids", "roll": True, "radius": 2},
    {"kind": "asteroids", "count": 3, "apart": 10},
)
OPTIONS = [
    *("core-systems", "mixed-movement", "dogfight-actions", "fleet-morale", "striking"),
    "civil-war",
]


def keys_of(rows: tuple[BattleHome, ...]) -> list[str]:
    return [row.key for row in rows]


def file_kinds() -> set[str]:
    return {word for kind in kinds() for word in kind.file_kinds}


def test_every_key_of_battle_files_has_one_row() -> None:
    declared = {
        FILE_HOMES: FILE_KEYS,
        SIDE_HOMES: SIDE_KEYS,
        SHIP_HOMES: SHIP_KEYS,
        CONDITION_HOMES: CONDITION_KEYS,
        ASTEROID_HOMES: dict.fromkeys((*ROCK_KEYS, *ROLL_KEYS)),
        TERRAIN_HOMES: file_kinds(),
    }
    for rows, keys in declared.items():
        assert sorted(keys_of(rows)) == sorted(keys)
        assert all(row.words for row in rows)


def known_homes() -> set[str]:
    """Return all keys of scenarios and orders, written as the table writes them."""
    homes = {*TOP_KEYS, "links[]", "battles.max_turns"}
    homes |= {f"factions[].{key}" for key in FACTION_KEYS}
    homes |= {f"systems[].{key}" for key in SYSTEM_KEYS}
    homes |= {f"links[].{key}" for key in LINK_KEYS}
    homes |= {f"systems[].stations[].{key}" for key in STATION_KEYS}
    values = {
        "dock": order_types.Dock,
        "deploy": order_types.DeployedFleet,
        "settings": order_types.FleetSetting,
        "set_up": order_types.BattleSetUp,
        "tow": order_types.Tow,
        "refit": order_types.Rearming,
    }
    assert set(values) <= {order.key for order in ORDERS}
    for key, value in values.items():
        homes |= {f"{key}[].{field.name}" for field in fields(value)}
    return homes


def test_every_home_is_a_key_that_is_read() -> None:
    for row in all_rows():
        if row.kind in (HomeKind.SCENARIO, HomeKind.ORDERS, HomeKind.SET_UP):
            assert row.words in known_homes(), row


def all_rows() -> Iterator[BattleHome]:
    for rows in (FILE_HOMES, SIDE_HOMES, SHIP_HOMES, CONDITION_HOMES, ASTEROID_HOMES):
        yield from rows
    yield from TERRAIN_HOMES


@cache
def battle_file() -> dict[str, Any]:
    """Return the file of a battle in a war that says everything it can say."""
    text = (SCENARIOS / "lafayette-continuum.yaml").read_text(encoding="utf-8")
    scenario = yaml.safe_load(text) | {
        "options": OPTIONS,
        "class_movement": {"Ladoga Light Cruiser": "vector"},
        "battles": {"max_turns": 2},
        "multi_role": ["torpedo", "attack", "graser"],
        "barred": ["wave-gun"],
        "links": [{"kind": "jump-point", "a": "1408", "b": "0108"}],
    }
    for faction in scenario["factions"]:
        faction.pop("tech_base")
    nac, _ = scenario["factions"]
    nac |= {
        "movement": "vector",
        "ram_on": 3,
        "withdraws_at": 30,
        "navy": "imperial",
        "no_quarter": ["esu"],
        "dogfights": {"fuel": 7},
    }
    system = next(row for row in scenario["systems"] if row["id"] == "lafayette")
    system |= {
        "terrain": TERRAIN,
        "drift": {"course": 4, "speed": 3},
        "mines": [{"faction": "esu", "at": [-6, 4]}],
    }
    system["ground"] = [{"faction": "nac", "boxes": 4, "planet": "planet-1"}]
    system["stations"] = [
        {
            "id": "high",
            "class": "Picket Station",
            "faction": "nac",
            "at": [0, 9],
            "base": True,
            "berths": [20],
        }
    ]
    script = {
        "scenario": scenario,
        "week": 3,
        "stage": "decisions",
        "fleets": [
            {
                "id": "nac/f1",
                "at": "lafayette",
                "ships": {
                    "n1": {
                        "class": "Osprey Light Cruiser",
                        "damage": 3,
                        "lost": ["firecon-1"],
                        "notes": {"irreparable:firecon-1": 1},
                    },
                    "n2": {"class": "Aerie Light Carrier", "stock": {"hangar-1": 2}},
                    "n3": {
                        "class": "Mangle Turret Cruiser",
                        "settings": {"pulser-1": "short"},
                    },
                    "n4": "Marsupial Mothership",
                    "n5": {"class": "Jackal Battlerider", "tug": "n4"},
                    "n6": "Petrel Scout",
                    "n9": {"class": "Petrel Scout", "docked": True},
                    "n7": "Petrel Scout",
                    "n8": "Petrel Scout",
                },
            },
            {
                "id": "esu/f1",
                "at": "lafayette",
                "back": "0108",
                "ships": {"e1": "Ladoga Light Cruiser", "e2": "Groza Destroyer"},
            },
        ],
        "orders": {
            3: {
                "decisions": {"esu": {"decide": [DECISION]}},
                "battles": {"nac": {"set_up": [NAC_PLACES]}, "esu": {"set_up": [ESU_PLACES]}},
            }
        },
        "until": {"week": 4, "stage": "orders"},
    }
    status, record = run("war", script)
    assert status == 0, record
    assert record["refused"] == {}
    file: dict[str, Any] = record["battles"][0]["file"]
    return file


NAC_PLACES = {
    "hex": "1408",
    "ships": {
        "n1": {"at": [60, 30], "course": 9, "velocity": 8, "facing": 10},
        "n6": {"at": [41, 24], "course": 12, "velocity": 4, "orbit": "planet-1"},
        "n7": {"at": [60, 10], "course": 9, "velocity": 6, "stand": "a"},
        "n8": {"at": [60, 10], "course": 9, "velocity": 6, "stand": "a"},
    },
}
ESU_PLACES = {
    "hex": "1408",
    "ships": {
        "e2": {"ftl_entry": 2, "gate": "jump-point-0108", "velocity": 4},
    },
}
DECISION = {"hex": "1408", "toward": "nac", "choice": "fight"}


def used_keys() -> dict[tuple[BattleHome, ...], set[str]]:
    """Return the keys that the file of that battle has, by table."""
    file = battle_file()
    ships = [ship for side in file["sides"] for ship in side["ships"]]
    ships += file["set_up"].values()
    return {
        FILE_HOMES: {*file, "allowed"},  # the opposite of `barred`; see test_restrictions
        SIDE_HOMES: {key for side in file["sides"] for key in side},
        SHIP_HOMES: {key for ship in ships for key in ship},
        ASTEROID_HOMES: belt_keys() | {key for rock in file["asteroids"] for key in rock},
        TERRAIN_HOMES: {entry["kind"] for entry in file["terrain"]},
    }


def belt_keys() -> set[str]:
    """Return the keys of asteroids in the battle files of systems with belts."""
    keys: set[str] = set()
    for belt in BELTS:
        file: BattleFileDocument = {"edition": "second-edition", "sides": []}
        add_terrain(
            file, StarSystem("belt", "Belt", "0101", None, False, terrain=(belt,)), (72, 48)
        )
        keys |= {str(key) for key in file["asteroids"]}
    return keys


@pytest.mark.rule("camp.mixed-drives", "camp.side-daring", "camp.stands")
def test_a_war_says_all_that_it_can_say_and_nothing_else() -> None:
    for rows, used in used_keys().items():
        assert {row.key for row in rows if row.kind in FIXED_KEYS} <= used
        assert not {row.key for row in rows if row.kind == HomeKind.NONE} & used
    ships = {ship["id"]: ship for side in battle_file()["sides"] for ship in side["ships"]}
    assert ships["n1"]["movement"] == ships["e1"]["movement"] == "vector"
    assert ships["n2"]["squadrons"]["hangar-1"] == {"fuel": 7}
    sides = {side["name"]: side for side in battle_file()["sides"]}
    assert (sides["nac"]["ram_on"], sides["esu"]["ram_on"]) == (3, 6)
    assert (battle_file()["max_turns"], battle_file()["barred"]) == (2, ["wave-gun"])


def test_every_option_of_a_war_can_change_a_battle() -> None:
    """An option that needs something on the table is offered only where it can be there."""
    homes = {row.key: row for row in all_rows()}
    for rules in all_rules():
        plain = replace(fixture_scenario("first-steps"), edition=rules.edition)
        idle = set(options_without_effect(plain)) & set(rules.known_options)
        idle -= set(OPTIONS_OF_SINGLE_BATTLES)
        assert idle == set(OPTION_NEEDS) & set(rules.known_options)
    for need in OPTION_NEEDS.values():
        assert need in homes
    moving = replace(
        fixture_scenario("lafayette-continuum"), class_movement=(("Frigate", "vector"),)
    )
    assert "mixed-movement" not in options_without_effect(moving)
    assert "jump-points" not in options_without_effect(fixture_scenario("three-powers"))
    assert "asteroid-destruction" in options_without_effect(fixture_scenario("con-am-12"))
    rock = {"kind": "asteroid", "at": [0, 0], "boxes": 20}
    system = StarSystem("rock", "Rock", "0101", None, False, terrain=(rock,))
    rocky = replace(fixture_scenario("three-powers"), systems=(system,))
    assert "asteroid-destruction" not in options_without_effect(rocky)


def built_battle(edition: str, options: list[str]) -> Scenario:
    """Return a battle of the builder with these options and with what they need."""
    document = new_battle("BRF")
    document = apply_form(
        document, BATTLE_SECTION, form(document, BATTLE_SECTION), "add:battle-terrain"
    )
    values = form(document, BATTLE_SECTION)
    values |= {
        "battle-rules-0-edition": [edition],
        "battle-rules-0-battle.options": options,
        "battle-table-0-battle.asteroids.count": ["4"],
        "battle-table-0-battle.asteroids.boxes": ["6"],
        "battle-sides-0-navy": [""],
        "battle-sides-1-navy": [""],
    }
    if KNOWN_CONTACTS in options:
        values["battle-points-0-battle.bogeys"] = []
    if "mixed-movement" in options:
        values["battle-sides-0-movement"] = ["vector"]
    if "jump-points" in options:
        jump_point = {"kind": ["jump-point"], "at": ["36", "12"]}
        values |= {f"battle-terrain-0-{key}": value for key, value in jump_point.items()}
    scenario, faults = check_draft(finish(apply_form(document, BATTLE_SECTION, values)))
    assert faults == (), options
    return scenario


def test_every_option_of_the_battle_builder_can_change_a_battle() -> None:
    """All options are offered but those of wars, and the form has fields for what they need."""
    for rules in all_rules():
        sections = option_sections(rules.edition, (), is_single_battle=True)
        waiting = [tick.name for section in sections for tick in section.ticks]
        assert set(waiting) == set(rules.known_options) - set(OPTIONS_OF_WARS)
        needs = {row.name: row.needs for row in rules.choices}
        while waiting:
            chosen: list[str] = []
            for name in waiting:
                more = [name] if not needs[name] else [needs[name], name]
                together = list(dict.fromkeys([*chosen, *more]))
                if not option_violations(rules.edition, together):
                    chosen = together
            scenario = built_battle(rules.edition, chosen)
            assert set(scenario.options) == set(chosen)
            assert not set(options_without_effect(scenario)) & set(chosen)
            assert set(waiting) & set(chosen)
            waiting = [name for name in waiting if name not in chosen]


def test_reference_page_lists_every_row() -> None:
    text = page()
    for row in all_rows():
        assert f"| `{row.key}` |" in text
