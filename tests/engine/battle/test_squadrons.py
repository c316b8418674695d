"""Squadrons: joining and leaving, one plot for all, line ahead and wheeling, and what stops them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle import Battle, start
from engine.continuum.squadrons import squadron_legs
from engine.core.ids import ShipId
from engine.core.orders import Plot
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.battle.continuum_hulls import fly, hull, plot_fault_text, table
from tests.engine.battle.table import at, events_of

pytestmark = pytest.mark.rule("pc.squadrons")

JOIN = {"r2": "squadron r1", "r3": "squadron r1"}


def three_abreast(*options: str, **more: Any) -> dict[str, Any]:
    """Return three ships side by side on course 12, the leader in the middle."""
    places = {"r1": (200, 200), "r2": (198, 200), "r3": (202, 200)}
    ships = [hull(name, *place, 12, 10, **more.get(name, {})) for name, place in places.items()]
    return table(*ships, options=options)


def ahead() -> dict[str, Any]:
    return table(*(hull(f"r{n + 1}", 200, 200 - n, 12, 10) for n in range(3)))


def spot(battle: Battle, name: str) -> tuple[float, float]:
    ship = at(battle, name)
    return ship.x, ship.y


def test_squadron_flies_by_the_leaders_plot() -> None:
    battle = fly(three_abreast(), {**JOIN, "r1": "+4"}, {"r1": "-2"})
    assert [spot(battle, name) for name in ("r1", "r2", "r3")] == [
        (200, 226),
        (198, 226),
        (202, 226),
    ]
    assert {at(battle, name).velocity for name in ("r1", "r2", "r3")} == {12}
    assert not events_of(battle, "order-refused")


def test_line_ahead_follows_the_leader() -> None:
    battle = fly(ahead(), {**JOIN, "r1": "S3"})
    lead = at(battle, "r1")
    mid = events_of(battle, "moved")[0].path[1]
    assert mid == pytest.approx((200 + 2.5, 200 + 5 * math.sqrt(3) / 2)), (
        "5 MU on course 1: the leader flies the plot"
    )
    assert spot(battle, "r1") == pytest.approx((mid[0] + 5, mid[1]))
    assert lead.course == 3
    assert spot(battle, "r2") == pytest.approx((lead.x - 1, lead.y))
    assert spot(battle, "r3") == pytest.approx((lead.x - 2, lead.y))


@pytest.mark.parametrize(("text", "outermost", "place"), [("S2", "r2", 198), ("P2", "r3", 202)])
def test_line_abreast_wheels_on_the_outermost_ship(text: str, outermost: str, place: int) -> None:
    alone = fly(table(hull(outermost, place, 200, 12, 10)), {outermost: text})
    battle = fly(three_abreast(), {**JOIN, "r1": text})
    assert spot(battle, outermost) == pytest.approx(spot(alone, outermost))
    ranks = [spot(battle, name) for name in ("r2", "r1", "r3")]
    assert math.dist(ranks[0], ranks[1]) == pytest.approx(2)
    assert math.dist(ranks[0], ranks[2]) == pytest.approx(4)
    assert {at(battle, name).course for name in ("r1", "r2", "r3")} == {2 if text == "S2" else 10}


FORMED = start(three_abreast()).state


@given(st.integers(-6, 6), st.integers(-6, 6), st.integers(0, 9), st.integers(0, 2))
def test_squadron_keeps_its_formation_in_any_turn(
    first: int, second: int, velocity: int, offset: int
) -> None:
    state = FORMED.copy()
    for place, ship in enumerate(state.ships[:3]):
        ship.velocity = velocity
        ship.y += place * offset
        state.set_leader(ship, ShipId("r1" if place else ""))
    legs = squadron_legs(state, {"r1": Plot(first, second=second if first else 0)})
    ends = [leg.path[-1] for leg in legs.values()]
    before = [(ship.x, ship.y) for ship in state.ships[:3]]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert math.dist(ends[a], ends[b]) == pytest.approx(math.dist(before[a], before[b]))
    assert len({leg.course for leg in legs.values()}) == 1


def test_lowest_drive_limits_the_squadron() -> None:
    document = three_abreast(r3={"thrust": 2})
    assert plot_fault_text(document, "r1", "+6") == "", "as long as it flies alone"
    battle = fly(document, {**JOIN, "r1": "+6"}, {"r1": "+2"})
    assert "uses 6 thrust; the limit is 2" in events_of(battle, "order-refused")[0].reason, (
        "who cannot follow does not fall in"
    )
    assert "squadron:r1" not in at(battle, "r3").facts()
    battle = fly(document, JOIN, {"r1": "+6"}, {"r1": "P1+1"})
    refused = events_of(battle, "order-refused")
    assert [(event.turn, event.ship) for event in refused] == [(2, "r1")]
    assert "its squadron cannot follow: r3: uses 6 thrust; the limit is 2" in refused[0].reason
    assert {at(battle, name).velocity for name in ("r1", "r2", "r3")} == {11}


def test_different_drives_form_no_squadron() -> None:
    assert "of a different type" in plot_fault_text(
        three_abreast(r2={"drive": "advanced"}), "r2", "squadron r1"
    )
    assert (
        plot_fault_text(
            three_abreast(r1={"drive": "advanced"}, r2={"drive": "advanced"}), "r2", "squadron r1"
        )
        == ""
    )


@pytest.mark.parametrize(
    ("ships", "why"),
    [
        ([hull("r2", 200, 203.5, 12, 10)], "more than 3 MU"),
        ([hull("r2", 200, 202, 1, 10)], "do not match r1's"),
        ([hull("r2", 200, 202, 12, 9)], "do not match r1's"),
        ([hull("r2", 200, 202, 12, 10, thrust=0)], "with their own drives"),
    ],
)
def test_ship_out_of_place_does_not_join(ships: list[dict[str, Any]], why: str) -> None:
    assert why in plot_fault_text(table(hull("r1", 200, 200, 12, 10), *ships), "r2", "squadron r1")


def test_leader_is_another_ship_of_the_side() -> None:
    document = table(hull("r1", 200, 200), blue=[hull("b1", 201, 200)])
    for name in ("b1", "r1", "nobody"):
        assert "another ship of its side" in plot_fault_text(document, "r1", f"squadron {name}")


@pytest.mark.parametrize(("leads", "size"), [({"mass": 60}, 7), ({"mass": 44}, 4)])
def test_four_ships_or_six_escorts_around_a_larger_one(leads: dict[str, int], size: int) -> None:
    ring = [hull(f"r{n}", 200 + n / 4, 200, 12, 10, mass=44) for n in range(2, 10)]
    document = table(hull("r1", 200, 200, 12, 10, **leads), *ring)
    battle = fly(document, {f"r{n}": "squadron r1" for n in range(2, 10)})
    formed = [ship.id for ship in battle.state.ships if "squadron:r1" in ship.facts()]
    assert formed == [f"r{n}" for n in range(2, size + 1)]
    assert all("no room" in event.reason for event in events_of(battle, "order-refused"))


def test_squadron_of_four_takes_one_larger_ship() -> None:
    ships = [hull(f"r{n}", 200 + n / 4, 200, 12, 10, mass=44) for n in range(2, 6)]
    document = table(hull("r1", 200, 200, 12, 10), *ships, hull("r6", 200, 201, 12, 10))
    battle = fly(document, {f"r{n}": "squadron r1" for n in (6, 2, 3, 4, 5)})
    assert "no room" in events_of(battle, "order-refused")[0].reason
    assert events_of(battle, "order-refused")[0].ship == "r6", (
        "after four escorts a cruiser is one too many"
    )


def test_led_ship_has_no_move_of_its_own_until_it_leaves() -> None:
    battle = fly(three_abreast(), JOIN, {"r2": "S1"}, {"r2": "alone; S1", "r1": "+2"})
    refused = events_of(battle, "order-refused")
    assert [(event.turn, event.ship) for event in refused] == [(2, "r2")]
    assert "follows the plot of r1" in refused[0].reason
    assert at(battle, "r2").course == 1
    assert (at(battle, "r1").course, at(battle, "r1").velocity, at(battle, "r3").velocity) == (
        12,
        12,
        12,
    )


@pytest.mark.parametrize("text", ["squadron r1; S1", "squadron r1; roll", "squadron r1; ftl"])
def test_joining_ship_flies_no_plot_of_its_own(text: str) -> None:
    assert "follows the plot of r1" in plot_fault_text(three_abreast(), "r2", text)


def test_contradictory_words_are_refused() -> None:
    assert "not in a squadron" in plot_fault_text(three_abreast(), "r2", "alone")
    assert "alone and in a squadron" in plot_fault_text(three_abreast(), "r2", "alone; squadron r1")
    assert plot_fault_text(three_abreast(), "r2", "squadron r1; scan b1") == "", (
        "other words are each ship's own"
    )


def test_nobody_follows_a_follower() -> None:
    battle = fly(three_abreast(), {"r2": "squadron r1"}, {"r3": "squadron r2", "r1": "squadron r3"})
    assert {event.ship: event.reason for event in events_of(battle, "order-refused")} == {
        "r3": "r2 already follows a squadron leader",
        "r1": "it leads a squadron itself",
    }


def test_squadron_cannot_jump_or_use_emergency_thrust() -> None:
    battle = fly(three_abreast("emergency-thrust"), JOIN, {"r1": "et; +9"}, {"r1": "ftl"})
    assert len(events_of(battle, "order-refused")) == 2
    assert all(
        "must leave it first" in event.reason for event in events_of(battle, "order-refused")
    )


@pytest.mark.rule("pc.rolling")
def test_all_roll_with_the_leader() -> None:
    battle = fly(three_abreast(), {**JOIN, "r1": "roll"})
    assert [at(battle, name).facts()["rolled"] for name in ("r1", "r2", "r3")] == [1, 1, 1]


def test_squadron_breaks_up_without_its_leader() -> None:
    document = table(
        *(hull(f"r{n}", 200 + n, 395, 12, 10, lost=[]) for n in (1, 2)), hull("r3", 200, 200)
    )
    document["sides"][0]["ships"][0]["at"] = [201, 397]
    battle = fly(document, {"r2": "squadron r1"}, {})
    assert at(battle, "r1").status == "left"
    assert "squadron:r1" not in at(battle, "r2").facts() or at(battle, "r2").status == "left"


@pytest.mark.rule("pc.vector")
def test_vector_squadron_shares_its_drift() -> None:
    battle = fly(three_abreast("vector"), {**JOIN, "r1": "TP3 MD6"})
    lead = at(battle, "r1")
    assert spot(battle, "r2") == pytest.approx((lead.x - 2, lead.y))
    assert at(battle, "r2").drift == lead.drift


def test_everybody_learns_formations_by_known_names() -> None:
    document = three_abreast()
    for number, ship in enumerate(document["sides"][0]["ships"]):
        ship["contact"] = f"x{number}"
    battle = fly(document, {**JOIN, "r1": "S1"}, {"r3": "alone"})
    blue_log = side_log(battle.events, start(document).state, 1)
    lines = [(line["ship"], line["by"]) for line in blue_log if line["event"] == "squadron"]
    assert lines == [("x1", "x0"), ("x2", "x0"), ("x2", "")]
    assert all(not contact.record.squadron for contact in observe(battle.state, 1).contacts), (
        "on its sheet it is private"
    )
