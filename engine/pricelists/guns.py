"""What needle beams, projectiles, turrets and spinal mounts weigh and cost.

Rules: Continuum "Direct fire weapons" 5.13-5.23, "Nova cannon", "Wave gun" 7.23-7.24, 14.4-14.6 [pc.design]
"""

from __future__ import annotations

from fractions import Fraction

from engine.pricelists.ware import Mounts, Ware, all_round, by_arcs, one_arc, three_arcs
from engine.terms import FLAK, OVERLOAD, SCIENCE_FICTION

# class: mass by arcs
NEEDLES: dict[int, Mounts] = {
    1: ((2, 2), (3, 3)),
    2: one_arc(4, more=2, most=3),
    3: one_arc(8, more=4, most=3),
    4: one_arc(16, more=8, most=3),
}
# model: title, mass by arcs, points for each mass, may be overloaded
TORPEDOES: dict[str, tuple[str, Mounts, int, bool]] = {
    "": ("Pulse torpedo", one_arc(4, more=1, most=3), 3, True),
    "short": ("Short range pulse torpedo", by_arcs(one=2, three=3), 3, False),
    "long": ("Long range pulse torpedo", one_arc(8, more=2, most=3), 3, True),
    "variable": ("Variable pulse torpedo", one_arc(8, more=2, most=3), 5, False),
}
K_GUNS: dict[str, tuple[str, tuple[Mounts, ...]]] = {  # model: title, mass by arcs of classes 1 to 6
    "": ("K-gun", (all_round(2), one_arc(3, more=1, most=2), one_arc(5), one_arc(8), one_arc(11), one_arc(14))),
    "short": (
        "Short range K-gun",
        (all_round(Fraction(3, 2)), by_arcs(two=2), one_arc(3), one_arc(4), one_arc(6), one_arc(7)),
    ),
    "long": (
        "Long range K-gun",
        (all_round(4), one_arc(6, more=2, most=2), one_arc(10), one_arc(16), one_arc(22), one_arc(28)),
    ),
}
K_GUN_RATE = 4
# mass of the weapons that one mass of turret holds, by the arcs the turret turns through
TURRET_HOLDS = {6: 2, 5: 3, 4: 4, 3: 5, 2: 6}
TURRET_RATE = 3
SPINAL_MASS = {"small": 8, "medium": 16, "large": 32}
#                type               title                         points for each mass
SPINAL_MOUNTS = (
    ("spinal-beam", "Beam spinal mount", 4),
    ("spinal-plasma", "Plasma spinal mount", 4),
    ("spinal-singularity", "Point singularity projector", 5),
)

GUNS = (
    *(
        Ware("needle", f"Needle beam {size}", "pc.needle-beams", size, mounts=mounts, rate=3, offensive=True,
             turreted=True)
        for size, mounts in NEEDLES.items()
    ),
    *(
        Ware("pulse-torpedo", title, "pc.pulse-torpedoes", model=model, mounts=mounts, rate=rate, offensive=True,
             turreted=True, flags=(OVERLOAD,) if overloads else ())
        for model, (title, mounts, rate, overloads) in TORPEDOES.items()
    ),
    Ware("submunition", "Submunition pack", "pc.submunitions", mounts=three_arcs(1), rate=3, offensive=True,
         expendable=True, turreted=True),
    *(
        Ware("k-gun", f"{title} {size}", "pc.k-guns", size, model,
             mounts=mounts, rate=K_GUN_RATE, offensive=True, turreted=True, flags=(FLAK,) if size > 1 else (),
             in_pairs="" if (model, size) == ("short", 1) else None)
        for model, (title, classes) in K_GUNS.items()
        for size, mounts in enumerate(classes, 1)
    ),
    Ware("mkp", "Multiple kinetic penetrator", "pc.mkp", mounts=one_arc(1), rate=4, offensive=True, expendable=True,
         turreted=True),
    Ware("boarding-torpedo", "Boarding torpedo launcher", "pc.boarding-torpedoes", mounts=three_arcs(2), rate=3,
         offensive=True, turreted=True),
    Ware("fusion-array", "Fusion array", "pc.fusion-array", mounts=one_arc(3, more=1, most=3), rate=3, offensive=True,
         turreted=True),
    Ware("turret", "Turret", "pc.turrets", mounts=tuple((arcs, 0) for arcs in sorted(TURRET_HOLDS)), rate=TURRET_RATE,
         limit="turrets"),
    *(
        Ware(type_, f"{model.capitalize()} {title[0].lower()}{title[1:]}", "pc.spinal-mounts", model=model, mass=mass,
             rate=rate, offensive=True, forward=True, limit="spinal mounts")
        for type_, title, rate in SPINAL_MOUNTS
        for model, mass in SPINAL_MASS.items()
    ),
    Ware("nova-cannon", "Nova cannon", "pc.nova-cannon", mass=20, points=60, offensive=True, forward=True,
         limit="spinal mounts", classifications=("capital",), option=SCIENCE_FICTION),
    Ware("wave-gun", "Wave gun", "pc.wave-gun", mass=12, points=36, offensive=True, forward=True,
         limit="spinal mounts", option=SCIENCE_FICTION),
)  # fmt: skip
