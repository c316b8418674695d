"""Battles of Continuum with bogeys and closed record sheets: scans, drones, weasels, jamming."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import CORNERS, SIDES, Document, valid_design

TABLE = (120, 60)
STARTS = (8.0, 104.0, 56.0)  # where each side begins
OPTIONS = ("vector", "aft-fire", "core-systems", "no-repairs", "boarding")
THREE = ["FP", "F", "FS"]
GUNS: tuple[Document, ...] = (
    {"type": "beam", "class": 2, "arcs": THREE},
    {"type": "beam", "class": 3, "arcs": THREE},
    {"type": "needle", "class": 2, "arcs": THREE},
    {"type": "pulse-torpedo", "arcs": ["F"]},
    {"type": "emp", "class": 2, "arcs": THREE},
)
ELECTRONICS: tuple[Document, ...] = (
    {"type": "enhanced-sensors"},
    {"type": "superior-sensors"},
    {"type": "enhanced-sensors", "count": 2},
    {"type": "ecm", "count": 2},
    {"type": "area-ecm"},
    {"type": "weasel", "model": "cruiser"},
    {"type": "weasel", "model": "capital"},
    {"type": "screen"},
    {"type": "advanced-screen"},
)


def battle(luck: Random) -> Document:
    """Return two or three sides of two or three ships with drones, mostly with closed record
    sheets.
    """
    options = [option for option in OPTIONS if luck.random() < 0.2]
    if luck.random() < 0.67:
        options.append("advanced-sensors")
        options += ["sensor-ecm"] if luck.random() < 0.6 else []
    is_identified = luck.random() < 0.15
    options += ["known-contacts"] if is_identified else []
    sides = []
    for n, (_, y, course) in enumerate(CORNERS[: luck.choice([2, 2, 3])]):
        letter = "rbg"[n]
        ships = [
            _ship(luck, f"{letter}{k}Q", STARTS[n], y - 6 * k, course, options)
            for k in range(luck.randint(2, 3))
        ]
        if not is_identified:
            ships += [
                _drone(luck, f"{letter}D{k}", STARTS[n] + 4, y + 5 + 4 * k, course)
                for k in range(luck.randint(0, 2))
            ]
        sides.append({"name": SIDES[n], "ships": ships})
    document: Document = {
        "edition": "continuum", "table": list(TABLE), "bogeys": not is_identified, "options": options,
        "seed": luck.randint(0, 999), "sides": sides,
    }  # fmt: skip
    if len(sides) == 3 and luck.random() < 0.4:
        document["hostile"] = [["red", "blue"], ["red", "gold"]]
    return document


def _ship(luck: Random, name: str, x: float, y: float, course: int, options: list[str]) -> Document:
    mass = luck.choice([40, 80, 140])
    design = valid_design(
        {
            "class": f"Scout {name}", "edition": "continuum", "kind": "warship", "mass": mass, "ftl": "none",
            "hull": {"boxes": mass // 5, "rows": 4}, "thrust": luck.randint(3, 6),
            "armour": [[luck.randint(0, 3), luck.randint(0, 1)]],
            "systems": [
                {"type": "firecon", "count": luck.randint(1, 3)},
                *luck.sample(ELECTRONICS, 2 if mass < 80 else 3),
                *luck.sample(GUNS, 1 if mass < 80 else 2),
            ],
        },
        options,
    )  # fmt: skip
    document: Document = {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [x + luck.randint(-4, 4), y],
        "course": course, "velocity": luck.randint(4, 12),
    }  # fmt: skip
    return document | ({"lost": ["firecon-1"]} if luck.random() < 0.1 else {})


def _drone(luck: Random, name: str, x: float, y: float, course: int) -> Document:
    document: Document = {
        "id": name, "contact": f"d{name[::-1]}x", "dummy": True, "at": [x, y], "course": course,
        "velocity": luck.randint(4, 12),
    }  # fmt: skip
    return document | ({"thrust": luck.randint(1, 16)} if luck.random() < 0.7 else {})
