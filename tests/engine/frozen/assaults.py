"""Battles of Continuum in which boarding torpedoes are fired, with boarding or without it."""

from __future__ import annotations

from random import Random

from tests.engine.frozen.making import Document

FORE = ["FP", "F", "FS"]
WITH = ("screen", "advanced-screen", "pds", "transporter", "holofield", "marines")


def battle(luck: Random) -> Document:
    """Two sides of up to three ships in reach of each other; now and then a magazine is out as it begins."""
    sides = [
        {"name": name, "ships": [_ship(luck, f"{name[0]}{number}", x, course, number) for number in range(many)]}
        for name, x, course in (("red", 24, 3), ("blue", 46, 9))
        for many in [luck.randint(1, 3)]
    ]
    options = ["boarding"] if luck.random() < 0.8 else []
    return {"edition": "continuum", "table": [72, 60], "seed": luck.randint(1, 999), "options": options, "sides": sides}


def _ship(luck: Random, name: str, x: int, course: int, number: int) -> Document:
    systems: list[Document] = [{"type": "firecon", "count": 2}, {"type": "beam", "class": 2, "arcs": FORE}]
    launchers = luck.randint(1, 3)
    systems += [{"type": "boarding-torpedo", "arcs": FORE, "magazine": "magazine-1"} for _ in range(launchers)]
    torpedoes = luck.randint(1, 6)
    systems.append({"type": "magazine", "mass": torpedoes, "load": {"boarding": torpedoes}})
    systems += [{"type": type_, **({"class": 2} if type_ == "transporter" else {})} for type_ in luck.sample(WITH, 2)]
    systems += [{"type": "marines"}] * luck.randint(0, 3)
    if {"screen", "advanced-screen"} <= {one["type"] for one in systems}:
        systems = [one for one in systems if one["type"] != "screen"]
    design = {
        "class": f"Assault {name}", "edition": "continuum", "kind": "warship", "mass": 140,
        "hull": {"boxes": luck.randint(16, 26), "rows": 4}, "thrust": 4, "ftl": "none",
        "armour": [[luck.randint(0, 4), 0]], "systems": systems,
    }  # fmt: skip
    lost = ["magazine-1"] if luck.random() < 0.2 else []
    at = [x + luck.randint(-3, 3), 20 + 6.0 * number]
    return {"id": name, "at": at, "course": course, "velocity": luck.randint(0, 6), "design": design, "lost": lost}
