"""Battles of Continuum with shaped plasma bolts: launchers near friends and targets."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import Document

FORE = ["FP", "F", "FS"]
WITH = ("pds", "screen", "advanced-screen", "holofield", "beam", "scattergun")


def battle(luck: Random) -> Document:
    """Return two sides of two or three ships; the first turn's bolts are given, some without shape."""
    sides: list[Document] = [
        {
            "name": name,
            "ships": [
                ship(luck, f"{name[0]}{number}Q", 28 + 7 * number, y, course)
                for number in range(many)
            ],
        }
        for name, y, course in (("red", 14, 12), ("blue", 14 + luck.randint(8, 26), 6))
        for many in [luck.randint(2, 3)]
    ]
    plot, launch = {}, {}
    for side, foes in (sides, sides[::-1]):
        for entry in side["ships"]:
            if luck.random() < 0.8:
                plot[entry["id"]] = "shaped plasma-bolt-1"
            launch[entry["id"]] = [
                {"weapon": "plasma-bolt-1", "target": luck.choice(foes["ships"])["id"]}
            ]
    options = ["shaped-bolts", *(["point-defence-level"] if luck.random() < 0.3 else [])]
    return {
        "edition": "continuum", "table": [72, 60], "options": options, "seed": luck.randint(0, 999), "sides": sides,
        "turns": [{"plot": plot, "launch": launch}],
    }  # fmt: skip


def ship(luck: Random, name: str, x: float, y: float, course: int) -> Document:
    """Return a ship with a launcher or two, a gun, and a defence against bolts."""
    systems: list[Document] = [{"type": "firecon"}, {"type": "pds"}]
    systems += [
        {"type": "plasma-bolt", "class": luck.randint(1, 3), "arcs": FORE}
        for _ in range(luck.randint(1, 2))
    ]
    more = luck.choice(WITH)
    systems.append({"type": more, "class": 2, "arcs": FORE} if more == "beam" else {"type": more})
    design = {
        "class": f"Shaper {name}", "edition": "continuum", "kind": "warship", "mass": 160,
        "hull": {"boxes": luck.randint(16, 30), "rows": 4}, "thrust": luck.randint(2, 5), "ftl": "standard",
        "armour": [[luck.randint(1, 4), 0]], "systems": systems,
    }  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [x, y], "course": course,
        "velocity": luck.randint(0, 6),
    }  # fmt: skip
