"""Tugs and tenders: capacity, which ships are dropped, and every fault of a tow order at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.preparation import valid_orders
from campaign.orders.tow import changed_by_ended_tows, changed_by_tows
from campaign.orders.validation import order_violations
from campaign.rules.designs import ship_class
from campaign.rules.files import SHIPS, load_sheets
from campaign.rules.orders import Detachment, Dock, Move, Orders, Tow
from campaign.rules.scenario import ShipClass
from campaign.rules.starmap import reachable_hexes
from campaign.rules.towing import can_tow
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.notation.designs import load_sheet
from tests.campaign.rules import space
from tests.campaign.rules.space import HOME, OUTPOST, fleet, places_and_codes, ship


def tug_class(name: str, mass: int) -> ShipClass:
    return replace(space.ship_class(name, "merchant", mass, 300), tug=True)


TUG, TENDER = tug_class("Tug", 50), tug_class("Tender", 60)
CATALOGUE = (
    *space.CATALOGUE,
    TENDER,
    TUG,
    space.ship_class("Superdreadnought", "capital", 70, 600),
)
SCENARIO = space.scenario(catalogue=CATALOGUE)
CLASSES = {cls.name: cls for cls in CATALOGUE}


def with_towed_ships(ships: list[Ship], tug: str) -> list[Ship]:
    """Return the ships with the first one towing the others."""
    return [ships[0], *(replace(member, tug=tug) for member in ships[1:])]


VIEW = space.view(
    fleet("red/f1", HOME),
    fleet("red/f2", HOME),
    fleet("red/f3", OUTPOST),
    ship("red/s1", "red/f1", "Tug"),
    ship("red/s2", "red/f1", "Guard"),
    ship("red/s3", "red/f1", "Guard"),
    ship("red/s4", "red/f1", "Guard"),
    ship("red/s5", "red/f1", "Battleship", lost=("ftl",)),
    ship("red/s6", "red/f2", "Tug", lost=("ftl",)),
    ship("red/s7", "red/f2", "Guard"),
    ship("red/s8", "red/f3", "Tender"),
)


def faults(orders: Orders, view: View = VIEW) -> list[tuple[str, str]]:
    return places_and_codes(order_violations(SCENARIO, view, orders))


def with_ship(key: str, **changes: Any) -> View:
    return replace(
        VIEW,
        ships=tuple(
            replace(member, **changes) if member.key == key else member for member in VIEW.ships
        ),
    )


@pytest.mark.rule("camp.tugs")
def test_example_tug_of_mass_50_recovers_a_battleship_of_mass_48() -> None:
    assert faults(Orders(tow=(Tow("red/s1", ("red/s5",)),))) == []


@pytest.mark.rule("camp.tugs")
def test_example_tender_of_mass_60_carries_three_ships_of_mass_20() -> None:
    ships = [
        ship("red/s0", "red/f1", "Tender"),
        *(ship(f"red/s{n}", "red/f1", "Guard") for n in range(1, 5)),
    ]
    view = space.view(fleet("red/f1", HOME), *ships)
    three = tuple(f"red/s{n}" for n in range(1, 4))
    assert faults(Orders(tow=(Tow("red/s0", three),)), view) == []
    assert faults(Orders(tow=(Tow("red/s0", (*three, "red/s4")),)), view) == [
        ("tow[0].ships", "too-heavy")
    ]


@pytest.mark.rule("camp.tugs")
def test_catalogue_tug_has_its_price() -> None:
    sheets = load_sheets(SHIPS / "second-edition.yaml")
    classes = {name: ship_class(sheet) for name, sheet in sheets.items()}
    assert [name for name, cls in classes.items() if cls.tug] == ["Fleet Tug"]
    assert classes["Fleet Tug"].mass == 50


@pytest.mark.rule("pc.tugs", "camp.tugs")
@pytest.mark.parametrize(("mass", "faulty"), [(108, False), (109, True)])
def test_example_continuum_tug_of_mass_60_tows_its_transfer_mass(mass: int, faulty: bool) -> None:
    design = {
        "class": "Hauler", "edition": "continuum", "kind": "warship", "mass": 60, "hull": {"boxes": 10, "rows": 4},
        "thrust": 2, "ftl": {"tug": 108}, "systems": [{"type": "firecon"}],
    }  # fmt: skip
    hauler = ship_class(load_sheet(design))
    assert (hauler.mass, hauler.transfers, hauler.transport_capacity) == (60, 108, 108)
    wreck = space.ship_class("Wreck", "capital", mass, 400)
    scenario = space.scenario(edition="continuum", catalogue=(hauler, wreck))
    ships = [ship("red/s1", "red/f1", "Hauler"), ship("red/s2", "red/f1", "Wreck", lost=("ftl",))]
    view = space.view(fleet("red/f1", HOME), *ships)
    fault_list = places_and_codes(
        order_violations(scenario, view, Orders(tow=(Tow("red/s1", ("red/s2",)),)))
    )
    assert fault_list == ([("tow[0].ships", "too-heavy")] if faulty else [])
    towed = {item.key: item for item in with_towed_ships(ships, "red/s1")}
    ended = changed_by_ended_tows({cls.name: cls for cls in scenario.catalogue}, towed)
    assert {key: item.tug for key, item in ended.items()} == ({"red/s2": ""} if faulty else {})


@pytest.mark.rule("camp.tugs", "camp.non-ftl")
def test_towed_ship_holds_no_fleet() -> None:
    view = space.view(
        fleet("red/f1", HOME), ship("red/s1", "red/f1", "Tug"), ship("red/s2", "red/f1", "Guard")
    )
    go = (Move("red/f1", to=OUTPOST),)
    assert faults(Orders(moves=go), view) == [("moves[0].fleet", "cannot-jump")]
    assert reachable_hexes(SCENARIO, view, "red/f1") == ()
    assert faults(Orders(moves=go, tow=(Tow("red/s1", ("red/s2",)),)), view) == []
    ships = {item.key: item for item in view.ships}
    ships |= changed_by_tows(ships, [Tow("red/s1", ("red/s2",))])
    towed = replace(view, ships=tuple(ships.values()))
    assert faults(Orders(moves=go), towed) == []
    assert OUTPOST in dict(reachable_hexes(SCENARIO, towed, "red/f1"))
    assert faults(Orders(moves=go, tow=(Tow("red/s1"),)), towed) == [
        ("moves[0].fleet", "cannot-jump")
    ]


@pytest.mark.rule("camp.tugs")
@pytest.mark.parametrize(
    ("tow", "expected"),
    [
        ((Tow("red/s99", ("red/s2",)),), [("tow[0].tug", "unknown-ship")]),
        ((Tow("red/s2", ("red/s3",)),), [("tow[0].tug", "cannot-tow")]),  # a guard is no tug
        ((Tow("red/s6", ("red/s7",)),), [("tow[0].tug", "cannot-tow")]),  # its drive is lost
        (
            (Tow("red/s1", ("red/s99", "red/s1")),),
            [("tow[0].ships[0]", "unknown-ship"), ("tow[0].ships[1]", "tows-itself")],
        ),
        ((Tow("red/s1", ("red/s2", "red/s2")),), [("tow[0].ships[1]", "twice")]),
        ((Tow("red/s1", ("red/s2",)), Tow("red/s1", ("red/s3",))), [("tow[1].tug", "twice")]),
        ((Tow("red/s1", ("red/s7",)),), [("tow[0].ships[0]", "not-together")]),
        ((Tow("red/s8", ("red/s2",)),), [("tow[0].ships[0]", "not-together")]),
        ((Tow("red/s1", ("red/s2", "red/s5")),), [("tow[0].ships", "too-heavy")]),
        ((Tow("red/s1"), Tow("red/s2")), []),  # dropping nothing is no fault
    ],
)
def test_tow_order_faults(tow: tuple[Tow, ...], expected: list[tuple[str, str]]) -> None:
    assert faults(Orders(tow=tow)) == expected


@pytest.mark.rule("camp.tugs")
def test_all_tow_faults_are_named_and_the_rest_carried_out() -> None:
    orders = Orders(
        tow=(Tow("red/s1", ("red/s5",)), Tow("red/s2", ("red/s7",)), Tow("red/s8", ("red/s99",))),
        moves=(Move("red/f9", to=HOME),),
    )
    assert faults(orders) == [
        ("moves[0].fleet", "unknown-fleet"),
        ("tow[1].ships[0]", "not-together"),
        ("tow[1].tug", "cannot-tow"),
        ("tow[2].ships[0]", "unknown-ship"),
    ]
    valid, dropped = valid_orders(SCENARIO, VIEW, orders)
    assert valid == Orders(tow=(Tow("red/s1", ("red/s5",)),))
    assert {item.fault.where for item in dropped} == {where for where, _ in faults(orders)}


@pytest.mark.rule("camp.tugs")
def test_ships_join_the_tugs_fleet_first() -> None:
    detach = (Detachment(("red/s7",), "red/f1"),)
    assert faults(Orders(detach=detach, tow=(Tow("red/s1", ("red/s7",)),))) == []


@pytest.mark.rule("camp.tugs")
def test_faulty_detachment_is_reported_once() -> None:
    detach = (Detachment(("red/s7", "red/s99"), "red/f1"),)
    assert faults(Orders(detach=detach, tow=(Tow("red/s1", ("red/s7",)),))) == [
        ("detach[0].ships[1]", "unknown-ship")
    ]


@pytest.mark.rule("camp.tugs", "camp.repairs")
def test_docked_ship_neither_tows_nor_is_towed() -> None:
    tow = (Tow("red/s1", ("red/s5",)),)
    assert faults(Orders(dock=(Dock("red/s5"),), tow=tow)) == [("tow[0].ships[0]", "docked")]
    assert faults(Orders(dock=(Dock("red/s1"),), tow=tow)) == [("tow[0].tug", "cannot-tow")]
    towed = with_ship("red/s5", tug="red/s1")
    assert faults(Orders(dock=(Dock("red/s5"),)), towed) == []  # docking ends the tow


@pytest.mark.rule("camp.tugs")
def test_tugs_cannot_form_a_chain() -> None:
    view = space.view(
        fleet("red/f1", HOME),
        ship("red/s1", "red/f1", "Tug"),
        ship("red/s2", "red/f1", "Tender"),
        ship("red/s3", "red/f1", "Guard"),
    )
    orders = Orders(tow=(Tow("red/s1", ("red/s3",)), Tow("red/s2", ("red/s1",))))
    assert faults(orders, view) == [
        ("tow[0].tug", "cannot-tow"),
        ("tow[1].ships[0]", "tows-others"),
    ]
    assert faults(Orders(tow=(Tow("red/s2", ("red/s1",)),)), view) == []


# --- how long a tow lasts


def ships_by_key(**changes: Any) -> dict[str, Ship]:
    """Return a tug with two guards in tow; `tug` and `guard` change single ships."""
    ships = [
        ship("red/s1", "red/f1", "Tug", **changes.get("tug", {})),
        ship("red/s2", "red/f1", "Guard", **({"tug": "red/s1"} | changes.get("guard", {}))),
        ship("red/s3", "red/f1", "Guard", tug="red/s1"),
    ]
    return {item.key: item for item in ships}


@pytest.mark.rule("camp.tugs")
@pytest.mark.parametrize(
    ("changes", "put_down"),
    [
        ({}, []),
        ({"tug": {"damage": 5, "lost": ("drive",)}}, []),  # slow, but still with FTL
        ({"tug": {"lost": ("ftl",)}}, ["red/s2", "red/s3"]),
        ({"tug": {"docked": True}}, ["red/s2", "red/s3"]),
        ({"tug": {"laid_up": True}}, ["red/s2", "red/s3"]),
        ({"guard": {"docked": True}}, ["red/s2"]),
        ({"guard": {"tug": "red/s77"}}, ["red/s2"]),
    ],
)
def test_tow_lasts_while_possible(changes: dict[str, Any], put_down: list[str]) -> None:
    ended = changed_by_ended_tows(CLASSES, ships_by_key(**changes))
    assert {key: ended_ship.tug for key, ended_ship in ended.items()} == dict.fromkeys(put_down, "")


@pytest.mark.rule("camp.tugs")
def test_tow_ends_when_ships_part_and_excess_mass_is_released() -> None:
    parted = ships_by_key() | {"red/s3": ship("red/s3", "red/f2", "Guard", tug="red/s1")}
    assert list(changed_by_ended_tows(CLASSES, parted)) == ["red/s3"]
    heavy = ships_by_key() | {"red/s4": ship("red/s4", "red/f1", "Guard", tug="red/s1")}
    assert list(changed_by_ended_tows(CLASSES, heavy)) == ["red/s4"]


@pytest.mark.rule("camp.tugs")
def test_unnamed_tug_keeps_its_tow_and_a_named_one_is_set() -> None:
    ships = ships_by_key()
    assert changed_by_tows(ships, ()) == {}
    with_one_tow = ships | changed_by_tows(ships, [Tow("red/s1", ("red/s3",))])
    assert [key for key, item in with_one_tow.items() if item.tug] == ["red/s3"]
    without_tows = ships | changed_by_tows(ships, [Tow("red/s1")])
    assert [key for key, item in without_tows.items() if item.tug] == []


@pytest.mark.rule("camp.tugs")
@pytest.mark.parametrize(
    ("cls", "changes", "able"),
    [
        ("Tug", {}, True),
        ("Tender", {}, True),
        ("Battleship", {}, False),
        ("Tug", {"lost": ("ftl",)}, False),
        ("Tug", {"docked": True}, False),
        ("Tug", {"laid_up": True}, False),
        ("Tug", {"tug": "red/s2"}, False),
    ],
)
def test_what_can_tow(cls: str, changes: dict[str, Any], able: bool) -> None:
    assert can_tow(CLASSES[cls], ship("red/s1", "red/f1", cls, **changes)) is able
