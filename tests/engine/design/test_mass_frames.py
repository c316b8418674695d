"""Hulls, drives and armour of Continuum: mass, points, rows, crew and combat points value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.design.mass_pricing import crew_boxes, crew_factors, round_half_up, rows_of, share_of
from engine.notation.designs import design_json, parse_design
from engine.ruleset import ruleset
from tests.engine.design.continuum_designs import PLANS, design, figures, system_entry

pytestmark = pytest.mark.rule("pc.design")


def frame(**more: Any) -> tuple[int, int]:
    """Return mass and points of a ship without systems, minus a plain hull of the same size."""
    plain = figures(design(mass=int(str(more.get("mass", 100))), boxes=10))
    totals = figures(design(**{"boxes": 10, **more}))
    return totals.mass_used - plain.mass_used, totals.points - plain.points


@pytest.mark.parametrize(("mass", "ftl"), [(64, 6), (65, 7), (86, 9), (3, 1), (4, 1), (100, 10)])
def test_ftl_drive_is_a_tenth_of_the_mass_rounded_and_at_least_one(mass: int, ftl: int) -> None:
    assert frame(mass=mass, ftl="standard") == (ftl, 2 * ftl)
    assert frame(mass=mass, ftl="advanced") == (ftl, 3 * ftl)


@pytest.mark.parametrize(
    ("mass", "thrust", "drive"), [(64, 4, 13), (64, 6, 19), (86, 4, 17), (3, 6, 1), (3, 1, 1)]
)
def test_drive_is_a_twentieth_of_the_mass_per_thrust(mass: int, thrust: int, drive: int) -> None:
    assert frame(mass=mass, thrust=thrust) == (drive, 2 * drive)
    assert frame(mass=mass, thrust=thrust, drive="advanced") == (drive, 3 * drive)


@pytest.mark.rule("pc.tugs")
@pytest.mark.parametrize(
    ("mass", "tows", "drive"), [(60, 108, 28), (60, 110, 28), (100, 60, 22), (50, 1, 6)]
)
def test_tug_tows_five_mass_per_extra_drive_mass(mass: int, tows: int, drive: int) -> None:
    assert frame(mass=mass, ftl={"tug": tows}) == (drive, 2 * drive)
    assert frame(mass=mass, ftl={"tug": tows, "advanced": True}) == (drive, 3 * drive)


@pytest.mark.parametrize(("streamlining", "mass", "points"), [("partial", 3, 6), ("full", 5, 10)])
def test_example_streamlining_of_a_ship_of_50_mass(
    streamlining: str, mass: int, points: int
) -> None:
    assert frame(mass=50, streamlining=streamlining) == (mass, points)


@pytest.mark.parametrize(("rows", "points"), [(3, 72), (4, 48), (5, 36), (6, 24)])
def test_hull_boxes_cost_more_in_fewer_rows(rows: int, points: int) -> None:
    whole = figures(design(mass=60, boxes=24, rows=rows))
    assert (whole.mass_used, whole.points) == (24, 60 + points)


def test_five_rows_round_half_up() -> None:
    assert figures(design(mass=60, boxes=7, rows=5)).points == 60 + 11


@pytest.mark.rule("pc.armour")
def test_armour_costs_more_for_outer_and_regenerative_shells() -> None:
    assert frame(armour=[[5, 0]]) == (5, 10)
    assert frame(armour=[[0, 5]]) == (5, 20)
    assert frame(armour=[[1, 0], [1, 0], [1, 0], [1, 0], [1, 0]]) == (5, 2 + 4 + 6 + 8 + 10)
    assert frame(armour=[[0, 1], [0, 1], [0, 1], [0, 1], [0, 1]]) == (5, 4 + 6 + 8 + 10 + 12)
    assert frame(armour=[[3, 2], [4, 1]]) == (10, 6 + 8 + 16 + 6)


@pytest.mark.rule("pc.stealth-hull")
def test_stealth_hull_costs_two_points_per_level_and_box() -> None:
    assert frame(stealth=1) == (0, 20)
    assert frame(stealth=2, armour=[[5, 0], [1, 0]]) == (6, 10 + 4 + 4 * 16)


@pytest.mark.rule("pc.screens")
@pytest.mark.parametrize(("mass", "level_1"), [(86, 4), (90, 5), (64, 3), (10, 1), (8, 1)])
def test_second_screen_has_the_same_mass(mass: int, level_1: int) -> None:
    boxes = share_of(mass, Fraction(1, 10))
    plain = figures(design(mass=mass, boxes=boxes))
    for number in (1, 2):
        totals = figures(design([system_entry("screen", count=number)], mass=mass, boxes=boxes))
        assert totals.mass_used - plain.mass_used == number * level_1
        assert totals.points - plain.points == 3 * number * level_1


@pytest.mark.rule("pc.flawed-design")
def test_flawed_design_costs_a_fifth_less_without_its_fighters() -> None:
    hangar = system_entry("combined-hangar", load={"standard": 6})
    assert figures(design(mass=100, boxes=30)).points == 160
    assert figures(design(mass=100, boxes=30, flawed=True)).points == 128
    assert (
        figures(design([hangar], mass=100, boxes=30, flawed=True)).points
        == round_half_up(Fraction(187 * 4, 5)) + 18
    )


@pytest.mark.parametrize(
    ("boxes", "rows", "track"),
    [
        (12, 4, (3, 3, 3, 3)),
        (24, 4, (6, 6, 6, 6)),
        (24, 3, (8, 8, 8)),
        (2, 4, (1, 1, 0, 0)),
        (15, 4, (4, 4, 4, 3)),
        (26, 4, (7, 7, 6, 6)),
        (27, 4, (7, 7, 7, 6)),
    ],
)
def test_example_rows_take_their_surplus_from_above(
    boxes: int, rows: int, track: tuple[int, ...]
) -> None:
    assert rows_of(boxes, rows) == track


@pytest.mark.rule("pc.damage-control")
@pytest.mark.parametrize(
    ("mass", "kind", "factors"),
    [(1, "warship", 1), (20, "warship", 1), (21, "warship", 2), (90, "warship", 5), (100, "warship", 5),
     (50, "merchant", 1), (51, "merchant", 2), (100, "installation", 5)],
)  # fmt: skip
def test_one_crew_factor_per_20_mass_and_per_50_on_merchants(
    mass: int, kind: str, factors: int
) -> None:
    assert crew_factors(design(mass=mass, kind=kind)) == factors
    assert len(figures(design(mass=mass, kind=kind)).crew) == factors


@pytest.mark.rule("pc.damage-control")
def test_example_crew_of_27_boxes_and_five_factors() -> None:
    assert crew_boxes(27, 5) == (6, 12, 18, 24, 27)


@pytest.mark.rule("pc.damage-control")
@given(st.integers(1, 200), st.integers(1, 20))
def test_crew_is_lost_along_the_damage_track(boxes: int, factors: int) -> None:
    marked = crew_boxes(boxes, factors)
    assert len(marked) == factors
    assert list(marked) == sorted(marked)
    assert marked[0] >= 1
    assert marked[-1] == boxes


@pytest.mark.rule("pc.classification")
@pytest.mark.parametrize(
    ("mass", "kind", "classification"),
    [(1, "warship", "escort"), (44, "warship", "escort"), (45, "warship", "cruiser"), (90, "warship", "cruiser"),
     (91, "warship", "capital"), (300, "warship", "capital"), (60, "merchant", "merchant"),
     (60, "installation", "installation")],
)  # fmt: skip
def test_escorts_reach_44_mass_and_cruisers_90(mass: int, kind: str, classification: str) -> None:
    assert figures(design(mass=mass, kind=kind)).classification == classification


@pytest.mark.rule("pc.cpv")
@pytest.mark.parametrize(
    ("mass", "hull"), [(54, 29), (140, 196), (100, 100), (7, 1), (8, 1), (13, 2)]
)
def test_combat_point_value_uses_the_squared_mass(mass: int, hull: int) -> None:
    totals = figures(design(mass=mass))
    assert totals.cpv == totals.points - mass + hull
    rules = ruleset("continuum", ["cpv"])
    assert figures(design(mass=mass), rules).points == totals.cpv


@given(PLANS)
def test_design_is_written_as_read(document: dict[str, object]) -> None:
    planned = parse_design(document)
    assert parse_design(design_json(planned)) == planned


@given(PLANS)
def test_adding_never_reduces_mass_or_points(document: dict[str, object]) -> None:
    planned, more = parse_design(document), parse_design(document | {"armour": [[9, 9], [3, 3]]})
    assert figures(planned).mass_used < figures(more).mass_used
    assert 0 < figures(planned).points < figures(more).points
    assert sum(figures(planned).rows) == planned.boxes
