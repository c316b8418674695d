"""Tech bases in a scenario file: by name or as a list, within the scenario's limit, and kept by its forces."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from campaign.rules.codec import decode, encode
from campaign.rules.files import SCENARIOS, SHIPS, fixture_bases, fixture_scenario, load_sheets, read_yaml
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_file import read_scenario
from engine.core.sheet import Sheet
from engine.design.techbase import RECOMMENDED
from tests.campaign.rules.spoiling import put, spoilt

pytestmark = pytest.mark.rule("camp.tech-base")
SLUG = "lafayette-continuum"


@cache
def classes() -> dict[str, Sheet]:
    return load_sheets(SHIPS / "continuum.yaml")


def faults(**changes: Any) -> list[tuple[str, str, str]]:
    """The faults of the file with changes to the first faction's row, or to the file."""
    data = copy.deepcopy(read_yaml(SCENARIOS / f"{SLUG}.yaml"))
    if "tech_base" in changes:
        data["factions"][0]["tech_base"] = changes.pop("tech_base")
    data.update(changes)
    _, found = read_scenario(data, classes(), fixture_bases())
    return [(fault.where, fault.code, fault.message) for fault in found]


def test_the_two_example_factions_fight_over_lafayette() -> None:
    scenario = fixture_scenario(SLUG)
    bases = {power.id: power.tech_base for power in scenario.factions}
    assert {key: base.choices for key, base in bases.items() if base} == {"nac": 12, "esu": 11}
    assert scenario.tech_choices == 12
    assert decode(Scenario, encode(scenario)) == scenario


def test_the_limit_is_the_scenarios() -> None:
    assert [(where, code) for where, code, _ in faults(tech_choices=11)] == [
        ("factions[0].tech_base.technologies", "too-many-choices")
    ]
    assert fixture_scenario("lafayette").tech_choices == RECOMMENDED
    assert [code for _, code, _ in faults(tech_choices="many")][:1] == ["too-many-choices"]


def test_a_base_that_is_unknown_or_unsound_is_told_at_its_place() -> None:
    assert [(where, code) for where, code, _ in faults(tech_base="romulans")] == [
        ("factions[0].tech_base", "unknown-tech-base")
    ]
    found = faults(tech_base={"technologies": ["ads", "warp"], "nme": "x"})
    assert ("factions[0].tech_base.nme", "unknown-key") in [(where, code) for where, code, _ in found]


def test_forces_are_built_from_what_the_yards_know() -> None:
    found = faults(tech_base=["beams", "heavy-beams", "pds", "screens", "advanced-screens"])
    lacks = [(where, words) for where, code, words in found if code == "missing-technology"]
    assert lacks
    assert all(where.startswith(("forces.nac.default[", "reinforcements[")) for where, _ in lacks)
    assert any(
        "needs the technology Standard grasers, which this faction lacks (systems[" in words for _, words in lacks
    )


def test_the_first_rulebook_knows_no_tech_bases() -> None:
    _, found = spoilt(put(["beams"], "factions", 0, "tech_base"))
    assert "factions no-tech-bases" in found
