"""Battles of Continuum: every weapon, defence, hull, option and term."""

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
    moored,
    terms,
    valid_design,
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


class SystemKind(NamedTuple):
    """A type of system: classes, models, possible numbers of arcs, and options of its entry."""

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
        SystemKind(name, (1, 2, 3, 4), arcs=ANY)
        for name in ("beam", "emp", "plasma-cannon", "graser", "phaser")
    ),
    *(SystemKind(name, (1, 2, 3, 4), arcs=ANY) for name in ("transporter", "gravitic")),
    SystemKind("heavy-graser", (1, 2), ("", "high-intensity"), ANY),
    *(
        SystemKind(name, arcs=(1, 3, 6))
        for name in ("gatling", "particle-array", "meson", "pulser")
    ),
    SystemKind("needle", (1, 2, 3), arcs=NARROW),
    SystemKind("pulse-torpedo", (0,), ("", "short", "long", "variable"), NARROW, flag="overload"),
    SystemKind("submunition", arcs=(3,)),
    SystemKind("k-gun", (1, 2, 3, 4, 5), ("", "short", "long"), (1, 2, 6), flag="flak"),
    SystemKind("mkp", arcs=(1,)),
    SystemKind("fusion-array", arcs=NARROW),
    *(SystemKind(name, models=SPINAL) for name in SPINAL_MOUNTS),
    SystemKind("nova-cannon"),
    SystemKind("wave-gun"),
    SystemKind("pds"),
    SystemKind("ads", arcs=(3, 6)),
    *(SystemKind(name) for name in ("scattergun", "grapeshot")),
)
DEFENCES = tuple(
    SystemKind(name)
    for name in (
        "screen", "advanced-screen", "area-screen", "advanced-area-screen", "stealth-field", "holofield",
        "tuffley-cloak", "reflex-field", "shroud", "cloaking-device", "cloaking-field", "suicide-charge", "adfc",
        "advanced-adfc", "ecm", "area-ecm",
    )
)  # fmt: skip
# What is launched, carried or manned; most of it has no effect in a battle except being hit.
REST = (
    SystemKind("boarding-torpedo", arcs=(3,)),
    SystemKind("turret", arcs=(2, 3, 4, 6)),
    SystemKind("salvo-launcher", arcs=(3,)),
    *(
        SystemKind(name, models=("", "extended", "two-stage"), arcs=(3,))
        for name in ("salvo-rack", "heavy-missile")
    ),
    SystemKind("magazine", free=True),
    *(SystemKind(name, arcs=(3,)) for name in ("antimatter-missile", "rocket-pod")),
    SystemKind("plasma-bolt", (1, 2, 3, 4), arcs=NARROW),
    *(
        SystemKind(name)
        for name in (
            "minelayer",
            "minesweeper",
            "advanced-firecon",
            "enhanced-sensors",
            "superior-sensors",
        )
    ),
    SystemKind("weasel", models=("cruiser", "capital")),
    *(
        SystemKind(name)
        for name in ("hangar", "combined-hangar", "fighter-rack", "gunboat-rack", "ortillery")
    ),
    SystemKind("launch-tube", flag="catapult"),
    *(
        SystemKind(name, free=True)
        for name in ("boat-bay", "tender-bay", "hold", "passengers", "troops", "shipyard")
    ),
    *(SystemKind(name) for name in ("damage-control", "marines", "firecon")),
)
SYSTEMS = (*WEAPONS, *DEFENCES, *REST)
THREE = ["FP", "F", "FS"]
# Systems that need each other; every third ship has one of these packages first.
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
FLAGS = {row.type: row.flag for row in SYSTEMS if row.flag}
FLAG_OPTIONS = {"overload": "overload", "flak": "flak", "catapult": "catapults"}


def fitting(luck: Random) -> Document:
    """Return a random system on sale, with possible arcs; mostly weapons and defences."""
    kind = luck.choice(luck.choice((WEAPONS, WEAPONS, DEFENCES, SYSTEMS)))
    entry: Document = {"type": kind.type}
    size, model = luck.choice(kind.sizes), luck.choice(kind.models)
    entry |= {"class": size} if size else {}
    entry |= {"model": model} if model else {}
    if kind.arcs:
        arcs = luck.choice(kind.arcs)
        at = 0 if arcs == 1 else luck.randrange(len(ARCS))
        entry["arcs"] = (
            [ARCS[(at + n - arcs // 2) % len(ARCS)] for n in range(arcs)]
            if arcs < len(ARCS)
            else [*ARCS]
        )
    if kind.free:
        entry["mass"] = luck.randint(1, 6)
    return entry


def design(luck: Random, options: list[str], far: bool) -> Document:
    """Return a legal ship or base.

    Args:
        far: A large one around a spinal mount.
    """
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
    document: Document = {
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
        document["flawed"] = True
    return valid_design(document, options)


def ship(
    luck: Random, name: str, x: float, y: float, course: int, options: list[str], far: bool
) -> Document:
    """Return a ship near its side's place."""
    plan = design(luck, options, far)
    still = plan["kind"] == "installation"
    document: Document = {
        "id": name,
        "contact": f"c{name[::-1]}x",
        "design": plan,
        "at": [x, y],
        "course": course,
        "velocity": luck.choice([0, 0, 3]) if still or far else luck.randint(0, 12),
    } | wear(luck, plan)
    if "mixed-movement" in options and luck.random() < 0.5:
        document["movement"] = "vector"
    if ("vector" in options or "movement" in document) and luck.random() < 0.5:
        document["facing"] = luck.randint(1, 12)
    if "core-systems" in options and luck.random() < 0.15:
        document["lost"] = sorted(
            {*document.get("lost", ()), luck.choice(["bridge", "life-support", "power-core"])}
        )
    if document.get("lost") and luck.random() < 0.3:
        document["notes"] = {f"irreparable:{document['lost'][0]}": 1}
    if (
        plan["ftl"] != "none"
        and "no-ftl" not in options
        and not document.get("lost")
        and luck.random() < 0.12
    ):
        document["ftl_entry"] = luck.randint(1, 3)
    settings = {
        fit: luck.choice(["torpedo", "flare"])
        for fit, item in fit_ids(plan)
        if item["type"] == "fusion-array"
    }
    return document | ({"settings": settings} if settings and luck.random() < 0.5 else {})


def battle(luck: Random) -> Document:
    """Return two or three sides of one to three ships, with random bogeys, asteroids, options and
    terms.

    Args:
        far: As far from each other as the table allows, unidentified, and with spinal mounts.
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
    document = {
        "edition": EDITION,
        "table": list(TABLE),
        "bogeys": bogeys,
        "options": options,
        "seed": luck.randint(0, 999),
    }
    return document | {"sides": sides} | field(luck) | terms(luck, sides, options)
