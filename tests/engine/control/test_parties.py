"""Damage control: crew, parties, possible repairs; orders read, checked, carried out and reported."""

from __future__ import annotations

from typing import Any

import pytest

from engine import stops
from engine.captains.common.doctrine import Doctrine
from engine.continuum.damage_control import control_decision_ships, repairable_systems
from engine.core.dice import Dice
from engine.core.kinds import HULK
from engine.core.state import CONTROL, PLOT
from engine.known_battle import known_battle
from engine.notation.battles import read_battle
from engine.order_requests.control import CONTROL_REQUEST
from engine.systems.outfit import parties_of, remaining_crew_factors
from engine.view.side_log import side_log
from tests.engine.control.hulls import (
    CORES,
    battle,
    damage_ship,
    design,
    events_of,
    lost_systems,
    play_to_control,
    replays,
    resolve_damage_control,
    resolve_next,
    scripted,
    ship,
)

AVERAGE = design("beam:2 screen", boxes=27)


@pytest.mark.rule("pc.damage-control")
def test_crew_factors_are_lost_with_their_boxes() -> None:
    hull = battle([ship("n1", hull=AVERAGE)]).state.ship_by_name("n1")
    assert hull.sheet.crew == (6, 12, 18, 24, 27)
    counts = []
    for damage in (0, 5, 6, 12, 18, 24, 26):
        hull.damage = damage
        counts.append(remaining_crew_factors(hull))
    assert counts == [5, 5, 4, 3, 2, 1, 1]
    merchant = battle([ship("n1", hull=design(kind="merchant"))]).state.ship_by_name("n1")
    assert parties_of(merchant) == 2  # one for every 50 mass or part of it


@pytest.mark.rule("pc.damage-control")
def test_three_parties_for_a_firecon_and_two_for_a_weapon() -> None:
    initial_battle = battle([ship("n1", hull=AVERAGE, lost=["firecon-1", "beam-1"])])
    fought = play_to_control(initial_battle)
    assert parties_of(fought.state.ship_by_name("n1")) == 5
    jobs = (("beam-1", 2), ("firecon-1", 3))  # rolled for in the order of the sheet
    ended = resolve_damage_control(fought, "n1", *jobs, dice={"repair": [3, 3]})
    assert [
        (event.system, event.parties, event.die, event.succeeded)
        for event in events_of(ended, "repair")
    ] == [
        ("firecon-1", 3, 3, True),
        ("beam-1", 2, 3, False),
    ]
    assert lost_systems(ended.state.ship_by_name("n1")) == ["beam-1"]
    assert ended.state.ship_by_name("n1").firecons == 1
    assert (ended.state.stop, ended.turn) == (PLOT, 2)
    assert replays(initial_battle, ended)


@pytest.mark.rule("pc.damage-control")
def test_same_turn_losses_are_repaired_and_drives_by_halves() -> None:
    initial_battle = battle([ship("n1", hull=design(thrust=6), lost=["drive", "drive"])])
    fought = resolve_damage_control(
        play_to_control(initial_battle), "n1", ("drive", 3), dice={"repair": [1]}
    )
    assert fought.state.ship_by_name("n1").thrust == 3
    damage_ship(fought.state, "n1", 3, threshold=[6, 1])
    fought = resolve_next(resolve_next(fought))
    assert repairable_systems(fought.state.ship_by_name("n1")) == ("firecon-1", "drive")
    fought = resolve_damage_control(
        fought, "n1", ("drive", 1), ("firecon-1", 3), dice={"repair": [3, 1]}
    )
    assert lost_systems(fought.state.ship_by_name("n1")) == []
    assert fought.state.ship_by_name("n1").thrust == 6


@pytest.mark.rule("pc.damage-control")
@pytest.mark.rule("pc.berthing")
@pytest.mark.rule("pc.cargo")
def test_people_loads_and_single_shots_are_not_repaired() -> None:
    systems = (
        "damage-control damage-control marines hold:mass=5 submunition screen enhanced-sensors"
    )
    gone = [
        "damage-control-1",
        "marines-1",
        "hold-1",
        "submunition-1",
        "screen-1",
        "enhanced-sensors-1",
    ]
    initial_battle = battle([ship("n1", hull=design(systems), lost=gone)])
    hull = initial_battle.state.ship_by_name("n1")
    hull.mark_irreparable("enhanced-sensors-1")
    assert repairable_systems(hull) == ("screen-1",)
    assert parties_of(hull) == 6  # five of the crew, one extra party that survives
    damage_ship(
        initial_battle.state, "n1", 3, threshold=[1, 6, 1]
    )  # FireCon, the other party, drive
    assert parties_of(hull) == 4  # a crew factor was lost with the third box


@pytest.mark.rule("pc.damage-control")
def test_every_order_fault_is_reported_at_once() -> None:
    fought = play_to_control(
        battle([ship("n1", hull=design("screen marines"), lost=["firecon-1", "marines-1"])])
    )
    jobs = [
        {"system": "firecon-1", "parties": 4},
        {"system": "firecon-1", "parties": 1},
        {"system": "screen-1", "parties": 1},
        {"system": "marines-1", "parties": 0},
        {"system": "warp-core", "parties": 1},
    ]
    orders: dict[str, Any] = {
        "n1": {"repairs": jobs, "dump": True, "abandon": True},
        "far": {"repairs": []},
    }
    _, faults = stops.read_orders(fought, 0, {"control": orders})
    assert [(fault.where, fault.code) for fault in faults] == [
        ("control.far", "unknown-ship"),
        ("control.n1.repairs[0].parties", "parties"),
        ("control.n1.repairs[1].system", "system-twice"),
        ("control.n1.repairs[2].system", "not-lost"),
        ("control.n1.repairs[3].system", "beyond-repair"),
        ("control.n1.repairs[3].parties", "parties"),
        ("control.n1.repairs[4].system", "unknown-system"),
        ("control.n1.repairs", "too-many-parties"),
        ("control.n1", "core-holds"),
        ("control.n1", "dump-or-abandon"),
    ]
    unread: dict[str, Any] = {
        "n1": {"repairs": ["firecon-1", {"system": "", "party": 2}], "dump": 1},
        "n2": [],
    }
    _, faults = stops.read_orders(fought, 0, {"control": unread, "plot": {}})
    assert [(fault.where, fault.code) for fault in faults] == [
        ("plot", "unknown-key"),
        ("control.n1.repairs[0]", "not-a-mapping"),
        ("control.n1.repairs[1].party", "unknown-key"),
        ("control.n1.repairs[1].system", "not-a-text"),
        ("control.n1.repairs[1].parties", "missing"),
        ("control.n1.dump", "not-a-flag"),
        ("control.n2", "unknown-ship"),
        ("control.n1.repairs[0].system", "unknown-system"),
        ("control.n1.repairs[0].parties", "parties"),
    ]


@pytest.mark.rule("pc.damage-control")
def test_faulty_entry_is_dropped_alone() -> None:
    fought = play_to_control(battle([ship("n1", lost=["firecon-1"])]))
    ended = resolve_damage_control(
        fought, "n1", ("drive", 3), ("firecon-1", 3), dice={"repair": [3]}, dump=True
    )
    (refused,) = events_of(ended, "order-refused")
    assert refused.order == "repair drive with 3; dump"
    assert refused.reason.startswith(
        "'drive' is working; 6 parties are sent, but only 5 are available; its power core is "
        "under control"
    )
    assert lost_systems(ended.state.ship_by_name("n1")) == []


@pytest.mark.rule("pc.damage-control")
def test_parties_are_assigned_in_order() -> None:
    hull = design("screen screen")
    fought = play_to_control(
        battle([ship("n1", hull=hull, lost=["firecon-1", "screen-1", "screen-2"])])
    )
    sent = (("screen-2", 3), ("screen-1", 3), ("firecon-1", 2))
    ended = resolve_damage_control(fought, "n1", *sent, dice={"repair": [2, 3]})
    (refused,) = events_of(ended, "order-refused")
    assert (refused.order, refused.reason) == (
        "repair screen-1 with 3",
        "8 parties are sent, but only 5 are available",
    )
    assert lost_systems(ended.state.ship_by_name("n1")) == ["screen-1"]


@pytest.mark.rule("pc.core-systems")
def test_core_is_dumped_despite_a_faulty_repair() -> None:
    fought = battle([ship("n1", lost=["power-core"])], CORES)
    fought = play_to_control(fought)
    ended = resolve_damage_control(fought, "n1", ("drive", 3), dice={}, dump=True)
    assert ended.state.ship_by_name("n1").status == HULK
    nothing = battle([ship("n1", lost=["power-core"])], CORES, "no-repairs")
    ended = resolve_damage_control(
        play_to_control(nothing), "n1", ("power-core", 3), dice={}, dump=True
    )
    assert (events_of(ended, "order-refused")[0].order, ended.state.ship_by_name("n1").status) == (
        "repair power-core with 3",
        HULK,
    )


@pytest.mark.rule("pc.damage-control")
def test_phase_is_held_only_if_something_can_be_done() -> None:
    assert resolve_next(resolve_next(battle([ship("n1")]))).state.stop == PLOT
    broken = ship("n1", hull=design("marines"), lost=["marines-1"])
    assert resolve_next(resolve_next(battle([broken]))).state.stop == PLOT
    assert resolve_next(resolve_next(battle([ship("n1", lost=["drive"])]))).state.stop == CONTROL
    assert (
        resolve_next(resolve_next(battle([ship("n1", lost=["drive"])], "no-repairs"))).state.stop
        == PLOT
    )
    waited = resolve_next(resolve_next(battle([ship("n1", lost=["drive"])])))
    assert stops.awaited_sides(waited) == (0,)


def test_battle_file_may_order_damage_control() -> None:
    sides = [
        {"name": "red", "ships": [ship("n1", lost=["drive"])]},
        {"name": "blue", "ships": [ship("e1", 90, 90)]},
    ]
    orders = [{"control": {"n1": {"repairs": [{"system": "drive", "parties": 3}]}}}]
    file = read_battle(
        {"edition": "continuum", "table": [120, 120], "sides": sides, "turns": orders}, {}
    )
    (turn,) = file.turns
    assert turn.of(CONTROL_REQUEST)["n1"].to_json() == orders[0]["control"]["n1"]


@pytest.mark.rule("pc.damage-control")
def test_captains_repair_the_most_important_first() -> None:
    gone = ["beam-1", "beam-2", "firecon-1", "drive"]
    fought = play_to_control(
        battle([ship("n1", hull=design("beam:3 beam:2", boxes=27), lost=gone)])
    )
    advised = stops.advise(known_battle(fought, 0), 0, Doctrine(), "x")
    assert advised == {
        "control": {
            "n1": {
                "repairs": [
                    {"system": "firecon-1", "parties": 3},
                    {"system": "drive", "parties": 2},
                ]
            }
        }
    }
    assert stops.read_orders(fought, 0, advised)[1] == ()
    after, stop = stops.resolve_documents(fought, {0: advised}, Dice(4))
    assert stop.inputs == advised["control"]
    assert after.turn == 2
    assert stops.advise(fought, 0, Doctrine(style="straight"), "x") == {"control": {}}


def test_repairs_of_identified_ships_are_public() -> None:
    foes = [
        ship("e1", 60, 30, lost=["drive"], contact="aaaa"),
        ship("e2", 80, 110, lost=["drive"], contact="bbbb"),
    ]
    initial_battle = battle([ship("n1")], foes=foes, bogeys=True)
    assert [hull.id for hull in control_decision_ships(initial_battle.state)] == [
        "e1"
    ]  # e2 is only a contact
    fought = play_to_control(initial_battle)
    assert stops.awaited_sides(fought) == (1,)
    repair = {"repairs": [{"system": "drive", "parties": 3}]}
    after, stop = stops.resolve_documents(
        fought, {1: {"control": {"e1": repair, "e2": repair}}}, scripted(repair=[1, 6])
    )
    log = side_log(stop.events, stop.before, 0)
    assert [(line["event"], line.get("ship")) for line in log] == [
        ("repair", "aaaa"),
        ("turn-ended", None),
    ]
    assert (
        len([line for line in side_log(stop.events, stop.before, 1) if line["event"] == "repair"])
        == 2
    )
    assert lost_systems(after.state.ship_by_name("e1")) == []
    own = stops.side_view(fought, 1)["own"]["e1"]
    assert (own["parties"], own["repairable"]) == (5, ["drive"])
    assert "parties" not in stops.side_view(after, 1)["own"]["e1"]


def test_unidentified_contact_needs_no_phase() -> None:
    hidden = ship("e2", 80, 110, lost=["drive"])
    assert (
        resolve_next(resolve_next(battle([ship("n1")], foes=[hidden], bogeys=True))).state.stop
        == PLOT
    )
