"""Tech bases: choices, prerequisites, free technologies, and the two example factions."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import RuleViolations
from engine.design.techbase import PACKAGE, RECOMMENDED, TechBase, base_violations
from engine.design.technologies import BY_ID, FIGHTERS, TECHNOLOGIES
from engine.notation.tech_bases import base_json, parse_base, read_base

pytestmark = pytest.mark.rule("camp.tech-base")
FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "techbases"
EXAMPLES = {"new-anglian-confederation": 12, "eurasian-solar-union": 11}


def faults(*technologies: str, limit: int = RECOMMENDED) -> list[tuple[str, str]]:
    return [
        (fault.where, fault.code)
        for fault in base_violations(TechBase("ours", technologies), limit)
    ]


@pytest.mark.parametrize(("name", "choices"), EXAMPLES.items())
def test_example_factions_take_twelve_and_eleven_choices(name: str, choices: int) -> None:
    document = yaml.safe_load((FIXTURES / f"{name}.yaml").read_text())
    base = parse_base(document, limit=choices)
    assert base.choices == choices
    assert base_json(base) == document
    _, violations = read_base(document)
    words = f"these technologies cost {choices} choices; this campaign allows {RECOMMENDED}"
    assert [(fault.code, fault.message) for fault in violations] == [("too-many-choices", words)]


def test_every_faction_has_free_technologies() -> None:
    had = TechBase("nobody", ()).all_technologies
    assert {
        "hull",
        "hangars",
        "drive",
        "ftl",
        "adfc",
        "fire-control",
        "mines",
        "enhanced-sensors",
        "weasels",
    } <= had
    assert not {row.id for row in TECHNOLOGIES if row.choices or row.with_} & had
    assert faults() == []


def test_each_technology_is_named_once_with_valid_prerequisites() -> None:
    assert len(BY_ID) == len(TECHNOLOGIES)
    asked = {id_ for row in TECHNOLOGIES for group in (*row.needs, row.with_) for id_ in group}
    assert asked <= set(BY_ID)


def test_included_technologies_are_free() -> None:
    base = TechBase(
        "ours", ("beams", "gatling", "ecm", "salvo-launchers", "beam-fighters", "robot-fighters")
    )
    assert {
        "meson",
        "area-ecm",
        "salvo-racks",
        "interceptors",
        "fighter-racks",
    } <= base.all_technologies
    assert base.choices == 1 + 1 + 2 + 1 + 1 + 1
    assert {row.id for row in base.implied()} >= {"meson", "hull"}


def test_named_technologies_are_paid_even_if_included() -> None:
    assert TechBase("ours", ("beams", "beam-fighters", "interceptors")).choices == 3


@pytest.mark.parametrize(
    ("technologies", "lacking"),
    [
        (("advanced-screens",), "Advanced screens needs Screens"),
        (("beams", "phasers"), "Phasers needs Standard grasers"),
        (("pulse-torpedoes", "torpedo-fighters", "ads"), "ADS needs PDS"),
        (("attack-fighters", "multi-role-fighters"),
         "Multi-role fighters needs Standard fighters with beams or Standard fighters with guns"),
    ],
)  # fmt: skip
def test_missing_prerequisites_are_named_at_their_place(
    technologies: tuple[str, ...], lacking: str
) -> None:
    violations = base_violations(TechBase("ours", technologies))
    assert [(fault.where, fault.message) for fault in violations] == [
        (f"technologies[{len(technologies) - 1}]", lacking)
    ]


def test_every_fault_is_found_at_once() -> None:
    result = faults("warp-core", "area-screens", "pds", "pds", limit=3)
    assert result == [
        ("technologies", "too-many-choices"),
        ("technologies[0]", "unknown-technology"),
        ("technologies[1]", "missing-prerequisite"),
        ("technologies[3]", "twice"),
    ]


def test_gunboats_and_fighters_exclude_each_other() -> None:
    assert faults("attack-fighters", "gunboats") == [("technologies", "fighters-and-gunboats")]
    base = TechBase("", ("attack-fighters", "gunboats"))
    assert base_violations(base, options=["fighters-and-gunboats"]) == ()
    assert faults("gunboats", "beams", "pds", "ads") == []


def test_gunboat_types_follow_the_ship_weapons() -> None:
    base = TechBase("ours", ("gunboats", "pulsers", "beams"))
    assert {"gunboat-racks", "gatling-gunboats", "beam-gunboats"} <= base.all_technologies
    assert "plasma-gunboats" not in base.all_technologies
    assert "beam-gunboats" not in TechBase("ours", ("beams",)).all_technologies


def test_package_pays_for_six_fighter_choices_with_three() -> None:
    six = (
        "heavy-fighters",
        "fast-fighters",
        "attack-fighters",
        "beam-fighters",
        "ftl-fighters",
        "robot-fighters",
    )
    assert TechBase("ours", (PACKAGE, "beams", *six)).choices == 3 + 1
    assert TechBase("ours", (PACKAGE, "beams", *six, "assault-shuttles")).choices == 3 + 1 + 1
    assert TechBase("ours", (PACKAGE, "attack-fighters", "beam-fighters", "beams")).choices == 3 + 1


def test_list_alone_is_a_tech_base_and_bad_forms_are_refused() -> None:
    assert parse_base(["beams"]) == TechBase("", ("beams",))
    with pytest.raises(RuleViolations) as caught:
        parse_base({"technologies": ["beams", 3], "nme": "x"}, "factions[0].tech_base")
    assert [fault.where for fault in caught.value.violations] == [
        "factions[0].tech_base.nme",
        "factions[0].tech_base.technologies[1]",
    ]


@given(st.lists(st.sampled_from([row.id for row in TECHNOLOGIES]), unique=True))
def test_valid_base_has_its_prerequisites_and_larger_ones_no_less(ids: list[str]) -> None:
    base = TechBase("any", tuple(ids))
    valid = not base_violations(base, 1000)
    if valid:
        assert all(
            any(id_ in base.all_technologies for id_ in group)
            for row in base.chosen()
            for group in row.needs
        )
    assert TechBase("less", tuple(ids[1:])).all_technologies <= base.all_technologies
    assert base.choices <= sum(row.choices for row in base.chosen())
    assert base.choices >= sum(row.choices for row in base.chosen() if row.section != FIGHTERS)
