"""Movement: turns, thrust, halves, ships at rest, impossible orders.

Examples of the rulebook by name.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.geometry import COURSES, turn_course
from engine.core.ids import ShipId
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.notation.designs import sheet_of
from engine.notation.orders import format_plot, parse_plot
from engine.second_edition.movement import advance, plot_fault, turn_limit
from engine.ship_profiles import new_ship
from tests.engine.battle.table import at, classes, events_of, gunship, play, setup, ship

pytestmark = pytest.mark.rule("2e.movement")


def cruiser(
    course: int = 12, velocity: int = 0, cls: str = "Heavy Cruiser", lost: tuple[str, ...] = ()
) -> ShipState:
    return new_ship(ShipId("n1"), 0, sheet_of(classes()[cls]), (0, 0), course, velocity, lost=lost)


@pytest.mark.parametrize(("points", "course"), [(-3, 7), (3, 1)])
def test_example_three_points_from_course_10(points: int, course: int) -> None:
    assert turn_course(10, points) == course


def test_example_thrust_4_turns_2_and_changes_velocity_by_2() -> None:
    moving = cruiser(velocity=8)
    assert plot_fault(moving, Plot(2, 2)) == ""
    assert plot_fault(moving, Plot(-2, -2)) == ""
    assert "uses 5 thrust; the limit is 4" in plot_fault(moving, Plot(2, 3))
    assert "the limit is 2" in plot_fault(moving, Plot(3, 0))
    assert plot_fault(moving, Plot(0, 4)) == ""


@pytest.mark.parametrize(
    ("thrust", "points"), [(0, 0), (1, 1), (2, 1), (4, 2), (5, 3), (6, 3), (8, 4)]
)
def test_example_half_the_thrust_turns_rounded_up(thrust: int, points: int) -> None:
    assert turn_limit(thrust) == points


def test_example_course_3_velocity_10_port_3() -> None:
    moving = cruiser(3, 10, "Light Cruiser")
    mid = advance(moving, -3, 0)
    assert mid == (5 * COURSES[2][0], 5 * COURSES[2][1])
    assert (moving.course, moving.velocity) == (12, 10)
    assert (moving.x, moving.y) == pytest.approx((mid[0], mid[1] + 5))


def test_example_course_8_velocity_14_starboard_1() -> None:
    moving = cruiser(8, 14)
    mid = advance(moving, 1, 0)
    assert mid == pytest.approx((7 * COURSES[8][0], 7 * COURSES[8][1]))
    assert (moving.x, moving.y) == pytest.approx((mid[0] - 7, mid[1]))
    assert moving.course == 9


def test_example_velocity_8_with_p2_plus_4_makes_12() -> None:
    battle = play(
        setup([ship("n1", "Frigate", 60, 60, 12, 8)], [ship("e1", "Frigate", 5, 5)]),
        [{"plot": {"n1": "P2+4"}}],
    )
    assert (at(battle, "n1").velocity, at(battle, "n1").course) == (12, 10)


def test_odd_velocity_is_halved_exactly() -> None:
    moving = cruiser(12, 7)
    mid = advance(moving, 2, 0)
    assert math.hypot(*mid) == pytest.approx(3.5)


@pytest.mark.parametrize("order", ["P3", "+5", "P2+3", "-9", "ftl; S1"])
def test_impossible_orders_leave_course_and_velocity(order: str) -> None:
    blue = [ship("e1", "Frigate", 5, 5)]
    battle = play(
        setup([ship("n1", "Heavy Cruiser", 60, 60, 3, 8)], blue), [{"plot": {"n1": order}}]
    )
    moved = at(battle, "n1")
    assert (moved.x, moved.y, moved.course, moved.velocity) == (68, 60, 3, 8)
    assert events_of(battle, "order-refused")[0].ship == "n1"


@pytest.mark.parametrize("points", range(-11, 12))
def test_stationary_ship_rotates_freely_without_thrust(points: int) -> None:
    crippled = cruiser(4, 0, lost=("drive", "drive"))
    assert crippled.thrust == 0
    assert plot_fault(crippled, Plot(points, 0)) == ""


def test_rotating_stationary_ship_stays_and_may_fire() -> None:
    document = setup([gunship("r1", 60, 60, "A", course=6)], [gunship("b1", 60, 70, "C")])
    turn = {"plot": {"r1": "S6"}, "engage": {"r1": [{"weapon": "battery-1", "target": "b1"}]}}
    battle = play(document, [turn], beam=[4, 4, 1])
    assert (at(battle, "r1").x, at(battle, "r1").y, at(battle, "r1").course) == (60, 60, 12)
    assert at(battle, "b1").damage == 2


@pytest.mark.parametrize(("lost", "thrust"), [((), 6), (("drive",), 3), (("drive", "drive"), 0)])
def test_halved_drive_gives_half_the_thrust(lost: tuple[str, ...], thrust: int) -> None:
    assert cruiser(cls="Light Cruiser", lost=lost).thrust == thrust


def test_odd_thrust_is_halved_rounding_down() -> None:
    battle = play(
        setup([gunship("r1", 9, 9, "A", thrust=5, lost=["drive"])], [gunship("b1", 60, 60, "C")]),
        [],
    )
    assert at(battle, "r1").thrust == 2


def test_ship_without_plot_holds_course_and_velocity() -> None:
    battle = play(
        setup([ship("n1", "Frigate", 60, 60, 9, 8)], [ship("e1", "Frigate", 5, 5)]), [{}, {}]
    )
    assert (at(battle, "n1").x, at(battle, "n1").y) == (44, 60)


plots = st.builds(
    Plot,
    st.integers(-11, 11),
    st.integers(-99, 99),
    st.booleans(),
    st.booleans(),
    st.none() | st.tuples(st.integers(0, 72), st.integers(0, 48), st.integers(1, 12)),
)


@given(plots)
def test_plot_round_trips_through_its_text(plot: Plot) -> None:
    assert parse_plot(format_plot(plot), "x") == (plot, ())


@pytest.mark.parametrize(
    "text",
    ["P", "P2P3", "+4; +5", "ftl; ftl", "warp 9", "enter 1 2", "enter 1 2 13", "P12", "P2+4+1"],
)
def test_meaningless_plot_is_named(text: str) -> None:
    plot, faults = parse_plot(text, "turns[0].plot.n1")
    assert plot is None
    assert faults
    assert all(fault.where == "turns[0].plot.n1" for fault in faults)


@given(st.integers(1, 12), st.integers(0, 30), st.integers(-4, 4), st.integers(-8, 8))
def test_path_has_the_length_of_the_velocity_and_the_ordered_course(
    course: int, velocity: int, points: int, thrust: int
) -> None:
    moving = cruiser(course, velocity, "Corvette")
    if (
        plot_fault(moving, Plot(points, thrust))
        or Plot(points, thrust) == HOLD
        or velocity + thrust == 0
    ):
        return
    mid = advance(moving, points, thrust)
    length = math.hypot(*mid) + math.hypot(moving.x - mid[0], moving.y - mid[1])
    assert length == pytest.approx(velocity + thrust)
    assert moving.course == turn_course(course, points)
