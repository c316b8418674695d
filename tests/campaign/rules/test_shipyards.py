"""Shipyards build and refit twice their mass a turn, and only on installations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.designs import ship_class
from campaign.rules.world import Ship
from campaign.rules.yards import room_after_building, yards_at, yards_of
from engine.notation.designs import load_sheet, read_design

pytestmark = pytest.mark.rule("camp.shipyard")


def station(**changes: Any) -> dict[str, Any]:
    return {
        **{"class": "Dock", "edition": "continuum", "kind": "installation", "mass": 200},
        "hull": {"boxes": 20, "rows": 4},
        "systems": [{"type": "shipyard", "mass": 50}, {"type": "shipyard", "mass": 10}],
        **changes,
    }


def capacities_after(*masses: int, capacities: tuple[int, ...] = (100,)) -> tuple[int, ...] | None:
    """Return the capacity left as ships of these masses enter the yards one after the other."""
    capacities_left: tuple[int, ...] | None = capacities
    for mass in masses:
        capacities_left = (
            None if capacities_left is None else room_after_building(capacities_left, mass)
        )
    return capacities_left


def test_yard_of_mass_50_takes_one_ship_of_100_two_of_50_or_three_of_33() -> None:
    assert yards_of(load_sheet(station())) == {"shipyard-1": 100, "shipyard-2": 20}
    assert capacities_after(100) == (0,)
    assert capacities_after(50, 50) == (0,)
    assert capacities_after(33, 33, 33) == (1,)


def test_larger_or_more_ships_do_not_fit() -> None:
    assert capacities_after(101) is None
    assert capacities_after(50, 51) is None
    assert capacities_after(33, 33, 33, 33) is None


def test_ship_uses_the_smallest_sufficient_yard() -> None:
    assert capacities_after(90, capacities=(60, 60)) is None
    assert capacities_after(20, capacities=(20, 100)) == (0, 100)
    assert capacities_after(20, 21, capacities=(20, 100)) == (0, 79)


def test_lost_or_docked_yard_takes_nothing() -> None:
    assert yards_of(load_sheet(station()), lost=("shipyard-1",)) == {"shipyard-2": 20}
    cls = ship_class(load_sheet(station()))
    there = Ship("red/s1", "red", "Dock 1", "Dock", "red/f1")
    assert yards_at({"Dock": cls}, None, [there]) == (20, 100)
    damaged = replace(there, lost=("shipyard-1",))
    assert yards_at({"Dock": cls}, None, [damaged]) == (20,)
    assert yards_at({"Dock": cls}, None, [replace(there, laid_up=True)]) == ()


def test_ship_cannot_carry_a_yard() -> None:
    design = read_design(station(kind="warship", thrust=2, ftl="standard"))
    assert design.illegal
    assert any(fault.where.startswith("systems[0]") for fault in design.illegal)
    warship = load_sheet({**station(kind="warship", thrust=2, ftl="standard"), "systems": []})
    assert yards_of(warship) == {}
