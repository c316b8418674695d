"""Weeks in the shipyards: what is built, what waits, what it costs, and who is notified."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.orders import Build, Dock, Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Facility, Faction, Scenario
from campaign.rules.world import Holding, Work, World
from tests.umpire.adjudication.small_sector import (
    CATALOGUE,
    PORT,
    fleet,
    scenario,
    ship_class,
    week_through,
    world,
)

pytestmark = pytest.mark.rule("camp.shipyard")

YARD = Facility("yard", repairs=True, replenishes=True, yard=20)
FIELD = scenario(
    base=YARD,
    factions=("red", "blue"),
    catalogue=tuple(
        sorted((*CATALOGUE, ship_class("Raider", "cruiser", 22, 230)), key=lambda cls: cls.name)
    ),
)
FIELD = replace(FIELD, factions=(Faction("blue", "Blue"), Faction("red", "Red", construction=100)))


def after_week(*builds: Build, funds: int = 600, field: Scenario = FIELD, **changes: Any) -> World:
    """Return the world after red's orders to the yard at Port, where a Cruiser is docked."""
    more = {"funds": (("red", funds),), **changes}
    before = world(field, fleet("red/f1", PORT, "Cruiser"), **more)
    orders = {"red": Orders(build=builds, dock=(Dock("red/f1/1"),))}
    return week_through(field, before, orders=orders).world


def fleets_built(after: World) -> list[tuple[str, str]]:
    return [(ship.name, ship.cls) for ship in after.ships if ship.key.startswith("red/s")]


def fault_codes(
    *builds: Build, cancel: tuple[str, ...] = (), **changes: Any
) -> list[tuple[str, str]]:
    before = world(FIELD, fleet("red/f1", PORT, "Cruiser"), **changes)
    view = build_view(FIELD, before, "red", None, ())
    violations = order_violations(FIELD, view, Orders(build=builds, cancel=cancel))
    return [(fault.where, fault.code) for fault in violations]


def test_ship_is_launched_and_paid_at_the_end_of_its_week() -> None:
    after = after_week(Build(PORT, "Cruiser", "Newborn"))
    (fleet_,) = [fleet for fleet in after.fleets if fleet.key != "red/f1"]
    assert fleets_built(after) == [("Newborn", "Cruiser")]
    assert (fleet_.hex, fleet_.name, fleet_.faction) == (PORT, "Port yard 3", "red")
    assert (after.funds, after.works) == ((("red", 600 - 190 + 100),), ())


def test_building_is_limited_to_twice_the_yard() -> None:
    after = after_week(
        Build(PORT, "Cruiser", "One"), Build(PORT, "Cruiser", "Two"), Build(PORT, "Weasel", "Three")
    )
    assert fleets_built(after) == [("One", "Cruiser")]
    assert [work.name for work in after.works] == ["Two", "Three"]
    later = week_through(FIELD, after).world
    assert fleets_built(later) == [("One", "Cruiser"), ("Two", "Cruiser"), ("Three", "Weasel")]


def test_work_waits_for_points() -> None:
    after = after_week(Build(PORT, "Cruiser", "Dear"), funds=100)
    assert (fleets_built(after), after.funds) == ([], (("red", 200),))
    assert fleets_built(week_through(FIELD, after).world) == [("Dear", "Cruiser")]


def test_docked_ship_is_modified_for_the_difference() -> None:
    after = after_week(Build(PORT, "Raider", ship="red/f1/1"))
    (ship,) = after.ships
    assert (ship.cls, ship.name, after.funds) == ("Raider", "Cruiser 1", (("red", 600 - 40 + 100),))


def test_damaged_ship_is_repaired_before_modification() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"damage": 9}},
        funds=(("red", 600),),
    )
    orders = {
        "red": Orders(build=(Build(PORT, "Raider", ship="red/f1/1"),), dock=(Dock("red/f1/1"),))
    }
    after = week_through(FIELD, before, orders=orders, dice={"repair": [2]}).world
    assert ([ship.cls for ship in after.ships], len(after.works)) == (["Cruiser"], 1)


def test_work_on_a_missing_ship_is_dropped() -> None:
    work = Work("red/w1", "red", PORT, "Raider", "", "red/s77")
    after = after_week(works=(work,))
    assert after.works == ()


@pytest.mark.parametrize(
    "holding", [Holding("port", None, 0, "contested"), Holding("port", "blue", 1)]
)
def test_contested_or_captured_yard_builds_nothing(holding: Holding) -> None:
    work = Work("red/w1", "red", PORT, "Cruiser", "Newborn")
    before = world(
        FIELD,
        fleet("blue/f1", PORT, "Cruiser"),
        holdings=[holding],
        works=(work,),
        funds=(("red", 600),),
    )
    after = week_through(FIELD, before).world
    assert (fleets_built(after), after.works) == ([], (work,))


def test_building_order_faults() -> None:
    assert fault_codes(Build(PORT, "Cruiser", "Newborn")) == []
    assert fault_codes(Build("0101", "Cruiser", "Newborn")) == [("build[0].hex", "no-yard")]
    assert fault_codes(Build(PORT, "Battleship", "Giant")) == [("build[0].cls", "ship-too-large")]
    assert fault_codes(Build(PORT, "Cruise", "Newborn")) == [("build[0].cls", "unknown-class")]
    assert fault_codes(Build(PORT, "Cruiser", "Cruiser 1")) == [("build[0].name", "twice")]
    assert fault_codes(Build(PORT, "Raider", ship="red/f1/1")) == [("build[0].ship", "not-docked")]
    assert fault_codes(cancel=("red/w1",)) == [("cancel[0]", "unknown-work")]


def test_work_can_be_cancelled_until_done() -> None:
    work = Work("red/w1", "red", PORT, "Cruiser", "Newborn")
    before = world(FIELD, fleet("red/f1", PORT, "Cruiser"), works=(work,), funds=(("red", 600),))
    after = week_through(FIELD, before, orders={"red": Orders(cancel=("red/w1",))}).world
    assert (fleets_built(after), after.works) == ([], ())


def test_building_is_private() -> None:
    before = world(FIELD, fleet("red/f1", PORT, "Cruiser"), funds=(("red", 600),))
    week = week_through(
        FIELD, before, orders={"red": Orders(build=(Build(PORT, "Cruiser", "Newborn"),))}
    )
    assert [item.audience for item in week.week_events if item.code == "launched"] == [("red",)]
    works = (Work("red/w1", "red", PORT, "Cruiser", "Newborn"),)
    view_of_blue = build_view(FIELD, replace(week.world, works=works), "blue", None, ())
    assert (view_of_blue.works, view_of_blue.funds, view_of_blue.fleets) == ((), 0, ())


def test_launched_fleet_may_move_next_week() -> None:
    after = after_week(Build(PORT, "Cruiser", "Newborn"))
    key = next(fleet.key for fleet in after.fleets if fleet.key != "red/f1")
    world_after = week_through(
        FIELD, after, orders={"red": Orders(moves=(Move(key, to="0506"),))}
    ).world
    assert next(fleet.hex for fleet in world_after.fleets if fleet.key == key) == "0506"
