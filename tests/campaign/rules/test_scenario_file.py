"""Scenario files: faults of form, map and factions are named with their places, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaign.rules.files import SCENARIOS, load_scenario, read_yaml
from campaign.rules.scenario_file import parse_scenario, read_scenario
from engine.core.errors import RuleViolations
from tests.campaign.rules.space import told
from tests.campaign.rules.spoiling import Fault, Spoil, add, put, sheets, spoilt, take
from tests.junk import FEW, with_junk

# fmt: off
FAULTS: list[Fault] = [
    ("an unknown key", put(1, "colour"), ["colour unknown-key"]),
    ("an unknown key deep inside", put(1, "systems", 1, "facility", "bar"), ["systems[1].facility.bar unknown-key"]),
    ("no name", take("name"), ["name missing"]),
    ("a name that is none", put(7, "name"), ["name not-a-text"]),
    ("a bad slug", put("La Fayette", "slug"), ["slug bad-id"]),
    ("an unknown edition", put("third", "edition"), ["edition unknown-edition"]),
    ("an unknown option", put(["magic"], "options"), ["options[0] unknown-option"]),
    ("no weeks", put(0, "weeks"), ["weeks out-of-range"]),
    ("weeks in words", put("seven", "weeks"), ["weeks not-a-number"]),
    ("no size of the map", take("map", "rows"), ["map.rows missing"]),
    ("a round table", put([72], "table"), ["table not-a-size"]),
    ("a share in words", put("half", "classification_limit"), ["classification_limit not-a-share"]),
    ("more than all", put(2, "classification_limit"), ["classification_limit not-a-share"]),
    ("a hex that is a number", put(1408, "systems", 0, "hex"), ["systems[0].hex bad-hex"]),
    ("a hex off the map", put("2101", "systems", 6, "hex"), ["systems[6].hex bad-hex"]),
    ("a hex that is none", put("0000", "systems", 6, "hex"), ["systems[6].hex bad-hex"]),
    ("two systems in a hex", put("1408", "systems", 6, "hex"), ["systems[6].hex two-systems"]),
    ("two systems of one id", put("rock", "systems", 7, "id"), ["systems twice"]),
    ("a system called any", put("any", "systems", 6, "id"), ["systems[6].id bad-id"]),
    ("a system in a closed hex", put(["0609"], "closed"), ["systems[6].hex closed-hex"]),
    ("a hex closed twice", put(["0101", "0101"], "closed"), ["closed twice"]),
    ("an unknown owner", put("pirates", "systems", 6, "owner"), ["systems[6].owner unknown-faction"]),
    ("settled by nobody knows", put("yes", "systems", 6, "settled"), ["systems[6].settled not-a-flag"]),
    ("a facility without a kind", take("systems", 1, "facility", "kind"), ["systems[1].facility.kind missing"]),
    ("a system that is a word", put("rock", "systems", 6), ["systems[6] not-a-table"]),
    ("two factions of one id", add({"id": "esu", "name": "Copy"}, "factions"), ["factions twice"]),
    ("all on one side", lambda d: [f.update(alliance="all-of-us") for f in d["factions"]], ["factions no-enemies"]),
    ("an alliance called like a faction", put("nac", "factions", 1, "alliance"),
     ["factions bad-alliance", "factions no-enemies"]),
    ("a faction without a force", add({"id": "third", "name": "Third"}, "factions"), ["forces no-force"]),
    ("two entries", add({"faction": "esu", "hex": "0101"}, "entries"), ["entries twice"]),
    ("an entry after the end", put(8, "entries", 0, "week"), ["entries[0].week too-late"]),
    ("an unknown kind of link", put([{"kind": "tunnel", "a": "0101", "b": "0202"}], "links"),
     ["links[0].kind unknown-kind"]),
    ("a link to itself", put([{"kind": "gate", "a": "0101", "b": "0101"}], "links"), ["links[0] bad-link"]),
    ("a link to nowhere", put([{"kind": "gate", "a": "0101", "b": "9901"}], "links"), ["links[0].b bad-hex"]),
    ("a budget twice", put({"points": 1, "ftl": "any", "deploy": "any"}, "forces", "nac", "budgets", "hudson"),
     ["forces twice"]),
]
# fmt: on


@pytest.mark.parametrize(
    ("spoil", "found"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS]
)
def test_each_fault_is_named_with_its_place(spoil: Spoil, found: list[str]) -> None:
    data, faults = spoilt(spoil)
    assert faults == sorted(found)
    with pytest.raises(RuleViolations) as caught:
        parse_scenario(data, sheets())
    assert [f"{where} {code}" for where, code in told(caught.value.violations)] == sorted(found)


def test_faults_are_named_all_at_once() -> None:
    chosen = (
        "an unknown key",
        "weeks in words",
        "a hex off the map",
        "an unknown owner",
        "a share in words",
    )
    picked = [(spoil, found) for name, spoil, found in FAULTS if name in chosen]
    _, faults = spoilt(
        *(spoil for spoil, _ in picked), put({"Yacht": 1}, "forces", "nac", "default", 6, "ships")
    )
    expected = [fault for _, found in picked for fault in found]
    assert len(picked) == len(chosen)
    assert faults == sorted([*expected, "forces.nac.default[6].ships.Yacht unknown-class"])


@pytest.mark.parametrize("data", [None, [], "lafayette", 7])
def test_a_file_that_is_no_table_is_one_fault(data: object) -> None:
    assert told(read_scenario(data, sheets())[1]) == [("", "not-a-table")]


def test_an_empty_file_names_what_is_missing() -> None:
    faults = told(read_scenario({}, sheets())[1])
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
def test_a_file_that_cannot_be_read_says_so(
    tmp_path: Path, text: str | None, where: str, code: str
) -> None:
    path = tmp_path / "war.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleViolations) as caught:
        load_scenario(path)
    assert told(caught.value.violations) == [(where, code)]


def test_a_file_of_an_edition_without_ships_names_every_fault(tmp_path: Path) -> None:
    path = tmp_path / "war.yaml"
    path.write_text("edition: ../scenarios/lafayette\nslug: war\n", encoding="utf-8")
    with pytest.raises(RuleViolations) as caught:
        load_scenario(path)
    assert ("edition", "unknown-edition") in told(caught.value.violations)
    assert ("name", "missing") in told(caught.value.violations)


def test_a_scenario_with_junk_in_any_place_is_read_with_its_faults() -> None:
    whole = read_yaml(SCENARIOS / "first-steps.yaml")
    found = {place: len(read_scenario(junk, sheets())[1]) for place, junk in with_junk(whole, FEW)}
    assert found["forces.ember.default.0.ships = -1"]
    assert found["forces.ember.default.0.ships = {5: [6]}"]
