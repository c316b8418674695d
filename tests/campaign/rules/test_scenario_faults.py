"""Faults of scenario files in the words of the editor's form."""

from __future__ import annotations

import pytest
from django.utils import translation

from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import NEW_SCENARIO, read_file
from campaign.words.languages import in_language
from campaign.words.scenario_faults import fault_in_form, faults_in_yaml, names_in
from engine.core.errors import Violation
from engine.core.phrase import phrase

WRONG = phrase("wrong")


@pytest.mark.parametrize(
    ("where", "code", "words"),
    [
        ("", "changed", "wrong"),
        ("weks", "unknown-key", "weks: wrong"),
        ("slug", "bad-id", "Id: wrong"),
        ("table[1]", "not-a-number", "Battle table in MU, Depth: enter a whole number"),
        ("systems", "no-systems", "Systems: wrong"),
        ("systems[1].name", "missing", "Systems, row 2, Name: fill this in"),
        ("systems[0].terrain[2].radius", "x", "Terrain in battles, system 1, row 3, Radius in MU: wrong"),
        ("victory[0].superiority.of", "unknown-system", "Results, row 1, These systems: wrong"),
        ("forces", "missing", "Forces: add a budget for each faction"),
        ("forces.blue.budgets", "missing", "Budgets, blue: add a budget"),
        ("forces.blue.budgets.main.deploy[0]", "x", "Budgets, blue, main, Where its fleets start: wrong"),
        ("forces.blue.system_defence.sol", "not-a-number", "System defence, blue, sol, Points: enter a whole number"),
        ("forces.blue.system_defence.", "unknown-system", "System defence, blue, System: fill this in"),
        ("forces.blue.default[1].ships.Frigate", "x", "Preset fleets, blue, row 2, Ships, Frigate: wrong"),
        ("class_names.blue.Frigate", "unknown-class", "Names of classes, blue, Frigate, Class: wrong"),
        ("classes", "section", "Forces: wrong"),
        ("objectives.blue[1].amount", "missing", "Objectives, blue, row 2, Units of goods needed: fill this in"),
        ("objectives.blue[0].of", "unknown-faction", "Objectives, blue, row 1, Losses of: wrong"),
        ("goods.grain.at.sol", "not-a-number", "Goods, grain, sol, Amount: enter a whole number"),
        ("goods.grain.kind", "missing", "Goods, grain, Kind: fill this in"),
        ("capacity.Frigate", "x", "Space for goods, Frigate: wrong"),
        ("class_movement.Frigate", "x", "Movement of single classes, Frigate, Movement: wrong"),
        ("class_movement.Frigate", "not-a-text", "Movement of single classes, Frigate, Movement: fill this in"),
        ("goods.", "no-name", "Goods: wrong"),
        ("systems[0].terrain[0].at", "not-a-pair", "Terrain in battles, system 1, row 1, Place in MU: enter two numbers"),
        ("factions[0].dogfights.fuel", "x", "Factions, row 1, Fighters: fuel: wrong"),
    ],
)  # fmt: skip
def test_place_is_named_by_the_labels_of_the_form(where: str, code: str, words: str) -> None:
    assert fault_in_form(Violation(where, code, WRONG)) == words


def test_yaml_part_adds_the_path_and_lists_each_fault_once() -> None:
    faults = [Violation(f"table[{n}]", "not-a-number", WRONG) for n in (0, 0, 1)]
    assert [fault.message for fault in faults_in_yaml(faults)] == [
        "Battle table in MU, Width (table[0]): enter a whole number",
        "Battle table in MU, Depth (table[1]): enter a whole number",
    ]


def test_factions_and_systems_have_the_names_of_their_author() -> None:
    document = read_file(NEW_SCENARIO)
    document["systems"] = [{"id": "sol", "name": "Sol"}]
    names = names_in(document)
    places = {
        "systems[0].hex": "Systems, Sol, Hex: wrong",
        "systems[0].mines[1].at": "Mines, Sol, row 2, Place in MU: wrong",
        "factions[1].navy": "Factions, Frost Assembly, Navy that built the ships: wrong",
        "forces.ember.system_defence.sol": "System defence, Ember Cooperative, Sol, Points: wrong",
        "objectives.frost[0].by": "Objectives, Frost Assembly, row 1, Last week that counts: wrong",
        "goods.grain.at.sol": "Goods, grain, Sol, Amount: wrong",
        "class_names.ember": "Names of classes, Ember Cooperative: wrong",
    }
    for where, words in places.items():
        assert fault_in_form(Violation(where, "x", WRONG), names) == words


def test_words_are_in_the_readers_language() -> None:
    words = fault_in_form(Violation("systems[1].name", "missing", WRONG))
    with translation.override("de"):
        assert in_language(words) == "Systeme, Zeile 2, Name: füll dieses Feld aus"


def test_new_map_says_once_what_it_needs() -> None:
    _, faults = check_draft(read_file(NEW_SCENARIO))
    assert [fault_in_form(fault) for fault in faults] == [
        "Forces: 'Ember Cooperative' has no budget",
        "Forces: 'Frost Assembly' has no budget",
        "Systems: a map needs at least one system",
    ]


def test_untouched_row_before_a_faulty_one_keeps_its_place() -> None:
    document = read_file(NEW_SCENARIO)
    document["systems"] = [{}, {"name": "Sol", "id": "sol"}]
    _, faults = check_draft(document)
    assert [fault.where for fault in faults if fault.where.startswith("systems")] == [
        "systems[1].hex"
    ]
