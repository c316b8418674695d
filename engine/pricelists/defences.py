"""What screens, fields and counter measures weigh and cost. Rules: Continuum "Defensive systems" 7, 14.2 [pc.design]"""

from __future__ import annotations

from fractions import Fraction

from engine.core.terms import FREE_ADFC, SCIENCE_FICTION
from engine.pricelists.ware import Ware

SEVEN_HALVES = Fraction(7, 2)


def percent(share: str) -> Fraction:
    """A share of the ship's mass as the book prints it: percent("7.5")."""
    return Fraction(share) / 100


# fmt: off
DEFENCES = (
    #    type                    title                        rule                   share of the ship     points a mass
    Ware("screen",               "Screen",                    "pc.screens",          share=percent("5"),   rate=3,
         needs=("screens",)),
    Ware("advanced-screen",      "Advanced screen",           "pc.advanced-screens", share=percent("7.5"), rate=4,
         needs=("advanced-screens",)),
    Ware("area-screen",          "Area screen",               "pc.area-screens",     share=percent("20"),
         rate=SEVEN_HALVES, most=2, needs=("area-screens",)),
    Ware("advanced-area-screen", "Advanced area screen",      "pc.area-screens",     share=percent("30"),
         rate=SEVEN_HALVES, most=2, needs=("area-screens", "advanced-screens")),
    Ware("stealth-field",        "Stealth field",             "pc.stealth-field",    share=percent("5"),   rate=6,
         most=2, needs=("stealth-field",)),
    Ware("holofield",            "Holofield",                 "pc.holofield",        share=percent("10"),  rate=5,
         needs=("holofield",)),
    Ware("tuffley-cloak",        "Tuffley cloak",             "pc.cloaks",           share=percent("10"),  rate=10,
         needs=("tuffley-cloak",)),
    Ware("reflex-field",         "Reflex field",              "pc.reflex-field",     share=percent("10"),  rate=6,
         option=SCIENCE_FICTION),
    Ware("shroud",               "Vapour shroud",             "pc.design",           share=percent("5"),   rate=3),
    #                                                                                mass    points
    Ware("cloaking-device",      "Cloaking device",           "pc.cloaks",           mass=1, ship_rate=Fraction(1, 4),
         needs=("cloaking-device",)),
    Ware("cloaking-field",       "Cloaking field",            "pc.cloaks",           mass=1, ship_rate=Fraction(1),
         needs=("cloaking-field",)),
    Ware("adfc",                 "ADFC",                      "pc.adfc",             mass=2, points=8,
         weightless=(FREE_ADFC, 20)),
    Ware("advanced-adfc",        "Advanced ADFC",             "pc.adfc",             mass=2, points=10,
         needs=("advanced-adfc",)),
    Ware("ecm",                  "ECM",                       "pc.ecm",              mass=1, points=3, needs=("ecm",)),
    Ware("area-ecm",             "Area ECM",                  "pc.ecm",              mass=2, points=6,
         needs=("area-ecm",)),
)
# fmt: on
STANDARD_SCREENS = ("screen", "area-screen")
ADVANCED_SCREENS = ("advanced-screen", "advanced-area-screen")
# What a holofield does not stand beside.
FIELDS = ("stealth-field", "reflex-field", "cloaking-device", "cloaking-field", "tuffley-cloak")
