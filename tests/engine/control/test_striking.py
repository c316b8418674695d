"""Striking the colours: which rolls surrender, to whom, and what happens to the ship."""

from __future__ import annotations

from typing import Any

import pytest

from engine.continuum.aiming import may_be_shot
from engine.core.errors import RuleViolations
from engine.core.kinds import ShipStatus
from engine.core.state import BattleState
from engine.core.victory import scored_percentage, sole_side
from engine.documents import replay
from engine.view.side_log import side_log
from engine.view.side_view import observe
from tests.engine.control.hulls import battle, damage_ship, design, resolve_next, ship

OPTION, LATE = "striking", "late-striking"
OWN_SHIPS = [ship("n1"), ship("n2", 60)]


def checked(state: BattleState, points: int = 3, **dice: Any) -> list[Any]:
    """Return the results of a blow that ends rows of n1."""
    return damage_ship(state, "n1", points, **dice)


def kinds(events: list[Any]) -> list[str]:
    return [event.kind for event in events]


@pytest.mark.rule("pc.morale")
def test_six_at_the_end_of_the_first_row_surrenders_to_the_nearest_enemy() -> None:
    state = battle(OWN_SHIPS, OPTION, foes=[ship("f1", 50), ship("f2", 20)]).state
    initial_state = state.copy()
    events = checked(state, threshold=[1, 1], morale=[6])
    assert kinds(events) == ["threshold", "taken-over", "colours-struck"]
    assert events[0].rolls == (("firecon-1", 1), ("drive", 1), ("colours", 6))
    assert events[0].lost == ()
    ours = state.ship_by_name("n1")
    assert (ours.status, state.sides[ours.commander], state.sides[ours.owner]) == (
        "struck",
        "blue",
        "red",
    )
    assert events[1].cause == "surrendered"
    assert ours.damage == 3
    again = replay(initial_state, events[1:]).ship_by_name("n1")
    assert (again.status, again.commander) == (ours.status, ours.commander)


@pytest.mark.rule("pc.morale")
@pytest.mark.parametrize(
    ("points", "die", "strikes"),
    [(3, 5, False), (3, 6, True), (6, 4, True), (6, 3, False)],
)
def test_odds_are_those_of_the_check(points: int, die: int, strikes: bool) -> None:
    """Two rows at once: 5 for the second, a point less for the other."""
    state = battle(OWN_SHIPS, OPTION).state
    assert (
        "colours-struck" in kinds(checked(state, points, threshold=[1, 1], morale=[die]))
    ) is strikes


@pytest.mark.rule("pc.morale")
def test_nobody_strikes_in_the_first_row_with_core_systems() -> None:
    late = battle(OWN_SHIPS, OPTION, LATE).state
    assert kinds(checked(late, threshold=[1, 1])) == ["threshold"]  # no die is rolled
    assert kinds(checked(late, threshold=[1, 1], morale=[5])) == ["threshold"]
    assert "colours-struck" in kinds(checked(late, threshold=[1, 1], morale=[5]))


@pytest.mark.rule("pc.morale")
def test_striking_needs_its_option() -> None:
    assert kinds(checked(battle(OWN_SHIPS).state, threshold=[1, 1])) == ["threshold"]
    with pytest.raises(RuleViolations):
        battle(OWN_SHIPS, LATE)


@pytest.mark.rule("pc.morale")
def test_nobody_strikes_without_a_visible_enemy() -> None:
    """Ships under a cloaking field, gone, or wrecked by the same volley are not in sight."""
    for status in (ShipStatus.CLOAKED, ShipStatus.LEFT_TABLE, ShipStatus.HULK):
        state = battle(OWN_SHIPS, OPTION, foes=[ship("f1", 40)]).state
        state.ship_by_name("f1").status = status
        assert kinds(checked(state, threshold=[1, 1])) == ["threshold"]
    state = battle(OWN_SHIPS, OPTION, foes=[ship("f1", 40), ship("f2", 90)]).state
    state.ship_by_name("f1").damage = 12
    state.sides = (*state.sides, "third")
    state.hostile = (*state.hostile, 1)
    state.ship_by_name("f2").commander = state.ship_by_name("f2").owner = 2
    state.hostile = (0b110, 0b101, 0b011)
    checked(state, threshold=[1, 1], morale=[6])
    assert state.ship_by_name("n1").commander == 2


def three(no_quarter: list[list[str]], **more: Any) -> BattleState:
    """Return red between green, which is near, and blue."""
    sides = [("red", [ship("n1")]), ("green", [ship("g1", 35)]), ("blue", [ship("b1", 60)])]
    document = [{"name": name, "ships": ships} for name, ships in sides]
    return battle([], OPTION, sides=document, no_quarter=no_quarter, **more).state


@pytest.mark.rule("pc.morale")
@pytest.mark.parametrize(
    ("no_quarter", "captor"),
    [
        ([], "green"),
        ([["red", "green"]], "blue"),
        ([["green", "red"]], "blue"),
        ([["blue", "green"]], "green"),
    ],
)
def test_sides_without_quarter_never_strike_to_each_other(
    no_quarter: list[list[str]], captor: str
) -> None:
    state = three(no_quarter)
    checked(state, threshold=[1, 1], morale=[6])
    assert state.sides[state.ship_by_name("n1").commander] == captor


@pytest.mark.rule("pc.morale")
def test_no_die_is_rolled_without_quarter() -> None:
    assert kinds(checked(three([["red", "green"], ["blue", "red"]]), threshold=[1, 1])) == [
        "threshold"
    ]


@pytest.mark.rule("pc.morale")
@pytest.mark.parametrize("pair", [["red"], ["red", "red"], ["red", "white"], "red", 7])
def test_invalid_pairs_are_faults(pair: Any) -> None:
    with pytest.raises(RuleViolations) as refused:
        battle(OWN_SHIPS, OPTION, no_quarter=[pair])
    assert [fault.where for fault in refused.value.violations] == ["no_quarter[0]"]


@pytest.mark.rule("pc.morale")
def test_quarter_is_set_only_with_striking() -> None:
    with pytest.raises(RuleViolations) as refused:
        battle(OWN_SHIPS, no_quarter=[["red", "blue"]])
    assert [fault.code for fault in refused.value.violations] == ["not-agreed"]


@pytest.mark.rule("pc.morale")
def test_docked_ships_and_their_stations_do_not_strike() -> None:
    base = ship("base", 31, 30, hull=design(kind="installation", thrust=0))
    state = battle([ship("n1", docked="base"), base], OPTION).state
    assert kinds(checked(state, threshold=[1, 1])) == ["threshold"]
    assert kinds(damage_ship(state, "base", 3, threshold=[1])) == ["threshold"]


@pytest.mark.rule("pc.morale")
def test_prize_drifts_counts_as_lost_and_can_be_fired_at() -> None:
    initial_battle = battle([ship("n1", velocity=4), ship("n2", 60)], OPTION, foes=[ship("f1", 40)])
    state = initial_battle.state
    checked(state, threshold=[1, 1], morale=[6])
    ours, friend, foe = (state.ship_by_name(name) for name in ("n1", "n2", "f1"))
    assert scored_percentage(ours) == 100
    assert may_be_shot(state, friend, ours)
    assert not may_be_shot(state, foe, ours)
    assert sole_side(state) == (False, None)
    after = resolve_next(resolve_next(initial_battle)).state.ship_by_name("n1")
    assert (after.x, after.y, after.status) == (30, 34, "struck")


@pytest.mark.rule("pc.morale")
def test_prize_is_damaged_destroyed_and_strikes_once() -> None:
    state = battle(OWN_SHIPS, OPTION).state
    checked(state, threshold=[1, 1], morale=[6])
    assert kinds(checked(state, threshold=[1, 1])) == ["threshold"]
    assert kinds(checked(state, 9)) == ["destroyed"]
    assert state.ship_by_name("n1").status == "destroyed"


@pytest.mark.rule("pc.morale")
def test_fleet_that_strikes_ends_the_battle() -> None:
    state = battle([ship("n1")], OPTION).state
    checked(state, threshold=[1, 1], morale=[6])
    assert sole_side(state) == (True, "blue")


@pytest.mark.rule("pc.morale")
def test_striking_is_public_and_the_captor_reads_the_ship() -> None:
    own = [ship("n1", contact="c1", label="cruiser"), ship("n2", 60, contact="c2", label="cruiser")]
    foes = [
        ship("f1", 30, 110, contact="c3", label="cruiser"),
        ship("f2", 90, 110, contact="c4", label="cruiser"),
    ]
    state = battle(own, OPTION, foes=foes, bogeys=True).state
    assert all(other.bogey for other in state.ships)
    before = state.copy()
    events = checked(state, threshold=[1, 1], morale=[6])
    theirs, ours = side_log(events, before, 1), side_log(events, before, 0)
    assert [line["event"] for line in theirs] == [
        "taken-over",
        "colours-struck",
    ]  # the check itself was a bogey's
    assert {line["ship"] for line in theirs} == {"c1"}
    assert [line["ship"] for line in ours] == ["n1", "n1", "n1"]
    assert "c1" in [own_ship.id for own_ship in observe(state, 1).own_ships]
    former = next(contact for contact in observe(state, 0).contacts if contact.id == "n1")
    assert former.hostile is False
