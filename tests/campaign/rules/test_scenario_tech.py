"""Tech bases in a scenario file: by name or as a list, within the limit, and obeyed by its forces."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from campaign.rules.codec import decode, encode
from campaign.rules.files import (
    SCENARIOS,
    SHIPS,
    fixture_bases,
    fixture_scenario,
    load_sheets,
    read_yaml,
)
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_file import read_scenario
from engine.core.sheet import Sheet
from engine.design.techbase import RECOMMENDED
from tests.campaign.rules.faulty_files import set_value, spoil_lafayette

pytestmark = pytest.mark.rule("camp.tech-base")
SLUG = "lafayette-continuum"


@cache
def classes() -> dict[str, Sheet]:
    return load_sheets(SHIPS / "continuum.yaml")


def faults(**changes: Any) -> list[tuple[str, str, str]]:
    """Return the faults of the file with changes to the first faction's row, or to the file."""
    data = copy.deepcopy(read_yaml(SCENARIOS / f"{SLUG}.yaml"))
    if "tech_base" in changes:
        data["factions"][0]["tech_base"] = changes.pop("tech_base")
    data.update(changes)
    _, violations = read_scenario(data, classes(), fixture_bases())
    return [(fault.where, fault.code, fault.message) for fault in violations]


def test_example_factions_fight_over_lafayette() -> None:
    scenario = fixture_scenario(SLUG)
    bases = {power.id: power.tech_base for power in scenario.factions}
    assert {key: base.choices for key, base in bases.items() if base} == {"nac": 12, "esu": 11}
    assert scenario.tech_choices == 12
    assert decode(Scenario, encode(scenario)) == scenario


def test_tech_choice_limit_is_that_of_the_scenario() -> None:
    assert [(where, code) for where, code, _ in faults(tech_choices=11)] == [
        ("factions[0].tech_base.technologies", "too-many-choices")
    ]
    assert fixture_scenario("lafayette").tech_choices == RECOMMENDED
    assert [code for _, code, _ in faults(tech_choices="many")][:1] == ["too-many-choices"]


def test_fighters_and_gunboats_need_the_option() -> None:
    tech_base = {"technologies": ["attack-fighters", "gunboats"]}
    assert "fighters-and-gunboats" in [code for _, code, _ in faults(tech_base=tech_base)]
    agreed = [*fixture_scenario(SLUG).options, "fighters-and-gunboats"]
    assert "fighters-and-gunboats" not in [
        code for _, code, _ in faults(tech_base=tech_base, options=agreed)
    ]


@pytest.mark.rule("pc.sensors", "camp.decoys")
def test_war_without_decoys_has_no_drones_or_weasels() -> None:
    """The option forbids planning a drone, and a file that allows them is at fault."""
    agreed = [*fixture_scenario(SLUG).options, "no-decoys"]
    assert ("decoys.allowed", "no-decoys") in [
        fault[:2] for fault in faults(options=agreed, decoys={"allowed": True})
    ]
    data = copy.deepcopy(read_yaml(SCENARIOS / f"{SLUG}.yaml")) | {"options": agreed}
    data.pop("decoys", None)
    assert not read_scenario(data, classes(), fixture_bases())[0].decoys


def test_unknown_or_faulty_tech_base_is_reported_at_its_place() -> None:
    assert [(where, code) for where, code, _ in faults(tech_base="romulans")] == [
        ("factions[0].tech_base", "unknown-tech-base")
    ]
    fault_list = faults(tech_base={"technologies": ["ads", "warp"], "nme": "x"})
    assert ("factions[0].tech_base.nme", "unknown-key") in [
        (where, code) for where, code, _ in fault_list
    ]


def test_forces_use_available_technologies_only() -> None:
    fault_list = faults(tech_base=["beams", "heavy-beams", "pds", "screens", "advanced-screens"])
    lacks = [(where, words) for where, code, words in fault_list if code == "missing-technology"]
    assert lacks
    assert all(where.startswith(("forces.nac.default[", "reinforcements[")) for where, _ in lacks)
    assert any(
        "needs the technology Standard grasers, which this faction does not have (systems[" in words
        for _, words in lacks
    )


def test_second_edition_has_no_tech_bases() -> None:
    _, fault_list = spoil_lafayette(set_value(["beams"], "factions", 0, "tech_base"))
    assert "factions no-tech-bases" in fault_list


@pytest.mark.rule("pc.morale")
def test_factions_have_withdrawal_navy_and_no_quarter() -> None:
    data = copy.deepcopy(read_yaml(SCENARIOS / f"{SLUG}.yaml"))
    mine, theirs = data["factions"][:2]
    mine |= {"withdraws_at": 35, "navy": "home-fleet", "no_quarter": [theirs["id"]]}
    scenario, violations = read_scenario(data, classes(), fixture_bases())
    assert violations == ()
    assert scenario is not None
    powers = {
        power.id: (power.withdraws_at, power.navy, power.no_quarter) for power in scenario.factions
    }
    assert powers == {mine["id"]: (35, "home-fleet", (theirs["id"],)), theirs["id"]: (50, "", ())}


@pytest.mark.rule("pc.morale")
@pytest.mark.parametrize(
    ("faction_data", "where"),
    [({"withdraws_at": 0}, "factions[0].withdraws_at"), ({"withdraws_at": 101}, "factions[0].withdraws_at"),
     ({"navy": 7}, "factions[0].navy"), ({"no_quarter": ["romulans"]}, "factions[0].no_quarter"),
     ({"no_quarter": [7]}, "factions[0].no_quarter")],
)  # fmt: skip
def test_invalid_morale_settings_are_faults(faction_data: dict[str, Any], where: str) -> None:
    data = copy.deepcopy(read_yaml(SCENARIOS / f"{SLUG}.yaml"))
    data["factions"][0] |= faction_data
    _, violations = read_scenario(data, classes(), fixture_bases())
    assert {fault.where for fault in violations} == {where}
