"""Battles of Continuum of guns against craft and ordnance: flak, guard guns, area effects, mines."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import Document

FORE, ROUND = ["FP", "F", "FS"], ["F", "FS", "AS", "A", "AP", "FP"]
OPTIONS = ["flak", "science-fiction", "core-systems", "reactor-breach"]
GUNS: tuple[Document, ...] = (
    {"type": "k-gun", "class": 3, "arcs": ["F"], "flak": True},
    {"type": "k-gun", "class": 2, "model": "long", "arcs": ["F"], "flak": True},
    {"type": "k-gun", "class": 1, "arcs": ROUND},
    {"type": "phaser", "class": 2, "arcs": FORE},
    {"type": "emp", "class": 1, "arcs": ROUND},
    {"type": "emp", "class": 2, "arcs": FORE},
    {"type": "gatling", "arcs": ROUND},
    {"type": "pulser", "arcs": FORE},
    {"type": "meson", "arcs": ROUND},
    {"type": "particle-array", "arcs": FORE},
    {"type": "fusion-array", "arcs": ["F"]},
)
HEAVY: tuple[Document, ...] = (
    {"type": "spinal-beam", "model": "medium"}, {"type": "spinal-plasma", "model": "small"},
    {"type": "spinal-singularity", "model": "medium"}, {"type": "wave-gun"}, {"type": "nova-cannon"},
    {"type": "suicide-charge"}, {"type": "plasma-bolt", "class": 2, "arcs": ["F"]},
)  # fmt: skip
LAUNCHERS: tuple[Document, ...] = (
    {"type": "salvo-rack", "model": "two-stage", "arcs": FORE}, {"type": "heavy-missile", "model": "two-stage"},
    {"type": "salvo-rack", "arcs": FORE}, {"type": "rocket-pod", "arcs": FORE},
)  # fmt: skip
CRAFT: tuple[Document, ...] = (
    {"type": "combined-hangar", "load": {"standard": 6}},
    {"type": "combined-hangar", "load": {"standard": 6}, "mods": ["heavy"]},
    {"type": "combined-hangar", "load": {"attack": 6}},
    {"type": "gunboat-rack", "load": {"beam": 6}},
    {"type": "gunboat-rack", "load": {"missile": 6}},
)


def battle(luck: Random) -> Document:
    """Return two sides of one to three ships, sometimes with mines between them."""
    sides = [
        {
            "name": name,
            "ships": [
                _ship(luck, f"{name[0]}{number}", y, course, number) for number in range(many)
            ],
        }
        for name, y, course in (("red", 14, 12), ("blue", 46, 6))
        for many in [luck.randint(1, 3)]
    ]
    mines = [
        {
            "side": luck.choice(("red", "blue")),
            "at": [30 + luck.randint(-9, 9), luck.randint(24, 36)],
        }
        for _ in range(luck.choice((0, 0, 3)))
    ]
    return {
        "edition": "continuum", "table": [72, 60], "seed": luck.randint(1, 999), "sides": sides,
        "options": ["combined-hangars", *OPTIONS], **({"mines": mines} if mines else {}),
    }  # fmt: skip


def swept(luck: Random) -> Document:
    """Return missile ships head on to ships with spinal mounts and wave guns."""
    sides = []
    for name, y, course in (("red", 14, 12), ("blue", 48, 6)):
        heavy = [
            {
                "type": luck.choice(("spinal-beam", "spinal-plasma", "spinal-singularity")),
                "model": "large",
            }
        ] * 2
        design = {
            "class": f"Sweeper {name}", "edition": "continuum", "kind": "warship", "mass": 240,
            "hull": {"boxes": 40, "rows": 4}, "thrust": 2, "drive": "standard", "ftl": "standard",
            "systems": [{"type": "firecon", "count": 3}, *heavy, *(LAUNCHERS[number % 2] for number in range(6))],
        }  # fmt: skip
        place = {
            "at": [30 + luck.randint(-1, 1), y],
            "course": course,
            "velocity": luck.randint(0, 2),
        }
        sides.append({"name": name, "ships": [{"id": f"{name[0]}1", "design": design, **place}]})
    return {"edition": "continuum", "table": [72, 60], "seed": luck.randint(1, 999), "sides": sides}


def _ship(luck: Random, name: str, y: int, course: int, number: int) -> Document:
    systems = [{"type": "firecon", "count": 3}]
    systems += [
        {"type": type_} for type_ in ("advanced-firecon", "adfc", "pds") if luck.random() < 0.5
    ]
    systems += [luck.choice(GUNS) for _ in range(luck.randint(2, 4))]
    systems += [luck.choice(HEAVY) for _ in range(luck.randint(0, 2))]
    systems += [luck.choice(LAUNCHERS) for _ in range(luck.randint(0, 2))]
    systems += [luck.choice(CRAFT) for _ in range(luck.randint(1, 2))]
    design = {
        "class": f"Gunner {name}{luck.randint(1, 999)}", "edition": "continuum", "kind": "warship", "mass": 200,
        "hull": {"boxes": luck.randint(20, 36), "rows": 4}, "thrust": luck.randint(2, 5), "drive": "standard",
        "ftl": "standard", "systems": systems,
    }  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "at": [24 + 6 * number, y + luck.randint(-2, 2)], "course": course,
        "velocity": luck.randint(0, 5), "design": design,
    }  # fmt: skip
