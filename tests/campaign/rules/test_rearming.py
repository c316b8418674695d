"""Between battles: pulsers and fusion arrays are set anywhere, magazines and hangars loaded at
bases.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.refit import changed_by_refits
from campaign.orders.validation import order_violations
from campaign.rules.codec import decode, encode
from campaign.rules.orders import Dock, Orders, Rearming
from campaign.rules.perception import build_view
from campaign.rules.queries import ship_classes
from campaign.rules.rearming import rearm_ship, settables, setting_of
from campaign.rules.scenario import Facility, Scenario
from campaign.rules.world import Ship, World
from engine.core.dice import KeyedDice
from engine.notation.battles import read_battle
from tests.campaign.rules import space, yards
from tests.campaign.rules.space import FAR, HOME, OUTPOST, fleet, places_and_codes, ship
from umpire.adjudication.battles import battle_setup
from umpire.adjudication.week import resolve

pytestmark = pytest.mark.rule("camp.refit")
WAR = yards.scenario()
CLASSES = ship_classes(WAR)
BASE = Facility("base", True, None, True, True)
WORLD = space.world(
    fleet("red/f1", HOME),
    fleet("red/f2", OUTPOST),
    fleet("blue/f1", FAR),
    ship("red/s1", "red/f1", "Raider"),
    ship("red/s2", "red/f1", "Carrier"),
    ship("red/s3", "red/f2", "Carrier"),
    ship("blue/s1", "blue/f1", "Patrol"),
)


def faults(
    *refits: Rearming, dock: tuple[str, ...] = (), scenario: Scenario = WAR
) -> list[tuple[str, str]]:
    view = build_view(scenario, WORLD, "red", None, ())
    return places_and_codes(
        order_violations(
            scenario, view, Orders(refit=refits, dock=tuple(map(replenish_order, dock)))
        )
    )


def replenish_order(key: str) -> Dock:
    return Dock(key, replenish=True)


def after_week(orders: Orders, world: World = WORLD) -> dict[str, Ship]:
    """Return the ships after all three stages of a week without contacts."""
    for _ in range(3):
        orders_by_faction = {"red": orders} if world.stage == "orders" else {}
        world = resolve(
            WAR, world, orders_by_faction, {}, KeyedDice(b"x" * 32, (world.week, world.stage))
        ).world
    return {item.key: item for item in world.ships}


def test_settable_and_loadable_systems_of_a_class() -> None:
    assert [(item.id, item.modes, item.usual) for item in settables(CLASSES["Raider"])] == [
        ("pulser-1", ("medium", "short", "long"), "medium"),
        ("magazine-1", (), "3 standard"),
    ]
    assert [(item.id, item.usual) for item in settables(CLASSES["Carrier"])] == [
        ("hangar-1", "standard")
    ]
    assert settables(CLASSES["Patrol"]) == ()


def test_pulsers_are_set_anywhere_and_magazines_at_a_base() -> None:
    assert faults(Rearming("red/s1", "pulser-1", "short")) == []
    assert faults(Rearming("red/s1", "magazine-1", "2 extended")) == [
        ("refit[0].setting", "missing-technology"),
        ("refit[0].system", "not-at-a-base"),
    ]
    assert faults(Rearming("red/s1", "magazine-1", "2 standard"), dock=("red/s1",)) == []


def test_fighters_are_exchanged_at_a_base_with_fighters() -> None:
    order = Rearming("red/s2", "hangar-1", "interceptor")
    assert faults(order) == [("refit[0].system", "not-at-a-base")]
    assert faults(order, dock=("red/s2",)) == []
    assert faults(Rearming("red/s3", "hangar-1", "interceptor"), dock=("red/s3",)) == [
        ("refit[0].system", "not-at-a-base")
    ]


@pytest.mark.parametrize(
    ("refit", "expected"),
    [
        (Rearming("red/s9", "pulser-1", "short"), [("refit[0].ship", "unknown-ship")]),
        (Rearming("blue/s1", "pulser-1", "short"), [("refit[0].ship", "unknown-ship")]),
        (Rearming("red/s1", "beam-1", "short"), [("refit[0].system", "not-settable")]),
        (Rearming("red/s1", "pulser-2", "short"), [("refit[0].system", "not-settable")]),
        (Rearming("red/s1", "pulser-1", "wide"), [("refit[0].setting", "unknown-setting")]),
        (Rearming("red/s1", "magazine-1", "lots"), [("refit[0].setting", "bad-load")]),
        (
            Rearming("red/s1", "magazine-1", "1 standard, 1 standard"),
            [("refit[0].setting", "bad-load")],
        ),
        (
            Rearming("red/s1", "magazine-1", "4 standard"),
            [("refit[0].setting", "magazine-too-small")],
        ),
        (Rearming("red/s2", "hangar-1", "dragon"), [("refit[0].setting", "bad-load")]),
        (
            Rearming("red/s2", "hangar-1", "heavy attack"),
            [("refit[0].setting", "missing-technology")] * 2,
        ),
    ],
)
def test_refit_faults(refit: Rearming, expected: list[tuple[str, str]]) -> None:
    view = build_view(WAR, WORLD, "red", None, ())
    docks = tuple(replenish_order(key) for key in ("red/s1", "red/s2"))
    assert (
        places_and_codes(order_violations(WAR, view, Orders(refit=(refit,), dock=docks)))
        == expected
    )


def test_system_is_set_once() -> None:
    fault_list = faults(
        Rearming("red/s1", "pulser-1", "short"), Rearming("red/s1", "pulser-1", "long")
    )
    assert fault_list == [("refit[1].system", "twice")]


def test_load_must_be_buildable() -> None:
    free = replace(WAR, factions=tuple(replace(power, tech_base=None) for power in WAR.factions))
    good, mixed, heavy = (
        "1 standard, 1 extended",
        "1 standard, 1 two-stage",
        "2 extended, 1 standard",
    )
    codes = [
        [
            code
            for _, code in faults(
                Rearming("red/s1", "magazine-1", load), dock=("red/s1",), scenario=free
            )
        ]
        for load in (good, mixed, heavy)
    ]
    assert codes == [[], ["mixed-magazine"], ["magazine-too-small"]]


def test_pulser_setting_takes_effect_at_once_and_lasts() -> None:
    ships = after_week(Orders(refit=(Rearming("red/s1", "pulser-1", "short"),)))
    assert ships["red/s1"].settings == (("pulser-1", "short"),)
    assert setting_of(CLASSES["Raider"], ships["red/s1"], "pulser-1") == "short"
    back = changed_by_refits(CLASSES, ships, [Rearming("red/s1", "pulser-1", "")])
    assert back["red/s1"].settings == ()
    assert (
        changed_by_refits(CLASSES, ships, [Rearming("red/s1", "pulser-1", "medium")])[
            "red/s1"
        ].settings
        == ()
    )


def test_load_change_takes_a_week_at_the_base_and_fills_up() -> None:
    short = replace(WORLD, ships=tuple(
        replace(item, stock=(("magazine-1", 1),)) if item.key == "red/s1" else item for item in WORLD.ships
    ))  # fmt: skip
    orders = Orders(
        refit=(
            Rearming("red/s1", "magazine-1", "2 standard"),
            Rearming("red/s2", "hangar-1", "interceptor"),
        ),
        dock=(Dock("red/s1", scuttle=True), replenish_order("red/s2")),
    )
    ships = after_week(orders, short)
    assert (ships["red/s1"].settings, ships["red/s1"].stock) == (
        (("magazine-1", "2 standard"),),
        (),
    )
    assert ships["red/s2"].settings == (("hangar-1", "interceptor"),)
    assert all(item.refit == () for item in ships.values())


def test_owner_is_notified_of_the_load() -> None:
    orders = Orders(
        refit=(Rearming("red/s2", "hangar-1", "interceptor"),), dock=(replenish_order("red/s2"),)
    )
    world = WORLD
    heard: list[Any] = []
    for _ in range(3):
        orders_by_faction = {"red": orders} if world.stage == "orders" else {}
        outcome = resolve(
            WAR, world, orders_by_faction, {}, KeyedDice(b"x" * 32, (world.week, world.stage))
        )
        heard += [item for item in outcome.week_events if item.code == "rearmed"]
        world = outcome.world
    assert [(item.audience, dict(item.facts)) for item in heard] == [
        (("red",), {"ship": "HMS s2", "system": "hangar-1", "load": "interceptor"})
    ]


@pytest.mark.parametrize(
    ("base", "lost_systems", "expected"),
    [
        (BASE, (), (("hangar-1", "interceptor"),)),
        (replace(BASE, fighters=False), (), ()),
        (replace(BASE, replenishes=False), (), ()),
        (BASE, ("hangar-1",), ()),
    ],
)
def test_base_loads_working_systems_with_its_supplies(
    base: Facility, lost_systems: tuple[str, ...], expected: Any
) -> None:
    waiting = ship(
        "red/s2",
        "red/f1",
        "Carrier",
        docked=True,
        lost=lost_systems,
        refit=(("hangar-1", "interceptor"),),
    )
    assert rearm_ship(CLASSES["Carrier"], base, waiting).settings == expected


def test_settings_reach_the_battle_and_no_other_view() -> None:
    raiders = tuple(
        replace(item, settings=(("magazine-1", "1 standard"), ("pulser-1", "short")))
        if item.key == "red/s1"
        else item
        for item in WORLD.ships
    )
    world = replace(WORLD, ships=raiders, fleets=tuple(replace(f, hex=HOME) for f in WORLD.fleets))
    world_in_contact = resolve(WAR, world, {}, {}, KeyedDice(b"x" * 32, ("orders",))).world
    world_in_battle = resolve(
        WAR,
        replace(
            world_in_contact,
            pairs=tuple(
                replace(p, choice_a="fight", choice_b="fight") for p in world_in_contact.pairs
            ),
        ),
        {},
        {},
        KeyedDice(b"x" * 32, ("decisions",)),
    ).world
    assert world_in_battle.engagements
    start = battle_setup(WAR, world_in_battle, world_in_battle.engagements[0], salt=b"s")
    entries = {entry["id"]: entry for side in start["sides"] for entry in side["ships"]}
    assert entries["red/s1"]["settings"] == {"pulser-1": "short"}
    assert "settings" not in entries["blue/s1"]
    raider = next(
        battle_ship
        for battle_ship in read_battle(start, {}).state.ships
        if battle_ship.id == "red/s1"
    )
    assert [fit.load for fit in raider.sheet.fits if fit.type == "magazine"] == [(("standard", 1),)]
    assert "pulser" not in encode(build_view(WAR, world_in_battle, "blue", None, ())).decode()
    assert decode(World, encode(world_in_battle)) == world_in_battle
