"""Orders judged by a faction's view: every fault of every stage, with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from campaign.kinds import StageKind
from campaign.orders.registry import ORDERS, order_keys
from campaign.orders.validation import order_violations
from campaign.rules.fleet_violations import doctrine_faults
from campaign.rules.orders import (
    Build,
    Decision,
    DeployedFleet,
    Detachment,
    Dock,
    Dummy,
    FleetSetting,
    Move,
    Orders,
    Rearming,
    Tow,
)
from campaign.rules.scenario import Entry
from campaign.rules.view import HostileContact, OpenDecision, View
from campaign.rules.world import Doctrine
from campaign.words.languages import in_language
from tests.campaign.rules import space
from tests.campaign.rules.space import FAR, HOME, OUTPOST, fleet, places_and_codes, ship

SCENARIO = space.scenario()
FULL = Orders(
    deploy=(DeployedFleet("A", "red/mobile", HOME, (("Destroyer", "X"),)),),
    settings=(FleetSetting("red/f1", doctrine=Doctrine()),),
    detach=(Detachment(("red/s1",), "red/f9"),),
    dock=(Dock("red/s1"),),
    weasels=("red/s1",),
    decide=(Decision(HOME, "blue", "fight"),),
    moves=(Move("red/f1", to=OUTPOST),),
    tow=(Tow("red/s1"),),
    dummies=(Dummy("red/d1", HOME),),
    refit=(Rearming("red/s1", "pulser-1", "short"),),
    designs=({"class": "Hunter"},),
    build=(Build(HOME, "Destroyer", "Y"),),
    cancel=("red/w1",),
)
VIEW = space.view(
    fleet("red/f1", HOME, decoys=2),
    fleet("red/f2", HOME),
    fleet("red/f3", OUTPOST),
    fleet("red/f4", "0505"),
    ship("red/s1", "red/f1", lost=("drive", "drive", "screen-1")),
    ship("red/s2", "red/f1", "Weasel"),
    ship("red/s3", "red/f2", "Guard"),
    ship("red/s4", "red/f3", "Cruiser", lost=("battery-1",)),
    ship("red/s5", "red/f3"),
    ship("red/s6", "red/f4"),
    ship("red/s7", "red/f1", "Weasel", lost=("weasel-1",)),
)


def faults(orders: Orders, view: View = VIEW, scenario: Any = SCENARIO) -> list[tuple[str, str]]:
    return places_and_codes(order_violations(scenario, view, orders))


def at(stage: Any, **changes: Any) -> View:
    return replace(VIEW, stage=stage, **changes)


@pytest.mark.parametrize("stage", list(StageKind))
def test_each_stage_accepts_only_its_orders(stage: Any) -> None:
    refused = [
        where for where, code in faults(FULL, at(stage)) if code == "not-now" and "[" not in where
    ]
    used_keys = {order.key for order in ORDERS if order.items(FULL)}
    assert sorted([*refused, *used_keys.intersection(order_keys(stage))]) == sorted(used_keys)


def test_prefix_precedes_each_place() -> None:
    violations = order_violations(SCENARIO, VIEW, Orders(moves=(Move("red/f8"),)), "orders")
    assert places_and_codes(violations) == [("orders.moves[0].fleet", "unknown-fleet")]


def test_foreign_and_missing_objects_have_equal_faults() -> None:
    own_view = space.view(
        fleet("red/f1"),
        ship("red/s1", "red/f1"),
        fleet("blue/f1", HOME),
        ship("blue/s1", "blue/f1"),
    )
    for key in ("f1", "f77"):
        orders = Orders(
            settings=(FleetSetting(f"blue/{key}", name="Ours"),),
            dock=(Dock(f"blue/{key}"),),
            moves=(Move(f"blue/{key}", to=OUTPOST),),
        )
        violations = order_violations(SCENARIO, own_view, orders)
        assert [fault.message.replace(f"blue/{key}", "it") for fault in violations] == [
            "you have no ship 'it'",
            "you have no fleet 'it'",
            "you have no fleet 'it'",
        ]


# --- fleets


@pytest.mark.rule("camp.ftl-move")
def test_moves_are_judged_separately() -> None:
    orders = Orders(
        moves=(
            Move("red/f1", to=OUTPOST),
            Move("red/f1", to="0405"),
            Move("red/f2", to=OUTPOST),
            Move("red/f3", path=("0404",)),
            Move("red/f4", to="1212"),
            Move("blue/f1", to=OUTPOST),
        )
    )
    assert faults(orders) == [
        ("moves[1].fleet", "twice"),
        ("moves[2].fleet", "cannot-jump"),
        ("moves[3].path", "goes-nowhere"),
        ("moves[4].to", "too-far"),
        ("moves[5].fleet", "unknown-fleet"),
    ]


@pytest.mark.rule("camp.ftl-move")
def test_docking_ships_hold_their_fleet_and_detached_ones_do_not() -> None:
    dock = (Dock("red/s1", ("drive", "drive")),)
    assert faults(Orders(dock=dock, moves=(Move("red/f1", to="0304"),))) == [
        ("moves[0].fleet", "cannot-jump")
    ]
    detach = (Detachment(("red/s1",), "red/f9"),)
    assert faults(Orders(detach=detach, dock=dock, moves=(Move("red/f1", to="0304"),))) == []


@pytest.mark.rule("camp.must-leave")
def test_fleet_that_must_leave_needs_a_move_if_it_can() -> None:
    leaving = replace(VIEW.fleets[0], must_leave=True, in_ftl=True)
    view = replace(VIEW, fleets=(leaving, *VIEW.fleets[1:]))
    assert faults(Orders(), view) == [("moves", "must-leave")]
    assert faults(Orders(moves=(Move("red/f1", to="0304"),)), view) == []
    assert (
        faults(
            Orders(),
            replace(view, ships=(ship("red/s1", "red/f1", lost=("ftl",)), *VIEW.ships[2:])),
        )
        == []
    )
    assert ("dock[0].ship", "no-base") in faults(Orders(dock=(Dock("red/s1", ("drive",)),)), view)


@pytest.mark.rule("camp.ftl-move")
def test_later_force_may_not_move_yet() -> None:
    waiting = space.view(fleet("red/f1", "0101"), ship("red/s1", "red/f1"))
    later = space.scenario(entries=(Entry("red", "0101", 3),))
    order = Orders(moves=(Move("red/f1", to="0102"),))
    assert faults(order, waiting, later) == [("moves[0].fleet", "not-yet")]
    assert faults(order, replace(waiting, week=3), later) == []


@pytest.mark.rule("camp.fleets")
@pytest.mark.parametrize(
    ("detach", "expected"),
    [
        (Detachment(("red/s1",), "red/f9", "Raid", 2), []),
        (Detachment(("red/s1", "red/s3"), "red/f9"), []),
        (Detachment(("red/s1",), "red/f2"), []),
        (Detachment(("red/s1",), "red/f9", decoys=3), [("detach[0].decoys", "too-many-decoys")]),
        (Detachment(("red/s1",), "red/f9", decoys=-1), [("detach[0].decoys", "too-many-decoys")]),
        (Detachment(("red/s1",), "red/f3"), [("detach[0].ships", "not-together")]),
        (Detachment(("red/s1", "red/s5"), "red/f9"), [("detach[0].ships", "not-together")]),
        (Detachment(("red/s1",), "red/f1"), [("detach[0].ships[0]", "goes-nowhere")]),
        (Detachment(("red/s1", "red/s1"), "red/f9"), [("detach[0].ships[1]", "twice")]),
        (Detachment(("blue/s1",), "red/f9"), [("detach[0].ships[0]", "unknown-ship")]),
        (Detachment((), "red/f9"), [("detach[0].ships", "no-ships")]),
        (Detachment(("red/s1",), "blue/f9"), [("detach[0].into", "bad-key")]),
        (Detachment(("red/s1",), "red/f0"), [("detach[0].into", "bad-key")]),
        (Detachment(("red/s1",), "red/f9", " "), [("detach[0].name", "no-name")]),
        (Detachment(("red/s1",), "red/f9", "two\nlines"), [("detach[0].name", "bad-name")]),
        (Detachment(("red/s1",), "red/f2", "Raid"), [("detach[0].name", "not-new")]),
    ],
)
def test_detachment_faults(detach: Detachment, expected: list[tuple[str, str]]) -> None:
    assert faults(Orders(detach=(detach,))) == expected


@pytest.mark.rule("camp.fleets")
def test_fleet_is_formed_once_and_ship_moves_once() -> None:
    detach = (
        Detachment(("red/s1",), "red/f9"),
        Detachment(("red/s1",), "red/f8"),
        Detachment(("red/s2",), "red/f9"),
    )
    assert faults(Orders(detach=detach)) == [
        ("detach[1].ships[0]", "twice"),
        ("detach[2].into", "twice"),
    ]


@pytest.mark.rule("camp.fleets")
def test_ships_in_and_outside_ftl_space_do_not_mix() -> None:
    hidden = replace(VIEW.fleets[1], in_ftl=True, must_leave=True)
    view = replace(VIEW, fleets=(VIEW.fleets[0], hidden, *VIEW.fleets[2:]))
    assert ("detach[0].ships", "not-together") in faults(
        Orders(detach=(Detachment(("red/s1",), "red/f2"),)), view
    )


def test_fleet_of_a_faulty_detachment_is_not_judged_further() -> None:
    orders = Orders(
        detach=(Detachment(("red/s1", "red/s99"), "red/f9"),),
        settings=(FleetSetting("red/f9", name="Raid"), FleetSetting("red/f8", name="Raid")),
        moves=(Move("red/f9", to="0304"), Move("red/f8", to="0304")),
    )
    assert faults(orders) == [
        ("detach[0].ships[1]", "unknown-ship"),
        ("moves[1].fleet", "unknown-fleet"),
        ("settings[1].fleet", "unknown-fleet"),
    ]


@pytest.mark.rule("camp.decoys")
@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (FleetSetting("red/f1", "Home Fleet", "withdraw", Doctrine(30, "weakest", 0), 2), []),
        (FleetSetting("red/f1", decoys_on=3), [("settings[0].decoys_on", "too-many-decoys")]),
        (FleetSetting("red/f1", decoys_on=-1), [("settings[0].decoys_on", "out-of-range")]),
        (FleetSetting("red/f2", decoys_on=1), [("settings[0].decoys_on", "too-many-decoys")]),
        (
            FleetSetting("red/f1", doctrine=Doctrine(range=0)),
            [("settings[0].doctrine.range", "out-of-range")],
        ),
        (
            FleetSetting("red/f1", doctrine=Doctrine(break_off=101)),
            [("settings[0].doctrine.break_off", "out-of-range")],
        ),
        (FleetSetting("red/f1", name="x" * 41), [("settings[0].name", "bad-name")]),
        (FleetSetting("red/f9"), [("settings[0].fleet", "unknown-fleet")]),
    ],
)
def test_setting_faults(setting: FleetSetting, expected: list[tuple[str, str]]) -> None:
    assert faults(Orders(settings=(setting,))) == expected


def test_faults_of_a_doctrine_name_its_fields() -> None:
    words = [fault.message for fault in doctrine_faults(Doctrine(range=0, break_off=101), "d")]
    assert words == [
        "the preferred range must be 1 to 54 MU",
        "the losses at which to break off must be 0 to 100%",
    ]
    with translation.override("de"):
        assert in_language(words[1]).startswith("„Abbrechen bei Verlusten von“ muss zwischen 0")


@pytest.mark.rule("camp.decoys")
def test_each_real_ship_deploys_at_most_one_decoy() -> None:
    view = space.view(fleet("red/f1", decoys=5), ship("red/s1", "red/f1"))
    order = Orders(settings=(FleetSetting("red/f1", decoys_on=2),))
    assert faults(order, view) == [("settings[0].decoys_on", "too-many-decoys")]
    assert faults(order, VIEW) == []
    assert faults(order, VIEW, space.scenario(decoys=False)) == [
        ("settings[0].decoys_on", "no-decoys")
    ]


@pytest.mark.rule("camp.decoys")
def test_weasel_needs_a_working_system() -> None:
    assert faults(Orders(weasels=("red/s2",))) == []
    fault_list = faults(Orders(weasels=("red/s2", "red/s1", "red/s7", "red/s99", "red/s2")))
    assert fault_list == [
        ("weasels[1]", "no-weasel"),
        ("weasels[2]", "no-weasel"),
        ("weasels[3]", "unknown-ship"),
        ("weasels[4]", "twice"),
    ]


# --- choices


@pytest.mark.rule("camp.decision")
def test_faction_in_contact_chooses_and_moving_out_withdraws() -> None:
    view = replace(VIEW, in_contact=(HostileContact(HOME, "blue", "stand-off"),))
    assert faults(Orders(decide=(Decision(HOME, "blue", "fight"),)), view) == []
    assert faults(Orders(decide=(Decision(HOME, "blue", "fight"),))) == [("decide[0]", "not-asked")]
    out = (Move("red/f1", to="0304"),)
    assert faults(Orders(moves=out), view) == []
    assert faults(Orders(decide=(Decision(HOME, "blue", "withdraw"),), moves=out), view) == []
    for choice in ("fight", "stand-off"):
        orders = Orders(decide=(Decision(HOME, "blue", choice),), moves=out)
        assert faults(orders, view) == [("decide[0].choice", "moves-out")]


@pytest.mark.rule("camp.decision")
def test_only_open_decisions_are_taken_once() -> None:
    questions = (
        OpenDecision(HOME, "blue", "stand-off"),
        OpenDecision(OUTPOST, "blue", "stand-off", fixed="fight"),
    )
    view = at("decisions", open_decisions=questions)
    fight = Decision(HOME, "blue", "fight")
    assert faults(Orders(decide=(fight,)), view) == []
    fault_list = faults(
        Orders(
            decide=(
                fight,
                Decision(OUTPOST, "blue", "fight"),
                Decision(FAR, "blue", "fight"),
                fight,
            )
        ),
        view,
    )
    assert fault_list == [
        ("decide[1]", "not-asked"),
        ("decide[2]", "not-asked"),
        ("decide[3]", "twice"),
    ]


@pytest.mark.rule("camp.battle")
def test_battle_stage_accepts_only_doctrines_of_fighting_fleets() -> None:
    view = at("battles", fighting=(HOME,))
    doctrine = Doctrine(break_off=20)
    assert faults(Orders(settings=(FleetSetting("red/f1", doctrine=doctrine),)), view) == []
    orders = Orders(
        settings=(
            FleetSetting("red/f1", "New", "fight", doctrine, 1),
            FleetSetting("red/f3", doctrine=doctrine),
        )
    )
    assert faults(orders, view) == [
        ("settings[0].decoys_on", "not-now"),
        ("settings[0].name", "not-now"),
        ("settings[0].standing", "not-now"),
        ("settings[1].fleet", "not-fighting"),
    ]
