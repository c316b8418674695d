"""Captains' estimate of a ship's worth: its weapons, arcs and defences, in both rulebooks."""

from __future__ import annotations

from typing import Any

import pytest

from engine.captains.continuum.strength import strength
from engine.core.ids import ShipId
from engine.notation.designs import load_sheet, sheet_of
from engine.notation.files import fixture_classes
from engine.ship_profiles import new_ship
from tests.engine.control.hulls import design
from tests.engine.guns.duels import ship


def worth(hull: dict[str, Any], **state: Any) -> float:
    return strength(new_ship(ShipId("s"), 0, load_sheet(hull), (0.0, 0.0), 12, 12, **state))


def second_edition_ship(*systems: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a capital ship of the second edition with systems."""
    return {
        "class": "Hull", "edition": "second-edition", "kind": "warship", "mass": 80, "thrust": 4, "ftl": "standard",
        "systems": list(systems), **more,
    }  # fmt: skip


BATTERY = {"type": "battery", "battery": "A", "arcs": ["P", "F", "S"]}


@pytest.mark.parametrize(
    "weapon",
    [
        {"type": "battery", "battery": "C", "arcs": ["F"]},
        {"type": "pulse-torpedo", "arcs": ["F"]},
        {"type": "needle", "arcs": ["F"]},
        {"type": "submunition"},
        {"type": "fighter-bay"},
        {"type": "nova-cannon"},
    ],
)
def test_second_edition_weapons_and_bays_add_strength(
    weapon: dict[str, Any],
) -> None:
    assert worth(second_edition_ship(BATTERY, weapon)) > worth(second_edition_ship(BATTERY))
    assert worth(second_edition_ship(weapon)) > 0
    assert worth(second_edition_ship()) == 0


ALL_ROUND = "F+FS+AS+A+AP+FP"
WEAPONS = (
    f"beam:3@{ALL_ROUND} graser:1@F+FS+FP heavy-graser:1@F plasma-cannon:1@F+FS+FP phaser:2@F+FS+FP gatling@F "
    "particle-array@F meson@F needle:1@F+FS emp:2@F+FS+FP pulse-torpedo@F submunition@F+FS+FP k-gun:2@F mkp@F "
    "fusion-array@F gravitic:2@F+FS+FP pulser@F spinal-beam:small"
).split()


@pytest.mark.parametrize("weapon", WEAPONS)
def test_continuum_weapons_add_strength(weapon: str) -> None:
    bare, fitted = (
        ship("s", 1, 1, systems)["design"] for systems in ("beam:1", f"beam:1 {weapon}")
    )
    assert worth(fitted) > worth(bare) > 0


@pytest.mark.parametrize("guard", ["screen", "advanced-screen", "holofield", "stealth-field"])
def test_screens_and_fields_add_strength(guard: str) -> None:
    bare, fitted = design("beam:2"), design("beam:2")
    fitted["systems"].append({"type": guard})
    assert worth(fitted) > worth(bare)


def test_armour_screens_and_thrust_count_what_remains() -> None:
    clad = design("beam:3 screen", armour=[[4, 0], [3, 0]])
    whole = worth(clad)
    assert whole > worth(clad, stock={"armour-2": 0}) > worth(design("beam:3 screen"))
    assert whole > worth(clad, lost=("screen-1",)) > worth(clad, lost=("screen-1", "drive")) > 0
    assert whole > worth(clad, damage=6) > worth(clad, damage=11) > 0
    assert worth(clad, lost=("beam-1",)) == worth(clad, lost=("firecon-1",)) == 0


def test_used_weapons_and_launched_craft_no_longer_count() -> None:
    packed = second_edition_ship(BATTERY, {"type": "submunition"}, {"type": "fighter-bay"})
    assert (
        worth(packed)
        > worth(packed, stock={"submunition-1": 0})
        > worth(second_edition_ship(BATTERY))
    )
    assert (
        worth(packed)
        > worth(packed, stock={"fighter-bay-1": 2})
        > worth(packed, stock={"fighter-bay-1": 0})
    )


def test_systems_without_battle_effect_add_nothing() -> None:
    bare, idle = design("beam:2"), design("beam:2")
    idle["systems"] += [{"type": "salvo-rack"}, {"type": "hold", "mass": 5}]
    assert worth(idle) == worth(bare)


@pytest.mark.parametrize("edition", ["second-edition", "continuum"])
def test_larger_warships_are_stronger(edition: str) -> None:
    values = {
        name: strength(new_ship(ShipId("s"), 0, sheet_of(cls), (0.0, 0.0), 12, 12))
        for name, cls in fixture_classes(edition).items()
    }
    assert values["Frigate"] < values["Heavy Cruiser"]
    assert all(value >= 0 for value in values.values())
