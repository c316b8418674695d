"""Knocked off course: how a blow turns a ship, by courses and by vectors, and its squadron."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.geometry import NEAR
from engine.core.state import BattleState
from engine.documents import replay
from tests.engine.control.hulls import battle, damage_ship, design, ship

OPTION = "knocked-off-course"


def knocked(state: BattleState, points: int = 3, **dice: Any) -> list[Any]:
    """Return the results of a blow that ends rows of n1."""
    return damage_ship(state, "n1", points, **dice)


@pytest.mark.rule("pc.knocked-off-course")
@pytest.mark.parametrize(("die", "course"), [(1, 1), (3, 1), (4, 11), (6, 11)])
def test_six_turns_the_ship_a_point_after_the_systems(die: int, course: int) -> None:
    state = battle([ship("n1")], OPTION).state
    check, turned = knocked(state, threshold=[1, 1, 6], direction=[die])
    assert check.rolls == (("firecon-1", 1), ("drive", 1), ("helm", 6))
    assert check.lost == ()
    assert turned.rolls == (("helm", die),)
    assert state.ship_by_name("n1").course == course


@pytest.mark.rule("pc.knocked-off-course")
@pytest.mark.parametrize(("points", "die", "event_count"), [(3, 5, 1), (6, 5, 2), (6, 3, 1)])
def test_further_rows_are_likelier(points: int, die: int, event_count: int) -> None:
    """Two rows at once: 5 for the second, one easier for the other."""
    more: dict[str, Any] = {"direction": [1]} if event_count == 2 else {}
    assert (
        len(knocked(battle([ship("n1")], OPTION).state, points, threshold=[1, 1, die], **more))
        == event_count
    )


@pytest.mark.rule("pc.knocked-off-course")
def test_vectors_test_facing_and_drift_separately() -> None:
    state = battle([ship("n1", course=3, velocity=10)], OPTION, "vector").state
    initial_state = state.copy()
    events = knocked(state, threshold=[1, 1, 6, 6], direction=[2, 6])
    ours = state.ship_by_name("n1")
    assert ours.course == 4
    assert ours.velocity == 10
    assert ours.drift == pytest.approx(
        (8.660254037844386, 5.0), abs=NEAR
    )  # course 2: a point to port
    (again,) = (replay(initial_state, events[1:]).ship_by_name(name) for name in ("n1",))
    assert (again.course, again.drift) == (ours.course, ours.drift)


@pytest.mark.rule("pc.knocked-off-course")
def test_vector_drift_may_fail_alone() -> None:
    state = battle([ship("n1", course=12, velocity=4)], OPTION, "vector").state
    knocked(state, threshold=[1, 1, 1, 6], direction=[1])
    ours = state.ship_by_name("n1")
    assert ours.course == 12
    assert ours.drift == pytest.approx((2.0, 3.4641016151377544), abs=NEAR)


@pytest.mark.rule("pc.knocked-off-course")
def test_nothing_is_rolled_without_the_option_or_on_installations() -> None:
    assert len(knocked(battle([ship("n1")]).state, threshold=[1, 1])) == 1
    fort = design(kind="installation", thrust=0)
    assert len(knocked(battle([ship("n1", hull=fort)], OPTION).state, threshold=[1])) == 1


@pytest.mark.rule("pc.knocked-off-course", "pc.squadrons")
@pytest.mark.parametrize("leader", ["n1", "n2"])
def test_ship_off_course_leaves_its_squadron(leader: str) -> None:
    state = battle([ship("n1"), ship("n2", 31), ship("n3", 32)], OPTION).state
    for other in state.ships[:3]:
        if other.id != leader:
            state.set_leader(other, state.ship_by_name(leader).id)
    knocked(state, threshold=[1, 1, 6], direction=[1])
    squadrons = [other.record.squadron for other in state.ships[:3]]
    assert squadrons == (["", "", ""] if leader == "n1" else ["", "", "n2"])
