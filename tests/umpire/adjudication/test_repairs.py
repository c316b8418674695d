"""A week at a base: hull, systems, drives, replenishment, capacity of the base, capture at dock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from campaign.rules.orders import Decision, Dock, Orders
from campaign.rules.scenario import Facility, Scenario
from campaign.rules.world import Holding, Ship, World
from tests.umpire.adjudication.small_sector import (
    PORT,
    choose,
    codes,
    decide,
    fleet,
    holding,
    resolve,
    scenario,
    ship_of,
    stand_off,
    week_through,
    world,
)

FIELD = scenario()
HURT = {"damage": 9, "lost": ("battery-1", "firecon-1", "ftl"), "stock": (("pack-1", 0),)}


def ship_after_docking(
    dock: Dock,
    dice: Sequence[int] = (),
    *,
    field: Scenario = FIELD,
    cls: str = "Cruiser",
    hurt: dict[str, Any] | None = None,
    **changes: Any,
) -> Ship:
    """Return red's only ship after a week of docking orders at Port."""
    before = world(field, fleet("red/f1", PORT, cls), ships={"red/f1/1": hurt or HURT}, **changes)
    world_after = week_through(
        field, before, orders={"red": Orders(dock=(dock,))}, dice={"repair": dice}
    ).world
    return ship_of(world_after, "red/f1/1")


@pytest.mark.rule("camp.repairs")
@pytest.mark.parametrize(("die", "damage_left"), [(1, 8), (4, 5), (6, 3)])
def test_docked_ship_repairs_a_die_of_damage(die: int, damage_left: int) -> None:
    ship = ship_after_docking(Dock("red/f1/1"), [die])
    assert (ship.damage, ship.lost, ship.stock, ship.docked) == (
        damage_left,
        HURT["lost"],
        (("pack-1", 0),),
        True,
    )


@pytest.mark.rule("camp.repairs")
def test_repair_stops_at_the_damage_and_an_intact_hull_rolls_nothing() -> None:
    assert ship_after_docking(Dock("red/f1/1"), [6], hurt={"damage": 2}).damage == 0
    assert ship_after_docking(Dock("red/f1/1"), [], hurt={"stock": (("pack-1", 0),)}).damage == 0


@pytest.mark.rule("camp.repairs")
def test_only_docked_ships_are_repaired() -> None:
    before = world(FIELD, fleet("red/f1", PORT, "Cruiser"), ships={"red/f1/1": HURT})
    assert ship_of(week_through(FIELD, before).world, "red/f1/1").damage == 9


@pytest.mark.rule("camp.system-repairs")
def test_named_systems_are_repaired_on_three_or_more() -> None:
    ship = ship_after_docking(Dock("red/f1/1", ("battery-1", "firecon-1", "ftl")), [1, 2, 3, 6])
    assert (ship.damage, ship.lost) == (8, ("battery-1",))


@pytest.mark.rule("camp.system-repairs")
def test_lost_drive_needs_two_successes() -> None:
    hurt = {"lost": ("drive", "drive")}
    assert ship_after_docking(Dock("red/f1/1", ("drive",)), [3], hurt=hurt).lost == ("drive",)
    assert ship_after_docking(Dock("red/f1/1", ("drive", "drive")), [3, 2], hurt=hurt).lost == (
        "drive",
    )
    assert ship_after_docking(Dock("red/f1/1", ("drive", "drive")), [3, 5], hurt=hurt).lost == ()
    assert (
        ship_after_docking(Dock("red/f1/1", ("drive",)), [4], hurt={"lost": ("drive",)}).lost == ()
    )


@pytest.mark.rule("camp.system-repairs")
def test_base_orders_end_with_the_week() -> None:
    ship = ship_after_docking(Dock("red/f1/1", ("ftl",), replenish=True), [1, 1])
    assert (ship.repair, ship.replenish, ship.docked) == ((), False, True)


@pytest.mark.rule("camp.replenish")
def test_replenishment_takes_a_week_without_a_die() -> None:
    ship = ship_after_docking(Dock("red/f1/1", replenish=True), hurt={"stock": (("pack-1", 0),)})
    assert ship.stock == ()


@pytest.mark.rule("camp.replenish")
def test_used_drones_are_not_replaced() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser", decoys=1, decoys_out=1),
        ships={"red/f1/1": {"stock": (("pack-1", 0),)}},
    )
    world_after = week_through(
        FIELD, before, orders={"red": Orders(dock=(Dock("red/f1/1", replenish=True),))}
    ).world
    assert world_after.fleets[0].decoys == 1


@pytest.mark.rule("camp.facility-limits")
@pytest.mark.parametrize(("cls", "damage"), [("Destroyer", 4), ("Guard", 4), ("Cruiser", 5)])
def test_base_repairs_up_to_its_mass_and_replenishes_any_ship(cls: str, damage: int) -> None:
    small = scenario(base=Facility("outpost", True, 20, True))
    dock = Dock("red/f1/1", replenish=True)
    dice = [1] if damage == 4 else []
    ship = ship_after_docking(
        dock, dice, field=small, cls=cls, hurt={"damage": 5, "stock": (("pack-1", 0),)}
    )
    assert (ship.damage, ship.stock) == (damage, ())


@pytest.mark.rule("camp.facility-limits")
def test_replenishing_base_repairs_nothing() -> None:
    depot = scenario(base=Facility("depot", False, None, True))
    assert ship_after_docking(Dock("red/f1/1", replenish=True), field=depot).damage == 9


@pytest.mark.rule("camp.repairs")
def test_base_works_in_a_stand_off_but_not_while_contested() -> None:
    forces = (fleet("red/f1", PORT, "Cruiser", "Cruiser"), fleet("blue/f1", PORT, "Cruiser"))
    before = world(
        FIELD,
        *forces,
        ships={"red/f1/1": {"damage": 9}},
        contacts=(stand_off(PORT, "red", "blue", "red"),),
    )
    dock = (Dock("red/f1/1"),)
    calm = week_through(
        FIELD, before, orders={"red": Orders(dock=dock)}, dice={"repair": [4]}
    ).world
    assert ship_of(calm, "red/f1/1").damage == 5
    orders = {"red": Orders(dock=dock, decide=(Decision(PORT, "blue", "fight"),))}
    world_after = week_through(FIELD, before, orders=orders, blue="left").world
    assert (holding(world_after, "port").state, ship_of(world_after, "red/f1/1").damage) == (
        "contested",
        9,
    )


@pytest.mark.rule("camp.facility-limits")
@pytest.mark.parametrize(("since", "damage"), [(1, 5), (2, 9)])
def test_captured_base_works_after_a_full_week(since: int, damage: int) -> None:
    """It is week 3: a base taken at the end of week 2 does not work this week."""
    before = world(
        FIELD,
        fleet("blue/f1", PORT, "Cruiser", "Cruiser"),
        ships={"blue/f1/1": {"damage": 9}},
        holdings=[Holding("port", "blue", since, "held", "blue")],
    )
    dice = [4] if damage == 5 else []
    world_after = week_through(
        FIELD, before, orders={"blue": Orders(dock=(Dock("blue/f1/1"),))}, dice={"repair": dice}
    ).world
    assert ship_of(world_after, "blue/f1/1").damage == damage


@pytest.mark.rule("camp.repairs")
def test_allies_may_use_the_base() -> None:
    pact = scenario(("red", "blue", "green"), {"red": "pact", "green": "pact"})
    before = world(pact, fleet("green/f1", PORT, "Cruiser"), ships={"green/f1/1": {"damage": 3}})
    orders = {"green": Orders(dock=(Dock("green/f1/1"),))}
    assert (
        ship_of(
            week_through(pact, before, orders=orders, dice={"repair": [1]}).world, "green/f1/1"
        ).damage
        == 2
    )


@pytest.mark.rule("camp.repairs")
def test_repair_is_reported_to_its_owner() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", "0606", "Cruiser"),
        ships={"red/f1/1": HURT},
    )
    orders = {"red": Orders(dock=(Dock("red/f1/1", ("ftl",)),))}
    outcome = week_through(FIELD, before, orders=orders, dice={"repair": [1, 2]})
    assert [code for code in codes(outcome, "red") if "repaired" in code] == [
        "repaired",
        "not-repaired",
    ]
    assert [code for code in codes(outcome, "blue") if "repaired" in code] == []


# --- capture at dock


def attack_dock(scuttle: bool) -> World:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"damage": 2}},
    )
    contact_world = resolve(
        FIELD, before, {"red": Orders(dock=(Dock("red/f1/1", scuttle=scuttle),))}
    ).world
    ready = resolve(FIELD, contact_world, decide(blue=(PORT, "red", "fight"))).world
    return resolve(FIELD, ready).world


@pytest.mark.rule("camp.repairs")
@pytest.mark.parametrize(("scuttle", "how"), [(False, "captured"), (True, "scuttled")])
def test_docked_ships_are_captured_unless_scuttled(scuttle: bool, how: str) -> None:
    world_after = attack_dock(scuttle)
    assert [(ship.key, ship.faction) for ship in world_after.ships if ship.key != "blue/f1/1"] == (
        [("blue/s1", "blue")] if how == "captured" else []
    )
    assert [(loss.ship.key, loss.ship.damage, loss.cause) for loss in world_after.losses] == [
        ("red/f1/1", 2, how)
    ]
    assert holding(world_after, "port") == Holding("port", "blue", 3, "held", "blue")
    assert [item.key for item in world_after.fleets] == (
        ["blue/f1", "blue/f2"] if how == "captured" else ["blue/f1"]
    )


@pytest.mark.rule("camp.repairs")
def test_docked_ships_are_safe_in_a_stand_off() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"damage": 9, "docked": True}},
    )
    contact_world = resolve(FIELD, before, {"red": Orders(dock=(Dock("red/f1/1"),))}).world
    ready = resolve(FIELD, contact_world).world
    world_after = resolve(FIELD, ready, dice={"repair": [3]}).world
    assert (ship_of(world_after, "red/f1/1").damage, world_after.losses) == (6, ())
    assert holding(world_after, "port").state == "stand-off"


@pytest.mark.rule("camp.repairs")
def test_docked_ships_of_a_withdrawing_fleet_stay() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser", "Destroyer"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"damage": 2, "docked": True}},
    )
    dock_orders = {"red": Orders(dock=(Dock("red/f1/1"),))}
    contact_world = resolve(FIELD, before, dock_orders).world
    orders = decide(red=(PORT, "blue", "withdraw"), blue=(PORT, "red", "fight"))
    ready = resolve(FIELD, contact_world, orders, {"catch": [1]}).world
    assert ready.engagements == ()
    world_after = resolve(FIELD, ready).world
    assert [(loss.ship.key, loss.cause) for loss in world_after.losses] == [
        ("red/f1/1", "captured")
    ]
    assert [item.in_ftl for item in world_after.fleets if item.faction == "red"] == [True]


@pytest.mark.rule("camp.repairs")
def test_docked_ships_are_not_asked_to_fight() -> None:
    before = world(
        FIELD,
        fleet("red/f1", PORT, "Cruiser"),
        fleet("blue/f1", PORT, "Cruiser"),
        ships={"red/f1/1": {"docked": True}},
    )
    ready = choose(
        FIELD, before, decide(red=(PORT, "blue", "fight"), blue=(PORT, "red", "fight"))
    ).world
    assert ready.engagements == ()
