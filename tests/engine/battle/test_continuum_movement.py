"""Continuum's cinematic movement: turns, halves, two turns in one move, ships at rest; the
rulebook's examples.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.continuum.defence_orders import Cloak
from engine.continuum.drives import Roll, UseEmergencyThrust
from engine.continuum.legs import leg_of, parts_of
from engine.continuum.squadrons import FallIn, FlyAlone
from engine.core.geometry import COURSES, turn_course
from engine.core.kinds import LEFT_TABLE, RETURNING
from engine.core.orders import BURNS, FurtherOrder, Plot
from engine.notation.orders import format_plot, parse_plot
from tests.engine.battle.continuum_hulls import (
    fly,
    foe,
    hull,
    plot,
    plot_fault_text,
    ship_with_notes,
    table,
)
from tests.engine.battle.table import at, events_of, play

pytestmark = pytest.mark.rule("pc.movement")


@pytest.mark.parametrize(("text", "course"), [("P3", 7), ("S3", 1)])
def test_example_three_points_from_course_10(text: str, course: int) -> None:
    battle = fly(table(hull("r1", 200, 200, 10, 8, thrust=6)), {"r1": text})
    assert (at(battle, "r1").course, at(battle, "r1").velocity) == (course, 8)


def test_example_thrust_4_turns_2_and_changes_velocity_by_2() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=4))
    assert plot_fault_text(document, "r1", "P2+2") == ""
    assert plot_fault_text(document, "r1", "-4") == ""
    assert "uses 5 thrust; the limit is 4" in plot_fault_text(document, "r1", "P2+3")
    assert "with thrust 4 the limit is now 2" in plot_fault_text(document, "r1", "P3")


@pytest.mark.parametrize(("thrust", "points"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (8, 4)])
def test_half_the_thrust_turns_rounded_down(thrust: int, points: int) -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=thrust))
    assert plot_fault_text(document, "r1", f"S{points}") == ""
    assert "turns use" in plot_fault_text(document, "r1", f"S{points + 1}")


def test_example_course_3_velocity_10_port_3() -> None:
    battle = fly(table(hull("r1", 200, 200, 3, 10)), {"r1": "P3"})
    _, mid, end = events_of(battle, "moved")[0].path
    ux, uy = COURSES[2]
    assert mid == pytest.approx((200 + 5 * ux, 200 + 5 * uy)), "5 MU on course 2"
    assert end == pytest.approx((mid[0], mid[1] + 5)), "then 5 on course 12"
    assert at(battle, "r1").course == 12


def test_example_course_7_velocity_6_faster_by_5_starboard_1() -> None:
    battle = fly(table(hull("r1", 200, 200, 7, 6)), {"r1": "S1+5"})
    start, mid, end = events_of(battle, "moved")[0].path
    assert math.dist(start, mid) == pytest.approx(5), (
        "the first half of 11 is rounded down, on the old course"
    )
    assert mid == pytest.approx((200 + 5 * COURSES[7][0], 200 + 5 * COURSES[7][1]))
    assert end == pytest.approx((mid[0] + 6 * COURSES[8][0], mid[1] + 6 * COURSES[8][1]))
    assert (at(battle, "r1").course, at(battle, "r1").velocity) == (8, 11)


def test_example_velocity_8_with_p2_plus_4_makes_12() -> None:
    battle = fly(table(hull("r1", 200, 200, 12, 8)), {"r1": "P2+4"})
    assert at(battle, "r1").velocity == 12


def test_example_p1_s1_ends_on_the_old_course_to_port() -> None:
    battle = fly(table(hull("r1", 200, 200, 12, 10)), {"r1": "P1S1"})
    ship = at(battle, "r1")
    assert ship.course == 12
    assert (ship.x, ship.y) == pytest.approx(
        (200 + 5 * COURSES[11][0], 200 + 5 * COURSES[11][1] + 5)
    )


def test_first_of_two_turns_is_made_at_the_start() -> None:
    assert parts_of(plot("P3S1")) == (-3, 1)
    assert parts_of(plot("P3")) == (-1, -2), "of one turn the smaller half is"
    battle = fly(table(hull("r1", 200, 200, 12, 10, thrust=8)), {"r1": "P3S1"})
    assert events_of(battle, "moved")[0].path[1] == pytest.approx((195, 200))
    assert at(battle, "r1").course == 10


def test_both_turns_count_against_the_limit() -> None:
    document = table(hull("r1", 200, 200, 12, 10, thrust=6))
    assert plot_fault_text(document, "r1", "P1S2+3") == ""
    assert "turns use 4 thrust; with thrust 6 the limit is now 3" in plot_fault_text(
        document, "r1", "P2S2"
    )


@pytest.mark.parametrize(
    "text", ["P4", "+7", "P3+4", "-9", "ftl; S1", "MD3", "et; P4", "P1; else P1"]
)
def test_impossible_orders_leave_course_and_velocity(text: str) -> None:
    battle = fly(table(hull("r1", 200, 200, 3, 8)), {"r1": text})
    ship = at(battle, "r1")
    assert (ship.x, ship.y, ship.course, ship.velocity) == (208, 200, 3, 8)
    assert events_of(battle, "order-refused")[0].ship == "r1"


def test_every_plot_fault_is_named_at_once() -> None:
    document = table(hull("r1", 200, 200, 12, 2, ftl="none"), options=("no-ftl",))
    faults = plot_fault_text(document, "r1", "P4+6; scan b1; alone; ram r1")
    assert all(
        word in faults
        for word in ("turns use 4", "uses 10 thrust", "not in a squadron", "hostile ship")
    )


@pytest.mark.parametrize(("thrust", "points"), [(6, 3), (4, 2), (2, 1)])
def test_stationary_ship_pivots_by_half_its_thrust(thrust: int, points: int) -> None:
    document = table(hull("r1", 200, 200, 12, 0, thrust=thrust))
    assert "turns use" in plot_fault_text(document, "r1", f"S{points + 1}")
    battle = fly(document, {"r1": f"S{points}"})
    assert (at(battle, "r1").x, at(battle, "r1").y, at(battle, "r1").course) == (200, 200, points)


def test_thrust_1_turns_only_every_other_turn() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=1))
    assert "turns use 2" in plot_fault_text(document, "r1", "S2")
    assert "uses 2 thrust; the limit is 1" in plot_fault_text(document, "r1", "S1+1")
    battle = fly(document, {"r1": "S1"}, {"r1": "S1"}, {"r1": "S1"})
    assert at(battle, "r1").course == 2, "in the second turn it holds"
    assert [event.turn for event in events_of(battle, "order-refused")] == [2]
    battle = fly(document, {"r1": "S1"}, {"r1": "+1"})
    assert at(battle, "r1").velocity == 9, "it may change its velocity meanwhile"


def test_drive_halved_to_1_remembers_its_turn() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=3, lost=["drive"]))
    assert plot_fault_text(document, "r1", "S1") == ""
    battle = fly(document, {"r1": "S1"}, {"r1": "S1"})
    assert "the limit is now 0" in events_of(battle, "order-refused")[0].reason, "in the turn after"
    whole = fly(table(hull("r1", 200, 200, 12, 8, thrust=3)), {"r1": "S1"})
    assert at(whole, "r1").facts()["last-turned"] == 1


def test_drive_without_thrust_does_nothing() -> None:
    document = table(hull("r1", 200, 200, 12, 8, lost=["drive", "drive"]))
    assert "uses 1 thrust; the limit is 0" in plot_fault_text(document, "r1", "+1")
    assert "the limit is now 0" in plot_fault_text(document, "r1", "S1")


def test_log_reports_used_thrust() -> None:
    battle = fly(table(hull("r1", 200, 200, 12, 8)), {"r1": "P2-3"})
    assert [(event.note, event.value) for event in events_of(battle, "marked")] == [
        ("thrust-used", 5)
    ]
    assert "thrust-used" not in at(battle, "r1").facts(), "that is wiped out with the turn"


@pytest.mark.rule("pc.advanced-drives")
def test_advanced_drive_turns_with_full_thrust() -> None:
    document = table(hull("r1", 200, 200, 12, 10, thrust=6, drive="advanced"))
    assert "turns use 7 thrust; with thrust 6 the limit is now 6" in plot_fault_text(
        document, "r1", "S7"
    )
    assert "uses 7 thrust; the limit is 6" in plot_fault_text(document, "r1", "S6+1")
    battle = fly(document, {"r1": "S6"})
    _, mid, end = events_of(battle, "moved")[0].path
    assert (mid, end) == ((205, 200), (205, 195)), "half of it at the start"
    assert at(battle, "r1").course == 6


@pytest.mark.rule("pc.advanced-drives")
def test_advanced_drive_of_thrust_1_turns_every_turn() -> None:
    battle = fly(
        table(hull("r1", 200, 200, 12, 8, thrust=1, drive="advanced")), {"r1": "S1"}, {"r1": "S1"}
    )
    assert at(battle, "r1").course == 2


@pytest.mark.rule("pc.thrust-0")
def test_thrustless_object_drifts_first() -> None:
    station = hull("r9", 100, 100, 4, 3, thrust=0, ftl="none")
    document = table(hull("r1", 200, 200, 12, 8), station)
    assert "can only drift" in plot_fault_text(document, "r9", "+1")
    assert "can only drift" in plot_fault_text(document, "r9", "roll")
    assert plot_fault_text(document, "r9", "scan b1") == ""
    battle = fly(document, {"r9": "S1"})
    ship = at(battle, "r9")
    assert (ship.x, ship.y) == pytest.approx((100 + 3 * COURSES[4][0], 100 + 3 * COURSES[4][1]))
    assert [event.ship for event in events_of(battle, "moved")] == ["r9", "r1", "b1"]


@pytest.mark.rule("pc.rolling")
def test_example_rolling_thrust_4_ship_turns_1_and_changes_velocity_by_2() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=4))
    assert plot_fault_text(document, "r1", "roll; P1+2") == ""
    assert "turns and rolls use 3 thrust; with thrust 4 the limit is now 2" in plot_fault_text(
        document, "r1", "roll; P2"
    )
    assert "uses 5 thrust; the limit is 4" in plot_fault_text(document, "r1", "roll; P1+3")


@pytest.mark.rule("pc.rolling")
def test_rolled_ship_turns_as_its_model_and_rolls_back() -> None:
    battle = fly(table(hull("r1", 200, 200, 12, 8)), {"r1": "roll"}, {"r1": "P1"})
    assert at(battle, "r1").facts()["rolled"] == 1
    assert at(battle, "r1").course == 11
    battle = fly(table(hull("r1", 200, 200, 12, 8)), {"r1": "roll"}, {"r1": "roll"})
    assert "rolled" not in at(battle, "r1").facts()


@pytest.mark.rule("pc.rolling")
@pytest.mark.parametrize(("plots", "arcs"), [({}, []), ({"r1": "roll"}, ["AP"])])
def test_inverted_ship_fires_port_guns_to_starboard(plots: dict[str, str], arcs: list[str]) -> None:
    port = [{"type": "firecon"}, {"type": "beam", "class": 2, "arcs": ["AP", "FP", "F"]}]
    document = table(hull("r1", 200, 200, systems=port), blue=[hull("b1", 210, 199)])
    engage = {"r1": [{"weapon": "beam-1", "target": "b1"}]}
    battle = play(
        document, [{"plot": plots, "engage": engage}], **({"beam": [3, 3]} if arcs else {})
    )
    assert [event.arc for event in events_of(battle, "fire")] == arcs


@pytest.mark.rule("pc.leaving-table")
@pytest.mark.parametrize(
    ("options", "dice", "status"),
    [((), {}, LEFT_TABLE), (("table-return",), {"re_entry": [5]}, RETURNING)],
)
def test_leaving_the_table_is_final_without_returns(
    options: tuple[str, ...], dice: dict[str, list[int]], status: str
) -> None:
    edge = hull("r1", 200, 395, 12, 8)
    battle = fly(table(edge, hull("r2", 9, 9), options=options), {}, **dice)
    assert at(battle, "r1").status == status
    event = events_of(battle, "left-table")[0]
    assert (event.edge, event.at, event.due) == ("top", (200, 400), 6 if options else 0)


@pytest.mark.rule("pc.leaving-table")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_low_die_loses_a_returning_ship(die: int) -> None:
    battle = fly(
        table(hull("r1", 200, 395, 12, 8), hull("r2", 9, 9), options=("table-return",)),
        {},
        re_entry=[die],
    )
    assert at(battle, "r1").status == LEFT_TABLE


@pytest.mark.rule("pc.leaving-table")
def test_ship_returns_over_its_edge_at_a_chosen_place() -> None:
    document = table(hull("r1", 200, 396, 12, 8), hull("r2", 9, 9), options=("table-return",))
    battle = fly(document, *[{"r1": "enter 90 400 6"}] * 5, re_entry=[4])
    assert (at(battle, "r1").x, at(battle, "r1").y, at(battle, "r1").course) == (90, 392, 6)


burns = st.lists(st.tuples(st.sampled_from(BURNS), st.integers(0, 99)), max_size=4).map(tuple)
turns = st.integers(-11, 11)
further = st.lists(
    st.sampled_from([Roll(), UseEmergencyThrust(), FlyAlone(), FallIn("r2"), Cloak(3)]),
    unique=True, max_size=4,
).map(tuple)  # fmt: skip
moves = st.one_of(
    st.builds(Plot, turns, st.integers(-99, 99)),
    st.builds(
        lambda turn, second, thrust: Plot(turn, thrust, second=second),
        turns.filter(bool), turns.filter(bool), st.integers(-99, 99),
    ),
    st.builds(lambda found: Plot(burns=found), burns),
)  # fmt: skip


@given(moves, further, st.none() | moves, st.booleans())
def test_plot_round_trips_through_its_text(
    move: Plot, more: tuple[FurtherOrder, ...], otherwise: Plot | None, ftl: bool
) -> None:
    whole = Plot(
        move.turn,
        move.thrust,
        ftl,
        second=move.second,
        burns=move.burns,
        further=more,
        otherwise=otherwise,
    )
    assert parse_plot(format_plot(whole), "x", "continuum") == (whole, ())


@pytest.mark.parametrize(
    "text",
    ["P1P", "P0S1", "P1S12", "P1S1P1", "TP2; S1", "TP2 XX3", "squadron", "squadron r1 r2", "roll 2", "roll; roll",
     "else", "else warp", "cloak", "P12S1"],
)  # fmt: skip
def test_meaningless_plot_is_named_with_its_place(text: str) -> None:
    plot, faults = parse_plot(text, "turns[0].plot.r1", "continuum")
    assert plot is None
    assert faults
    assert all(fault.where == "turns[0].plot.r1" for fault in faults)


@pytest.mark.parametrize("text", ["P1S1", "TP2 MD6", "roll", "et", "else P2", "squadron r1"])
def test_second_edition_does_not_know_these_words(text: str) -> None:
    fault = parse_plot(text, "plot")[1][0]
    assert fault.code == "plot-unknown"
    words = "is not an order; write a move such as P2+4, or begin with one of these words: "
    assert words in fault.message


@given(st.integers(1, 12), st.integers(0, 30), turns, turns, st.integers(-8, 8))
def test_path_has_the_length_of_the_velocity_and_the_ordered_course(
    course: int, velocity: int, turn: int, second: int, thrust: int
) -> None:
    if velocity + thrust < 0:
        return
    _, ship = ship_with_notes("r1", DOCUMENT)
    ship.course, ship.velocity = course, velocity
    leg = leg_of(ship, Plot(turn, thrust, second=second if turn else 0))
    start, mid, end = leg.path
    assert math.dist(start, mid) == pytest.approx((velocity + thrust) // 2)
    assert math.dist(start, mid) + math.dist(mid, end) == pytest.approx(velocity + thrust)
    assert leg.course == turn_course(course, turn + (second if turn else 0))


DOCUMENT = table(hull("r1", 200, 200), blue=[foe()])
