"""Battles of Continuum among mines: minelayers, minesweepers, and screens.

They were added later, so the random draws of earlier ones stay unchanged.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import Document

FORE = ["FP", "F", "FS"]
WITH = ("screen", "advanced-screen", "pds", "holofield", "area-screen", "salvo-rack")


def ship(luck: Random, name: str, x: float, y: float, course: int) -> Document:
    """Return a ship with guns, and mostly with racks or a minesweeper."""
    systems: list[Document] = [
        {"type": "firecon"},
        {"type": "beam", "class": luck.randint(2, 3), "arcs": FORE},
    ]
    systems += [
        {"type": "minelayer", "load": {"mines": luck.randint(2, 5)}}
        for _ in range(luck.choice((0, 1, 2, 3)))
    ]
    if luck.random() < 0.6:
        systems.append({"type": "minesweeper"})
    more = luck.choice(WITH)
    systems.append({"type": more, "arcs": FORE} if more == "salvo-rack" else {"type": more})
    design = {
        "class": f"Layer {name}", "edition": "continuum", "kind": "warship", "mass": 160,
        "hull": {"boxes": luck.randint(16, 30), "rows": 4}, "thrust": luck.randint(2, 5), "ftl": "standard",
        "armour": [[luck.randint(1, 4), 0], [luck.randint(0, 3), 0]], "systems": systems,
    }  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [x, y], "course": course,
        "velocity": luck.randint(3, 9),
    }  # fmt: skip


def battle(luck: Random) -> Document:
    """Return two sides of two or three ships that approach; the first turns have given orders."""
    sides: list[Document] = [
        {
            "name": name,
            "ships": [
                ship(luck, f"{name[0]}{number}Q", 26 + 8 * number + luck.randint(-2, 2), y, course)
                for number in range(luck.choice((2, 2, 3)))
            ],
        }
        for name, y, course in (("red", 12, 12), ("blue", 44, 6))
    ]
    plots: list[Document] = [{}, {}, {}, {}, {}]
    for side in sides:
        for entry in side["ships"]:
            types = [item["type"] for item in entry["design"]["systems"]]
            for number, plot in enumerate(plots):
                if side is sides[0] and number < 2 and "minelayer" in types:
                    plot[entry["id"]] = "mine"
                if number and "minesweeper" in types and luck.random() < 0.7:
                    plot[entry["id"]] = "sweep"
    return {
        "edition": "continuum", "table": [72, 60], "bogeys": luck.random() < 0.2, "seed": luck.randint(0, 999),
        "options": ["vector"] if luck.random() < 0.2 else [], "sides": sides,
        "turns": [{"plot": plot} for plot in plots],
    }  # fmt: skip


def with_minefields(luck: Random) -> Document:
    """Return the same with mines of both sides from the beginning, and missiles that clear them."""
    document = battle(luck)
    document["mines"] = [
        {"side": luck.choice(("red", "blue")), "at": [luck.randint(20, 52), luck.randint(16, 40)]}
        for _ in range(luck.randint(4, 9))
    ]
    for side in document["sides"]:
        for ship in side["ships"]:
            ship["design"]["systems"].append({"type": "antimatter-missile", "arcs": FORE})
    return document
