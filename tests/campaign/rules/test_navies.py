"""Lists of class names: in scenario files, in the editor, and what they contain."""

from __future__ import annotations

import pytest

from campaign.rules.files import (
    SHIPS,
    check_scenario,
    fixture_navies,
    fixture_text,
    load_sheets,
)
from campaign.rules.queries import class_name
from campaign.rules.scenario_editing import (
    GROUPS,
    Document,
    apply_form,
    find_section,
    read_file,
    rows_of,
)
from campaign.words.scenario_faults import fault_in_form


def lafayette(**class_names: object) -> Document:
    document = read_file(fixture_text("lafayette"))
    document["class_names"] = class_names
    return document


@pytest.mark.rule("set.navies")
def test_every_class_of_a_list_is_in_the_catalogue() -> None:
    classes = load_sheets(SHIPS / "second-edition.yaml")
    navies = fixture_navies()
    assert {navy.id for navy in navies} == {
        *("nac", "esu", "nsl", "fse", "kravak", "merchants", "ember", "frost"),
    }
    for navy in navies:
        assert {cls for cls, _ in navy.classes} <= set(classes), navy.id
        names = [name for _, name in navy.classes]
        assert len(names) == len(set(names)), navy.id


@pytest.mark.rule("set.navies")
def test_faction_may_use_the_list_of_any_navy() -> None:
    scenario, faults = check_scenario(lafayette(nac="nsl", esu={"Frigate": "Sokol"}))
    assert faults == ()
    assert class_name(scenario, "nac", "Heavy Cruiser") == "Markgraf"
    assert class_name(scenario, "nac", "Light Carrier") == "Light Carrier"  # not in that list
    assert class_name(scenario, "esu", "Frigate") == "Sokol"


@pytest.mark.rule("set.navies")
def test_list_leaves_out_classes_of_the_other_rulebook() -> None:
    document = read_file(fixture_text("lafayette-continuum"))
    document["class_names"] = {"nac": "nac"}
    scenario, faults = check_scenario(document)
    assert faults == ()
    assert dict(scenario.class_names)["nac"] == (
        ("Frigate", "Miyazaki"),
        ("Heavy Cruiser", "Vandenburg"),
    )


@pytest.mark.rule("set.navies")
def test_unknown_list_is_a_fault_at_its_faction() -> None:
    _, faults = check_scenario(lafayette(nac="nsa"))
    assert [(fault.where, fault.code) for fault in faults] == [("class_names.nac", "unknown-navy")]
    assert fault_in_form(faults[0]) == (
        "Lists of names, nac: 'nsa' is not a list of names; choose from "
        "nac, esu, nsl, fse, kravak, merchants, ember, frost"
    )


@pytest.mark.rule("set.navies")
def test_list_chosen_in_the_editor_replaces_own_names_and_keeps_others() -> None:
    section = find_section("ships")
    assert section is not None
    document = lafayette(nac={"Frigate": "Kestrel"}, esu={"Frigate": "Sokol"})
    submitted = {
        "navies-0-row": ("1",),
        "navies-0-faction": ("nac",),
        "navies-0-list": ("fse",),
    }
    for number, (faction, name) in enumerate((("nac", "Kestrel"), ("esu", "Sokol"))):
        row = f"class_names-{number}"
        submitted |= {
            f"{row}-row": ("1",),
            f"{row}-faction": (faction,),
            f"{row}-class": ("Frigate",),
            f"{row}-name": (name,),
        }
    changed = apply_form(document, section, submitted, "save")
    assert changed["class_names"] == {"nac": "fse", "esu": {"Frigate": "Sokol"}}
    (placed,) = rows_of(changed, GROUPS["navies"])
    assert placed.row == {"faction": "nac", "list": "fse"}
    without_names = apply_form(changed, section, {}, "save")
    assert "class_names" not in without_names
