"""Battles of Continuum: every weapon, defence, hull, option and term there is."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.engine.frozen.making import (
    CORNERS,
    RAMS,
    SIDES,
    TABLE,
    Document,
    chosen,
    drones,
    field,
    fit_ids,
    formed,
    lawful,
    moored,
    terms,
    wear,
)

EDITION = "continuum"
ARCS = ("F", "FS", "AS", "A", "AP", "FP")
WAYS_OF_MOVING = ("vector", "mixed-movement")
OPTIONS = (
    *WAYS_OF_MOVING, "emergency-thrust", "table-return", "moving-table", "no-ftl", "ftl-scatter", *RAMS, "no-ramming",
    "aft-fire", "rear-attack", "drive-damage", "core-systems", "reactor-breach", "no-repairs", "overload", "flak",
    "flawed-designs", "hangar-criticals", "catapults", "combined-hangars", "free-adfc", "cpv", "science-fiction",
)  # fmt: skip
CLASHES = (WAYS_OF_MOVING, *(("no-ramming", ram) for ram in RAMS), RAMS)
NEEDS = {"reactor-breach": "core-systems"}


class Sold(NamedTuple):
    """A type of system: its classes and models, how many arcs it may bear through, and options its
    entry may name.
    """

    type: str
    sizes: tuple[int, ...] = (0,)
    models: tuple[str, ...] = ("",)
    arcs: tuple[int, ...] = ()
    free: bool = False
    flag: str = ""


ANY, NARROW = (1, 2, 3, 4, 6), (1, 2, 3)
SPINAL_MOUNTS = ("spinal-beam", "spinal-plasma", "spinal-singularity")
SPINAL = ("small", "medium", "large")
WEAPONS = (
    *(
        Sold(name, (1, 2, 3, 4), arcs=ANY)
        for name in ("beam", "emp", "plasma-cannon", "graser", "phaser")
    ),
    *(Sold(name, (1, 2, 3, 4), arcs=ANY) for name in ("transporter", "gravitic")),
    Sold("heavy-graser", (1, 2), ("", "high-intensity"), ANY),
    *(Sold(name, arcs=(1, 3, 6)) for name in ("gatling", "particle-array", "meson", "pulser")),
    Sold("needle", (1, 2, 3), arcs=NARROW),
    Sold("pulse-torpedo", (0,), ("", "short", "long", "variable"), NARROW, flag="overload"),
    Sold("submunition", arcs=(3,)),
    Sold("k-gun", (1, 2, 3, 4, 5), ("", "short", "long"), (1, 2, 6), flag="flak"),
    Sold("mkp", arcs=(1,)),
    Sold("fusion-array", arcs=NARROW),
    *(Sold(name, models=SPINAL) for name in SPINAL_MOUNTS),
    Sold("nova-cannon"),
    Sold("wave-gun"),
    Sold("pds"),
    Sold("ads", arcs=(3, 6)),
    *(Sold(name) for name in ("scattergun", "grapeshot")),
)
DEFENCES = tuple(
    Sold(name)
    for name in (
        "screen", "advanced-screen", "area-screen", "advanced-area-screen", "stealth-field", "holofield",
        "tuffley-cloak", "reflex-field", "shroud", "cloaking-device", "cloaking-field", "suicide-charge", "adfc",
        "advanced-adfc", "ecm", "area-ecm",
    )
)  # fmt: skip
# What is launched, carried or manned; most of it does nothing in a battle yet but being hit.
REST = (
    Sold("boarding-torpedo", arcs=(3,)),
    Sold("turret", arcs=(2, 3, 4, 6)),
    Sold("salvo-launcher", arcs=(3,)),
    *(
        Sold(name, models=("", "extended", "two-stage"), arcs=(3,))
        for name in ("salvo-rack", "heavy-missile")
    ),
    Sold("magazine", free=True),
    *(Sold(name, arcs=(3,)) for name in ("antimatter-missile", "rocket-pod")),
    Sold("plasma-bolt", (1, 2, 3, 4), arcs=NARROW),
    *(
        Sold(name)
        for name in (
            "minelayer",
            "minesweeper",
            "advanced-firecon",
            "enhanced-sensors",
            "superior-sensors",
        )
    ),
    Sold("weasel", models=("cruiser", "capital")),
    *(
        Sold(name)
        for name in ("hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "ortillery")
    ),
    Sold("launch-tube", flag="catapult"),
    *(
        Sold(name, free=True)
        for name in ("boat-bay", "tender-bay", "hold", "passengers", "troops", "shipyard")
    ),
    *(Sold(name) for name in ("damage-control", "marines", "firecon")),
)
SYSTEMS = (*WEAPONS, *DEFENCES, *REST)
THREE = ["FP", "F", "FS"]
# Systems that ask for each other; every third ship has one of these packages first.
PACKAGES: tuple[tuple[Document, ...], ...] = (
    ({"type": "turret", "arcs": THREE}, {"type": "beam", "class": 2, "turret": "turret-1"}),
    ({"type": "salvo-launcher", "arcs": THREE}, {"type": "magazine", "mass": 4}),
    (
        {"type": "boarding-torpedo", "arcs": THREE},
        {"type": "magazine", "mass": 2, "load": {"boarding": 2}},
    ),
    ({"type": "launch-tube"}, {"type": "hangar", "load": {"standard": 6}}),
    ({"type": "wave-gun"}, {"type": "screen"}),
    ({"type": "k-gun", "class": 2, "arcs": ["F"]}, {"type": "pds"}),
    ({"type": "spinal-plasma", "model": "small"}, {"type": "cloaking-device"}),
    ({"type": "reflex-field"}, {"type": "suicide-charge"}),
)
FLAGS = {sold.type: sold.flag for sold in SYSTEMS if sold.flag}
FLAG_OPTIONS = {"overload": "overload", "flak": "flak", "catapult": "catapults"}


def fitting(luck: Random) -> Document:
    """Anything that is sold, with arcs it might have. Weapons and defences come most often."""
    sold = luck.choice(luck.choice((WEAPONS, WEAPONS, DEFENCES, SYSTEMS)))
    made: Document = {"type": sold.type}
    size, model = luck.choice(sold.sizes), luck.choice(sold.models)
    made |= {"class": size} if size else {}
    made |= {"model": model} if model else {}
    if sold.arcs:
        arcs = luck.choice(sold.arcs)
        at = 0 if arcs == 1 else luck.randrange(len(ARCS))
        made["arcs"] = (
            [ARCS[(at + n - arcs // 2) % len(ARCS)] for n in range(arcs)]
            if arcs < len(ARCS)
            else [*ARCS]
        )
    if sold.free:
        made["mass"] = luck.randint(1, 6)
    return made


def design(luck: Random, options: list[str], far: bool) -> Document:
    """A lawful ship or base. `far`: a large one round a spinal mount."""
    kind = luck.choice(["warship"] * 8 + ["merchant", "installation"])
    still = kind == "installation"
    mass = 200 if far else luck.choice([20, 40, 60, 90, 140, 200])
    systems: list[Document] = [{"type": "firecon", "count": 2}]
    systems += [fitting(luck) for _ in range(luck.randint(3, mass // 8 + 3))]
    if far:
        systems[1:1] = [{"type": luck.choice(SPINAL_MOUNTS), "model": "large"}]
    elif luck.random() < 0.35:
        systems[1:1] = [dict(item) for item in luck.choice(PACKAGES)]
    for item in systems:
        if FLAGS.get(item["type"], "") and FLAG_OPTIONS[FLAGS[item["type"]]] in options:
            item[FLAGS[item["type"]]] = True
    made: Document = {
        "class": f"{kind} {luck.randint(1, 9999)}",
        "edition": EDITION,
        "kind": kind,
        "mass": mass,
        "hull": {"boxes": luck.randint(mass // 8 + 4, mass // 4 + 4), "rows": luck.randint(3, 6)},
        "thrust": 0 if still else luck.randint(0, 6),
        "drive": luck.choice(["standard", "standard", "standard", "advanced"]),
        "ftl": "none" if still else luck.choice(["none", "standard", "standard", "advanced"]),
        "armour": [[luck.randint(0, 3), luck.randint(0, 2)] for _ in range(luck.randint(0, 3))],
        "stealth": luck.choice([0, 0, 1, 2]),
        "orientation": luck.choice(["alpha", "alpha", "beta"]),
        "streamlining": luck.choice(["none", "none", "partial", "full"]),
        "systems": systems,
    }
    if "flawed-designs" in options and luck.random() < 0.5:
        made["flawed"] = True
    return lawful(made, options)


def ship(
    luck: Random, name: str, x: float, y: float, course: int, options: list[str], far: bool
) -> Document:
    """A ship somewhere near its side's place."""
    plan = design(luck, options, far)
    still = plan["kind"] == "installation"
    made: Document = {
        "id": name,
        "contact": f"c{name[::-1]}x",
        "design": plan,
        "at": [x, y],
        "course": course,
        "velocity": luck.choice([0, 0, 3]) if still or far else luck.randint(0, 12),
    } | wear(luck, plan)
    if "mixed-movement" in options and luck.random() < 0.5:
        made["movement"] = "vector"
    if ("vector" in options or "movement" in made) and luck.random() < 0.5:
        made["facing"] = luck.randint(1, 12)
    if "core-systems" in options and luck.random() < 0.15:
        made["lost"] = sorted(
            {*made.get("lost", ()), luck.choice(["bridge", "life-support", "power-core"])}
        )
    if made.get("lost") and luck.random() < 0.3:
        made["notes"] = {f"for-good:{made['lost'][0]}": 1}
    if (
        plan["ftl"] != "none"
        and "no-ftl" not in options
        and not made.get("lost")
        and luck.random() < 0.12
    ):
        made["ftl_entry"] = luck.randint(1, 3)
    settings = {
        fit: luck.choice(["torpedo", "flare"])
        for fit, item in fit_ids(plan)
        if item["type"] == "fusion-array"
    }
    return made | ({"settings": settings} if settings and luck.random() < 0.5 else {})


def battle(luck: Random) -> Document:
    """Two or three sides of one to three ships, with or without bogeys, asteroids, options and
    terms.

    Some begin as `far` from each other as the table lets them, unidentified, and with spinal
    mounts.
    """
    far = luck.random() < 0.12
    options = chosen(luck, OPTIONS, CLASHES, NEEDS)
    bogeys = luck.random() < 0.3 or far
    apart = (5.0, 59.0, 30.0)
    sides = []
    for n, (x, y, course) in enumerate(CORNERS[: luck.choice([2, 2, 2, 3])]):
        ships = [
            ship(
                luck,
                f"{'rbg'[n]}{k}Q",
                apart[n] if far else x + luck.randint(-6, 6),
                y - 5 * k,
                course,
                options,
                far,
            )
            for k in range(luck.choice([1, 1, 2, 3]))
        ]
        formed(luck, ships)
        moored(luck, ships)
        decoys = drones(luck, ships, "rbg"[n], x, y, course) if bogeys else []
        sides.append({"name": SIDES[n], "ships": ships + decoys})
    made = {
        "edition": EDITION,
        "table": list(TABLE),
        "bogeys": bogeys,
        "options": options,
        "seed": luck.randint(0, 999),
    }
    return made | {"sides": sides} | field(luck) | terms(luck, sides, options)
