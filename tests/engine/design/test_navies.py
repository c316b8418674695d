"""Carriers, designations by mass, and what the ships of a navy have as one."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from engine.battle import start
from engine.cli.design import price_design
from engine.notation.designs import parse_design
from engine.stops import side_view

TUBE, HANGAR = {"type": "launch-tube"}, {"type": "hangar", "load": {"standard": 6}}
COMBINED = {"type": "combined-hangar", "load": {"standard": 6}}
RACK = {"type": "gunboat-rack", "load": {"beam": 6}}
FIGHTER_RACK = {"type": "fighter-rack", "load": {"standard": 6}, "mods": ["robot"]}


def design(mass: int, *systems: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a warship with these systems."""
    return {
        "class": f"Mass {mass}",
        "edition": "continuum",
        "kind": "warship",
        "mass": mass,
        "hull": {"boxes": max(mass // 5, 1), "rows": 4},
        "thrust": 2,
        "drive": "standard",
        "ftl": "standard",
        "systems": list(systems),
        **more,
    }


def figures(mass: int, *systems: dict[str, Any], **more: Any) -> dict[str, Any]:
    return price_design(parse_design(design(mass, *systems, **more)))


@pytest.mark.rule("pc.carriers")
@pytest.mark.parametrize(
    ("systems", "is_carrier", "is_mothership"),
    [
        ([TUBE, HANGAR], False, False),
        ([TUBE, HANGAR, HANGAR], True, False),
        ([TUBE, {**HANGAR, "count": 2}], True, False),
        ([COMBINED, COMBINED], True, False),
        ([FIGHTER_RACK, FIGHTER_RACK], False, False),  # a rack is no hangar
        ([RACK], False, True),
    ],
)
def test_two_squadrons_make_a_carrier(
    systems: list[dict[str, Any]], is_carrier: bool, is_mothership: bool
) -> None:
    answer = figures(200, *systems)
    assert ("carrier" in answer, "mothership" in answer) == (is_carrier, is_mothership)


@pytest.mark.rule("pc.designations")
@pytest.mark.parametrize(
    ("mass", "systems", "more", "expected"),
    [
        (4, [], {}, ["SC"]),
        (9, [], {}, ["SC", "CT"]),
        (26, [], {}, ["FF", "DD"]),
        (60, [], {}, ["CL", "CE", "CA"]),
        (300, [], {}, ["SDN"]),
        (301, [], {}, []),
        (3, [], {}, []),
        (160, [TUBE, HANGAR, HANGAR], {}, ["CVL", "CVA", "CVH"]),
        (90, [], {"kind": "merchant"}, []),
    ],
)
def test_designations_by_mass(
    mass: int, systems: list[dict[str, Any]], more: dict[str, Any], expected: list[str]
) -> None:
    assert figures(mass, *systems, **more)["designations"] == expected


def fleet(*ships: dict[str, Any], options: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what the command line says about a fleet."""
    document = {
        "edition": "continuum",
        "options": ["combined-hangars", *options],
        "ships": [{"design": ship} for ship in ships],
    }
    run = subprocess.run(
        [sys.executable, "-m", "engine", "fleet", "-"],
        input=json.dumps(document),
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


@pytest.mark.rule("pc.fleet-wide")
def test_navy_has_one_kind_of_drive_ftl_and_hangar() -> None:
    mixed = (
        design(160, TUBE, HANGAR),
        design(160, COMBINED, drive="advanced", ftl="advanced"),
    )
    codes = ["mixed-drives", "mixed-ftl", "mixed-hangars"]
    answer = fleet(*mixed)
    assert [warning["code"] for warning in answer["warnings"]] == codes
    assert answer["violations"] == []
    agreed = fleet(*mixed, options=("one-navy",))
    assert [fault["code"] for fault in agreed["violations"]] == codes
    assert "warnings" not in agreed


@pytest.mark.rule("pc.fleet-wide")
def test_ships_without_a_drive_and_tugs_mix_with_others() -> None:
    base = design(160, kind="installation", thrust=0, ftl="none")
    tug = design(160, ftl={"tug": 60}, kind="merchant")
    assert "warnings" not in fleet(design(60), base, tug)


@pytest.mark.rule("pc.carriers")
@pytest.mark.parametrize(
    ("options", "more", "role"),
    [
        ((), {}, "carrier"),
        (("advanced-sensors",), {}, "carrier"),  # also of a closed record sheet
        ((), {"rules": "1.0"}, None),
        ((), {"bogeys": True}, None),
    ],
)
def test_identified_ship_is_told_as_a_carrier(
    options: tuple[str, ...], more: dict[str, Any], role: str | None
) -> None:
    ship = {"design": design(200, TUBE, HANGAR, HANGAR), "course": 3, "velocity": 0}
    sides = [
        {"name": "red", "ships": [{"id": "r1", "at": [5, 5], **ship}]},
        {"name": "blue", "ships": [{"id": "b1", "at": [60, 40], **ship}]},
    ]
    document = {"edition": "continuum", "options": [*options], "sides": sides, **more}
    (contact,) = side_view(start(document), 0)["contacts"]
    assert (contact["classification"], contact.get("role")) == ("capital", role)
