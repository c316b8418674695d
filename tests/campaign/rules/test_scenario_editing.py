"""A scenario file between file and form: nothing is lost, faults have places, rows can be changed."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.files import check_scenario, fixture_maps, fixture_text
from campaign.rules.form_fields import Field, Section
from campaign.rules.scenario_editing import (
    GROUPS,
    SYSTEM_PARTS,
    WITH_IDS,
    Document,
    apply_form,
    entries_of,
    find_section,
    outline_faults,
    read_file,
    rows_of,
    set_rows,
    size_faults,
    write_file,
)
from campaign.rules.scenario_file import TOP_KEYS
from campaign.rules.scenario_sections import SECTIONS
from engine.core.errors import RuleViolations

SMALL = "first-steps"
# The fields of the keys that a file has once.
SINGLE_FIELDS = [field for group in SECTIONS[0].groups if group.single for field in group.fields]
# Other values for keys that accept only certain values.
OTHER_VALUES: dict[str, Any] = {
    "edition": "continuum",
    "options": ["core-systems"],
    "table": [60, 40],
    "classification_limit": "1/3",
    "barred": ["mines"],
    "allowed": ["core"],
    "set_up.manner": "by-side",
    "set_up.velocity": [0, 12],
    "multi_role": ["torpedo", "attack", "graser"],
    "aces": "bought",
}


def file(slug: str = SMALL) -> Document:
    return read_file(fixture_text(slug))


def form(document: Document, section: Section) -> dict[str, list[str]]:
    """Return what a browser sends of an unchanged section."""
    fields: dict[str, list[str]] = {}
    for group in section.groups:
        for number, placed in enumerate(rows_of(document, group)):
            fields[f"{group.key}-{number}-row"] = ["1"]
            for field in group.fields:
                for name, texts in entries_of(group, number, field, placed.row).items():
                    fields[name] = [text.replace("\n", "\r\n") for text in texts]
    return fields


def changed(document: Document, slug: str, act: str = "save", **fields: Any) -> Document:
    section = find_section(slug)
    assert section is not None
    return apply_form(
        document,
        section,
        form(document, section) | submitted(fields),
        act,
    )


def submitted(fields: dict[str, Any]) -> dict[str, list[str]]:
    """Return fields as a browser sends them: a list of texts for each name."""
    lists = {}
    for name, value in fields.items():
        lists[name] = value if isinstance(value, list) else [value]
    return lists


def faults(document: Document) -> set[tuple[str, str]]:
    return {(fault.where, fault.code) for fault in check_scenario(document)[1]}


def with_other_value(document: Document, field: Field) -> Document:
    """Return the document with another value at a key that a file has once."""
    changed_document = copy.deepcopy(document)
    table: Any = changed_document
    *tables, key = field.key.split(".")
    for name in tables:
        table = table.setdefault(name, {})
    now = table.get(key)
    others: dict[str, Any] = {
        "flag": not (field.default if now is None else now),
        "number": 4 if now != 4 else 5,
        "text": "another",
        "prose": "Another text.",
    }
    table[key] = OTHER_VALUES[field.key] if field.key in OTHER_VALUES else others[field.kind]
    return changed_document


@pytest.mark.parametrize("field", SINGLE_FIELDS, ids=[field.key for field in SINGLE_FIELDS])
def test_every_scenario_key_is_read(field: Field) -> None:
    document = file()
    scenario, _ = check_scenario(document)
    other, _ = check_scenario(with_other_value(document, field))
    assert other != scenario, (
        f"read {field.key} in ScenarioForm.scenario (campaign/rules/scenario_file.py)"
    )


@pytest.mark.parametrize("slug", fixture_maps())
def test_file_survives_the_form_of_every_section(slug: str) -> None:
    document = file(slug)
    for section in SECTIONS:
        document = apply_form(document, section, form(document, section))
    assert check_scenario(read_file(write_file(document))) == check_scenario(file(slug))


def test_every_key_belongs_to_one_section() -> None:
    keys = [key for section in SECTIONS for key in section.keys]
    assert len(keys) == len(set(keys))
    of_pages = set(keys) - {"classes"}
    assert sorted(of_pages - set(TOP_KEYS)) == [], (
        "put it into TOP_KEYS of scenario_file.py and read it there"
    )
    assert sorted(set(TOP_KEYS) - of_pages) == [], "put it into a group of scenario_sections.py"


def test_changes_are_written_and_the_rest_kept() -> None:
    before = file()
    after = changed(before, "war", **{"war-0-weeks": "7", "war-0-name": "Second Steps"})
    now, violations = check_scenario(after)
    assert violations == ()
    assert now == replace(check_scenario(before)[0], weeks=7, name="Second Steps")
    assert before == file(), "the file it began with is not changed"


def test_keys_without_field_stay_in_the_file() -> None:
    before = file()
    before["systems"][1]["moons"] = 3
    before["systems"][0].setdefault("facility", {"kind": "dockyard"})["gantry"] = True
    before["forces"][next(iter(before["forces"]))]["treasury"] = 5
    after = before
    for section in SECTIONS:
        after = apply_form(after, section, form(after, section))
    assert faults(after) == faults(before)
    assert {code for _, code in faults(after)} == {"unknown-key"}
    assert len(faults(after)) == 3


def test_form_writes_ground_targets_and_ruins() -> None:
    before = file("knot-of-gates")
    after = changed(before, "map", **{"ground-0-boxes": "3"})
    changes = {
        "victory-0-condition": "ruins",
        "victory-0-ruins.of": "tarn",
        "victory-0-ruins.at_least": "1",
    }
    now, violations = check_scenario(changed(after, "victory", **changes))
    assert violations == ()
    assert [
        (target.faction, target.boxes)
        for system in now.systems
        for target in system.ground
        if target.boxes == 3
    ] == [("tarn", 3)]
    assert (now.victory[0].ruins, now.victory[0].at_least, now.victory[0].by) == ("tarn", 1, None)


def test_every_field_of_a_fixture_has_a_control() -> None:
    """Everything in the included files can be changed in the form, not only kept."""
    for slug in fixture_maps():
        document = file(slug)
        for section in SECTIONS:
            for group in (group for group in section.groups if not group.single):
                field_keys = {field.key.partition(".")[0] for field in group.fields}
                if group.key in WITH_IDS:
                    field_keys |= {"id", *SYSTEM_PARTS}
                for placed in rows_of(document, group):
                    assert set(placed.row) <= field_keys, (slug, placed.where)


def test_row_is_added_with_faults_and_removed() -> None:
    before, system_count = file(), len(file()["systems"])
    with_row = changed(before, "map", "add:systems")
    assert len(with_row["systems"]) == system_count + 1
    assert (f"systems[{system_count}].hex", "missing") in faults(with_row)
    assert changed(with_row, "map", f"drop:systems:{system_count}")["systems"] == before["systems"]
    for key in ("budgets", "defences", "fleets"):
        assert faults(changed(before, "forces", f"add:{key}")), key


def test_unreadable_value_is_kept_and_is_a_fault() -> None:
    wrong: dict[str, Any] = {"war-0-weeks": "ten", "battles-0-table": ["x", "48"]}
    bad = changed(file(), "war", **wrong)
    assert (bad["weeks"], bad["table"]) == ("ten", ["x", 48])
    assert {("weeks", "not-a-number"), ("table[0]", "not-a-number")} <= faults(bad)
    text = file()
    text["systems"][0]["terrain"] = "[{kind: planet"
    bad = changed(text, "map", **{"systems-0-hex": "9999"})
    assert bad["systems"][0]["terrain"] == "[{kind: planet"
    assert {("systems[0].terrain", "not-a-list"), ("systems[0].hex", "bad-hex")} <= faults(bad)


def test_ids_and_facilities_fit_their_columns() -> None:
    long = changed(file(), "map", **{"systems-0-facility.kind": "y" * 61})
    long["systems"][0]["id"] = "x" * 33
    places = {("systems[0].id", "bad-id"), ("systems[0].facility.kind", "too-long")}
    assert places <= faults(long)
    most = {"systems-0-facility.kind": "y" * 60}
    assert faults(changed(file(), "map", **most)) == set()


def test_budgets_with_equal_names_are_both_kept() -> None:
    before = file()
    faction, force = next(iter(before["forces"].items()))
    first = next(iter(force["budgets"]))
    with_budget = changed(before, "forces", "add:budgets")
    number = [placed.row["key"] for placed in rows_of(with_budget, SECTIONS[3].groups[0])].index(
        "new"
    )
    twin = changed(
        with_budget,
        "forces",
        **{f"budgets-{number}-key": first, f"budgets-{number}-faction": faction},
    )
    assert list(twin["forces"][faction]["budgets"]) == [*force["budgets"], f"{first}-2"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- a", "not-a-table"),
        ("systems: 3", "not-a-list"),
        ("systems: [3]", "not-a-table"),
        ("forces: {esu: 3}", "not-a-table"),
        ("forces: {esu: {budgets: [1]}}", "not-a-table"),
        ("forces: {esu: {budgets: {mobile: 1}}}", "not-a-table"),
        ("forces: {esu: {default: 1}}", "not-a-list"),
        ("class_names: {esu: 1}", "not-a-table"),
        ("systems: [{facility: 1}]", "not-a-table"),
        ("victory: [{superiority: 1}]", "not-a-table"),
        ("victory: [{ruins: 1}]", "not-a-table"),
        ("map: 1", "not-a-table"),
        ("battle: 3", "not-a-table"),
        ("battle: {sides: 3}", "not-a-list"),
        ("battle: {sides: [{name: a}], seed: 7}", "unknown-key"),
        ("a: [", "not-yaml"),
    ],
)
def test_document_without_scenario_outline_is_refused(text: str, code: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        read_file(text)
    assert [fault.code for fault in refused.value.violations] == [code]


def test_outline_suffices_for_the_forms() -> None:
    odd: dict[str, Any] = dict.fromkeys(TOP_KEYS)
    assert outline_faults(odd) == []
    for section in SECTIONS:
        assert apply_form(odd, section, form(odd, section)) is not odd


def test_oversized_document_is_refused() -> None:
    large = copy.deepcopy(file())
    faction = next(iter(large["forces"]))
    fleet = {"name": "Horde", "budget": "mobile", "at": "entry", "ships": {"Anything": 999}}
    large["forces"][faction]["default"] = [fleet] * 4
    assert [fault.where for fault in size_faults(large)] == ["forces"]
    large["factions"] = [{"id": f"f{n}", "name": "F"} for n in range(13)]
    assert [fault.where for fault in size_faults(large)] == ["factions", "forces"]


def test_objectives_and_goods_survive_the_form() -> None:
    """All kinds of objectives, and what `of`, `ships` and `to` can be, are the same afterwards."""
    objectives = {
        "ember": [
            {"id": "a", "kind": "hold", "of": "all", "at_least": 2, "weeks": 2, "points": 4},
            {"id": "b", "kind": "hold", "of": ["frost-prime"], "when": "end"},
            {"id": "c", "kind": "deliver", "what": "ore", "to": ["frost-prime"], "amount": 9},
            {"id": "d", "kind": "bring", "ships": ["Old Salt"], "to": ["0101"], "at_least": 1},
        ],
        "frost": [
            {"id": "e", "kind": "destroy", "of": "ember", "ships": "escort", "measure": "points"},
            {"id": "f", "kind": "lose-less", "at_most": 3, "by": 2, "secret": True},
            {"id": "g", "kind": "save", "ships": "Destroyer", "at_least": 2},
            {"id": "h", "kind": "deny", "of": "ember/a", "text": "Keep them out."},
        ],
    }
    document = file()
    document |= {"objectives": objectives, "capacity": {"Heavy Freighter": 50}}
    document["goods"] = {"ore": {"kind": "cargo", "at": {"ember-prime": 30, "frost-prime": 4}}}
    before = copy.deepcopy(document)
    for key in ("objectives", "goods", "capacity"):
        rows = [placed.row for placed in rows_of(document, GROUPS[key])]
        set_rows(document, GROUPS[key], rows)
    assert document == before
    assert check_scenario(document)[1] == ()


def test_ships_of_an_objective_are_chosen_by_name() -> None:
    """Names that preset fleets do not have are typed into a second field."""
    added = changed(file(), "objectives", "add:objectives")
    number = "objectives-0"
    chosen: dict[str, Any] = {
        f"{number}-kind": "save",
        f"{number}-ships": "named",
        f"{number}-ship_names": ["Destroyer 1"],
        f"{number}-more_names": "Old Salt, Destroyer 1",
    }
    after = changed(added, "objectives", **chosen)
    (objective,) = next(iter(after["objectives"].values()))
    assert objective["ships"] == ["Destroyer 1", "Old Salt"]
    nobody = changed(added, "objectives", **chosen | {
        f"{number}-ship_names": [], f"{number}-more_names": ""
    })  # fmt: skip
    assert {code for where, code in faults(nobody) if where.endswith("[0].ships")} == {"missing"}


def test_lists_of_numbers_have_a_box_for_each() -> None:
    added = changed(file(), "map", "add:terrain")
    planet: dict[str, Any] = {
        "terrain-0-kind": "planet",
        "terrain-0-at": ["0", "0"],
        "terrain-0-radius": "3",
        "terrain-0-gravity": ["9", "7", "", ""],
    }
    after = changed(added, "map", **planet)
    assert after["systems"][0]["terrain"][0]["gravity"] == [9, 7]
    flares: dict[str, Any] = {"terrain-0-kind": "flares", "terrain-0-turns": ["2", "11"]}
    after = changed(added, "map", **flares)
    assert after["systems"][0]["terrain"] == [{"kind": "flares", "turns": [2, 11]}]


def test_terrain_and_ground_targets_belong_to_the_chosen_system() -> None:
    """Parts of systems move with their choice, and go with a removed system."""
    before = file("knot-of-gates")
    moved = changed(before, "map", **{"terrain-0-system": before["systems"][1]["id"]})
    planet = before["systems"][0]["terrain"][0]
    assert planet in moved["systems"][1]["terrain"]
    assert planet not in moved["systems"][0].get("terrain", [])
    removed = changed(before, "map", "drop:systems:0")
    terrain = [system.get("terrain") for system in removed["systems"]]
    assert terrain == [system.get("terrain") for system in before["systems"][1:]]
    added = changed(before, "map", "add:terrain")
    assert [row for system in added["systems"] for row in system.get("terrain", [])].count({}) == 1


def test_ships_are_numbers_of_classes() -> None:
    before = file()
    fleet: dict[str, Any] = {
        "fleets-0-ships-class": ["Frigate", "Destroyer", "Frigate", "", "Corvette"],
        "fleets-0-ships-count": ["2", "0", "1", "1", "many"],
    }
    after = changed(before, "forces", **fleet)
    fleets = rows_of(after, GROUPS["fleets"])
    assert fleets[0].row["ships"] == {"Frigate": 3, "Corvette": "many"}
    assert (f"{fleets[0].where}.ships.Corvette", "not-a-number") in faults(after)


def test_choices_with_lists_are_written_as_files_have_them() -> None:
    before = file()
    where: dict[str, Any] = {
        "budgets-0-deploy": "list",
        "budgets-0-deploy_systems": ["ember-prime"],
        "fleets-0-at": "hex",
        "fleets-0-at_hex": "0101",
    }
    after = changed(before, "forces", **where)
    assert rows_of(after, GROUPS["budgets"])[0].row["deploy"] == "list"
    force = next(iter(after["forces"].values()))
    assert next(iter(force["budgets"].values()))["deploy"] == ["ember-prime"]
    assert force["default"][0]["at"] == "0101"
    techs: dict[str, Any] = {
        "factions-0-tech_base": "own",
        "factions-0-technologies": ["beams", "pds"],
    }
    assert changed(before, "factions", **techs)["factions"][0]["tech_base"] == ["beams", "pds"]


def test_condition_without_its_fields_is_a_fault() -> None:
    for condition, key in (("superiority", "by"), ("ruins", "of"), ("score", "share")):
        after = changed(file(), "victory", **{"victory-0-condition": condition})
        empty = {**after["victory"][0], condition: {}}
        after["victory"][0] = empty
        assert (f"victory[0].{condition}.{key}", "missing") in faults(after)
