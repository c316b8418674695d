"""Scenario files: faults of form, map and factions are named with their places, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaign.rules.files import SCENARIOS, fixture_class_names, load_scenario, read_yaml
from campaign.rules.scenario_file import parse_scenario, read_scenario
from engine.core.errors import RuleViolations
from tests.campaign.rules.faulty_files import (
    Fault,
    Spoil,
    add,
    set_value,
    sheets,
    spoil_lafayette,
    take,
)
from tests.campaign.rules.space import places_and_codes
from tests.junk import SHORT_JUNK, with_junk

# fmt: off
FAULTS: list[Fault] = [
    ("an unknown key", set_value(1, "colour"), ["colour unknown-key"]),
    ("an unknown key deep inside", set_value(1, "systems", 1, "facility", "bar"), ["systems[1].facility.bar unknown-key"]),
    ("no name", take("name"), ["name missing"]),
    ("a name that is none", set_value(7, "name"), ["name not-a-text"]),
    ("a bad slug", set_value("La Fayette", "slug"), ["slug bad-id"]),
    ("an unknown edition", set_value("third", "edition"), ["edition unknown-edition"]),
    ("an unknown option", set_value(["magic"], "options"), ["options[0] unknown-option"]),
    ("no weeks", set_value(0, "weeks"), ["weeks out-of-range"]),
    ("weeks in words", set_value("seven", "weeks"), ["weeks not-a-number"]),
    ("no size of the map", take("map", "rows"), ["map.rows missing"]),
    ("a round table", set_value([72], "table"), ["table not-a-size"]),
    ("a share in words", set_value("half", "classification_limit"), ["classification_limit not-a-share"]),
    ("more than all", set_value(2, "classification_limit"), ["classification_limit not-a-share"]),
    ("a hex that is a number", set_value(1408, "systems", 0, "hex"), ["systems[0].hex bad-hex"]),
    ("a hex off the map", set_value("2101", "systems", 6, "hex"), ["systems[6].hex bad-hex"]),
    ("a hex that is none", set_value("0000", "systems", 6, "hex"), ["systems[6].hex bad-hex"]),
    ("two systems in a hex", set_value("1408", "systems", 6, "hex"), ["systems[6].hex two-systems"]),
    ("two systems of one id", set_value("rock", "systems", 7, "id"), ["systems twice"]),
    ("a system called any", set_value("any", "systems", 6, "id"), ["systems[6].id bad-id"]),
    ("a system in a closed hex", set_value(["0609"], "closed"), ["systems[6].hex closed-hex"]),
    ("a hex closed twice", set_value(["0101", "0101"], "closed"), ["closed twice"]),
    ("an unknown owner", set_value("pirates", "systems", 6, "owner"), ["systems[6].owner unknown-faction"]),
    ("settled by nobody knows", set_value("yes", "systems", 6, "settled"), ["systems[6].settled not-a-flag"]),
    ("a facility without a kind", take("systems", 1, "facility", "kind"), ["systems[1].facility.kind missing"]),
    ("a system that is a word", set_value("rock", "systems", 6), ["systems[6] not-a-table"]),
    ("two factions of one id", add({"id": "esu", "name": "Copy"}, "factions"), ["factions twice"]),
    ("all on one side", lambda d: [f.update(alliance="all-of-us") for f in d["factions"]], ["factions no-enemies"]),
    ("an alliance called like a faction", set_value("nac", "factions", 1, "alliance"),
     ["factions bad-alliance", "factions no-enemies"]),
    ("a faction without a force", add({"id": "third", "name": "Third"}, "factions"), ["forces no-force"]),
    ("two entries", add({"faction": "esu", "hex": "0101"}, "entries"), ["entries twice"]),
    ("an entry after the end", set_value(8, "entries", 0, "week"), ["entries[0].week too-late"]),
    ("an unknown kind of link", set_value([{"kind": "tunnel", "a": "0101", "b": "0202"}], "links"),
     ["links[0].kind unknown-kind"]),
    ("a link to itself", set_value([{"kind": "gate", "a": "0101", "b": "0101"}], "links"), ["links[0] bad-link"]),
    ("a link to nowhere", set_value([{"kind": "gate", "a": "0101", "b": "9901"}], "links"), ["links[0].b bad-hex"]),
    ("a budget twice", set_value({"points": 1, "ftl": "any", "deploy": "any"}, "forces", "nac", "budgets", "hudson"),
     ["forces twice"]),
]
# fmt: on


@pytest.mark.parametrize(
    ("spoil", "expected_faults"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_each_fault_is_named_with_its_place(spoil: Spoil, expected_faults: list[str]) -> None:
    data, faults = spoil_lafayette(spoil)
    assert faults == sorted(expected_faults)
    with pytest.raises(RuleViolations) as caught:
        parse_scenario(data, sheets(), navies=fixture_class_names())
    assert [
        f"{where} {code}" for where, code in places_and_codes(caught.value.violations)
    ] == sorted(expected_faults)


def test_all_faults_are_named_at_once() -> None:
    chosen = (
        "an unknown key",
        "weeks in words",
        "a hex off the map",
        "an unknown owner",
        "a share in words",
    )
    picked = [(spoil, expected_faults) for name, spoil, expected_faults in FAULTS if name in chosen]
    _, faults = spoil_lafayette(
        *(spoil for spoil, _ in picked),
        set_value({"Yacht": 1}, "forces", "nac", "default", 6, "ships"),
    )
    expected = [fault for _, expected_faults in picked for fault in expected_faults]
    assert len(picked) == len(chosen)
    assert faults == sorted([*expected, "forces.nac.default[6].ships.Yacht unknown-class"])


@pytest.mark.parametrize("data", [None, [], "lafayette", 7])
def test_file_that_is_no_table_has_one_fault(data: object) -> None:
    assert places_and_codes(read_scenario(data, sheets())[1]) == [("", "not-a-table")]


def test_empty_file_lists_what_is_missing() -> None:
    faults = places_and_codes(read_scenario({}, sheets())[1])
    missing = {where for where, code in faults if code == "missing"}
    assert missing == {
        "slug",
        "name",
        "edition",
        "weeks",
        "map",
        "map.columns",
        "map.rows",
        "forces",
    }
    assert ("systems", "no-systems") in faults


@pytest.mark.parametrize(
    ("text", "where", "code"),
    [
        ("a: [", "", "not-yaml"),
        ("a: 1\nb: 2\na: 3\n", "a", "key-twice"),
        ("a: !!python/object:os.system x\n", "a", "tag"),
        (None, "", "unreadable"),
    ],
)
def test_unreadable_file_is_reported(
    tmp_path: Path, text: str | None, where: str, code: str
) -> None:
    path = tmp_path / "war.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleViolations) as caught:
        load_scenario(path)
    assert places_and_codes(caught.value.violations) == [(where, code)]


def test_file_of_an_edition_without_ships_lists_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "war.yaml"
    path.write_text("edition: ../scenarios/lafayette\nslug: war\n", encoding="utf-8")
    with pytest.raises(RuleViolations) as caught:
        load_scenario(path)
    assert ("edition", "unknown-edition") in places_and_codes(caught.value.violations)
    assert ("name", "missing") in places_and_codes(caught.value.violations)


def test_scenario_with_junk_anywhere_is_read_with_its_faults() -> None:
    scenario_file = read_yaml(SCENARIOS / "first-steps.yaml")
    fault_counts = {
        place: len(read_scenario(junk, sheets(), navies=fixture_class_names())[1])
        for place, junk in with_junk(scenario_file, SHORT_JUNK)
    }
    assert fault_counts["forces.ember.default.0.ships = -1"]
    assert fault_counts["forces.ember.default.0.ships = {5: [6]}"]
