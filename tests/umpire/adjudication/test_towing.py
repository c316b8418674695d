"""Tugs in a week: they tow ships between the stars, cast off in battle, and withdraw with their
tow.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.orders import Detachment, Dock, Move, Orders, Tow
from campaign.rules.world import Fleet, Ship, World
from tests.umpire.adjudication.small_sector import (
    COLONY,
    DEEP,
    PORT,
    ROCK,
    battle,
    codes,
    decide,
    fleet,
    fleet_of,
    resolve,
    scenario,
    ship_of,
    week_through,
    world,
)

FIELD = scenario()
Force = tuple[Fleet, list[Ship]]


def convoy(hex_: str = PORT, key: str = "red/f1", *more: str) -> Force:
    """Return a tug with two guards in its fleet: `<key>/1`, `<key>/2`, `<key>/3`."""
    return fleet(key, hex_, "Tug", "Guard", "Guard", *more)


def tow_settings(key: str = "red/f1") -> dict[str, dict[str, Any]]:
    return {f"{key}/2": {"tug": f"{key}/1"}, f"{key}/3": {"tug": f"{key}/1"}}


def red_orders(**changes: Any) -> dict[str, Orders]:
    return {"red": Orders(tow=(Tow("red/f1/1", ("red/f1/2", "red/f1/3")),), **changes)}


@pytest.mark.rule("camp.tugs")
def test_tug_moves_ships_without_ftl() -> None:
    before = world(FIELD, convoy())
    world_after = week_through(
        FIELD, before, orders=red_orders(moves=(Move("red/f1", to=ROCK),))
    ).world
    assert fleet_of(world_after, "red/f1").hex == ROCK
    assert [ship_of(world_after, f"red/f1/{n}").tug for n in (1, 2, 3)] == [
        "",
        "red/f1/1",
        "red/f1/1",
    ]
    again = week_through(
        FIELD, world_after, orders={"red": Orders(moves=(Move("red/f1", to=DEEP),))}
    ).world
    assert (fleet_of(again, "red/f1").hex, ship_of(again, "red/f1/2").tug) == (DEEP, "red/f1/1")
    down = week_through(FIELD, again, orders={"red": Orders(tow=(Tow("red/f1/1"),))}).world
    assert [ship.tug for ship in down.ships] == ["", "", ""]


@pytest.mark.rule("camp.tugs", "camp.non-ftl")
def test_ships_without_a_tow_stay_and_the_owner_is_told_why() -> None:
    before = world(FIELD, convoy())
    outcome = week_through(FIELD, before, orders={"red": Orders(moves=(Move("red/f1", to=ROCK),))})
    assert fleet_of(outcome.world, "red/f1").hex == PORT
    first = resolve(FIELD, before, {"red": Orders(moves=(Move("red/f1", to=ROCK),))})
    assert codes(first, "red").count("order-dropped") == 2  # one for each guard
    assert codes(first, "blue").count("order-dropped") == 0


@pytest.mark.rule("camp.tugs")
def test_ship_without_drive_is_towed_home_and_docks() -> None:
    before = world(
        FIELD,
        fleet("red/f1", ROCK, "Tug", "Battleship"),
        ships={"red/f1/2": {"damage": 9, "lost": ("ftl",)}},
    )
    orders = {
        "red": Orders(tow=(Tow("red/f1/1", ("red/f1/2",)),), moves=(Move("red/f1", to=PORT),))
    }
    home = week_through(FIELD, before, orders=orders).world
    assert fleet_of(home, "red/f1").hex == PORT
    dock = {"red": Orders(dock=(Dock("red/f1/2", ("ftl",)),))}
    mended = ship_of(
        week_through(FIELD, home, orders=dock, dice={"repair": [4, 3]}).world, "red/f1/2"
    )
    assert (mended.damage, mended.lost, mended.tug, mended.docked) == (5, (), "", True)


@pytest.mark.rule("camp.tugs")
def test_tug_sent_alone_leaves_its_tow() -> None:
    before = world(FIELD, convoy(), ships=tow_settings())
    orders = {
        "red": Orders(
            detach=(Detachment(("red/f1/1",), "red/f9"),), moves=(Move("red/f9", to=ROCK),)
        )
    }
    world_after = week_through(FIELD, before, orders=orders).world
    assert {(fleet.key, fleet.hex) for fleet in world_after.fleets} == {
        ("red/f1", PORT),
        ("red/f9", ROCK),
    }
    assert [ship.tug for ship in world_after.ships] == ["", "", ""]


# --- meetings


def convoy_meeting() -> World:
    """Return red's convoy with a cruiser, met by blue at Rock; the guards are in tow."""
    before = world(
        FIELD,
        convoy(ROCK, "red/f1", "Cruiser"),
        fleet("blue/f1", ROCK, "Cruiser"),
        ships=tow_settings(),
    )
    return resolve(FIELD, before).world


@pytest.mark.rule("camp.tugs", "camp.scan")
def test_towed_ship_is_scanned_normally() -> None:
    scan_of_convoy = next(scan for scan in convoy_meeting().scans if scan.viewer == "blue")
    assert dict(scan_of_convoy.counts) == {"cruiser": 3, "merchant": 1}
    free = world(FIELD, convoy(ROCK, "red/f1", "Cruiser"), fleet("blue/f1", ROCK, "Cruiser"))
    assert resolve(FIELD, free).world.scans == convoy_meeting().scans


@pytest.mark.rule("camp.tugs")
def test_battle_ends_tows_and_only_the_owner_is_told() -> None:
    outcome = resolve(
        FIELD, convoy_meeting(), decide(red=(ROCK, "blue", "fight"), blue=(ROCK, "red", "fight"))
    )
    assert len(outcome.world.engagements) == 1
    assert [ship.tug for ship in outcome.world.ships] == [""] * 5
    assert codes(outcome, "red").count("tow-ended") == 2
    assert codes(outcome, "blue").count("tow-ended") == 0


@pytest.mark.rule("camp.tugs")
def test_tug_jumps_and_its_tow_stays() -> None:
    ready = resolve(
        FIELD, convoy_meeting(), decide(red=(ROCK, "blue", "fight"), blue=(ROCK, "red", "fight"))
    ).world
    world_after = resolve(
        FIELD, ready, results=[battle(ready, red_f1_1="ftl", red_f1_4="ftl")]
    ).world
    assert {fleet.key: fleet.in_ftl for fleet in world_after.fleets if fleet.faction == "red"} == {
        "red/f1": True,
        "red/f1.2": False,
    }
    assert {ship_of(world_after, f"red/f1/{n}").fleet for n in (2, 3)} == {"red/f1.2"}


@pytest.mark.rule("camp.tugs")
def test_convoy_withdraws_with_its_tow() -> None:
    choices = decide(red=(ROCK, "blue", "withdraw"), blue=(ROCK, "red", "fight"))
    world_after = resolve(FIELD, convoy_meeting(), choices, {"catch": [5]}).world
    assert world_after.engagements == ()
    assert [
        (fleet.key, fleet.in_ftl) for fleet in world_after.fleets if fleet.faction == "red"
    ] == [("red/f1", True)]
    assert ship_of(world_after, "red/f1/2").tug == "red/f1/1"
    caught = resolve(FIELD, convoy_meeting(), choices, {"catch": [6]}).world
    assert len(caught.engagements) == 1
    assert ship_of(caught, "red/f1/2").tug == ""


@pytest.mark.rule("camp.tugs")
def test_tow_continues_without_a_battle() -> None:
    world_after = resolve(FIELD, convoy_meeting()).world
    assert (world_after.engagements, ship_of(world_after, "red/f1/2").tug) == ((), "red/f1/1")


@pytest.mark.rule("camp.tugs")
def test_tow_elsewhere_is_not_ended() -> None:
    far = convoy(COLONY, "red/f2")
    near = fleet("red/f1", ROCK, "Cruiser")
    before = world(
        FIELD, near, far, fleet("blue/f1", ROCK, "Cruiser"), ships=tow_settings("red/f2")
    )
    before = replace(
        before,
        fleets=tuple(replace(f, hex=DEEP) if f.key == "red/f2" else f for f in before.fleets),
    )
    ready = resolve(FIELD, resolve(FIELD, before).world, decide(red=(ROCK, "blue", "fight"))).world
    assert len(ready.engagements) == 1
    assert ship_of(ready, "red/f2/2").tug == "red/f2/1"
