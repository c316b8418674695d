"""What screens, fields and point defences weigh and cost. Rules: Continuum "Defensive systems" 7, 14.2 [pc.design]"""

from __future__ import annotations

from fractions import Fraction

from engine.pricelists.ware import Ware, by_arcs
from engine.terms import FREE_ADFC, SCIENCE_FICTION

SEVEN_HALVES = Fraction(7, 2)


def percent(share: str) -> Fraction:
    """A share of the ship's mass as the book prints it: percent("7.5")."""
    return Fraction(share) / 100


# fmt: off
DEFENCES = (
    #    type                    title                        rule                   share of the ship     points a mass
    Ware("screen",               "Screen",                    "pc.screens",          share=percent("5"),   rate=3),
    Ware("advanced-screen",      "Advanced screen",           "pc.advanced-screens", share=percent("7.5"), rate=4),
    Ware("area-screen",          "Area screen",               "pc.area-screens",     share=percent("20"),
         rate=SEVEN_HALVES, most=2),
    Ware("advanced-area-screen", "Advanced area screen",      "pc.area-screens",     share=percent("30"),
         rate=SEVEN_HALVES, most=2),
    Ware("stealth-field",        "Stealth field",             "pc.stealth-field",    share=percent("5"),   rate=6,
         most=2),
    Ware("holofield",            "Holofield",                 "pc.holofield",        share=percent("10"),  rate=5),
    Ware("tuffley-cloak",        "Tuffley cloak",             "pc.cloaks",           share=percent("10"),  rate=10),
    Ware("reflex-field",         "Reflex field",              "pc.reflex-field",     share=percent("10"),  rate=6,
         option=SCIENCE_FICTION),
    Ware("shroud",               "Vapour shroud",             "pc.design",           share=percent("5"),   rate=3),
    #                                                                                mass    points
    Ware("cloaking-device",      "Cloaking device",           "pc.cloaks",           mass=1, ship_rate=Fraction(1, 4)),
    Ware("cloaking-field",       "Cloaking field",            "pc.cloaks",           mass=1, ship_rate=Fraction(1)),
    Ware("suicide-charge",       "Antimatter suicide charge", "pc.suicide-charge",   mass=1, points=5),
    Ware("adfc",                 "ADFC",                      "pc.adfc",             mass=2, points=8,
         weightless=(FREE_ADFC, 20)),
    Ware("advanced-adfc",        "Advanced ADFC",             "pc.adfc",             mass=2, points=10),
    Ware("pds",                  "Point defence system",      "pc.pds",              mass=1, points=3),
    Ware("ads",                  "Area defence system",       "pc.ads",              mounts=by_arcs(three=2, six=3),
         rate=3),
    Ware("scattergun",           "Scattergun",                "pc.scatterguns",      mass=1, points=5, expendable=True),
    Ware("grapeshot",            "Grapeshot launcher",        "pc.scatterguns",      mass=1, points=4, expendable=True),
    Ware("ecm",                  "ECM",                       "pc.ecm",              mass=1, points=3),
    Ware("area-ecm",             "Area ECM",                  "pc.ecm",              mass=2, points=6),
)
# fmt: on
STANDARD_SCREENS = ("screen", "area-screen")
ADVANCED_SCREENS = ("advanced-screen", "advanced-area-screen")
# What a holofield does not stand beside.
FIELDS = ("stealth-field", "reflex-field", "cloaking-device", "cloaking-field", "tuffley-cloak")
