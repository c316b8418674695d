"""When a fleet arrives where, week by week; a plan continues from wherever its fleet is."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules import hexes
from campaign.rules.arrivals import (
    find_arrivals,
    next_leg,
    remaining_goals,
    weekly_route,
    weeks_text,
)
from campaign.rules.scenario import Link
from campaign.rules.starmap import StarMap
from campaign.rules.view import Fleet, View
from tests.campaign.rules import space

COLUMNS, ROWS, JUMP = 9, 8, 3
LINKS = (
    Link("portal", "0202", "0807", 0),
    Link("gate", "0108", "0901", 3),
    Link("gate", "0401", "0408", 4),
)
CLOSED = ("0503", "0504", "0505", "0604")
labels = st.sampled_from(hexes.labels(COLUMNS, ROWS))
maps = [StarMap(COLUMNS, ROWS, links, closed) for links in ((), LINKS) for closed in ((), CLOSED)]


def by_weeks(chart: StarMap, start: str) -> dict[str, int]:
    """Return the weeks by repeating the rules' own reach."""
    weeks_by_hex, week, edge = {start: 1}, 0, {start}
    while edge:
        week += 1
        edge = {
            there
            for here in edge
            for there, _ in chart.reach(here, JUMP)
            if there not in weeks_by_hex
        }
        weeks_by_hex |= dict.fromkeys(edge, week)
    return weeks_by_hex


@pytest.mark.rule("camp.ftl-move")
@given(st.sampled_from(maps), labels)
def test_arrival_weeks_equal_repeated_ranges(chart: StarMap, start: str) -> None:
    if chart.has(start):
        assert dict(find_arrivals(chart, start, JUMP).weeks) == by_weeks(chart, start)


@pytest.mark.rule("camp.ftl-move")
@given(st.sampled_from(maps), labels, labels)
def test_each_leg_is_a_full_weeks_move(chart: StarMap, start: str, goal: str) -> None:
    way = weekly_route(chart, start, goal, JUMP)
    if start == goal or not (chart.has(start) and chart.has(goal)):
        assert way == ()
        return
    assert len(way) == by_weeks(chart, start)[goal]
    assert way[-1] == goal
    for here, there in zip((start, *way), way, strict=False):
        assert chart.is_within(here, there, JUMP)


def test_closed_ring_is_never_left() -> None:
    around = hexes.neighbours("0303", 9, 9)
    chart = StarMap(9, 9, (), around)
    assert weekly_route(chart, "0303", "0809", JUMP) == ()
    weeks, halts = weeks_text(chart, "0303", JUMP)
    assert weeks.count(".") == 80
    assert len(halts) == 4 * 81


def view_of(*fleets: Fleet) -> View:
    scenario = space.scenario()
    return View("red", 2, "orders", fleets, (), (), (), (), (), (), (), ()) if scenario else None  # type: ignore[return-value]


def test_plan_continues_from_the_fleets_place() -> None:
    scenario = space.scenario()
    fleet = Fleet("red/f1", "red", "First", "0101", back="0102")
    there = dataclasses.replace(fleet, hex="0112")
    assert next_leg(scenario, view_of(fleet), "red/f1", ("0110", "0112")) == (
        "0107",
        ("0110", "0112"),
    )
    assert next_leg(scenario, view_of(there), "red/f1", ("0112", "0110")) == ("0110", ())
    assert next_leg(scenario, view_of(there), "red/f1", ("0112",)) == ("", ())
    assert next_leg(scenario, view_of(fleet), "red/f9", ("0112",)) == ("", ("0112",))


def test_reached_hexes_leave_the_plan() -> None:
    assert remaining_goals(("0101", "0101", "0202"), "0101") == ("0202",)
    assert remaining_goals(("0202", "0101"), "0101") == ("0202", "0101")
