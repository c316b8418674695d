"""Gates with limited transfer mass, and ships without FTL drives, which need gates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.orders import Move, Orders
from campaign.rules.perception import build_view
from campaign.rules.scenario import Link, Scenario
from campaign.rules.starmap import reachable_hexes
from campaign.rules.world import World
from tests.umpire.adjudication.small_sector import (
    PORT,
    fleet,
    fleet_of,
    scenario,
    week_through,
    world,
)

pytestmark = pytest.mark.rule("camp.gates")
FAR = "1212"


def gate_scenario(mass: int | None = 50) -> Scenario:
    """Return a scenario in which Port has a gate to a corner that no week's move reaches."""
    return replace(scenario(hexes_per_week=2), links=(Link("gate", PORT, FAR, 1, mass),))


def faults(field: Scenario, before: World, *moves: Move) -> list[tuple[str, str]]:
    violations = order_violations(
        field, build_view(field, before, "red", None, ()), Orders(moves=moves)
    )
    return [(fault.where, fault.code) for fault in violations]


def test_fleet_within_the_transfer_mass_passes() -> None:
    field = gate_scenario(44)
    before = world(field, fleet("red/f1", PORT, "Cruiser", "Cruiser"))
    assert faults(field, before, Move("red/f1", to=FAR)) == []
    assert faults(field, before, Move("red/f1", path=(FAR,))) == []
    after = week_through(
        field, before, orders={"red": Orders(moves=(Move("red/f1", to=FAR),))}
    ).world
    assert fleet_of(after, "red/f1").hex == FAR


def test_heavier_fleet_has_no_route_through_a_gate() -> None:
    field = gate_scenario(43)
    before = world(field, fleet("red/f1", PORT, "Cruiser", "Cruiser"))
    assert faults(field, before, Move("red/f1", to=FAR)) == [("moves[0].to", "too-far")]
    assert faults(field, before, Move("red/f1", path=(FAR,))) == [("moves[0].path", "no-way")]
    assert FAR not in dict(
        reachable_hexes(field, build_view(field, before, "red", None, ()), "red/f1")
    )


def test_fleets_of_a_faction_share_the_transfer_mass() -> None:
    before = world(
        gate_scenario(),
        fleet("red/f1", PORT, "Cruiser"),
        fleet("red/f2", PORT, "Cruiser"),
        fleet("red/f3", PORT, "Destroyer"),
    )
    moves = (Move("red/f1", to=FAR), Move("red/f2", path=(FAR,)), Move("red/f3", to=FAR))
    assert faults(gate_scenario(), before, *moves) == [("moves[2]", "gate-full")]
    assert faults(gate_scenario(None), before, *moves) == []


def test_other_factions_do_not_use_up_the_transfer_mass() -> None:
    before = world(
        gate_scenario(), fleet("red/f1", PORT, "Battleship"), fleet("blue/f1", FAR, "Battleship")
    )
    orders = {
        "red": Orders(moves=(Move("red/f1", to=FAR),)),
        "blue": Orders(moves=(Move("blue/f1", to=PORT),)),
    }
    after = week_through(gate_scenario(), before, orders=orders).world
    assert [fleet.hex for fleet in after.fleets] == [PORT, FAR]


def test_ships_without_ftl_move_by_gates_only() -> None:
    before = world(gate_scenario(), fleet("red/f1", PORT, "Guard"))
    view = build_view(gate_scenario(), before, "red", None, ())
    assert reachable_hexes(gate_scenario(), view, "red/f1") == ((FAR, 1),)
    assert faults(gate_scenario(), before, Move("red/f1", to=FAR)) == []
    move = Move("red/f1", to="0606" if PORT != "0606" else "0605")
    assert ("moves[0].fleet", "cannot-jump") in faults(gate_scenario(), before, move)
    after = week_through(
        gate_scenario(), before, orders={"red": Orders(moves=(Move("red/f1", to=FAR),))}
    ).world
    assert fleet_of(after, "red/f1").hex == FAR
