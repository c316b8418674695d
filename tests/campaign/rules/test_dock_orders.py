"""Dock orders judged by a faction's view: what a base does, for which ships, and how much."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from campaign.orders.validation import order_violations
from campaign.rules.orders import Dock, Orders
from campaign.rules.view import View
from campaign.rules.world import Holding
from tests.campaign.rules import space
from tests.campaign.rules.space import HOME, OUTPOST, fleet, places_and_codes, ship

SCENARIO = space.scenario()
VIEW = space.view(
    fleet("red/f1", HOME),
    fleet("red/f3", OUTPOST),
    fleet("red/f4", "0505"),
    ship("red/s1", "red/f1", lost=("drive", "drive", "screen-1")),
    ship("red/s4", "red/f3", "Cruiser", lost=("battery-1",)),
    ship("red/s5", "red/f3"),
    ship("red/s6", "red/f4"),
)


def faults(orders: Orders, view: View = VIEW, scenario: Any = SCENARIO) -> list[tuple[str, str]]:
    return places_and_codes(order_violations(scenario, view, orders))


@pytest.mark.rule("camp.repairs")
@pytest.mark.parametrize(
    ("dock", "expected"),
    [
        (Dock("red/s1", ("drive", "drive", "screen-1"), True), []),
        (Dock("red/s5"), []),
        (Dock("red/s1", ("drive", "drive", "drive")), [("dock[0].repair[2]", "not-lost")]),
        (Dock("red/s1", ("battery-1",)), [("dock[0].repair[0]", "not-lost")]),
        (
            Dock("red/s1", ("drive", "drive", "screen-1", "ftl")),
            [("dock[0].repair", "too-many-repairs"), ("dock[0].repair[3]", "not-lost")],
        ),
        (Dock("red/s6", ()), [("dock[0].ship", "no-base")]),
        (Dock("red/s99", ()), [("dock[0].ship", "unknown-ship")]),
    ],
)
def test_dock_order_faults(dock: Dock, expected: list[tuple[str, str]]) -> None:
    assert faults(Orders(dock=(dock,))) == expected


@pytest.mark.rule("camp.facility-limits")
def test_small_base_replenishes_all_and_repairs_small_ships() -> None:
    assert faults(Orders(dock=(Dock("red/s4", replenish=True),))) == []
    assert faults(Orders(dock=(Dock("red/s4", ("battery-1",)),))) == [
        ("dock[0].repair", "base-limit")
    ]
    assert faults(Orders(dock=(Dock("red/s5"),))) == []


@pytest.mark.rule("camp.facility-limits")
@pytest.mark.parametrize(
    ("facility", "expected"),
    [
        ({"repairs": True, "replenishes": False}, [("dock[0].replenish", "base-limit")]),
        ({"repairs": False, "replenishes": True}, [("dock[0].repair", "base-limit")]),
        ({"repairs": False, "replenishes": False}, [("dock[0].ship", "no-base")]),
        (
            {"repairs": True, "replenishes": False, "repair_mass_limit": 10},
            [
                ("dock[0].repair", "base-limit"),
                ("dock[0].replenish", "base-limit"),
                ("dock[0].ship", "base-limit"),
            ],
        ),
    ],
)
def test_base_does_what_it_can(facility: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    far, home, outpost = SCENARIO.systems
    assert home.facility is not None
    limited = space.scenario(
        systems=(far, replace(home, facility=replace(home.facility, **facility)), outpost)
    )
    assert faults(Orders(dock=(Dock("red/s1", ("drive",), True),)), VIEW, limited) == expected


@pytest.mark.rule("camp.repairs")
@pytest.mark.parametrize(("holder", "state"), [("blue", "held"), (None, "contested")])
def test_enemy_base_serves_nobody(holder: str | None, state: Any) -> None:
    view = space.view(fleet("red/f1"), ship("red/s1", "red/f1"), Holding("home", holder, 1, state))
    assert faults(Orders(dock=(Dock("red/s1"),)), view) == [("dock[0].ship", "no-base")]


def test_ship_has_one_dock_order() -> None:
    assert faults(Orders(dock=(Dock("red/s5"), Dock("red/s5")))) == [("dock[1].ship", "twice")]
