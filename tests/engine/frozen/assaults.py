"""Battles of Continuum with boarding torpedoes, with boarding or without it."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import Document

FORE = ["FP", "F", "FS"]
WITH = ("screen", "advanced-screen", "pds", "transporter", "holofield", "marines")


def battle(luck: Random) -> Document:
    """Return two sides of up to three ships in range of each other, sometimes with a lost magazine."""
    sides = [
        {
            "name": name,
            "ships": [
                _ship(luck, f"{name[0]}{number}", x, course, number) for number in range(many)
            ],
        }
        for name, x, course in (("red", 24, 3), ("blue", 46, 9))
        for many in [luck.randint(1, 3)]
    ]
    options = ["boarding"] if luck.random() < 0.8 else []
    return {
        "edition": "continuum",
        "table": [72, 60],
        "seed": luck.randint(1, 999),
        "options": options,
        "sides": sides,
    }


def _ship(luck: Random, name: str, x: int, course: int, number: int) -> Document:
    systems: list[Document] = [
        {"type": "firecon", "count": 2},
        {"type": "beam", "class": 2, "arcs": FORE},
    ]
    launchers = luck.randint(1, 3)
    systems += [
        {"type": "boarding-torpedo", "arcs": FORE, "magazine": "magazine-1"}
        for _ in range(launchers)
    ]
    torpedoes = luck.randint(1, 6)
    systems.append({"type": "magazine", "mass": torpedoes, "load": {"boarding": torpedoes}})
    systems += [
        {"type": type_, **({"class": 2} if type_ == "transporter" else {})}
        for type_ in luck.sample(WITH, 2)
    ]
    systems += [{"type": "marines"}] * luck.randint(0, 3)
    if {"screen", "advanced-screen"} <= {system["type"] for system in systems}:
        systems = [system for system in systems if system["type"] != "screen"]
    design = {
        "class": f"Assault {name}", "edition": "continuum", "kind": "warship", "mass": 140,
        "hull": {"boxes": luck.randint(16, 26), "rows": 4}, "thrust": 4, "ftl": "none",
        "armour": [[luck.randint(0, 4), 0]], "systems": systems,
    }  # fmt: skip
    lost = ["magazine-1"] if luck.random() < 0.2 else []
    at = [x + luck.randint(-3, 3), 20 + 6.0 * number]
    return {
        "id": name,
        "at": at,
        "course": course,
        "velocity": luck.randint(0, 6),
        "design": design,
        "lost": lost,
    }


def of_rammers(luck: Random) -> Document:
    """Return small ships built to ram, close to larger ones that they ram in the first turn of
    random
    orders.
    """
    small = [
        _rammer(luck, f"r{number}", 20 + luck.randint(-2, 2), 16 + 8 * number)
        for number in range(3)
    ]
    large = [_ship(luck, f"b{number}", 20 + luck.randint(8, 14), 9, number) for number in range(2)]
    for ship in large:
        ship["design"] |= {"thrust": luck.randint(0, 2), "armour": []}
        ship["design"]["hull"]["boxes"] = 30
    return {
        "edition": "continuum", "table": [72, 60], "seed": luck.randint(1, 999), "options": ["ramming-ability"],
        "sides": [{"name": "red", "ships": small}, {"name": "blue", "ships": large}],
        "turns": [{"plot": {ship["id"]: f"ram b{number % 2}" for number, ship in enumerate(small)}}],
    }  # fmt: skip


def _rammer(luck: Random, name: str, x: int, y: int) -> Document:
    design = {
        "class": f"Rammer {name}", "edition": "continuum", "kind": "warship", "mass": 30,
        "hull": {"boxes": luck.randint(4, 9), "rows": 4}, "thrust": luck.randint(4, 6), "ftl": "none", "rams": True,
        "systems": [{"type": "firecon"}, {"type": "pds"}],
    }  # fmt: skip
    return {
        "id": name,
        "at": [x, y],
        "course": 3,
        "velocity": luck.randint(6, 12),
        "design": design,
    }
