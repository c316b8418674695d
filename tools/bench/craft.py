"""Fleets with craft of Continuum for `tools.bench.systems`: all types, and a battle of carriers.

The other side's captain never launches its craft.
"""

from __future__ import annotations

from typing import Any

from engine.craft import fighters, gunboats
from tools.bench.continuum_systems import BROADSIDES, FORWARD, beams, gun, warship
from tools.bench.entries import Entry, System, system

GROUPS, TUBES = 4, 2  # groups of a carrier
SQUADRONS = 2  # squadrons of a tender
CRUISER = warship(
    "Escort Cruiser", 60, 4, 18, 4, gun("beam", 2, FORWARD, 2), *beams(), system("pds", 3)
)
FLEET_CARRIERS, ESCORTS = 3, 3  # ships in the battle of carriers, with twelve groups


def carrier(type_: str, mods: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a carrier with groups of one type, and marines for those that land some."""
    number = fighters.FULL_LIGHT if fighters.LIGHT in mods else 6
    load_options: System = {"load": {type_: number}} | ({"mods": list(mods)} if mods else {})
    hangars = [system("hangar", **load_options) for _ in range(GROUPS)]
    marines = [system("marines", 6)] if type_ == "assault-shuttle" else []
    guns = [gun("beam", 1, count=2), system("pds", 3)]
    return warship(
        f"Carrier of {type_}",
        130,
        4,
        30,
        4,
        *guns,
        system("launch-tube", TUBES),
        *hangars,
        *marines,
    )


def tender(type_: str) -> dict[str, Any]:
    """Return a tender with squadrons of one type."""
    racks = [system("gunboat-rack", load={type_: 6}) for _ in range(SQUADRONS)]
    return warship(
        f"Tender of {type_}", 130, 4, 30, 4, gun("beam", 2, BROADSIDES[0]), system("pds", 3), *racks
    )


def fleet(ship: dict[str, Any], never: str, *options: str) -> Entry:
    """Return a ship with craft between two cruisers."""
    extra: dict[str, Any] = {"options": list(options)} if options else {}
    return Entry((never,), (CRUISER, ship, CRUISER), edition="continuum", extra=extra)


BOARDING = ("boarding",)
ENTRIES: dict[str, Entry] = {
    **{
        f"{row.type}-fighters": fleet(
            carrier(row.type), "hangar", *(BOARDING if row.type == "assault-shuttle" else ())
        )
        for row in fighters.CONTINUUM.types
    },
    **{f"{mod.name}-fighters": fleet(carrier("standard", (mod.name,)), "hangar") for mod in fighters.CONTINUUM.mods},
    **{f"{row.type}-gunboats": fleet(tender(row.type), "gunboat-rack") for row in gunboats.CONTINUUM.types},
    "carriers": Entry(
        ("hangar",), (*(carrier("standard") for _ in range(FLEET_CARRIERS)), *[CRUISER] * ESCORTS),
        edition="continuum", gap=10,
    ),
}  # fmt: skip
