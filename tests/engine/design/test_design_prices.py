"""Prices of hulls, drives and systems: the rulebook's worked examples first."""

from __future__ import annotations

from math import ceil
from typing import Any

import pytest
from hypothesis import given

from engine.core.errors import RuleViolations
from engine.design.table_pricing import (
    design_violations,
    drive_points,
    ftl_points,
    hull_points,
    mass_used,
    points,
)
from engine.design.value import Design, capacity, classification, damage_points, standard_firecons
from engine.notation.designs import parse_design
from engine.ruleset import ruleset
from engine.second_edition.edition import SECOND_EDITION as RULES
from tests.engine.design.second_edition_designs import (
    ALL_ROUND,
    PLANS,
    battery,
    design,
    faults,
    system_entry,
)

pytestmark = pytest.mark.rule("2e.design")


def system_points(*systems: dict[str, Any], **more: Any) -> int:
    fitted = design(systems=systems, **more)
    return points(fitted, RULES) - points(design(**more), RULES)


def test_example_hulls_of_mass_20() -> None:
    assert hull_points(design("warship", 20), RULES) == 40
    assert hull_points(design("merchant", 20), RULES) == 30


def test_odd_merchant_hull_rounds_up() -> None:
    assert hull_points(design("merchant", 15), RULES) == 23


def test_example_ftl_drive_of_mass_12() -> None:
    assert ftl_points(design("warship", 12, ftl="standard"), RULES) == 12
    assert ftl_points(design("warship", 12), RULES) == 0


@pytest.mark.parametrize(
    ("kind", "mass", "thrust", "cost"),
    [
        ("warship", 12, 6, 18),
        ("warship", 12, 4, 12),
        ("warship", 12, 8, 24),
        ("warship", 48, 4, 192),
        ("warship", 48, 2, 96),
        ("warship", 36, 4, 72),
        ("merchant", 12, 6, 72),  # merchants pay like capital ships at any MASS
        ("warship", 10, 5, 13),  # 12.5
        ("warship", 19, 1, 10),  # 9.5
        ("q-ship", 18, 8, 36),  # Q ships pay like warships
        ("q-ship", 36, 4, 72),
        ("q-ship", 37, 4, 148),
    ],
)
def test_drive_costs(kind: str, mass: int, thrust: int, cost: int) -> None:
    assert drive_points(design(kind, mass, thrust), RULES) == cost


def test_example_mass_12_fits_six() -> None:
    fitted = design(
        "warship",
        12,
        4,
        "standard",
        [battery("B"), system_entry("needle"), system_entry("pdaf", 2)],
    )
    assert (mass_used(fitted, RULES), capacity(fitted, RULES)) == (6, 6)
    assert design_violations(fitted, RULES) == ()


def test_example_b_battery_on_two_arcs_costs_7() -> None:
    assert system_points(battery("B", ["F", "P"])) == 7


@pytest.mark.parametrize(
    ("letter", "arcs", "cost"),
    [
        ("A", ["F"], 7),
        ("A", ALL_ROUND, 13),
        ("B", ALL_ROUND, 9),
        ("C", ["P"], 3),
        ("C", ALL_ROUND, 5),
    ],
)
def test_batteries_pay_for_every_arc(letter: str, arcs: list[str], cost: int) -> None:
    assert system_points(battery(letter, arcs)) == cost


def test_example_level_2_screens() -> None:
    screened = design(systems=[system_entry("screen", 2)])
    assert (mass_used(screened, RULES), system_points(system_entry("screen", 2))) == (6, 50)


@pytest.mark.parametrize(
    ("system", "mass", "cost"),
    [
        (system_entry("pdaf"), 1, 3),
        (system_entry("adaf"), 3, 10),
        (system_entry("screen"), 3, 25),
        (system_entry("fighter-bay"), 6, 20),
        (system_entry("needle"), 2, 6),
        (system_entry("pulse-torpedo"), 5, 15),
        (system_entry("nova-cannon"), 16, 50),
        (system_entry("submunition"), 1, 3),
        (system_entry("minelayer"), 3, 10),
        (system_entry("minesweeper"), 5, 20),
        (system_entry("firecon"), 3, 10),
        ({"type": "weasel", "class": "cruiser"}, 1, 20),
        ({"type": "weasel", "class": "capital"}, 1, 40),
    ],
)
def test_price_table(system: dict[str, Any], mass: int, cost: int) -> None:
    assert mass_used(design(systems=[system]), RULES) == mass
    assert system_points(system) == cost


def test_example_super_heavy_cruiser_costs_267() -> None:
    """The printed table says 276, but its own rows and the text give 267."""
    systems = [
        system_entry("screen"),
        system_entry("pdaf", 3),
        battery("A", count=2),
        battery("B", count=3),
    ]
    built = design("warship", 36, 4, "standard", systems)
    assert (points(built, RULES), damage_points(built, RULES)) == (267, 18)
    assert (mass_used(built, RULES), capacity(built, RULES)) == (18, 18)
    assert classification(built, RULES) == "cruiser"


def test_example_system_defence_ship() -> None:
    built = design(
        "warship", 14, 6, "none", [battery("A"), battery("B", count=3), system_entry("pdaf", 2)]
    )
    assert (mass_used(built, RULES), capacity(built, RULES), points(built, RULES)) == (11, 11, 95)
    assert (hull_points(built, RULES), drive_points(built, RULES), damage_points(built, RULES)) == (
        28,
        21,
        7,
    )
    assert design_violations(built, RULES) == ()


def test_example_tug_pays_three_times_for_its_ftl_drive() -> None:
    tug = design("merchant", 50, 2, "tug")
    assert ftl_points(tug, RULES) == 150
    assert design_violations(tug, RULES) == ()
    assert (hull_points(tug, RULES), damage_points(tug, RULES), capacity(tug, RULES)) == (75, 13, 5)


def test_example_tender_of_mass_60_carries_three_of_mass_20() -> None:
    tender = design("merchant", 60, 2, "tug")
    assert design_violations(tender, RULES) == ()
    assert 3 * design("warship", 20).mass <= tender.mass
    assert ftl_points(tender, RULES) == 180


@pytest.mark.rule("2e.installations")
@pytest.mark.parametrize(
    ("mass", "civil", "boxes", "expected"),
    [(200, False, 100, 100), (160, True, 40, 16), (400, True, 100, 40)],
)
def test_example_installations(mass: int, civil: bool, boxes: int, expected: int) -> None:
    station = design("installation", mass, civil=civil)
    assert (damage_points(station, RULES), capacity(station, RULES)) == (boxes, expected)
    assert hull_points(station, RULES) == (mass * 3 // 2 if civil else mass * 2)
    assert classification(station, RULES) == "installation"


@pytest.mark.rule("2e.installations")
def test_mining_station_has_batteries_that_fire_all_round() -> None:
    fit = [
        {"type": "battery", "battery": "C", "count": 2},
        system_entry("screen"),
        system_entry("pdaf", 3),
    ]
    station = design("installation", 200, civil=True, systems=fit)
    assert design_violations(station, RULES) == ()
    assert damage_points(station, RULES) == 50
    assert points(station, RULES) == 300 + 2 * (2 + 4) + 25 + 9


@pytest.mark.rule("2e.installations")
def test_missing_drives_give_installations_no_more_room() -> None:
    assert capacity(design("installation", 14), RULES) == 7
    assert capacity(design("warship", 14), RULES) == 11


@pytest.mark.parametrize(
    ("kind", "mass", "ftl", "expected"),
    [
        ("warship", 15, "standard", 8),
        ("warship", 15, "none", 12),
        ("merchant", 8, "standard", 1),
        ("merchant", 48, "standard", 5),
        ("merchant", 48, "none", 5),
        ("q-ship", 48, "standard", 24),
    ],
)
def test_capacity_rounds_up(kind: str, mass: int, ftl: str, expected: int) -> None:
    assert capacity(design(kind, mass, ftl=ftl), RULES) == expected


@pytest.mark.rule("2e.q-ships")
def test_q_ship_keeps_the_hull_of_a_merchant() -> None:
    built = design("q-ship", 36, 4, "standard", [battery("A", count=4), system_entry("screen", 2)])
    assert design_violations(built, RULES) == ()
    assert (hull_points(built, RULES), damage_points(built, RULES)) == (54, 9)
    assert classification(built, RULES) == "merchant"


@pytest.mark.parametrize(
    ("kind", "mass", "expected"),
    [
        ("warship", 18, "escort"),
        ("warship", 19, "cruiser"),
        ("warship", 36, "cruiser"),
        ("warship", 37, "capital"),
        ("merchant", 60, "merchant"),
    ],
)
def test_classification_by_mass(kind: str, mass: int, expected: str) -> None:
    assert classification(design(kind, mass), RULES) == expected


@pytest.mark.rule("2e.fire-control")
@pytest.mark.parametrize(
    ("kind", "mass", "civil", "firecons"),
    [
        ("warship", 18, False, 1),
        ("warship", 36, False, 2),
        ("warship", 37, False, 3),
        ("merchant", 100, False, 1),
        ("q-ship", 100, False, 1),
        ("installation", 200, False, 3),
        ("installation", 200, True, 1),
    ],
)
def test_standard_firecons(kind: str, mass: int, civil: bool, firecons: int) -> None:
    assert standard_firecons(design(kind, mass, civil=civil), RULES) == firecons


@given(PLANS)
def test_prices_are_the_sum_of_their_parts_and_grow_with_the_hull(plan: dict[str, Any]) -> None:
    built: Design = parse_design(plan)
    bare = parse_design({**plan, "systems": []})
    assert points(bare, RULES) == sum(
        price(bare, RULES) for price in (hull_points, drive_points, ftl_points)
    )
    assert points(built, RULES) >= points(bare, RULES)
    larger = parse_design({**plan, "mass": plan["mass"] + 1})
    assert points(larger, RULES) > points(built, RULES)
    assert damage_points(built, RULES) in (ceil(built.mass / 2), ceil(built.mass / 4))


def test_unknown_edition_and_options_list_the_known_ones() -> None:
    with pytest.raises(RuleViolations, match="choose from second-edition") as unknown:
        ruleset("fourth-edition")
    assert faults(unknown.value) == [("edition", "unknown-edition")]
    with pytest.raises(RuleViolations) as options:
        ruleset("second-edition", ["loud", "bright"])
    assert faults(options.value) == [
        ("options[0]", "unknown-option"),
        ("options[1]", "unknown-option"),
    ]
