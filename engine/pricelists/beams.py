"""What beams and their kin weigh and cost. Rules: Continuum "Direct fire weapons" 5.3-5.12, 14.4 [pc.design]"""

from __future__ import annotations

from fractions import Fraction

from engine.pricelists.ware import Mounts, Ware, all_round, by_arcs, one_arc

HALF_OF_FIVE = Fraction(5, 2)  # two batteries take 5 mass

# class: mass by arcs
LIGHT: dict[int, Mounts] = {  # beams, EMP projectors, transporters, gravitic guns
    1: all_round(1),
    2: by_arcs(three=2, six=3),
    3: one_arc(4, more=1, most=6),
    4: one_arc(8, more=2, most=6),
    5: one_arc(16, more=4, most=6),
}
HEAVY: dict[int, Mounts] = {  # plasma cannon, grasers, phasers
    1: by_arcs(three=1, six=2),
    2: by_arcs(three=4, six=6),
    3: one_arc(8, more=2, most=6),
    4: one_arc(16, more=4, most=6),
}
HEAVY_GRASER: dict[int, Mounts] = {
    1: by_arcs(one=2, three=3, six=4),
    2: one_arc(9, more=3, most=6),
    3: one_arc(24, more=6, most=6),
}
NIMBLE = by_arcs(one=2, three=3, six=4)  # Gatling batteries, particle arrays, meson projectors, pulsers

# fmt: off
#  type            title                     rule                 mounts        classes  rate
FAMILIES = (
    ("beam",          "Beam",                   "pc.beams",         LIGHT,        (1, 2, 3, 4, 5), 3),
    ("emp",           "EMP projector",          "pc.emp",           LIGHT,        (1, 2, 3, 4),    3),
    ("plasma-cannon", "Plasma cannon",          "pc.plasma-cannon", HEAVY,        (1, 2, 3, 4),    3),
    ("graser",        "Graser",                 "pc.grasers",       HEAVY,        (1, 2, 3, 4),    3),
    ("phaser",        "Phaser",                 "pc.phasers",       HEAVY,        (1, 2, 3, 4),    3),
    ("transporter",   "Transporter beam",       "pc.transporters",  LIGHT,        (1, 2, 3, 4),    3),
    ("gravitic",      "Gravitic gun",           "pc.gravitic-guns", LIGHT,        (1, 2, 3, 4),    3),
)
# fmt: on
BROADSIDE_BEAM = 1  # mass of a class 2 beam on two broadside arcs
PHASER_POINTS = 2  # beside the mass, for each weapon
PHASER_RATES = (("advanced-firecon", 6),)  # a ship with advanced FireCon pays this for each mass and nothing beside


def _family(row: tuple[str, str, str, dict[int, Mounts], tuple[int, ...], int]) -> tuple[Ware, ...]:
    type_, title, rule, mounts, classes, rate = row
    return tuple(
        Ware(
            type_, f"{title} {size}", rule, size, mounts=mounts[size], rate=rate, offensive=True, turreted=True,
            broadside=BROADSIDE_BEAM if (type_, size) == ("beam", 2) else 0,
            points=PHASER_POINTS if type_ == "phaser" else 0,
            rates=PHASER_RATES if type_ == "phaser" else (),
        )
        for size in classes
    )  # fmt: skip


def _nimble(type_: str, title: str, rule: str, rate: int, broadside: int | Fraction = 0) -> Ware:
    return Ware(
        type_, title, rule, mounts=NIMBLE, rate=rate, offensive=True, turreted=True,
        broadside=broadside, in_pairs="broadside" if broadside else None,
    )  # fmt: skip


BEAM_WEAPONS = (
    *(ware for row in FAMILIES for ware in _family(row)),
    *(
        Ware(
            "heavy-graser", f"{title} {size}", "pc.heavy-grasers", size, model, mounts=mounts, rate=rate,
            offensive=True, turreted=True,
        )
        for model, title, rate in (("", "Heavy graser", 3), ("high-intensity", "High intensity graser", 4))
        for size, mounts in HEAVY_GRASER.items()
    ),
    _nimble("gatling", "Gatling battery", "pc.gatling", 4, HALF_OF_FIVE),
    _nimble("particle-array", "Twin particle array", "pc.twin-particle-array", 4, HALF_OF_FIVE),
    _nimble("meson", "Meson projector", "pc.meson", 4),
    _nimble("pulser", "Pulser", "pc.pulsers", 5),
)  # fmt: skip
