"""Fleets of Continuum for `tools.bench.systems`: each relies on a weapon or defence that one of its
captains never uses.
"""

from __future__ import annotations

from typing import Any

from tools.bench.entries import Entry, System, system

FORWARD = ["FP", "F", "FS"]
BROADSIDES = (["AP", "FP", "F"], ["F", "FS", "AS"])


def warship(
    cls: str, mass: int, thrust: int, boxes: int, armour: int, *systems: System
) -> dict[str, Any]:
    """Return a warship with an FTL drive, four hull rows and two FireCons."""
    return {
        "class": cls,
        "edition": "continuum",
        "kind": "warship",
        "mass": mass,
        "hull": {"boxes": boxes, "rows": 4},
        "thrust": thrust,
        "ftl": "standard",
        "armour": [[armour, 0]] if armour else [],
        "systems": [system("firecon", 2), *systems],
    }


def gun(
    type_: str, class_: int, arcs: list[str] | None = None, count: int = 1, **extra: Any
) -> System:
    return system(type_, count, **{"class": class_}, **({"arcs": arcs} if arcs else {}), **extra)


def beams(class_: int = 2) -> tuple[System, System]:
    """Return a beam on either side."""
    return gun("beam", class_, BROADSIDES[0]), gun("beam", class_, BROADSIDES[1])


SLUGGER = warship("Slugger", 60, 4, 18, 4, gun("k-gun", 3, ["F"], 2), *beams())
TORPEDO_CRUISER = warship(
    "Torpedo Cruiser",
    60,
    4,
    18,
    4,
    system("pulse-torpedo", 2, arcs=["F"]),
    *beams(),
    system("screen"),
)
SNIPER = warship("Sniper", 60, 4, 18, 4, gun("needle", 2, ["F"], 2), *beams(), system("screen"))
PULSER_CRUISER = warship(
    "Static Cruiser", 60, 4, 18, 4, gun("emp", 2, FORWARD, 4), *beams(), system("screen")
)
CREEPER = warship(
    "Creeper", 60, 4, 18, 4, system("plasma-cannon", 2, **{"class": 1}, arcs=FORWARD), gun("beam", 1, count=2),
    system("submunition", 4, arcs=FORWARD), system("cloaking-device"),
)  # fmt: skip
LURKER = warship(
    "Lurker", 60, 4, 18, 4, system("plasma-cannon", 2, **{"class": 1}, arcs=FORWARD), gun("beam", 1, count=2),
    system("submunition", 4, arcs=FORWARD), system("cloaking-field"),
)  # fmt: skip
SCREEN_SHIP = warship(
    "Umbrella", 80, 4, 22, 4, system("area-screen"), *beams(), gun("beam", 1, count=2)
)
ARTILLERY = warship(
    "Artillery",
    140,
    2,
    36,
    6,
    system("pulse-torpedo", 7, model="long", arcs=["F"]),
    gun("beam", 1, count=4),
)
LINE_CRUISER = warship("Line Cruiser", 60, 4, 18, 4, gun("beam", 3, FORWARD), *beams())
RAMMER = warship(
    "Spinal Cruiser", 80, 4, 22, 4, system("spinal-beam", model="small"), *beams(), system("screen")
)
PHASER_CRUISER = warship(
    "Phaser Cruiser", 70, 4, 20, 4, gun("phaser", 2, FORWARD, 2), gun("beam", 1, count=2)
)
BLASTER = warship("Blaster", 60, 4, 18, 4, gun("plasma-cannon", 2, FORWARD, 2), *beams())

ENTRIES: dict[str, Entry] = {
    "k-guns": Entry(("k-gun",), (SLUGGER,) * 4, edition="continuum"),
    "continuum-torpedoes": Entry(("pulse-torpedo",), (TORPEDO_CRUISER,) * 4, edition="continuum"),
    "continuum-needles": Entry(("needle",), (SNIPER,) * 4, edition="continuum"),
    "emp": Entry(("emp",), (PULSER_CRUISER,) * 4, edition="continuum"),
    "cloaking-devices": Entry(
        ("cloaking-device",), (ARTILLERY, *[CREEPER] * 3, ARTILLERY), edition="continuum"
    ),
    "cloaking-fields": Entry(("cloaking-field",), (LURKER,) * 4, edition="continuum"),
    "area-screens": Entry(
        ("area-screen",), (LINE_CRUISER, SCREEN_SHIP, LINE_CRUISER), edition="continuum", gap=2
    ),
    "spinal-mounts": Entry(("spinal-beam",), (RAMMER,) * 4, edition="continuum"),
    "phasers": Entry(("phaser",), (PHASER_CRUISER,) * 4, edition="continuum"),
    "plasma-cannon": Entry(("plasma-cannon",), (BLASTER,) * 4, edition="continuum"),
}
