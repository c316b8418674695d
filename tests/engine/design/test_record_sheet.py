"""Record sheets: damage track, systems and their names, and designs as JSON both ways."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from engine.core.canonical import canonical_json
from engine.design.table_pricing import design_violations
from engine.design.value import damage_points, track_rows
from engine.notation.designs import design_json, load_sheet, parse_classes, parse_design, sheet_of
from engine.second_edition.edition import SECOND_EDITION as RULES
from tests.engine.design.second_edition_designs import (
    CLASSES,
    PLANS,
    battery,
    design,
    plan,
    system_entry,
)

pytestmark = pytest.mark.rule("2e.record-sheet")


def test_example_destroyer_rows() -> None:
    assert sheet_of(CLASSES["Destroyer"]).rows == (3, 4)


def test_courier_keeps_both_rows_though_one_is_empty() -> None:
    assert sheet_of(CLASSES["Courier"]).rows == (0, 1)


@pytest.mark.parametrize(
    ("kind", "mass", "rows"),
    [
        ("warship", 18, (4, 5)),
        ("warship", 22, (3, 4, 4)),
        ("warship", 98, (12, 12, 12, 13)),
        ("warship", 54, (6, 7, 7, 7)),
        ("merchant", 18, (2, 3)),
        ("merchant", 36, (3, 3, 3)),
        ("merchant", 37, (2, 2, 3, 3)),
        ("q-ship", 20, (1, 2, 2)),
        ("installation", 10, (1, 1, 1, 2)),
        ("installation", 200, (25, 25, 25, 25)),
    ],
)
def test_rows_by_kind_and_mass_with_the_surplus_below(
    kind: str, mass: int, rows: tuple[int, ...]
) -> None:
    assert track_rows(design(kind, mass), RULES) == rows


@given(PLANS)
def test_rows_hold_all_boxes_and_never_shrink_downwards(plan: dict[str, Any]) -> None:
    built = parse_design(plan)
    rows = track_rows(built, RULES)
    assert sum(rows) == damage_points(built, RULES)
    assert list(rows) == sorted(rows)
    assert rows[-1] - rows[0] <= 1


def test_systems_are_numbered_by_type_with_implied_firecons_drive_and_ftl_last() -> None:
    sheet = load_sheet(
        plan(
            "warship",
            40,
            4,
            "standard",
            [
                battery("B", ["S", "F"], 2),
                system_entry("firecon"),
                battery("C"),
                system_entry("screen", 2),
                system_entry("submunition"),
            ],
        )
    )
    assert [fit.id for fit in sheet.fits] == [
        "battery-1",
        "battery-2",
        "firecon-1",
        "battery-3",
        "screen-1",
        "screen-2",
        "submunition-1",
        "firecon-2",
        "firecon-3",
        "firecon-4",
        "drive",
        "ftl",
    ]
    assert [fit.variant for fit in sheet.fits if fit.type == "battery"] == ["B", "B", "C"]
    assert [fit.id for fit in sheet.fits if fit.offensive] == [
        "battery-1",
        "battery-2",
        "battery-3",
        "submunition-1",
    ]
    assert [fit.id for fit in sheet.fits if fit.expendable] == ["submunition-1"]


@pytest.mark.rule("2e.arcs")
def test_arcs_are_in_the_editions_order() -> None:
    systems = [
        battery("B", ["P", "S", "F"]),
        system_entry("needle"),
        system_entry("pulse-torpedo"),
        system_entry("submunition"),
        system_entry("pdaf"),
    ]
    sheet = load_sheet(plan(mass=30, systems=systems))
    assert {fit.id: fit.arcs for fit in sheet.fits if fit.type != "firecon"} == {
        "battery-1": ("F", "S", "P"),
        "needle-1": ("F",),
        "pulse-torpedo-1": ("F",),
        "submunition-1": ("F", "S", "P"),
        "pdaf-1": (),
    }


@pytest.mark.rule("2e.installations")
def test_installation_has_neither_drive_and_fires_aft() -> None:
    station = plan("installation", 100, systems=[{"type": "battery", "battery": "A"}])
    del station["thrust"], station["ftl"]
    sheet = load_sheet(station)
    assert [fit.id for fit in sheet.fits] == ["battery-1", "firecon-1", "firecon-2", "firecon-3"]
    assert sheet.fits[0].arcs == ("F", "S", "A", "P")
    assert (sheet.thrust, sheet.ftl, sheet.classification, sheet.kind) == (
        0,
        "none",
        "installation",
        "installation",
    )


def test_ship_without_thrust_or_ftl_has_no_such_system() -> None:
    assert [fit.id for fit in load_sheet(plan(mass=10)).fits] == ["firecon-1"]


@pytest.mark.parametrize("name", CLASSES)
def test_class_round_trips_through_json(name: str) -> None:
    document = design_json(CLASSES[name])
    assert parse_design(document) == CLASSES[name]
    assert load_sheet(document) == sheet_of(CLASSES[name])
    assert sheet_of(CLASSES[name]).design == document
    assert parse_classes([document]) == {name: CLASSES[name]}
    canonical_json(document)


@pytest.mark.rule("2e.design")
@given(PLANS)
def test_any_design_round_trips_through_json(plan: dict[str, Any]) -> None:
    built = parse_design(plan)
    document = design_json(built)
    assert parse_design(document) == built
    assert design_json(parse_design(document)) == document
    if not design_violations(built, RULES):
        assert load_sheet(load_sheet(plan).design) == load_sheet(plan)


def test_printed_figures_are_notes_in_either_notation() -> None:
    short = parse_design(plan(printed_points=95, printed_damage_points=7))
    long = parse_design(plan(printed={"points": 95, "damage_points": 7}))
    assert short == long
    assert design_json(short)["printed"] == {"points": 95, "damage_points": 7}
    assert sheet_of(short).points == 40
