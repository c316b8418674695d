"""Threshold checks of Continuum: several rows at once, modifiers of systems, drives, holds, flaws."""

from __future__ import annotations

import pytest

from engine.continuum.damage import rows_ended
from engine.core.terms import DRIVE_DAMAGE
from engine.notation.designs import load_sheet
from tests.engine.control.hulls import battle, damage_ship, design, lost_systems, ship


@pytest.mark.rule("pc.thresholds")
def test_two_rows_at_once_make_one_check() -> None:
    state = battle([ship("n1", hull=design("screen screen"))]).state
    (check,) = damage_ship(state, "n1", 7, threshold=[4, 3, 6, 1])  # firecon, two screens, drive
    assert (check.row, check.loses_on) == (2, 4)
    assert check.lost == ("firecon-1", "screen-2")
    assert state.ship_by_name("n1").screens == 1
    (check,) = damage_ship(state, "n1", 3, threshold=[3, 4])
    assert (check.row, check.loses_on, check.lost) == (3, 4, ("drive",))


@pytest.mark.rule("pc.thresholds")
def test_each_row_lowers_the_number_until_the_fifth() -> None:
    state = battle([ship("n1", hull=design(boxes=24, rows=6))]).state
    for row, needed in enumerate((6, 5, 4, 3, 2), 1):
        (check,) = damage_ship(state, "n1", 4, threshold=[1, 1])
        assert (check.row, check.loses_on) == (row, needed)
    assert [event.kind for event in damage_ship(state, "n1", 4)] == ["destroyed"]


@pytest.mark.rule("pc.thresholds")
def test_drive_is_halved_then_lost_and_thrust_1_lost_at_once() -> None:
    state = battle([ship("n1", hull=design(thrust=5)), ship("n2", 40, hull=design(thrust=1))]).state
    damage_ship(state, "n1", 3, threshold=[1, 6])
    assert (lost_systems(state.ship_by_name("n1")), state.ship_by_name("n1").thrust) == (
        ["drive"],
        2,
    )
    damage_ship(state, "n1", 3, threshold=[1, 6])
    assert (lost_systems(state.ship_by_name("n1")), state.ship_by_name("n1").thrust) == (
        ["drive", "drive"],
        0,
    )
    damage_ship(state, "n2", 3, threshold=[1, 6])
    assert state.ship_by_name("n2").thrust == 0


@pytest.mark.rule("pc.thresholds")
def test_drive_damage_rolls_twice_after_two_rows() -> None:
    state = battle([ship("n1"), ship("n2", 40), ship("n3", 50)], DRIVE_DAMAGE).state
    (check,) = damage_ship(state, "n1", 6, phase_13=True, threshold=[1, 4, 6])
    assert check.rolls == (("firecon-1", 1), ("drive", 4), ("drive", 6))
    assert state.ship_by_name("n1").thrust == 0
    (check,) = damage_ship(state, "n2", 6, threshold=[1, 4])  # another phase: once
    assert check.lost == ("drive",)
    (check,) = damage_ship(state, "n3", 3, phase_13=True, threshold=[1, 6])  # one row: once
    assert check.lost == ("drive",)


@pytest.mark.rule("pc.thresholds")
def test_used_single_shot_is_not_rolled() -> None:
    state = battle(
        [ship("n1", hull=design("submunition submunition"), stock={"submunition-1": 0})]
    ).state
    (check,) = damage_ship(state, "n1", 3, threshold=[1, 6, 1])
    assert [name for name, _ in check.rolls] == ["firecon-1", "submunition-2", "drive"]
    assert check.lost == ("submunition-2",)


@pytest.mark.rule("pc.thresholds")
@pytest.mark.rule("pc.sensors")
def test_fine_sensors_fail_a_point_earlier_and_on_a_six_for_good() -> None:
    state = battle([ship("n1", hull=design("enhanced-sensors superior-sensors"))]).state
    check, marked = damage_ship(state, "n1", 3, threshold=[1, 5, 6, 1])
    assert check.lost == ("enhanced-sensors-1", "superior-sensors-1")
    assert (marked.kind, marked.note) == ("marked", "irreparable:superior-sensors-1")
    assert "irreparable:enhanced-sensors-1" not in state.ship_by_name("n1").facts()


@pytest.mark.rule("pc.thresholds")
def test_suicide_charge_is_as_protected_as_core_systems() -> None:
    state = battle([ship("n1", hull=design("suicide-charge"))]).state
    (check,) = damage_ship(state, "n1", 3, threshold=[1, 1])
    assert [name for name, _ in check.rolls] == ["firecon-1", "drive"]
    (check,) = damage_ship(state, "n1", 3, threshold=[1, 6, 1])
    assert check.lost == ("suicide-charge-1",)


@pytest.mark.rule("pc.thresholds")
def test_last_box_ends_no_row() -> None:
    hit = battle([ship("n1", damage=8)]).state.ship_by_name("n1")
    hit.damage = 12
    assert rows_ended(hit, 8) == [2]
    assert [end for end, _ in hit.profile.row_ends] == [3, 6, 9]


@pytest.mark.rule("pc.cargo")
def test_as_many_holds_as_fail_are_lost_largest_first() -> None:
    hull = design("hold:mass=5 hold:mass=20 hold:mass=10 passengers:mass=2", kind="merchant")
    fought = battle([ship("n1", hull=hull)])
    (check,) = damage_ship(fought.state, "n1", 3, threshold=[1, 6, 1, 6, 1, 1])
    assert check.lost == ("hold-2", "hold-3")
    cargo = fought.to_json()["ships"]["n1"]["cargo_left"]
    assert cargo == "13/43"  # a berth of 2 mass has room for 8
    (check,) = damage_ship(fought.state, "n1", 3, threshold=[1, 6, 1, 1])
    assert check.lost == ("hold-1",)


@pytest.mark.rule("pc.flawed-design")
@pytest.mark.parametrize(
    ("mass", "rows", "die", "gone"), [(80, 1, 6, True), (80, 1, 5, False), (91, 2, 6, True)]
)
def test_flawed_design_explodes_when_its_flaw_is_hit(
    mass: int, rows: int, die: int, gone: bool
) -> None:
    hull = design(mass=mass, flawed=True)
    state = battle([ship("n1", hull=hull)], "flawed-designs").state
    check, *end = damage_ship(state, "n1", 3 * rows, threshold=[1, 1, die])
    assert check.rolls[-1] == ("flawed-design", die)
    assert (state.ship_by_name("n1").status == "destroyed") == gone
    assert [event.cause for event in end] == ["flawed-design"] * gone


@pytest.mark.rule("pc.flawed-design")
def test_capital_ship_flaw_is_protected() -> None:
    state = battle([ship("n1", hull=design(mass=91, flawed=True))], "flawed-designs").state
    (check,) = damage_ship(state, "n1", 3, threshold=[1, 1])
    assert [name for name, _ in check.rolls] == ["firecon-1", "drive"]
    assert load_sheet(design(mass=91, flawed=True), options=("flawed-designs",)).flawed
