"""Battles of Continuum where point defence goes by level: missile ships and their escorts, close enough to launch."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import Document

FORE, ROUND = ["FP", "F", "FS"], ["F", "FS", "AS", "A", "AP", "FP"]
LAUNCHERS: tuple[Document, ...] = (
    {"type": "heavy-missile"},
    {"type": "heavy-missile", "model": "two-stage"},
    {"type": "salvo-rack", "arcs": FORE},
    {"type": "rocket-pod", "arcs": FORE},
    {"type": "plasma-bolt", "class": 2, "arcs": ["F"]},
    {"type": "antimatter-missile", "arcs": FORE},
)
GUARDS: tuple[Document, ...] = (
    {"type": "pds"}, {"type": "pds"}, {"type": "ads", "arcs": ROUND}, {"type": "beam", "class": 1, "arcs": ROUND},
    {"type": "scattergun"}, {"type": "grapeshot"}, {"type": "adfc"}, {"type": "advanced-adfc"}, {"type": "screen"},
)  # fmt: skip
WIDTH = 6.0  # MU between the ships of a side


def battle(luck: Random) -> Document:
    """Two sides of up to four ships, with the prices of the option now and then."""
    options = ["point-defence-level", *(["point-defence-costs"] if luck.random() < 0.5 else [])]
    sides = [
        {"name": name, "ships": [_ship(luck, f"{name[0]}{number}", x, course, number) for number in range(many)]}
        for name, x, course in (("red", 22, 3), ("blue", 46, 9))
        for many in [luck.randint(1, 4)]
    ]
    return {"edition": "continuum", "table": [72, 60], "seed": luck.randint(1, 999), "options": options, "sides": sides}


def _ship(luck: Random, name: str, x: int, course: int, number: int) -> Document:
    systems = [luck.choice(LAUNCHERS) for _ in range(luck.randint(1, 4))]
    systems += [luck.choice(GUARDS) for _ in range(luck.randint(2, 7))]
    screens = [one for one in systems if one["type"] == "screen"]
    design = {
        "class": f"Level {name}", "edition": "continuum", "kind": "warship", "mass": 180,
        "hull": {"boxes": luck.randint(24, 36), "rows": 4}, "thrust": 4, "ftl": "none",
        "systems": [{"type": "firecon", "count": 2}, *(one for one in systems if one not in screens), *screens[:2]],
    }  # fmt: skip
    at = [x + luck.randint(-3, 3), 20 + WIDTH * number]
    return {"id": name, "at": at, "course": course, "velocity": luck.randint(0, 6), "design": design}
