"""Open markers and dummies: what everybody sees, what can be ordered, and the refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.codec import orders_payload, parse_orders
from campaign.orders.validation import order_violations
from campaign.rules.markers import dummies_allowed, fleets_at_start, starting_places
from campaign.rules.orders import DeployedFleet, Detachment, Dummy, FleetSetting, Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Entry
from campaign.rules.starmap import reachable_hexes
from campaign.rules.view import Marker, View
from campaign.rules.world import Mark, World
from tests.campaign.rules import space
from tests.campaign.rules.space import FAR, HOME, OUTPOST, fleet, places_and_codes, ship

pytestmark = pytest.mark.rule("camp.open-play")
OPEN = space.scenario(open_play=True)
WORLD = replace(
    space.world(
        fleet("red/f1", HOME),
        fleet("red/f2", "0505", in_ftl=True, must_leave=True, back="0404"),
        fleet("blue/f1", FAR),
        ship("red/s1", "red/f1"),
        ship("red/s2", "red/f2"),
        ship("blue/s1", "blue/f1", "Battleship"),
    ),
    dummies=(fleet("blue/d1", "0909"), fleet("red/d1", OUTPOST), fleet("red/d2", HOME)),
    marks=(
        Mark("blue/d1", 1, "0808"),
        Mark("blue/f1", 2, FAR),
        Mark("red/d1", 3, ""),
        Mark("red/d2", 1, HOME),
        Mark("red/d4", 5, ""),
        Mark("red/f1", 4, HOME),
        Mark("red/f2", 2, "0303"),
    ),
    reserve=(("blue", 0), ("red", 2)),
)


def view_of(faction: str, world: World = WORLD, **changes: Any) -> View:
    return build_view(replace(OPEN, **changes), world, faction, None, ())


def faults(orders: Orders, **changes: Any) -> list[tuple[str, str]]:
    return places_and_codes(
        order_violations(OPEN, view_of("red", replace(WORLD, **changes)), orders)
    )


def test_everybody_sees_markers_but_not_what_is_behind() -> None:
    everything = (
        Marker("blue", 1, "0909", "0808"),
        Marker("blue", 2, FAR, FAR),
        Marker("red", 1, HOME, HOME),
        Marker("red", 2, "0505", "0303"),
        Marker("red", 3, OUTPOST, ""),
        Marker("red", 4, HOME, HOME),
    )
    assert view_of("red").markers == view_of("blue").markers == everything
    assert [dummy.key for dummy in view_of("red").dummies] == ["red/d1", "red/d2"]
    assert [mark.key for mark in view_of("blue").marks] == ["blue/d1", "blue/f1"]
    assert (view_of("red").reserve, view_of("blue").reserve) == (2, 0)


def test_hidden_movement_shows_no_markers() -> None:
    assert view_of("red", open_play=False).markers == ()


def test_dummy_sees_nothing() -> None:
    present = {system.system: system.present for system in view_of("red").systems}
    assert present == {"far": False, "home": True, "outpost": False}


def test_waiting_fleet_is_not_on_the_map() -> None:
    waiting = replace(
        space.world(fleet("red/f1", "0101"), ship("red/s1", "red/f1"), week=2),
        dummies=(fleet("red/d1", "0101"), fleet("red/d2", "0101", back="0102")),
        marks=(Mark("red/d1", 1), Mark("red/d2", 2), Mark("red/f1", 3)),
    )
    late = {"entries": (Entry("red", "0101", 3),)}
    assert [marker.code for marker in view_of("blue", waiting, **late).markers] == [2]
    assert [
        marker.code for marker in view_of("blue", replace(waiting, week=3), **late).markers
    ] == [
        1,
        2,
        3,
    ]


def test_dummy_moves_like_a_fleet() -> None:
    view = view_of("red")
    assert reachable_hexes(OPEN, view, "red/d2") == reachable_hexes(OPEN, view, "red/f1") != ()


VALID = Orders(
    moves=(
        Move("red/d1", to="0606"),
        Move("red/d5", path=("0302",)),
        Move("red/f2", path=("0404",)),
    ),
    dummies=(Dummy("red/d2", remove=True), Dummy("red/d5", HOME), Dummy("red/d6", "0505")),
)


def test_counters_appear_at_fleets_and_move_at_once() -> None:
    assert faults(VALID) == []
    orders, violations = parse_orders(orders_payload(VALID))
    assert (orders, violations) == (VALID, ())


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        (Orders(dummies=(Dummy("red/d9"),)), [("dummies[0]", "hex-or-remove")]),
        (Orders(dummies=(Dummy("red/d1", HOME, True),)), [("dummies[0]", "hex-or-remove")]),
        (Orders(dummies=(Dummy("red/d1", HOME),)), [("dummies[0].dummy", "not-new")]),
        (Orders(dummies=(Dummy("red/d4", HOME),)), [("dummies[0].dummy", "not-new")]),
        (Orders(dummies=(Dummy("blue/d7", HOME),)), [("dummies[0].dummy", "bad-key")]),
        (Orders(dummies=(Dummy("red/f7", HOME),)), [("dummies[0].dummy", "bad-key")]),
        (Orders(dummies=(Dummy("red/d7", OUTPOST),)), [("dummies[0].hex", "wrong-place")]),
        (Orders(dummies=(Dummy("red/d4", remove=True),)), [("dummies[0].dummy", "unknown-dummy")]),
        (Orders(dummies=(Dummy("blue/d1", remove=True),)), [("dummies[0].dummy", "unknown-dummy")]),
        (Orders(dummies=(Dummy("red/d1", remove=True),) * 2), [("dummies[1].dummy", "twice")]),
        (
            Orders(dummies=(Dummy("red/d5", HOME), Dummy("red/d6", HOME), Dummy("red/d7", HOME))),
            [("dummies[2]", "too-many-dummies")],
        ),
        (Orders(moves=(Move("red/d1", to="1212"),)), [("moves[0].to", "too-far")]),
        (
            Orders(dummies=(Dummy("red/d1", remove=True),), moves=(Move("red/d1", to=HOME),)),
            [("moves[0].fleet", "unknown-fleet")],
        ),
        (
            Orders(settings=(FleetSetting("red/d1", name="Ghost"),)),
            [("settings[0].fleet", "unknown-fleet")],
        ),
        (Orders(detach=(Detachment(("red/s1",), "red/d1"),)), [("detach[0].into", "bad-key")]),
    ],
)
def test_every_fault_has_its_place(orders: Orders, expected: list[tuple[str, str]]) -> None:
    leaving = replace(orders, moves=(*orders.moves, Move("red/f2", path=("0404",))))
    assert faults(leaving) == expected


def test_all_faults_are_reported_at_once() -> None:
    wrong = Orders(
        dummies=(Dummy("red/d4", "0909"), Dummy("red/x"), Dummy("blue/d1", remove=True)),
        moves=(Move("red/d1", to="9999"), Move("red/f2", path=("0404",))),
    )
    assert faults(wrong) == [
        ("dummies[0].dummy", "not-new"),
        ("dummies[0].hex", "wrong-place"),
        ("dummies[1]", "hex-or-remove"),
        ("dummies[2].dummy", "unknown-dummy"),
        ("moves[0].to", "no-such-hex"),
    ]


def test_hidden_movement_has_no_counters() -> None:
    view = build_view(space.scenario(), replace(WORLD, stage="orders"), "red", None, ())
    violations = order_violations(
        space.scenario(), view, replace(VALID, moves=(Move("red/f2", path=("0404",)),))
    )
    assert places_and_codes(violations) == [("dummies", "hidden-movement")]


A_FORCE = (
    DeployedFleet("A", "red/mobile", HOME, (("Destroyer", "X"),)),
    DeployedFleet("B", "red/mobile", OUTPOST, (("Destroyer", "Y"),)),
)


@pytest.mark.parametrize(
    ("dummies", "allowed", "expected"),
    [
        ((Dummy("red/d1", HOME), Dummy("red/d2", FAR)), None, []),
        ((Dummy("red/d1", "0101"),), None, []),
        ((Dummy("red/d1", "0909"),), None, [("dummies[0].hex", "wrong-place")]),
        ((Dummy("red/d1", HOME), Dummy("red/d2", HOME)), 1, [("dummies[1]", "too-many-dummies")]),
        ((Dummy("red/d1", HOME),), 0, [("dummies[0]", "too-many-dummies")]),
    ],
)
def test_counters_at_the_deployment(
    dummies: tuple[Dummy, ...], allowed: int | None, expected: list[tuple[str, str]]
) -> None:
    scenario = replace(OPEN, dummies=allowed)
    view = replace(view_of("red"), stage="deploy", marks=(), dummies=(), reserve=0)
    assert (
        places_and_codes(order_violations(scenario, view, Orders(deploy=A_FORCE, dummies=dummies)))
        == expected
    )


def test_number_of_counters() -> None:
    assert (dummies_allowed(OPEN, 4), dummies_allowed(replace(OPEN, dummies=2), 4)) == (4, 2)
    assert dummies_allowed(space.scenario(), 4) == 0
    assert fleets_at_start(OPEN, "red", Orders(deploy=A_FORCE)) == 2
    assert fleets_at_start(OPEN, "red", Orders()) == 1  # its default force
    assert starting_places(OPEN, "blue") == (FAR,)
    assert starting_places(OPEN, "red") == ("0101", HOME, OUTPOST, FAR)
