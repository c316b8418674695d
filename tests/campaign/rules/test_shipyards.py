"""Shipyards build and refit twice their mass a turn, on installations alone."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.bases import Job, yard_violations, yards_of
from engine.notation.designs import load_sheet, read_design

pytestmark = pytest.mark.rule("camp.shipyard")
YARD = {"shipyard-1": 100}


def station(**changes: Any) -> dict[str, Any]:
    return {
        **{"class": "Dock", "edition": "continuum", "kind": "installation", "mass": 200},
        "hull": {"boxes": 20, "rows": 4},
        "systems": [{"type": "shipyard", "mass": 50}, {"type": "shipyard", "mass": 10}],
        **changes,
    }


def faults(*jobs: tuple[str, int], yard: str = "shipyard-1") -> list[tuple[str, str]]:
    found = yard_violations(YARD, [Job(ship, mass, yard) for ship, mass in jobs])
    return [(fault.where, fault.code) for fault in found]


def test_a_yard_of_mass_50_takes_one_ship_of_100_two_of_50_or_three_of_33() -> None:
    assert yards_of(load_sheet(station())) == {"shipyard-1": 100, "shipyard-2": 20}
    assert faults(("battlecruiser", 100)) == []
    assert faults(("one", 50), ("two", 50)) == []
    assert faults(("one", 33), ("two", 33), ("three", 33)) == []


def test_larger_ships_and_more_of_them_do_not_fit() -> None:
    assert faults(("battleship", 101)) == [("jobs[0]", "ship-too-large")]
    assert faults(("one", 50), ("two", 51)) == [("jobs[1]", "yard-full")]
    assert faults(("one", 60), ("two", 60), ("three", 60)) == [("jobs[1]", "yard-full")]


def test_work_names_a_working_yard_and_a_ship_once() -> None:
    assert yards_of(load_sheet(station()), lost=("shipyard-1",)) == {"shipyard-2": 20}
    assert faults(("one", 5), yard="shipyard-9") == [("jobs[0].yard", "no-yard")]
    assert faults(("one", 5), ("one", 5)) == [("jobs[1].ship", "twice")]


def test_a_ship_carries_no_yard() -> None:
    found = read_design(station(kind="warship", thrust=2, ftl="standard"))
    assert found.illegal
    assert any(fault.where.startswith("systems[0]") for fault in found.illegal)
    warship = load_sheet({**station(kind="warship", thrust=2, ftl="standard"), "systems": []})
    assert yards_of(warship) == {}
