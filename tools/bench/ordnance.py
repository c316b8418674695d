"""Fleets of Continuum for `tools.bench.systems`: ordnance, area defence, boarding, interceptors."""

from __future__ import annotations

from typing import Any

from tools.bench.continuum_systems import FORWARD, beams, gun, warship
from tools.bench.craft import CRUISER
from tools.bench.entries import Entry, System, system

ALL = ["FP", "F", "FS", "AS", "A", "AP"]
LOADS = 4  # salvoes in a magazine
GUARDS = (gun("beam", 1, count=2), system("pds", 2))  # further systems of every ship


def launching(name: str, *systems: System) -> dict[str, Any]:
    """Return a cruiser that relies on what it launches."""
    return warship(name, 90, 4, 24, 4, *GUARDS, *beams(), *systems)


SALVO_CRUISER = launching(
    "Salvo Cruiser",
    system("magazine", mass=2 * LOADS),
    system("salvo-launcher", 2, arcs=FORWARD, magazine="magazine-1"),
)
RACK_CRUISER = launching("Rack Cruiser", system("salvo-rack", 4, arcs=FORWARD))
MISSILE_CRUISER = launching("Missile Cruiser", system("heavy-missile", 5))
BOLT_CRUISER = launching("Bolt Cruiser", gun("plasma-bolt", 2, FORWARD))
WARHEAD_CRUISER = launching("Warhead Cruiser", system("antimatter-missile", 3, arcs=FORWARD))
ROCKET_CRUISER = launching("Rocket Cruiser", system("rocket-pod", 6, arcs=FORWARD))
TORPEDO_BOARDER = launching(
    "Boarder", system("marines", 5), system("magazine", mass=4, load={"boarding": 4}),
    system("boarding-torpedo", 2, arcs=FORWARD, magazine="magazine-1"),
)  # fmt: skip
TRANSPORTER = launching("Transporter", system("marines", 5), gun("transporter", 2, FORWARD, 2))
GUARD_SHIP = warship(
    "Guard Ship", 60, 4, 16, 4, gun("beam", 1, count=2), system("ads", 2, arcs=ALL), system("adfc")
)
INTERCEPTING = warship(
    "Carrier with Interceptors", 150, 4, 30, 4, gun("beam", 1, count=2), system("pds", 2), system("launch-tube", 2),
    *(system("hangar", load={"attack": 6}) for _ in range(2)),
    *(system("combined-hangar", load={"interceptor": 6}) for _ in range(2)),
)  # fmt: skip

BOARDING: dict[str, Any] = {"options": ["boarding"]}
ENTRIES: dict[str, Entry] = {
    "salvo-missiles": Entry(("salvo-launcher",), (SALVO_CRUISER,) * 4, edition="continuum"),
    "salvo-racks": Entry(("salvo-rack",), (RACK_CRUISER,) * 4, edition="continuum"),
    "heavy-missiles": Entry(("heavy-missile",), (MISSILE_CRUISER,) * 4, edition="continuum"),
    "plasma-bolts": Entry(("plasma-bolt",), (BOLT_CRUISER,) * 4, edition="continuum"),
    "antimatter-missiles": Entry(("antimatter-missile",), (WARHEAD_CRUISER,) * 4, edition="continuum"),
    "rocket-pods": Entry(("rocket-pod",), (ROCKET_CRUISER,) * 4, edition="continuum"),
    "boarding-torpedoes": Entry(("boarding-torpedo",), (TORPEDO_BOARDER,) * 4, edition="continuum", extra=BOARDING),
    "transporters": Entry(("transporter",), (TRANSPORTER,) * 4, edition="continuum", extra=BOARDING),
    "continuum-area-defence": Entry(
        ("ads",), (RACK_CRUISER, GUARD_SHIP, RACK_CRUISER), edition="continuum", gap=4
    ),
    "interceptors": Entry(
        ("combined-hangar",), (CRUISER, INTERCEPTING, CRUISER), edition="continuum",
        extra={"options": ["combined-hangars"]},
    ),
}  # fmt: skip
