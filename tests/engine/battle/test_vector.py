"""Vector movement: drift, facing, burns in their order; beside cinematic ships; examples of the
book.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle import start
from engine.continuum.legs import leg_of
from engine.core.errors import RuleViolations
from engine.core.geometry import initial_drift
from engine.core.orders import Plot
from engine.pieces.mine import path_length
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import (
    fly,
    hull,
    plot,
    plot_fault_text,
    ship_with_notes,
    table,
)
from tests.engine.battle.table import at, events_of

pytestmark = pytest.mark.rule("pc.vector")

VECTOR = ("vector",)


def drifting(*more: str, **ship_keys: int) -> dict[str, object]:
    ship = hull(
        "r1",
        200,
        200,
        ship_keys.pop("course", 12),
        ship_keys.pop("velocity", 10),
        **{"thrust": 6, **ship_keys},
    )
    return table(ship, options=(*VECTOR, *more))


def test_example_velocity_10_tp3_md6_comes_to_12() -> None:
    battle = fly(drifting(), {"r1": "TP3 MD6"})
    ship = at(battle, "r1")
    assert (ship.x, ship.y) == pytest.approx((194, 210))
    assert (ship.course, ship.velocity) == (9, 12), "it faces 9; 11.66 is rounded"
    assert ship.drift == pytest.approx((-6 * 12 / math.hypot(6, 10), 10 * 12 / math.hypot(6, 10)))
    assert events_of(battle, "moved")[0].path == ((200, 200), (ship.x, ship.y)), (
        "from start to end and nowhere between"
    )


def test_example_velocity_6_ps2_stays_6() -> None:
    battle = fly(drifting(velocity=6), {"r1": "PS2"})
    ship = at(battle, "r1")
    assert (ship.x, ship.y, ship.course, ship.velocity) == (202, 206, 12, 6)


def test_next_turn_begins_with_the_last_vector() -> None:
    battle = fly(drifting(velocity=6), {"r1": "PS2"}, {})
    ship = at(battle, "r1")
    far = 6 / math.hypot(2, 6)
    assert (ship.x, ship.y) == pytest.approx((202 + 2 * far, 206 + 6 * far)), (
        "as long as the velocity on its sheet"
    )
    assert ship.velocity == 6


def test_burns_apply_in_the_order_written() -> None:
    first, last = (at(fly(drifting(), {"r1": text}), "r1") for text in ("TP2 MD6", "MD6 TP2"))
    assert (last.x, last.y, last.course) == (200, 216, 10)
    assert (first.x, first.y) == pytest.approx((200 - 6 * math.sin(math.pi / 3), 213))
    assert first.course == 10


@pytest.mark.parametrize(
    ("text", "end"),
    [("PP2", (198, 210)), ("PS2", (202, 210)), ("PR3", (200, 207)), ("TS3 PR1", (199, 210))],
)
def test_push_is_relative_to_the_current_facing(text: str, end: tuple[float, float]) -> None:
    battle = fly(drifting(), {"r1": text})
    assert (at(battle, "r1").x, at(battle, "r1").y) == pytest.approx(end)


def test_thrusters_have_half_the_drive_rating_rounded_down() -> None:
    assert plot_fault_text(drifting(thrust=7), "r1", "TP6, MD7, PS2") == "", (
        "any rotation takes one point"
    )
    assert "with thrust 7 the limit is now 3" in plot_fault_text(
        drifting(thrust=7), "r1", "TP1 MD7 PS3"
    )
    assert "uses 8 thrust; the limit is 7" in plot_fault_text(
        drifting(thrust=7), "r1", "MD4 TP1 MD4"
    )
    assert plot_fault_text(drifting(thrust=7), "r1", "MD4 TP1 MD3") == "", (
        "it may burn before and after"
    )


def test_one_rotation_and_one_push_a_turn() -> None:
    assert "one rotation" in plot_fault_text(drifting(), "r1", "TP1 TS1")
    assert "one push" in plot_fault_text(drifting(), "r1", "PP1 PR1")
    assert "1 point or more" in plot_fault_text(drifting(), "r1", "MD0")
    assert "at most 11 points" in plot_fault_text(drifting(), "r1", "TP12")
    assert "uses vector movement" in plot_fault_text(drifting(), "r1", "P2+4")


def test_advanced_drive_has_full_thrusters() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=4, drive="advanced"), options=VECTOR)
    assert plot_fault_text(document, "r1", "TP3 MD4 PS3") == ""
    assert "the limit is now 4" in plot_fault_text(document, "r1", "TP3 PS4")


@pytest.mark.rule("pc.rolling")
def test_roll_takes_a_thruster_point() -> None:
    assert plot_fault_text(drifting(), "r1", "roll; TP1 PS1 MD6") == ""
    assert "with thrust 6 the limit is now 3" in plot_fault_text(drifting(), "r1", "roll; TP1 PS2")


def test_thrusters_are_halved_with_the_drive() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=4, lost=["drive"]), options=VECTOR)
    assert plot_fault_text(document, "r1", "TP1 MD2") == ""
    assert "with thrust 2 the limit is now 1" in plot_fault_text(document, "r1", "PS2")


def test_ship_can_stop_and_turn_in_place() -> None:
    battle = fly(drifting(velocity=3), {"r1": "PR3"}, {"r1": "TS4"})
    ship = at(battle, "r1")
    assert (ship.x, ship.y, ship.course, ship.velocity, ship.drift) == (200, 200, 4, 0, (0.0, 0.0))


def test_ship_may_begin_facing_away_from_its_drift() -> None:
    document = table({**hull("r1", 200, 200, 3, 10), "facing": 12}, options=VECTOR)
    battle = fly(document, {"r1": "MD4"})
    assert (at(battle, "r1").x, at(battle, "r1").y, at(battle, "r1").course) == (210, 204, 12)


def test_only_the_straight_path_meets_asteroids() -> None:
    around = [{"at": [200, 210], "radius": 1}]
    battle = fly({**drifting(), "asteroids": around}, {"r1": "TP3 MD6"})
    assert not events_of(battle, "avoided") + events_of(battle, "crashed"), (
        "it never was where it would have drifted"
    )
    on_the_line = [{"at": [197, 205], "radius": 1}]
    battle = fly({**drifting(), "asteroids": on_the_line}, {"r1": "TP3 MD6"}, collision=[6])
    assert events_of(battle, "avoided")[0].ship == "r1"


def test_drift_and_facing_are_public() -> None:
    battle = fly(drifting(), {"r1": "TP3 MD6"})
    contact = observe(battle.state, 1).contacts[0]
    assert (contact.drift, contact.course, contact.velocity) == (at(battle, "r1").drift, 9, 12)


@pytest.mark.rule("pc.leaving-table")
def test_drifting_ship_leaves_the_table_and_returns_on_its_facing() -> None:
    document = table(
        hull("r1", 200, 396, 12, 8), hull("r2", 9, 9), options=(*VECTOR, "table-return")
    )
    battle = fly(document, {"r1": "TS3"}, *[{"r1": "enter 90 400 6"}] * 4, re_entry=[4])
    ship = at(battle, "r1")
    assert (ship.x, ship.y, ship.course) == (90, 392, 6)
    assert ship.drift == pytest.approx((0, -8))
    assert events_of(battle, "left-table")[0].at == (200, 400)


@pytest.mark.rule("pc.disengaging")
def test_moving_table_takes_drifting_ships_along() -> None:
    red = [hull("r1", 200, 390, 12, 20)]
    document = table(*red, options=(*VECTOR, "moving-table"), blue=[hull("b1", 200, 370, 12, 20)])
    battle = fly(document, {"r1": "TS3"}, {})
    moved = events_of(battle, "table-moved")[0]
    assert at(battle, "r1").y == 390 + 40 + moved.by_y
    assert not events_of(battle, "left-table")


@pytest.mark.rule("pc.mixed-movement")
def test_ships_may_differ_in_movement() -> None:
    red = [{**hull("r1", 200, 200, 12, 10), "movement": "vector"}, hull("r2", 100, 100, 12, 10)]
    document = table(
        *red, {**hull("r3", 50, 50, 12, 10), "movement": "cinematic"}, options=("mixed-movement",)
    )
    battle = fly(document, {"r1": "TP3 MD6", "r2": "P3", "r3": "+1"})
    assert at(battle, "r1").drift is not None
    assert at(battle, "r2").drift is None
    assert [at(battle, name).velocity for name in ("r1", "r2", "r3")] == [12, 10, 11]
    assert "not vector movement" in plot_fault_text(document, "r2", "MD3")


@pytest.mark.rule("pc.mixed-movement")
@pytest.mark.parametrize(
    ("ship", "options", "code"),
    [
        ({"movement": "vector"}, (), "movement"),
        ({"movement": "warp"}, ("mixed-movement",), "unknown-movement"),
        ({"facing": 3}, (), "facing"),
        ({"facing": 13}, VECTOR, "facing"),
    ],
)
def test_battle_file_faults_have_their_place(
    ship: dict[str, object], options: tuple[str, ...], code: str
) -> None:
    with pytest.raises(RuleViolations) as bad:
        start(table({**hull("r1", 200, 200), **ship}, options=options))
    assert [fault.code for fault in bad.value.violations] == [code]
    assert bad.value.violations[0].where.startswith("sides[0].ships[0].")


STATE, SHIP = ship_with_notes("r1", drifting())


@given(
    st.integers(1, 12), st.integers(0, 20),
    st.lists(st.tuples(st.sampled_from(("MD", "TP", "PS", "PR")), st.integers(1, 9)), max_size=4),
)  # fmt: skip
def test_new_drift_leads_from_start_to_end(
    course: int, velocity: int, burns: list[tuple[str, int]]
) -> None:
    ship = SHIP.copy()
    ship.drift = initial_drift(course, velocity)
    leg = leg_of(ship, Plot(burns=tuple(burns)))
    (x, y), (end_x, end_y) = leg.path
    length = math.hypot(end_x - x, end_y - y)
    assert abs(length - leg.velocity) <= 0.5 + 1e-5
    assert leg.drift is not None
    dx, dy = leg.drift
    assert math.hypot(dx, dy) == pytest.approx(leg.velocity)
    far = leg.velocity
    assert (dx * length, dy * length) == pytest.approx(
        ((end_x - x) * far, (end_y - y) * far), abs=1e-6
    )


@pytest.mark.parametrize(
    ("text", "far"), [("", 10), ("MD6", 16), ("PR3", 7), ("TP3 MD6", math.hypot(6, 10))]
)
def test_mines_are_laid_along_the_straight_path(text: str, far: float) -> None:
    assert path_length(SHIP, plot(text)) == pytest.approx(far)
