"""Core systems: bridges, life support, power cores; explosions, drift and recovery at a turn's end."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.battle import Battle
from engine.captains.common.doctrine import Doctrine
from engine.continuum.damage_control import repairable_systems
from engine.core.errors import RuleViolations
from engine.core.facts import FOREVER
from engine.core.kinds import HULK
from engine.core.orders import Fire, Plot
from engine.core.ship_facts import carried_over_facts
from engine.core.state import CONTROL, PLOT
from engine.core.terms import MOVING_TABLE, REACTOR_BREACH
from engine.known_battle import known_battle
from engine.movement.edges import edge_crossed
from engine.order_requests.base import TurnOrders
from engine.order_requests.engage import FireAndPursuit
from tests.engine.control.hulls import (
    CORES,
    battle,
    damage_ship,
    design,
    events_of,
    lost_systems,
    replays,
    resolve_damage_control,
    resolve_next,
    ship,
)

pytestmark = pytest.mark.rule("pc.core-systems")


def core_hit(
    *options: str, threshold: list[int], core: list[int] | None = None, **more: Any
) -> Battle:
    """Return a battle whose ship n1 has just lost core systems in the first turn's fire."""
    initial_battle = battle([ship("n1", **more)], CORES, *options)
    initial_battle = resolve_next(initial_battle)
    initial_battle.events.extend(
        damage_ship(initial_battle.state, "n1", 6, threshold=threshold, core=core or [])
    )
    return initial_battle


def test_core_systems_are_rolled_from_the_second_row_with_the_option() -> None:
    state = battle([ship("n1")], CORES).state
    (check,) = damage_ship(state, "n1", 3, threshold=[1, 1])
    assert [name for name, _ in check.rolls] == ["firecon-1", "drive"]
    check, *_ = damage_ship(state, "n1", 3, threshold=[1, 1, 5, 5, 5])
    assert check.rolls[-3:] == (("bridge", 5), ("life-support", 5), ("power-core", 5))
    assert check.lost == ()
    state = battle([ship("n1")]).state
    (check,) = damage_ship(state, "n1", 6, threshold=[1, 1])
    assert len(check.rolls) == 2


def test_ship_without_bridge_holds_course_and_fire() -> None:
    hull = design("beam:1", boxes=12)
    initial_battle = battle([ship("n1", hull=hull, velocity=6)], CORES, foes=[ship("e1", 30, 40)])
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 6, threshold=[1, 1, 1, 6, 1, 1], core=[2]))
    (hit,) = events_of(fought, "core-hit")
    assert (hit.system, hit.die, hit.value) == ("bridge", 2, 2)  # this turn and the next
    fought = resolve_next(resolve_next(fought))
    _, faults = stops.read_orders(fought, 0, {"plot": {"n1": "P1"}})
    assert faults[0].message.endswith(
        "its bridge is out of action: it takes no orders before turn 3"
    )
    fought = resolve_next(fought, TurnOrders({"plot": {"n1": Plot(turn=1)}}))
    assert [event.reason for event in events_of(fought, "order-refused")] == [
        "its bridge is out of action: it takes no orders before turn 3"
    ]
    assert (fought.state.ship_by_name("n1").course, fought.state.ship_by_name("n1").velocity) == (
        12,
        6,
    )
    fought = resolve_next(
        fought, TurnOrders({"engage": FireAndPursuit({0: [("n1", (Fire("beam-1", ("e1",)),))]})})
    )
    assert [event.reason for event in events_of(fought, "shot-refused")] == [
        "its bridge is out of action: it takes no orders before turn 3"
    ]
    fought = resolve_next(fought)
    assert (fought.state.stop, fought.turn, lost_systems(fought.state.ship_by_name("n1"))) == (
        PLOT,
        3,
        [],
    )
    back = events_of(fought, "repair")[-1]
    assert (back.system, back.parties, back.succeeded) == ("bridge", 0, True)
    assert stops.read_orders(fought, 0, {"plot": {"n1": "P1"}})[1] == ()


def test_parties_repair_a_bridge_unless_destroyed() -> None:
    fought = resolve_next(core_hit(threshold=[1, 1, 6, 1, 1], core=[5]))
    assert fought.state.stop == CONTROL
    fought = resolve_damage_control(fought, "n1", ("bridge", 3), dice={"repair": [3]})
    assert fought.state.ship_by_name("n1").facts() == {}
    fought = resolve_next(core_hit(threshold=[1, 1, 6, 1, 1], core=[6]))
    assert fought.state.stop == PLOT  # nothing to repair
    assert (
        "it takes no orders" in stops.read_orders(fought, 0, {"plot": {"n1": "+1"}})[1][0].message
    )
    assert stops.read_orders(fought, 0, {"plot": {}})[1] == ()


def test_failed_life_support_leaves_a_drifting_hulk() -> None:
    fought = core_hit(threshold=[1, 1, 1, 6, 1], core=[2], velocity=5, course=3)
    fought = resolve_next(resolve_next(fought))
    assert fought.state.ship_by_name("n1").status == "fighting"
    fought = resolve_next(resolve_next(resolve_next(fought)))
    hulk = fought.state.ship_by_name("n1")
    assert (hulk.status, events_of(fought, "derelict")[0].cause) == (HULK, "no-air")
    assert fought.state.stop == "over"  # no ship of its side is left
    assert fought.winner == "blue"


def test_life_support_repaired_in_time_works() -> None:
    fought = resolve_next(core_hit(threshold=[1, 1, 1, 6, 1], core=[1]))
    fought = resolve_damage_control(fought, "n1", ("life-support", 1), dice={"repair": [1]})
    assert (fought.state.ship_by_name("n1").status, fought.state.ship_by_name("n1").facts()) == (
        "fighting",
        {},
    )


def test_power_core_explodes_on_five_unless_stabilized() -> None:
    fought = resolve_next(core_hit(threshold=[1, 1, 1, 1, 6]))
    assert fought.state.stop == CONTROL
    next_turn = resolve_next(fought, reactor=[4])
    assert next_turn.state.ship_by_name("n1").status == "fighting"
    assert resolve_next(next_turn).state.stop == "engage"
    blown = resolve_next(fought, reactor=[5])
    assert blown.state.ship_by_name("n1").status == "destroyed"
    assert [event.cause for event in events_of(blown, "destroyed")] == ["reactor"]
    saved = resolve_damage_control(fought, "n1", ("power-core", 3), dice={"repair": [2]})
    assert (
        lost_systems(saved.state.ship_by_name("n1")),
        saved.state.ship_by_name("n1").facts(),
    ) == (
        [],
        {},
    )


def test_core_is_dumped_only_if_not_repaired() -> None:
    fought = resolve_next(core_hit(threshold=[1, 1, 1, 1, 6]))
    saved = resolve_damage_control(fought, "n1", ("power-core", 3), dice={"repair": [3]}, dump=True)
    assert saved.state.ship_by_name("n1").status == "fighting"
    dumped = resolve_damage_control(
        fought, "n1", ("power-core", 3), dice={"repair": [4]}, dump=True
    )
    hulk = dumped.state.ship_by_name("n1")
    assert (hulk.status, hulk.facts()) == (HULK, {"irreparable:power-core": 1})


def test_abandoned_core_explodes_more_easily_each_turn() -> None:
    initial_battle = battle([ship("n1", velocity=4), ship("n2", 60, 60)], CORES)
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 6, threshold=[1, 1, 1, 1, 6]))
    fought = resolve_damage_control(resolve_next(fought), "n1", dice={"reactor": [4]}, abandon=True)
    assert fought.state.ship_by_name("n1").status == HULK
    fought = resolve_next(fought)
    assert (fought.state.ship_by_name("n1").x, fought.state.ship_by_name("n1").y) == (
        30.0,
        38.0,
    )  # it flies on
    (wreck,) = [item for item in stops.side_view(fought, 1)["contacts"] if item["status"] == HULK]
    assert wreck["notes"] == {"reactor": 4}
    fought = resolve_next(fought, reactor=[3])
    fought = resolve_next(resolve_next(fought), reactor=[3])
    assert fought.state.ship_by_name("n1").status == "destroyed"
    assert [(item.needed, item.die) for item in events_of(fought, "reactor")] == [
        (5, 4),
        (4, 3),
        (3, 3),
    ]


def test_abandoned_core_explodes_when_the_battle_ends() -> None:
    initial_battle = battle([ship("n1", velocity=4)], CORES)
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 6, threshold=[1, 1, 1, 1, 6]))
    fought = resolve_damage_control(
        resolve_next(fought), "n1", dice={"reactor": [4, 3, 2, 2]}, abandon=True
    )  # no ship of its side is left
    assert (fought.state.stop, fought.winner) == ("over", "blue")
    assert fought.state.ship_by_name("n1").status == "destroyed"
    assert [event.cause for event in events_of(fought, "destroyed")] == ["reactor"]
    rolls = [(event.needed, event.die) for event in events_of(fought, "reactor")]
    assert rolls == [(5, 4), (4, 3), (3, 2), (2, 2)]


def test_abandoned_core_explodes_without_dice_by_older_rules() -> None:
    fought = resolve_next(battle([ship("n1", velocity=4)], CORES, rules="1.0"))
    fought.events.extend(damage_ship(fought.state, "n1", 6, threshold=[1, 1, 1, 1, 6]))
    fought = resolve_damage_control(resolve_next(fought), "n1", dice={"reactor": [4]}, abandon=True)
    assert fought.state.ship_by_name("n1").status == "destroyed"
    assert [event.die for event in events_of(fought, "reactor")] == [4]


def test_dumped_core_does_not_explode_at_the_end() -> None:
    initial_battle = battle([ship("n1", velocity=4)], CORES)
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 6, threshold=[1, 1, 1, 1, 6]))
    fought = resolve_damage_control(resolve_next(fought), "n1", dice={}, dump=True)
    assert (fought.state.stop, fought.state.ship_by_name("n1").status) == ("over", HULK)


def test_stationary_hulk_left_by_the_moving_table_is_gone() -> None:
    far = [ship("far", 60, 116, velocity=6)]
    initial_battle = battle(
        [ship("n1", 60, 2), ship("n2", 60, 110, velocity=6)], CORES, MOVING_TABLE, foes=far
    )
    initial_battle.state.ship_by_name("n1").status = HULK
    moved = resolve_next(initial_battle)
    (shift,) = events_of(moved, "table-moved")
    assert (shift.by_y, moved.state.ship_by_name("far").y) == (-59.0, 63.0)
    (event,) = events_of(moved, "left-table")
    assert (event.ship, event.edge, event.at, moved.state.ship_by_name("n1").status) == (
        "n1",
        "bottom",
        (60.0, 0.0),
        "left",
    )


@pytest.mark.parametrize(
    ("a", "b", "crossed"),
    [
        ((60.0, -57.0), (60.0, -57.0), ("bottom", (60.0, 0.0))),
        ((60.0, 130.0), (66.0, 127.0), ("top", (60.0, 120.0))),
        ((-5.0, 125.0), (-5.0, 125.0), ("left", (0.0, 120.0))),
        ((-30.0, 60.0), (4.0, 60.0), None),
        ((60.0, 110.0), (60.0, 130.0), ("top", (60.0, 120.0))),
    ],
)
def test_edge_of_a_path_beyond_the_table(a: Any, b: Any, crossed: Any) -> None:
    assert edge_crossed(a, b, (120.0, 120.0)) == crossed


def test_breach_of_130_mass_is_five_dice_half_through_armour() -> None:
    big = design("advanced-screen", mass=130, boxes=20)
    armoured = design("screen", mass=100, boxes=40, armour=[[4, 0], [5, 0]])
    shielded = design("advanced-screen advanced-screen", boxes=40, mass=120)
    near = [
        ship("n1", 30, 30, hull=big),
        ship("n2", 30, 33, hull=armoured),
        ship("n3", 32, 30, hull=shielded),
    ]
    initial_battle = battle([*near, ship("n4", 30, 34)], CORES, REACTOR_BREACH)
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 10, threshold=[1, 1, 1, 1, 1, 6]))
    fought = resolve_next(fought)
    dice = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    ended = resolve_next(fought, reactor=[6], damage=dice)
    assert [
        (event.ship, event.dice, event.screens, event.points)
        for event in events_of(ended, "explosion-damage")
    ] == [
        ("n2", (1, 2, 3, 4, 5), 0, 15),
        ("n3", (1, 2, 3, 4, 5), 2, 6),
    ]
    hull = ended.state.ship_by_name("n2")
    assert (hull.damage, hull.armour) == (
        6,
        ((0, 0), (0, 0)),
    )  # 8 to the outer layer, 7 to the next, the rest inside
    assert (ended.state.ship_by_name("n3").damage, ended.state.ship_by_name("n4").damage) == (6, 0)
    assert resolve_next(fought, reactor=[4]).state.ship_by_name("n2").damage == 0


def test_ships_under_25_mass_breach_without_a_blast() -> None:
    small = design(mass=20, boxes=8)
    initial_battle = battle(
        [ship("n1", 30, 30, hull=small), ship("n2", 30, 31)], CORES, REACTOR_BREACH
    )
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 4, threshold=[1, 1, 1, 1, 6]))
    assert events_of(resolve_next(resolve_next(fought), reactor=[5]), "explosion-damage") == []


def test_blast_checks_at_once_and_hit_cores_roll_next_turn() -> None:
    big = design(mass=100, boxes=20)
    initial_battle = battle(
        [ship("n1", 30, 30, hull=big), ship("n2", 30, 31)], CORES, REACTOR_BREACH
    )
    fought = resolve_next(initial_battle)
    fought.events.extend(damage_ship(fought.state, "n1", 10, threshold=[1, 1, 1, 1, 6]))
    fought = resolve_next(
        resolve_next(fought), reactor=[5], damage=[2, 2, 2, 2], threshold=[1, 1, 1, 1, 6]
    )
    assert fought.state.ship_by_name("n2").facts() == {"reactor": 5}
    assert replayed(initial_battle, fought)


def replayed(before: Battle, ended: Battle) -> bool:
    """Return the log with the test's own changes of the ship's boxes marked as the log would."""
    start = before.state.copy()
    start.ship_by_name("n1").damage = ended.state.ship_by_name("n1").damage
    return replays(Battle(before.edition, before.options, start, None, []), ended)


def test_captains_dump_the_core_of_a_disabled_ship() -> None:
    armed = design("beam:2")
    initial_battle = battle(
        [ship("n1", hull=armed), ship("n2", 60, hull=armed, lost=["firecon-1"])], CORES
    )
    fought = resolve_next(initial_battle)
    for name in ("n1", "n2"):
        dice = [1, 1, 1, 1, 1, 6] if name == "n1" else [1, 1, 1, 1, 6]
        damage_ship(fought.state, name, 6, threshold=dice)
    fought = resolve_next(fought)
    control = stops.advise(known_battle(fought, 0), 0, Doctrine(), "x")["control"]
    assert control["n1"] == {"repairs": [{"system": "power-core", "parties": 3}]}
    assert control["n2"]["dump"] is True
    assert stops.read_orders(fought, 0, {"control": control})[1] == ()


def test_crew_without_repairs_still_decides_about_its_core() -> None:
    fought = resolve_next(core_hit("no-repairs", threshold=[1, 1, 1, 1, 6]))
    assert fought.state.stop == CONTROL
    orders = {
        "control": {"n1": {"repairs": [{"system": "power-core", "parties": 3}], "dump": True}}
    }
    assert [fault.code for fault in stops.read_orders(fought, 0, orders)[1]] == ["no-repairs"]
    assert stops.advise(fought, 0, Doctrine(), "x")["control"]["n1"]["repairs"] == []
    assert (
        resolve_damage_control(fought, "n1", dice={}, dump=True).state.ship_by_name("n1").status
        == HULK
    )


def test_cores_lost_before_the_battle_continue() -> None:
    """Without notes a die gives the number of turns, the reactor is rolled for, and may be dumped."""
    gone = ["bridge", "life-support", "power-core"]
    initial_battle = battle([ship("n1", velocity=6, lost=gone)], CORES, dice={"core": [2, 3]})
    assert initial_battle.state.ship_by_name("n1").facts() == {
        "out-of-control": 2,
        "air-fails": 3,
        "reactor": 5,
    }
    assert [(hit.system, hit.die, hit.value) for hit in events_of(initial_battle, "core-hit")] == [
        ("bridge", 2, 2),
        ("life-support", 3, 3),
        ("power-core", 0, 5),
    ]
    assert (
        "it takes no orders"
        in stops.read_orders(initial_battle, 0, {"plot": {"n1": "P1"}})[1][0].message
    )
    fought = resolve_next(resolve_next(initial_battle))
    assert fought.state.stop == CONTROL
    assert stops.read_orders(fought, 0, {"control": {"n1": {"dump": True}}})[1] == ()
    assert (
        resolve_damage_control(fought, "n1", dice={}, dump=True).state.ship_by_name("n1").status
        == HULK
    )
    assert resolve_next(fought, reactor=[5]).state.ship_by_name("n1").status == "destroyed"
    later = resolve_next(resolve_next(resolve_next(resolve_next(fought, reactor=[1]))), reactor=[1])
    assert lost_systems(later.state.ship_by_name("n1")) == [
        "life-support",
        "power-core",
    ]  # two turns without command are over
    ended = resolve_next(resolve_next(resolve_next(later)), reactor=[1, 5])
    assert ended.state.ship_by_name("n1").status == "destroyed"  # no crew controls its core
    assert (
        battle([ship("n1", lost=gone)]).state.ship_by_name("n1").facts() == {}
    )  # without the option


def test_notes_of_an_earlier_battle_continue() -> None:
    notes = {
        "out-of-control": FOREVER,
        "irreparable:bridge": 1,
        "reactor": 3,
        "irreparable:firecon-1": 1,
    }
    initial_battle = battle(
        [ship("n1", lost=["bridge", "power-core", "firecon-1"], notes=notes)], CORES
    )
    assert initial_battle.state.ship_by_name("n1").facts() == notes
    fought = resolve_next(resolve_next(initial_battle))
    assert repairable_systems(fought.state.ship_by_name("n1")) == ("power-core",)
    assert carried_over_facts(
        resolve_next(fought, reactor=[2]).state.ship_by_name("n1").facts(), 1
    ) == dict(sorted(notes.items()))
    assert resolve_next(fought, reactor=[3]).state.ship_by_name("n1").status == "destroyed"
    assert carried_over_facts(
        {"out-of-control": 5, "air-fails": 3, "rolled": 1, "last-fired:x-1": 2}, 3
    ) == {"out-of-control": 2}


@pytest.mark.parametrize(
    ("notes", "why"),
    [
        ([], "a number for each note"),
        ({"cloaked": 3}, "cannot start with this note"),
        ({"reactor": 5}, "'power-core' is not lost"),
        ({"air-fails": 0}, "a number from 1 to 9999"),
        ({"irreparable:drive": 1}, "'drive' is not lost"),
        ({"irreparable:bridge": 2}, "a number from 1 to 1"),
        ({"scarred:0": 1}, "has no such armour"),
        ({"scarred:x": 1}, "has no such armour"),
        ({"out-of-control:x": 1}, "a ship has one of each"),
    ],
)
def test_note_faults_have_their_place(notes: Any, why: str) -> None:
    with pytest.raises(RuleViolations) as caught:
        battle([ship("n1", lost=["bridge", "life-support"], notes=notes)], CORES)
    (fault,) = caught.value.violations
    assert fault.where.startswith("sides[0].ships[0].notes")
    assert why in fault.message
