"""Illegal designs, with all faults at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.core.errors import RuleViolations
from engine.design.table_pricing import design_violations
from engine.notation.designs import load_sheet, parse_classes, parse_design
from engine.second_edition.edition import SECOND_EDITION as RULES
from tests.engine.design.second_edition_designs import (
    ALL_ROUND,
    PLANS,
    battery,
    design,
    faults,
    plan,
    system_entry,
)

pytestmark = pytest.mark.rule("2e.design")


def codes(**keys: Any) -> list[tuple[str, str]]:
    return [(fault.where, fault.code) for fault in design_violations(design(**keys), RULES)]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"mass": 0}, ("mass", "mass-too-small")),
        ({"mass": 101}, ("mass", "mass-too-large")),
        ({"kind": "merchant", "mass": 1}, ("mass", "mass-too-small")),
        ({"kind": "merchant", "mass": 101}, ("mass", "mass-too-large")),
        ({"kind": "q-ship", "mass": 101}, ("mass", "mass-too-large")),
        ({"thrust": 9}, ("thrust", "thrust-too-high")),
        ({"thrust": -1}, ("thrust", "thrust-negative")),
        ({"ftl": "advanced"}, ("ftl", "unknown-ftl")),
        ({"ftl": "tug"}, ("ftl", "unknown-ftl")),  # tugs are merchants
        ({"civil": True}, ("civil", "civil-hull")),
        ({"kind": "installation", "thrust": 1}, ("thrust", "thrust-too-high")),
        ({"kind": "installation", "ftl": "standard"}, ("ftl", "unknown-ftl")),
        ({"mass": 20, "systems": [system_entry("pdaf", 16)]}, ("systems", "over-capacity")),
        (
            {"mass": 20, "ftl": "standard", "systems": [system_entry("pdaf", 11)]},
            ("systems", "over-capacity"),
        ),
        (
            {"kind": "merchant", "mass": 10, "systems": [system_entry("pdaf", 2)]},
            ("systems", "over-capacity"),
        ),
        ({"systems": [system_entry("screen", 4)]}, ("systems[0]", "too-many")),
        (
            {"systems": [system_entry("screen", 3), system_entry("screen")]},
            ("systems[1]", "too-many"),
        ),
        (
            {"systems": [system_entry("weasel", 2, **{"class": "cruiser"})]},
            ("systems[0]", "too-many"),
        ),
        (
            {"kind": "merchant", "mass": 100, "systems": [system_entry("screen", 2)]},
            ("systems[0]", "too-many"),
        ),
        (
            {"kind": "merchant", "mass": 100, "systems": [battery("B")]},
            ("systems[0]", "military-system"),
        ),
        (
            {"kind": "merchant", "mass": 100, "systems": [system_entry("adaf")]},
            ("systems[0]", "military-system"),
        ),
        (
            {"kind": "merchant", "mass": 100, "systems": [system_entry("firecon")]},
            ("systems[0]", "military-system"),
        ),
        ({"mass": 36, "systems": [system_entry("fighter-bay")]}, ("systems[0]", "classification")),
        ({"mass": 36, "systems": [system_entry("nova-cannon")]}, ("systems[0]", "classification")),
        (
            {"kind": "q-ship", "mass": 36, "systems": [system_entry("nova-cannon")]},
            ("systems[0]", "classification"),
        ),
        ({"systems": [system_entry("laser")]}, ("systems[0].type", "unknown-system")),
        ({"systems": [battery("D")]}, ("systems[0].battery", "unknown-variant")),
        (
            {"systems": [{"type": "weasel", "class": "escort"}]},
            ("systems[0].class", "unknown-variant"),
        ),
        ({"systems": [battery("A", count=0)]}, ("systems[0].count", "count")),
        ({"systems": [battery("A", [])]}, ("systems[0].arcs", "arcs-missing")),
        ({"systems": [battery("A", ["F", "X"])]}, ("systems[0].arcs", "unknown-arc")),
        ({"systems": [battery("A", ["F", "F"])]}, ("systems[0].arcs", "arc-twice")),
        ({"systems": [battery("A", ["P", "S"])]}, ("systems[0].arcs", "arcs-apart")),
        ({"systems": [battery("A", ["S", "A"])]}, ("systems[0].arcs", "arc-aft")),
        ({"systems": [system_entry("needle", arcs=["A"])]}, ("systems[0].arcs", "arc-aft")),
        (
            {"systems": [system_entry("needle", arcs=["F", "S"])]},
            ("systems[0].arcs", "arcs-too-many"),
        ),
        (
            {"systems": [system_entry("pulse-torpedo", arcs=["P"])]},
            ("systems[0].arcs", "arc-not-fore"),
        ),
        ({"systems": [system_entry("pdaf", arcs=["F"])]}, ("systems[0].arcs", "arcs-not-asked")),
        (
            {"kind": "installation", "systems": [battery("A", ["F", "A"])]},
            ("systems[0].arcs", "arcs-apart"),
        ),
    ],
)
def test_forbidden(keys: dict[str, Any], fault: tuple[str, str]) -> None:
    assert codes(**keys) == [fault]


@pytest.mark.parametrize(
    "keys",
    [
        {"mass": 1},
        {"mass": 100, "thrust": 8},
        {"kind": "merchant", "mass": 2, "systems": [system_entry("submunition")]},
        {
            "kind": "merchant",
            "mass": 60,
            "systems": [
                battery("C"),
                system_entry("pdaf"),
                system_entry("screen"),
                system_entry("submunition"),
            ],
        },
        {"mass": 37, "systems": [system_entry("fighter-bay")]},
        {"mass": 37, "systems": [system_entry("nova-cannon")]},
        {"kind": "q-ship", "mass": 37, "systems": [system_entry("nova-cannon")]},
        {"kind": "q-ship", "mass": 20, "systems": [system_entry("screen", 3)]},
        {"systems": [battery("A", ["P", "F"]), battery("A", ["F", "S"]), battery("A", ["P"])]},
        {
            "systems": [
                system_entry("needle"),
                system_entry("needle", arcs=["P"]),
                system_entry("pulse-torpedo", arcs=["F"]),
            ]
        },
        {
            "systems": [
                system_entry("firecon", 2),
                system_entry("minelayer"),
                system_entry("minesweeper"),
            ]
        },
        {
            "kind": "installation",
            "mass": 400,
            "systems": [system_entry("fighter-bay", 4), battery("A", ["P", "A"])],
        },
        {
            "kind": "installation",
            "mass": 400,
            "civil": True,
            "systems": [system_entry("fighter-bay", 2), system_entry("screen", 3)],
        },
        {
            "kind": "installation",
            "mass": 30,
            "systems": [battery("A", ["F", "S", "A", "P"]), system_entry("needle", arcs=["A"])],
        },
    ],
)
def test_allowed(keys: dict[str, Any]) -> None:
    assert codes(**keys) == []


def test_every_fault_is_named_at_once() -> None:
    bad = plan(
        "warship",
        14,
        9,
        "tug",
        [
            battery("A", ["P", "S"]),
            battery("E"),
            system_entry("screen", 4),
            system_entry("fighter-bay"),
            system_entry("pdaf", 0),
            system_entry("ray"),
            battery("C", ["A"]),
        ],
        civil=True,
    )
    with pytest.raises(RuleViolations) as refused:
        load_sheet(bad, "sides[0].ships[2].design")
    assert faults(refused.value) == [
        ("sides[0].ships[2].design.civil", "civil-hull"),
        ("sides[0].ships[2].design.thrust", "thrust-too-high"),
        ("sides[0].ships[2].design.ftl", "unknown-ftl"),
        ("sides[0].ships[2].design.systems[0].arcs", "arcs-apart"),
        ("sides[0].ships[2].design.systems[1].battery", "unknown-variant"),
        ("sides[0].ships[2].design.systems[4].count", "count"),
        ("sides[0].ships[2].design.systems[5].type", "unknown-system"),
        ("sides[0].ships[2].design.systems[6].arcs", "arc-aft"),
        ("sides[0].ships[2].design.systems[3]", "classification"),
        ("sides[0].ships[2].design.systems[2]", "too-many"),
        ("sides[0].ships[2].design.systems", "over-capacity"),
    ]


def test_faults_of_form_and_rules_come_together() -> None:
    systems = [battery("A", ["P", "S"]), 7, system_entry("screen", "two")]  # type: ignore[arg-type]
    bad = plan("warship", "heavy", 9, "none", systems, colour="red")  # type: ignore[arg-type]
    bad["edition"] = "second-edition"
    del bad["class"]
    with pytest.raises(RuleViolations) as refused:
        load_sheet(bad)
    assert sorted(faults(refused.value)) == [
        ("class", "missing"),
        ("colour", "unknown-key"),
        ("mass", "not-a-number"),
        ("systems[0].arcs", "arcs-apart"),
        ("systems[1]", "not-a-mapping"),
        ("systems[2].count", "not-a-number"),
        ("thrust", "thrust-too-high"),
    ]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("class", " ", "not-a-text"),
        ("class", 7, "not-a-text"),
        ("edition", "third-edition", "unknown-edition"),
        ("kind", "liner", "unknown-kind"),
        ("mass", 14.0, "not-a-number"),
        ("mass", True, "not-a-number"),
        ("mass", 10**9, "number-too-large"),
        ("thrust", None, "not-a-number"),
        ("ftl", {"tug": 20}, "not-a-text"),
        ("civil", "yes", "not-a-flag"),
        ("systems", {"type": "pdaf"}, "not-a-list"),
        ("printed", [92], "not-a-mapping"),
    ],
)
def test_malformed_value(key: str, value: object, code: str) -> None:
    with pytest.raises(RuleViolations) as refused:
        parse_design({**plan(), key: value})
    assert faults(refused.value) == [(key, code)]


@pytest.mark.parametrize(
    ("system", "fault"),
    [
        ({"type": "battery", "arcs": ALL_ROUND}, ("systems[0].battery", "missing")),
        ({"count": 2}, ("systems[0].type", "missing")),
        ({"type": "pdaf", "battery": "A"}, ("systems[0].battery", "unknown-key")),
        ({"type": "battery", "battery": "A", "arcs": "F"}, ("systems[0].arcs", "not-a-list")),
        (
            {"type": "battery", "battery": "A", "arcs": ["F", 3]},
            ("systems[0].arcs[1]", "not-a-text"),
        ),
    ],
)
def test_malformed_system(system: dict[str, Any], fault: tuple[str, str]) -> None:
    with pytest.raises(RuleViolations) as refused:
        parse_design(plan(systems=[system]))
    assert faults(refused.value) == [fault]


@pytest.mark.parametrize("data", [None, "Destroyer", [], 14])
def test_design_must_be_an_object(data: object) -> None:
    with pytest.raises(RuleViolations) as refused:
        parse_design(data, "sides[1].design")
    assert faults(refused.value) == [("sides[1].design", "not-a-mapping")]


def test_class_faults_and_duplicate_names_are_listed() -> None:
    with pytest.raises(RuleViolations) as refused:
        parse_classes([plan(), plan(thrust=9), plan("ship")])
    assert faults(refused.value) == [
        ("[1].thrust", "thrust-too-high"),
        ("[1].class", "class-twice"),
        ("[2].kind", "unknown-kind"),
    ]


@given(PLANS)
def test_sheet_is_made_of_legal_designs_only(plan: dict[str, Any]) -> None:
    violations = design_violations(parse_design(plan), RULES)
    if violations:
        with pytest.raises(RuleViolations) as refused:
            load_sheet(plan)
        assert refused.value.violations == violations
    else:
        assert load_sheet(plan).mass == plan["mass"]
