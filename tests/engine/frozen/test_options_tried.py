"""Every option matters: without it a battle differs, or a file is legal in one case only.

A new option needs a row in one of the tables. When the battery is drawn anew, another of its
battles may have to show an option.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.battle import start
from engine.core.edition import Edition
from engine.core.errors import RuleViolations
from engine.design.warnings import missing_options
from engine.notation.designs import parse_design
from engine.ruleset import all_rules, ruleset
from tests.engine.frozen import fighting
from tests.engine.frozen.fighting import Case, cases, document, fight_case

TESTS = Path(__file__).resolve().parents[2]
TURNS = (
    1,
    3,
)  # turns of a battle with given orders, until it differs; captains fight twice as many
CASES = {case.name: case for case in cases()}

# Battles of the battery whose events differ without the option.
CASES_BY_OPTION = {
    Edition.SECOND_EDITION: {
        "asteroid-destruction": "second-edition/orders-163",
        "fire-by-ship": "fire-by-ship/captains-1",
        "ftl-scatter": "second-edition/orders-226",
        "moving-table": "second-edition/captains-58",
        "no-ftl": "second-edition/captains-15",
        "no-ramming": "core-rules/orders-4",
        "ram-on-2": "second-edition/captains-18",
        "ram-on-3": "second-edition/orders-164",
        "ram-on-4": "second-edition/orders-162",
        "ram-on-5": "second-edition/orders-157",
    },
    Edition.CONTINUUM: {
        "aces": "level-craft/captains-6",
        "advanced-sensors": "sensing/orders-15",
        "aft-fire": "continuum/orders-138",
        "asteroid-destruction": "space/orders-57",
        "battle-debris": "space/orders-21",
        "boarding": "company/orders-28",
        "civil-war": "morale/captains-1",
        "clouds": "space/orders-33",
        "core-systems": "continuum/captains-18",
        "cpv": "company/captains-17",
        "dogfight-actions": "fights/orders-20",
        "drive-damage": "continuum/orders-271",
        "emergency-thrust": "company/captains-11",
        "fighter-morale": "fights/captains-4",
        "flak": "guns/captains-6",
        "flares": "space/captains-10",
        "ftl-scatter": "space/orders-35",
        "hangar-criticals": "continuum/captains-99",
        "jump-points": "gates/orders-7",
        "knocked-off-course": "conduct/captains-8",
        "late-striking": "morale/orders-14",
        "moving-table": "alongside/captains-7",
        "no-ftl": "continuum/orders-293",
        "no-ramming": "large/orders-25",
        "no-repairs": "continuum/captains-92",
        "orbital-table": "above/captains-1",
        "planets": "orbits/captains-6",
        "point-defence-costs": "level/captains-2",
        "point-defence-level": "level/captains-3",
        "ram-on-2": "morale/orders-21",
        "ram-on-3": "morale/orders-19",
        "ram-on-4": "conduct/orders-16",
        "ram-on-5": "continuum/orders-234",
        "reactor-breach": "haul/orders-18",
        "rear-attack": "morale/orders-11",
        "refuse-dogfights": "refused/captains-3",
        "sensor-ecm": "sensing/captains-6",
        "shaped-bolts": "shapes/captains-1",
        "simple-planet": "orbits/orders-19",
        "striking": "morale/orders-13",
        "swarms": "space/orders-33",
        "table-return": "morale/captains-5",
        "vector": "continuum/captains-92",
        "wide-lock-on": "agreed/captains-1",
    },
}
# Battles of the battery that are illegal without it, and the fault.
REFUSED = {
    "fleet-morale": ("morale/captains-1", "not-agreed"),
    "free-adfc": ("continuum/captains-37", "over-capacity"),
    "mixed-movement": ("continuum/captains-0", "movement"),
    "multi-role": ("roles/captains-1", "setting"),
}
FORE = ["FP", "F", "FS"]
ALL = [*FORE, "AS", "A", "AP"]
HULL = {"class": "Test ship", "edition": "continuum", "kind": "warship", "thrust": 4, "ftl": "none"}
# Systems that ships may carry only with the option.
CARRIED: dict[str, dict[str, Any]] = {
    "catapults": {"systems": [{"type": "launch-tube", "catapult": True}]},
    "combined-hangars": {"systems": [{"type": "combined-hangar", "load": {"standard": 6}}]},
    "flak": {"systems": [{"type": "k-gun", "class": 2, "arcs": ["F"], "flak": True}]},
    "flawed-designs": {"flawed": True},
    "named-craft": {"systems": [{"type": "gunboat-rack", "load": {"emp": 6}}]},
    "overload": {"systems": [{"type": "pulse-torpedo", "arcs": ["F"], "overload": True}]},
    "ramming-ability": {"rams": True},
    "science-fiction": {"systems": [{"type": "nova-cannon"}]},
}
# Systems that ships may not carry with it.
BARRED: dict[str, dict[str, Any]] = {
    "no-decoys": {"systems": [{"type": "weasel", "model": "cruiser"}]},
    "no-multi-stage": {"systems": [{"type": "heavy-missile", "model": "two-stage", "arcs": FORE}]},
    "no-short-k-guns": {
        "systems": [{"type": "k-gun", "class": 1, "model": "short", "arcs": ALL, "count": 2}]
    },
}
# Options that another test tries in both states.
ELSEWHERE_IN_SECOND_EDITION = {
    "fixed-table": "campaign/rules/test_restrictions.py::test_core_rules_war",
    "known-contacts": "campaign/rules/test_restrictions.py::test_core_rules_war",
    "no-decoys": "campaign/rules/test_restrictions.py::test_core_rules_war",
}
ELSEWHERE = {
    "docked-fire": "engine/battle/test_docking.py::test_docked_ship_fires_only_by_agreement",
    "scattergun-four": "engine/defences/test_point_defence.py::test_four_dice_by_an_option",
    "sensors-by-range": "engine/battle/test_closed_sheets.py::test_range_decides_with_the_option",
    "short-spines": "engine/guns/test_spinal_mounts.py::test_shorter_ranges_by_an_option",
    "advanced-missiles": "engine/ordnance/test_defence_level.py::test_advanced_missiles_roll_one_band_lower",
    "fighters-and-gunboats": "engine/design/test_techbase.py::test_gunboats_and_fighters_exclude_each_other",
    "known-contacts": "engine/battle/test_closed_sheets.py::test_known_contacts_hide_nothing",
    "one-navy": "engine/design/test_navies.py::test_navy_has_one_kind_of_drive_ftl_and_hangar",
    "table-prices": "engine/design/test_table_prices.py::test_tables_decide_by_an_option",
    "table-sensors": "engine/design/test_table_prices.py::test_sensors_cost_what_their_section_says",
    "shared-orbits": "engine/battle/test_orbits.py::test_orbit_point_of_another_side_is_taken_unless_shared",
}


def without(option: str, document: Mapping[str, Any], edition: str) -> dict[str, Any]:
    """Return a battle file without an option, and without those that need it."""
    (rules,) = [rules for rules in all_rules() if rules.edition == edition]
    gone = {option, *(row.name for row in rules.choices if row.needs == option)}
    return {**document, "options": [name for name in document["options"] if name not in gone]}


def events(
    case: Case, battle_document: Mapping[str, Any], turns: int, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the events of a battle of the battery that is fought by this file."""
    monkeypatch.setattr(fighting, "document", lambda _: battle_document)
    monkeypatch.setattr(fighting, "TURNS", turns)
    lines: list[str] = []
    fight_case(
        case,
        lambda name, line: lines.append(line) if name == "log" and line.startswith("{") else None,
    )
    return lines


def codes(document: Mapping[str, Any]) -> set[str]:
    """Return the faults for which a battle file is refused."""
    try:
        start(document)
    except RuleViolations as refused:
        return {fault.code for fault in refused.violations}
    return set()


def battle_of(aboard: Mapping[str, Any], *options: str) -> dict[str, Any]:
    """Return two ships with this aboard."""
    design = {**HULL, "mass": 160, "hull": {"boxes": 32, "rows": 4}, **aboard}
    design["systems"] = [{"type": "firecon"}, *aboard.get("systems", ())]
    sides = [
        {
            "name": name,
            "ships": [{"id": name, "design": design, "at": [x, 9], "course": 3, "velocity": 0}],
        }
        for name, x in (("red", 9), ("blue", 40))
    ]
    return {"edition": "continuum", "options": list(options), "sides": sides}


@pytest.mark.parametrize(
    ("edition", "option"),
    [(edition, option) for edition in CASES_BY_OPTION for option in CASES_BY_OPTION[edition]],
)
def test_battle_differs_without_the_option(
    edition: Edition, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[CASES_BY_OPTION[edition][option]]
    battle_document = document(case)
    assert option in battle_document["options"]
    other_document = without(option, battle_document, edition)
    assert any(
        events(case, battle_document, turns, monkeypatch)
        != events(case, other_document, turns, monkeypatch)
        for turns in TURNS
    )


@pytest.mark.parametrize("option", REFUSED)
def test_battle_is_refused_without_the_option(option: str) -> None:
    name, code = REFUSED[option]
    battle_document = document(CASES[name])
    assert not codes(battle_document)
    assert code in codes(without(option, battle_document, Edition.CONTINUUM))


@pytest.mark.parametrize("option", CARRIED)
def test_ship_needs_the_option(option: str) -> None:
    battle_document = battle_of(CARRIED[option], option)
    assert not codes(battle_document)
    design = parse_design(battle_document["sides"][0]["ships"][0]["design"])
    assert not missing_options(design, ruleset("continuum", [option]))
    assert {fault.code for fault in missing_options(design, ruleset("continuum"))} == {"not-agreed"}


@pytest.mark.parametrize("option", BARRED)
def test_option_excludes_the_system(option: str) -> None:
    assert not codes(battle_of(BARRED[option]))
    assert codes(battle_of(BARRED[option], option)) == {"excluded"}


def test_no_option_is_omitted() -> None:
    for rules in all_rules():
        tried = set(CASES_BY_OPTION[Edition(rules.edition)])
        if rules.edition == Edition.CONTINUUM:
            tried |= {*REFUSED, *CARRIED, *BARRED, *ELSEWHERE}
        else:
            tried |= {*ELSEWHERE_IN_SECOND_EDITION}
        assert tried == set(rules.known_options)
    for where in (*ELSEWHERE.values(), *ELSEWHERE_IN_SECOND_EDITION.values()):
        file, _, name = where.partition("::")
        assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8")
