"""What fire control, sensors, bays, crew and the rest weigh and cost.

Rules: Continuum 5.2, 11.6, 13.12, 13.13, 14 [pc.design, pc.fighter-racks, pc.boat-bays, pc.cargo, camp.shipyard]
"""

from __future__ import annotations

from fractions import Fraction

from engine.core.terms import CATAPULTS, COMBINED_HANGARS, HANGAR_CRITICALS
from engine.pricelists.ware import Ware

TWO_THIRDS = Fraction(2, 3)  # room for craft in each mass of a bay: 1.5 mass carries 1
CHEAPER_HANGARS = ((HANGAR_CRITICALS, 2),)
MARINES_PER_MASS, PARTIES_PER_MASS = 3, 4  # berths
CATAPULT = "catapult"

# fmt: off
#       type               title                      rule               mass     points
OUTFIT = (
    Ware("firecon",          "FireCon",                "pc.fire-control", mass=1,  points=4),
    Ware("advanced-firecon", "Advanced FireCon",       "pc.fire-control", mass=1,  points=5,
         needs=("advanced-fire-control",)),
    Ware("enhanced-sensors", "Enhanced sensors",       "pc.sensors",      mass=2,  points=8),
    Ware("superior-sensors", "Superior sensors",       "pc.sensors",      mass=4,  points=16,
         needs=("superior-sensors",)),
    Ware("weasel",           "Cruiser weasel",         "pc.sensors", model="cruiser", mass=2, points=8),
    Ware("weasel",           "Capital weasel",         "pc.sensors", model="capital", mass=4, points=16),
    #                                                                                 points for each mass
    Ware("hangar",           "Hangar bay",             "pc.fighter-launch", mass=6, rate=3, rates=CHEAPER_HANGARS,
         holds="fighters"),
    Ware("combined-hangar",  "Combined hangar bay",    "pc.fighter-launch", mass=9, rate=3, rates=CHEAPER_HANGARS,
         holds="fighters", option=COMBINED_HANGARS),
    Ware("launch-tube",      "Launch tube",            "pc.fighter-launch", mass=3, rate=3, flags=(CATAPULT,)),
    Ware("fighter-rack",     "Robot fighter rack",     "pc.fighter-racks",  mass=6, rate=1, holds="robots",
         needs=("fighter-racks",)),
    Ware("gunboat-rack",     "Gunboat rack",           "pc.gunboats",       mass=18, holds="gunboats",
         needs=("gunboat-racks",)),
    Ware("boat-bay",         "Boat bay",               "pc.boat-bays",      free=True, room=TWO_THIRDS, holds="boats"),
    Ware("tender-bay",       "Tender bay",             "pc.boat-bays",      free=True, rate=3, room=TWO_THIRDS),
    Ware("hold",             "Cargo hold",             "pc.cargo",          free=True, room=1),
    Ware("passengers",       "Passenger berthing",     "pc.berthing",       free=True, room=PARTIES_PER_MASS),
    Ware("troops",           "Troop berthing",         "pc.berthing",       free=True, room=MARINES_PER_MASS),
    Ware("shipyard",         "Shipyard",               "camp.shipyard",     free=True, rate=2, room=2,
         kinds=("installation",)),
    #                                                                       mass     points
    Ware("damage-control",   "Damage control party",   "pc.berthing",       points=5),
    Ware("marines",          "Marine boarding party",  "pc.berthing",       points=5),
    Ware("minesweeper",      "Minesweeper",            "pc.mines",          mass=5,  points=15,
         needs=("minesweepers",)),
    Ware("ortillery",        "Ortillery",              "pc.ortillery",      mass=3,  points=9),
)
# fmt: on

# What an upgrade adds: (points for each mass, points for each system). An option of its own name goes with each, but:
UPGRADES = {"overload": (1, 0), "flak": (0, 2), CATAPULT: (0, 1)}
UPGRADE_OPTIONS = {CATAPULT: CATAPULTS}
