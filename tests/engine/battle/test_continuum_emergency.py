"""Emergency thrust: what it allows, its dice, drive damage, and the rulebook's examples."""

from __future__ import annotations

import pytest

from engine.battle import Battle
from engine.continuum.drives import emergency_dice_count
from tests.engine.battle.continuum_hulls import (
    fly,
    hull,
    plot,
    plot_fault_text,
    ship_with_notes,
    table,
)
from tests.engine.battle.table import at, events_of

pytestmark = pytest.mark.rule("pc.emergency-thrust")

AGREED = ("emergency-thrust",)
CRUISER = hull("r1", 200, 200, 12, 8, thrust=4)
DOCUMENT = table(CRUISER, options=AGREED)


def fly_with_emergency_thrust(text: str, *dice: int) -> Battle:
    return fly(DOCUMENT, {"r1": text}, emergency_thrust=list(dice))


def test_emergency_thrust_needs_agreement_and_need() -> None:
    assert "emergency thrust is not allowed" in plot_fault_text(table(CRUISER), "r1", "et; P3+3")
    assert "needs no emergency thrust" in plot_fault_text(DOCUMENT, "r1", "et; P2+2")
    assert "uses 6 thrust; the limit is 4" in plot_fault_text(DOCUMENT, "r1", "P3+3"), (
        "and to be said"
    )
    assert "'else' applies when" in plot_fault_text(DOCUMENT, "r1", "P1; else P1")


@pytest.mark.parametrize(("thrust", "most"), [(4, 6), (3, 4), (2, 3), (1, 1)])
def test_emergency_thrust_is_half_the_rating_rounded_down(thrust: int, most: int) -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=thrust), options=AGREED)
    if most > thrust:
        assert plot_fault_text(document, "r1", f"et; +{most}") == ""
    assert f"uses {most + 1} thrust; the limit is {most}" in plot_fault_text(
        document, "r1", f"et; +{most + 1}"
    )


def test_emergency_thrust_can_all_be_used_for_turns() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=6), options=AGREED)
    assert plot_fault_text(document, "r1", "et; S6+3") == ""
    assert "with thrust 6 the limit is now 6" in plot_fault_text(document, "r1", "et; S7")


def test_example_2_and_3_ship_flies_as_plotted() -> None:
    battle = fly_with_emergency_thrust("et; P3+3", 2, 3)
    ship = at(battle, "r1")
    assert (ship.course, ship.velocity, ship.thrust) == (9, 11, 4)
    tried = events_of(battle, "emergency-thrust")[0]
    assert (tried.dice, tried.score, tried.outcome, tried.hits) == ((2, 3), 0, "held", 0)


def test_example_1_and_5_ship_flies_as_plotted_with_half_drive() -> None:
    battle = fly_with_emergency_thrust("et; P3+3", 1, 5)
    ship = at(battle, "r1")
    assert (ship.course, ship.velocity, ship.thrust) == (9, 11, 2)
    assert ship.lost_systems() == ("drive",)
    assert events_of(battle, "emergency-thrust")[0].outcome == "strained"


def test_example_4_and_5_ship_deviates_with_half_drive() -> None:
    battle = fly_with_emergency_thrust("et; P3+3; else P2+2", 4, 5)
    ship = at(battle, "r1")
    assert (ship.course, ship.velocity, ship.thrust) == (10, 10, 2)
    assert events_of(battle, "emergency-thrust")[0].outcome == "failed"
    assert not events_of(battle, "order-refused")


def test_example_6_and_6_ship_deviates_and_loses_its_drive() -> None:
    battle = fly_with_emergency_thrust("et; P3+3; else P2+2", 6, 6)
    ship = at(battle, "r1")
    assert (ship.course, ship.velocity, ship.thrust) == (10, 10, 0)
    assert ship.lost_systems() == ("drive", "drive")
    assert events_of(battle, "emergency-thrust")[0].outcome == "burnt-out"


def test_ship_without_alternative_holds_course_and_velocity() -> None:
    ship = at(fly_with_emergency_thrust("et; P3+3", 4, 4), "r1")
    assert (ship.course, ship.velocity) == (12, 8)


def test_alternative_plot_uses_normal_thrust() -> None:
    assert plot_fault_text(DOCUMENT, "r1", "et; P3+3; else P2+2") == ""
    assert "'else': uses 5 thrust; the limit is 4" in plot_fault_text(
        DOCUMENT, "r1", "et; P3+3; else P2+3"
    )
    assert "'else': velocity 8 cannot be reduced by 9" in plot_fault_text(
        table(hull("r1", 200, 200, 12, 8, thrust=9), options=AGREED), "r1", "et; P5; else -9"
    )


@pytest.mark.parametrize(
    ("text", "before", "dice"),
    [
        ("et; P3+3", 0, 2),
        ("et; P3+1", 0, 1),
        ("et; +5", 0, 1),
        ("et; S3+1", 1, 2),
        ("et; P3+3", 3, 5),
    ],
)
def test_one_die_for_each_limit_passed_and_each_earlier_use(
    text: str, before: int, dice: int
) -> None:
    state, ship = ship_with_notes("r1", DOCUMENT, emergency_thrusts=before)
    assert emergency_dice_count(ship, plot(text), state.turn) == dice


def test_example_after_s3_and_1_two_dice_are_rolled() -> None:
    battle = fly(DOCUMENT, {"r1": "et; P3+3"}, {"r1": "et; S3+1"}, emergency_thrust=[2, 3, 1, 1])
    assert [event.dice for event in events_of(battle, "emergency-thrust")] == [(2, 3), (1, 1)]
    assert at(battle, "r1").facts()["emergency-thrusts"] == 2


def test_halved_drive_is_lost_with_another_hit() -> None:
    document = table(hull("r1", 200, 200, 12, 8, thrust=4, lost=["drive"]), options=AGREED)
    assert "uses 4 thrust; the limit is 3" in plot_fault_text(document, "r1", "et; +4")
    battle = fly(document, {"r1": "et; +3"}, emergency_thrust=[5])
    assert (at(battle, "r1").velocity, at(battle, "r1").thrust) == (11, 0)
    battle = fly(table(hull("r1", 9, 9, 12, 8, thrust=4, lost=["drive"]), options=AGREED), {"r1": "et; S2+1"},
                 emergency_thrust=[6, 6])  # fmt: skip
    assert events_of(battle, "emergency-thrust")[0].hits == 1, "there is no more of it to lose"


def test_roll_takes_effect_where_emergency_thrust_fails() -> None:
    battle = fly(table(hull("r1", 200, 200, 12, 8, thrust=6), options=AGREED), {"r1": "et; roll; P3; else P2"},
                 emergency_thrust=[6])  # fmt: skip
    assert at(battle, "r1").facts()["rolled"] == 1
    assert at(battle, "r1").course == 10


@pytest.mark.rule("pc.vector")
def test_vectors_apply_it_to_main_drive_and_thrusters() -> None:
    document = table(CRUISER, options=(*AGREED, "vector"))
    assert "with thrust 4 the limit is now 2" in plot_fault_text(document, "r1", "TP1 PS2")
    assert plot_fault_text(document, "r1", "et; TP1 MD6 PS2") == ""
    state, ship = ship_with_notes("r1", document)
    assert emergency_dice_count(ship, plot("et; TP1 MD6 PS2"), state.turn) == 2
    battle = fly(document, {"r1": "et; TP3 MD6; else MD2"}, emergency_thrust=[6])
    assert at(battle, "r1").velocity == 10
