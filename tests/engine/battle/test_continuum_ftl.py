"""FTL in Continuum: warming up, leaving in mid-move, scattered entry, and effects on ships nearby."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle import Battle
from engine.continuum.ftl import jump
from engine.core.geometry import COURSES
from engine.core.kinds import DESTROYED, FIGHTING, FTL, HULK, INBOUND, LEFT_TABLE
from engine.core.table import Table
from engine.order_requests.plot import plot_faults
from tests.engine.battle.continuum_hulls import fly, hull, plot, plot_fault_text, table
from tests.engine.battle.table import at, events_of, play, scripted

JUMP = {"r1": "ftl"}
exits = pytest.mark.rule("pc.ftl-exit")
entries = pytest.mark.rule("pc.ftl-entry")


def leaving(*near: dict[str, Any], **dice: list[int]) -> Battle:
    """Return a ship that leaves under FTL at 200, 215, with these ships near."""
    document = table(hull("r1", 200, 200, 12, 10), *near, hull("r9", 9, 9))
    return fly(document, JUMP, {}, **dice)


@exits
def test_warming_ship_neither_thrusts_nor_rolls() -> None:
    document = table(hull("r1", 200, 200, 12, 10))
    for text in ("ftl; P1", "ftl; +1"):
        assert "cannot use thrust" in plot_fault_text(document, "r1", text)
    assert "cannot roll" in plot_fault_text(document, "r1", "ftl; roll")
    assert "no working FTL drive" in plot_fault_text(
        table(hull("r1", 200, 200, ftl="none")), "r1", "ftl"
    )


@exits
def test_warming_ship_fires_nothing_offensive_and_everybody_sees_it() -> None:
    document = table(hull("r1", 200, 200), blue=[hull("b1", 200, 210)])
    battle = play(
        document, [{"plot": JUMP, "engage": {"r1": [{"weapon": "beam-1", "target": "b1"}]}}]
    )
    assert events_of(battle, "ftl-warming")[0].ship == "r1"
    assert events_of(battle, "shot-refused")[0].reason == "its ship cannot fire this turn"


@exits
def test_leaving_ship_uses_no_thrust() -> None:
    warm = fly(table(hull("r1", 200, 200, 12, 10)), JUMP)
    assert "cannot use thrust" in plot_faults(warm.state, at(warm, "r1"), plot("S1"))[0]
    assert plot_faults(warm.state, at(warm, "r1"), plot("roll"))


@exits
def test_ship_leaves_in_the_middle_of_its_move_after_all_others() -> None:
    battle = leaving(hull("r2", 300, 300, 12, 4))
    ship = at(battle, "r1")
    assert (ship.status, ship.x, ship.y) == (FTL, 200, 215)
    exit_event = events_of(battle, "ftl-exit")[0]
    assert (exit_event.die, exit_event.outcome, exit_event.near) == (0, "safe", ())
    assert [event.kind for event in battle.events if event.turn == 2][-2:] == [
        "ftl-exit",
        "turn-ended",
    ]


@exits
def test_only_ships_and_asteroids_make_a_jump_dangerous() -> None:
    rocks = [{"at": [205, 215], "radius": 1}]
    document = {**table(hull("r1", 200, 200, 12, 10), hull("r9", 9, 9)), "asteroids": rocks}
    assert events_of(fly(document, JUMP, {}, ftl=[2], damage=[1]), "ftl-exit")[0].near == (
        "rock-1",
    )


@exits
def test_nearby_hulk_makes_a_jump_dangerous() -> None:
    state = fly(
        table(hull("r1", 200, 200, 12, 10), hull("r2", 203, 215), hull("r9", 9, 9)), JUMP
    ).state.copy()
    state.ship_by_name("r2").status = HULK
    jump(Table(state, scripted(ftl=[6]), turn=2), state.ship_by_name("r1"))
    assert (state.ship_by_name("r1").status, state.ship_by_name("r2").damage) == (DESTROYED, 0)


@exits
def test_die_of_1_keeps_the_ship_here() -> None:
    battle = leaving(hull("r2", 203, 215), ftl=[1])
    ship = at(battle, "r1")
    assert (ship.status, ship.x, ship.y, ship.velocity) == (FIGHTING, 200, 220, 10)
    assert not ship.warm, "it has to warm up anew"


@exits
@pytest.mark.parametrize("die", [2, 3, 4])
def test_die_of_2_to_4_hurts_it_past_its_armour_and_it_leaves(die: int) -> None:
    battle = fly(
        table(hull("r1", 200, 200, 12, 10, armour=[[5, 0]]), hull("r2", 203, 215), hull("r9", 9, 9)),
        JUMP, {}, ftl=[die], damage=[5], threshold=[1] * 4,
    )  # fmt: skip
    ship = at(battle, "r1")
    assert (ship.status, ship.damage, ship.armour) == (FTL, 5, ((5, 0),))
    assert events_of(battle, "ftl-exit")[0].outcome == "strained"
    assert events_of(battle, "threshold")[0].row == 1, "its systems are checked where it has gone"
    assert at(battle, "r2").damage == 0


@exits
def test_ship_that_does_not_survive_is_destroyed() -> None:
    document = table(
        hull("r1", 200, 200, 12, 10, damage=17), hull("r2", 203, 215), hull("r9", 9, 9)
    )
    assert at(fly(document, JUMP, {}, ftl=[4], damage=[3]), "r1").status == DESTROYED


@exits
@pytest.mark.parametrize("die", [5, 6])
def test_die_of_5_or_6_destroys_it_and_hurts_ships_nearby(die: int) -> None:
    near = [hull("r2", 203, 215, armour=[[9, 0]]), hull("r3", 200, 221), hull("r4", 200, 221.5)]
    battle = leaving(*near, ftl=[die], damage=[1, 2, 2, 2])
    assert at(battle, "r1").status == DESTROYED
    assert [at(battle, name).damage for name in ("r2", "r3", "r4")] == [3, 4, 0], (
        "6 MU is near, more is not"
    )
    assert at(battle, "r2").armour == ((9, 0),)


@exits
def test_ship_with_lost_drive_stays() -> None:
    document = table(hull("r1", 200, 200, 12, 10))
    state = fly(document, JUMP).state.copy()
    ship = state.ship_by_name("r1")
    ship.alive[ship.profile.ftl] = 0
    jump(Table(state, scripted(), turn=2), ship)
    assert (ship.status, ship.y, ship.warm) == (FIGHTING, 220, False)


@exits
@entries
def test_advanced_drive_rolls_no_die() -> None:
    document = table(
        hull("r1", 200, 200, 12, 10, ftl="advanced"), hull("r2", 203, 215), hull("r9", 9, 9)
    )
    assert at(fly(document, JUMP, {}), "r1").status == FTL
    coming = {**hull("r1", 200, 200, 12, 10, ftl="advanced"), "ftl_entry": 1}
    battle = fly(table(coming, hull("r2", 203, 200)), {})
    ship = at(battle, "r1")
    assert (ship.status, ship.x, ship.y) == (FIGHTING, 200, 200)


@exits
@pytest.mark.rule("pc.vector")
def test_vector_ship_leaves_half_way_along_its_drift() -> None:
    document = table({**hull("r1", 200, 200, 3, 9), "facing": 12}, options=("vector",))
    battle = fly(document, JUMP, {})
    assert (at(battle, "r1").x, at(battle, "r1").y) == (213.5, 200)


@exits
def test_nobody_jumps_within_the_hyper_limit() -> None:
    document = table(hull("r1", 200, 200), options=("no-ftl",))
    assert "gravity well" in plot_fault_text(document, "r1", "ftl")


def coming(
    *more: dict[str, Any], options: tuple[str, ...] = (), **ship_keys: Any
) -> dict[str, Any]:
    """Return ships that drop out of FTL side by side in turn 2."""
    ships = [
        {**hull(f"r{n}", 190 + 10 * n, 200, 3, 6, **ship_keys), "ftl_entry": 2} for n in (1, 2)
    ]
    return table(*ships, *more, options=options)


@entries
def test_example_adjacent_ships_scatter_by_their_own_dice() -> None:
    battle = fly(coming(), {}, {}, direction=[6, 10], distance=[4, 5])
    a, b = at(battle, "r1"), at(battle, "r2")
    assert (a.x, a.y) == pytest.approx((200, 196))
    assert (b.x, b.y) == pytest.approx((210 + 5 * COURSES[10][0], 200 + 5 * COURSES[10][1]))
    assert (a.course, a.velocity, a.status) == (3, 6, FIGHTING)


@entries
def test_ftl_entry_is_the_ships_move_for_that_turn() -> None:
    battle = fly(coming(), {}, {}, {}, direction=[12, 12], distance=[1, 1], ftl=[], damage=[])
    assert [
        (event.ship, event.turn) for event in events_of(battle, "moved") if event.ship == "r1"
    ] == [("r1", 3)]
    assert at(battle, "r1").x == 206


@entries
def test_entry_markers_are_placed_when_orders_are_revealed() -> None:
    battle = fly(coming(), {}, {}, direction=[12, 12], distance=[1, 1])
    second_turn_kinds = [event.kind for event in battle.events if event.turn == 2]
    assert second_turn_kinds[:2] == ["ftl-entry", "ftl-entry"]
    assert events_of(battle, "ftl-entry")[0].at == (200, 200)
    assert at(fly(coming(), {}), "r1").status == INBOUND


@entries
def test_ships_move_before_entries_and_entries_before_exits() -> None:
    document = coming(hull("r3", 100, 100, 12, 10))
    battle = fly(document, {"r3": "ftl"}, {}, direction=[12, 12], distance=[1, 1])
    order = [
        event.kind
        for event in battle.events
        if event.turn == 2 and event.kind in ("moved", "arrived", "ftl-exit")
    ]
    assert order == ["moved", "arrived", "arrived", "ftl-exit"], "b1 moves, two come, one goes"


@entries
def test_option_multiplies_a_6_by_another_die() -> None:
    near = fly(coming(), {}, {}, direction=[12, 12], distance=[6, 1])
    assert at(near, "r1").y == 206
    far = fly(coming(options=("ftl-scatter",)), {}, {}, direction=[12, 12], distance=[6, 5, 1])
    assert at(far, "r1").y == 230


@entries
def test_ship_entering_beyond_the_edge_is_out() -> None:
    edge = {**hull("r1", 200, 398, 3, 6), "ftl_entry": 1}
    battle = fly(table(edge, hull("r2", 9, 9)), {}, direction=[12], distance=[3])
    assert at(battle, "r1").status == LEFT_TABLE
    assert not events_of(battle, "arrived")[0].on_table


@entries
def test_nearby_ships_and_the_entering_ship_are_hurt_past_armour() -> None:
    near = hull("r3", 203, 201, armour=[[9, 0]])
    document = coming(near, armour=[[9, 0]])
    document["sides"][0]["ships"].pop(1)
    battle = fly(document, {}, {}, direction=[12], distance=[1], ftl=[4], damage=[2, 1])
    assert (at(battle, "r1").damage, at(battle, "r3").damage) == (4, 3)
    assert at(battle, "r1").armour == at(battle, "r3").armour == ((9, 0),)


@entries
def test_its_own_6_is_multiplied_by_another_die() -> None:
    document = table(
        {**hull("r1", 200, 200), "ftl_entry": 1}, hull("r3", 203, 201), hull("r9", 9, 9)
    )
    battle = fly(
        document, {}, direction=[12], distance=[1], ftl=[6], damage=[3, 1, 1], threshold=[1] * 4
    )
    assert at(battle, "r1").damage == 18
    assert events_of(battle, "threshold")[0].rolls


@entries
def test_nothing_nearby_needs_no_die() -> None:
    battle = fly(coming(), {}, {}, direction=[12, 12], distance=[1, 1])
    assert [at(battle, name).damage for name in ("r1", "r2")] == [0, 0]
