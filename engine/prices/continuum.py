"""Prices of ordnance, defences and other systems in Continuum.

Rules: Continuum 14 [pc.design]
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.core.kinds import HullKind
from engine.core.terms import (
    CATAPULTS,
    COMBINED_HANGARS,
    FREE_ADFC,
    HANGAR_CRITICALS,
    NO_DECOYS,
    POINT_DEFENCE_COSTS,
    SCIENCE_FICTION,
    TABLE_PRICES,
    TABLE_SENSORS,
)
from engine.prices.system_price import (
    CORE,
    FIGHTERS,
    GUNBOATS,
    MINES,
    MISSILES,
    WEASEL_GROUP,
    SystemPrice,
)

# Loads of a magazine or a rack: (mass, points on top of those for the magazine's mass).
MAGAZINE, MINE_RACK = "magazine", "mine-rack"  # values of `SystemPrice.holds`
TORPEDOES = "boarding"  # a load of boarding torpedoes
LOADS: dict[str, dict[str, tuple[int, int]]] = {
    MAGAZINE: {"standard": (2, 0), "extended": (3, 0), "two-stage": (4, 0), TORPEDOES: (1, 0)},
    MINE_RACK: {"mines": (1, 2)},
}
LEAST_MINES = 2  # in each rack
# Loads that may share a magazine.
MIXES = (("standard", "extended"), ("two-stage",), (TORPEDOES,))

# The mass of weapons for each mass of turret, by the turret's number of arcs.
TURRET_HOLDS = {6: 2, 5: 3, 4: 4, 3: 5, 2: 6}
TURRET_RATE = 3

ORDNANCE = (
    SystemPrice(
        "turret",
        "Turret",
        "pc.turrets",
        mounts=tuple((arcs, 0) for arcs in sorted(TURRET_HOLDS)),
        rate=TURRET_RATE,
        limit="turrets",
        needs=("turrets",),
    ),
    SystemPrice(
        "magazine",
        "Magazine",
        "pc.salvo-missiles",
        free=True,
        rate=3,
        holds=MAGAZINE,
        group=MISSILES,
    ),
)


TWO_THIRDS = Fraction(2, 3)  # room for craft in each mass of a bay: 1.5 mass carries 1
DEARER_ADFC = (POINT_DEFENCE_COSTS, Fraction(1, 40))
CHEAPER_HANGARS = ((HANGAR_CRITICALS, 2),)
MARINES_PER_MASS, PARTIES_PER_MASS = 3, 4  # berths
CATAPULT = "catapult"


def at_table_price(**values: Any) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """Return what a row is sold for with the option `table-prices`."""
    return ((TABLE_PRICES, tuple(values.items())),)


def sensors_at_table_price(**values: Any) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """Return what sensors are sold for by the table; an option of their own says so too."""
    return tuple((option, tuple(values.items())) for option in (TABLE_PRICES, TABLE_SENSORS))


# fmt: off
OUTFIT = (
    SystemPrice("firecon", "FireCon", "pc.fire-control",
                mass=1, points=4, group=CORE),
    SystemPrice("advanced-firecon", "Advanced FireCon", "pc.fire-control",
                mass=1, points=5, needs=("advanced-fire-control",),
                by_option=at_table_price(points=8)),
    SystemPrice("enhanced-sensors", "Enhanced sensors", "pc.sensors",
                mass=4, points=24,
                by_option=sensors_at_table_price(mass=2, points=8)),
    SystemPrice("superior-sensors", "Superior sensors", "pc.sensors",
                mass=8, points=48, needs=("superior-sensors",),
                by_option=sensors_at_table_price(mass=4, points=16)),
    SystemPrice("weasel", "Cruiser weasel", "pc.sensors",
                model="cruiser", mass=2, points=8, unless=NO_DECOYS, group=WEASEL_GROUP),
    SystemPrice("weasel", "Capital weasel", "pc.sensors",
                model="capital", mass=4, points=16, unless=NO_DECOYS, group=WEASEL_GROUP),
    SystemPrice("hangar", "Hangar bay", "pc.fighter-launch",
                mass=6, rate=3, rates=CHEAPER_HANGARS, holds="fighters",
                group=FIGHTERS),
    SystemPrice("combined-hangar", "Combined hangar bay", "pc.fighter-launch",
                mass=9, rate=3, rates=CHEAPER_HANGARS, holds="fighters", option=COMBINED_HANGARS,
                group=FIGHTERS),
    SystemPrice("launch-tube", "Launch tube", "pc.fighter-launch",
                mass=3, rate=3, flags=(CATAPULT,), group=FIGHTERS),
    SystemPrice("fighter-rack", "Robot fighter rack", "pc.fighter-racks",
                mass=6, rate=1, holds="robots", needs=("fighter-racks",), group=FIGHTERS,
                by_option=at_table_price(rate=3)),
    SystemPrice("gunboat-rack", "Gunboat rack", "pc.gunboats",
                mass=18, holds="gunboats", needs=("gunboat-racks",), group=GUNBOATS),
    SystemPrice("boat-bay", "Boat bay", "pc.boat-bays",
                free=True, room=TWO_THIRDS, holds="boats"),
    SystemPrice("tender-bay", "Tender bay", "pc.boat-bays",
                free=True, rate=3, room=TWO_THIRDS),
    SystemPrice("hold", "Cargo hold", "pc.cargo",
                free=True, room=1),
    SystemPrice("passengers", "Passenger berthing", "pc.berthing",
                free=True, room=PARTIES_PER_MASS),
    SystemPrice("troops", "Troop berthing", "pc.berthing",
                free=True, room=MARINES_PER_MASS),
    SystemPrice("specialists", "Specialist space", "pc.specialist-spaces",
                free=True, room=1),
    SystemPrice("shipyard", "Shipyard", "camp.shipyard",
                free=True, rate=2, room=2, kinds=(HullKind.INSTALLATION,)),
    SystemPrice("jump-gate", "Jump gate", "pc.gates",
                free=True, rate=2, room=10, kinds=(HullKind.INSTALLATION,)),
    SystemPrice("portal", "Portal", "pc.gates",
                free=True, rate=2, room=1, kinds=(HullKind.INSTALLATION,)),
    SystemPrice("damage-control", "Damage control party", "pc.berthing",
                points=5),
    SystemPrice("marines", "Marine boarding party", "pc.berthing",
                points=5),
    SystemPrice("minesweeper", "Minesweeper", "pc.mines",
                mass=5, points=15, needs=("minesweepers",), group=MINES),
    SystemPrice("ortillery", "Ortillery", "pc.ortillery",
                mass=3, points=9),
)
# fmt: on

# The price of an upgrade: (points for each mass, points for each system). Each needs an option of
# the same name, with this exception.
UPGRADES = {"overload": (1, 0), "flak": (0, 2), CATAPULT: (0, 1)}
UPGRADE_OPTIONS = {CATAPULT: CATAPULTS}
# The mass of upgrades with the option `table-prices`: it costs as the mass of its system does.
UPGRADE_MASS_BY_TABLE = {CATAPULT: 1}


SEVEN_HALVES = Fraction(7, 2)


def percent(share: str) -> Fraction:
    """Return a percentage of the ship's mass as the book prints it: percent("7.5")."""
    return Fraction(share) / 100


# fmt: off
DEFENCES = (
    SystemPrice("screen", "Screen", "pc.screens",
                share=percent("5"), rate=3, needs=("screens",), group=CORE),
    SystemPrice("advanced-screen", "Advanced screen", "pc.advanced-screens",
                share=percent("7.5"), rate=4, needs=("advanced-screens",)),
    SystemPrice("area-screen", "Area screen", "pc.area-screens",
                share=percent("20"), rate=SEVEN_HALVES, most=2, needs=("area-screens",)),
    SystemPrice("advanced-area-screen", "Advanced area screen", "pc.area-screens",
                share=percent("30"), rate=SEVEN_HALVES, most=2,
                needs=("area-screens", "advanced-screens")),
    SystemPrice("stealth-field", "Stealth field", "pc.stealth-field",
                share=percent("5"), rate=6, most=2, needs=("stealth-field",)),
    SystemPrice("holofield", "Holofield", "pc.holofield",
                share=percent("10"), rate=5, needs=("holofield",)),
    SystemPrice("tuffley-cloak", "Tuffley cloak", "pc.cloaks",
                share=percent("10"), rate=10, needs=("tuffley-cloak",)),
    SystemPrice("reflex-field", "Reflex field", "pc.reflex-field",
                share=percent("10"), rate=6, option=SCIENCE_FICTION),
    SystemPrice("shroud", "Vapour shroud", "pc.design",
                share=percent("5"), rate=3),
    SystemPrice("cloaking-device", "Cloaking device", "pc.cloaks",
                mass=1, ship_rate=Fraction(1, 4), needs=("cloaking-device",),
                by_option=at_table_price(mass=0, share=percent("5"), ship_rate=Fraction(1, 2))),
    SystemPrice("cloaking-field", "Cloaking field", "pc.cloaks",
                mass=1, ship_rate=Fraction(1), needs=("cloaking-field",),
                by_option=at_table_price(mass=0, share=percent("10"))),
    SystemPrice("adfc", "ADFC", "pc.adfc",
                mass=2, points=8, weightless=(FREE_ADFC, 20), grows=DEARER_ADFC,
                by_option=at_table_price(mass=1)),
    SystemPrice("advanced-adfc", "Advanced ADFC", "pc.adfc",
                mass=2, points=10, grows=DEARER_ADFC, needs=("advanced-adfc",)),
    SystemPrice("ecm", "ECM", "pc.ecm",
                mass=1, points=3, needs=("ecm",)),
    SystemPrice("area-ecm", "Area ECM", "pc.ecm",
                mass=2, points=6, needs=("area-ecm",)),
)
# fmt: on
STANDARD_SCREENS = ("screen", "area-screen")
ADVANCED_SCREENS = ("advanced-screen", "advanced-area-screen")
# Systems that cannot be combined with a holofield.
FIELDS = ("stealth-field", "reflex-field", "cloaking-device", "cloaking-field", "tuffley-cloak")
