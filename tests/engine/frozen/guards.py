"""Battles of Continuum with gunboats on guard beside ships under attack by missiles and craft."""

from __future__ import annotations

from random import Random

from engine.craft import gunboats
from tests.engine.frozen.carriers import TABLE
from tests.engine.frozen.making import Document

FORE = ["FP", "F", "FS"]
GUARDS = [row.type for row in gunboats.CONTINUUM.types if row.guns.guards]


def ship(
    luck: Random, name: str, at: tuple[float, float], course: int, holds: list[Document]
) -> Document:
    """Return a ship with missiles and little point defence, and its stores."""
    systems: list[Document] = [{"type": "firecon"}, {"type": luck.choice(("pds", "adfc", "ads"))}]
    systems += [{"type": "salvo-rack", "arcs": FORE, "count": luck.randint(1, 3)}, *holds]
    systems += [{"type": "plasma-bolt", "class": 1, "arcs": FORE}] if luck.random() < 0.4 else []
    design = {
        "class": f"guard {luck.randint(1, 9999)}", "edition": "continuum", "kind": "warship", "mass": 200,
        "hull": {"boxes": luck.randint(24, 36), "rows": 4}, "thrust": luck.randint(2, 4), "drive": "standard",
        "ftl": "standard", "systems": systems,
    }  # fmt: skip
    return {
        "id": name, "contact": f"g{name[::-1]}x", "design": design, "at": list(at), "course": course,
        "velocity": luck.randint(0, 3),
    }  # fmt: skip


def rack(luck: Random) -> Document:
    """Return a rack of guard boats, sometimes with others among them."""
    if luck.random() < 0.3:
        return {"type": "gunboat-rack", "load": {"beam": 2, luck.choice(GUARDS): 4}}
    return {"type": "gunboat-rack", "load": {luck.choice(GUARDS): 6}}


def battle(luck: Random) -> Document:
    """Return boats of red beside its two ships, and blue with missiles, and fighters or boats in
    flight.
    """
    red, blue = (
        [
            ship(luck, "r1", (30, 20), 12, [rack(luck), rack(luck)]),
            ship(luck, "r2", (30 + luck.randint(-5, 5), 23), 12, []),
        ],
        [
            ship(
                luck,
                "b1",
                (30, 44),
                6,
                [{"type": "launch-tube"}, {"type": "hangar", "load": {"standard": 6}}],
            ),
            ship(luck, "b2", (36, 44), 6, [rack(luck)]),
        ],
    )
    red[0]["groups"] = {
        f"gunboat-rack-{number}": {"at": [28 + 3 * number, luck.randint(20, 28)], "course": 12}
        for number in (1, 2)
    }
    blue[0]["groups"] = {"hangar-1": {"at": [30, luck.randint(30, 38)], "course": 6}}
    if luck.random() < 0.5:
        blue[1]["groups"] = {"gunboat-rack-1": {"at": [34, 40], "course": 6}}
    sides = [{"name": "red", "ships": red}, {"name": "blue", "ships": blue}]
    return {
        "edition": "continuum",
        "table": list(TABLE),
        "seed": luck.randint(0, 999),
        "sides": sides,
    }


def covered(luck: Random) -> Document:
    """Return the same with area screens over craft of both sides, and fire at them."""
    document = battle(luck)
    for side, at in zip(document["sides"], ((32, 24), (32, 38)), strict=True):
        kind = luck.choice(("area-screen", "advanced-area-screen"))
        systems: list[Document] = [{"type": "firecon"}, {"type": kind}, {"type": "pds", "count": 2}]
        escort = ship(luck, side["name"][0] + "9", at, side["ships"][0]["course"], [])
        escort["design"] |= {
            "mass": 300,
            "hull": {"boxes": 36, "rows": 4},
            "systems": [*systems, *escort["design"]["systems"][1:]],
        }
        side["ships"].append(escort)
    return document
