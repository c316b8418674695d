"""Battles of Continuum in terrain, with the options for it.

They are battles of `continuum` and were added later, so the random draws there stay unchanged.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import Document

OPTIONS = ("asteroid-destruction", "clouds", "flares", "swarms", "battle-debris")

TERRAIN: tuple[Document, ...] = (
    {"kind": "cloud", "at": [31, 30], "radius": 9},
    {"kind": "cloud", "at": [22, 30], "radius": 5},
    {"kind": "field", "at": [32, 34], "radius": 5},
    {"kind": "field", "at": [50, 20], "radius": 4, "course": 10, "velocity": 7},
    {"kind": "debris", "at": [20, 26], "radius": 3, "course": 3, "velocity": 6},
)

PLANETS: tuple[Document, ...] = (
    {"kind": "planet", "at": [32, 30], "radius": 6},
    {"kind": "planet", "at": [32, 34], "radius": 3, "gravity": [12, 8, 5]},
    {"kind": "planet", "at": [24, 26], "radius": 2, "gravity": [5, 4, 3]},
    {"kind": "planet", "at": [42, 32], "radius": 4, "gravity": [14, 11, 8, 6]},
)


def battle(luck: Random) -> Document:
    """Return a battle with terrain."""
    document = continuum.battle(luck)
    document["options"] = [
        *document["options"],
        *(option for option in OPTIONS if luck.random() < 0.5),
    ]
    if luck.random() < 0.5:
        laid = [
            {"at": [31, 40], "radius": 3, "boxes": 4},
            {"at": [40, 22], "radius": 2, "boxes": 3},
        ]
        document["asteroids"] = luck.choice(
            [{"roll": True, "radius": 2, "apart": 8, "boxes": 3}, laid]
        )
        document["drift"] = luck.choice([{"course": 8, "speed": 3}, "roll"])
    if luck.random() < 0.6:
        document["terrain"] = luck.sample(TERRAIN, luck.randint(1, 3))
        document["flares"] = sorted(luck.sample(range(1, 8), luck.randint(0, 2)))
    return document


def among_planets(luck: Random) -> Document:
    """Return a battle with planets, or suns, between the fleets."""
    document = continuum.battle(luck)
    document["terrain"] = luck.sample(PLANETS, luck.randint(1, 2))
    return document


ORBITS: tuple[Document, ...] = (
    {"kind": "planet", "at": [32, 30], "radius": 6, "atmosphere": 5},
    {
        "kind": "planet",
        "at": [32, 30],
        "radius": 8,
        "atmosphere": 7,
        "orbit": {"points": 2},
        "g": 3,
    },
    {"kind": "planet", "at": [32, 30], "radius": 5, "gravity": [9, 7], "atmosphere": 8, "g": 2},
    {"kind": "planet", "at": [32, 30], "radius": 7, "orbit": {"velocity": 4, "points": 3}},
    {"kind": "planet", "at": [32, 30], "simple": True},
)


def round_planets(luck: Random) -> Document:
    """Return a battle at a planet; every other one begins in orbit, and most ships are built for
    air.
    """
    document = continuum.battle(luck)
    document["terrain"] = [luck.choice(ORBITS)]
    document["options"] = [
        *document["options"],
        *(["shared-orbits"] if luck.random() < 0.4 else []),
    ]
    (planet,) = document["terrain"]
    speed = planet.get("atmosphere") or planet.get("orbit", {}).get("velocity", 7)
    for side in document["sides"]:
        for ship in side["ships"]:
            tied = {"docked", "section", "stand", "ftl_entry"} & set(ship)
            if "design" in ship and "streamlining" not in ship["design"] and luck.random() < 0.5:
                ship["design"]["streamlining"] = luck.choice(("partial", "full"))
            if (
                luck.random() < 0.5
                and not tied
                and ship["id"] not in {other.get("docked") for other in side["ships"]}
            ):
                ship |= {"orbit": "planet-1", "velocity": speed}
    if luck.random() < 0.2:
        document["options"] = [*document["options"], luck.choice(("planets", "simple-planet"))]
        document["terrain"] = []
        for side in document["sides"]:
            side["ships"] = [
                {key: ship[key] for key in ship if key != "orbit"} for ship in side["ships"]
            ]
    return document


def above_planets(luck: Random) -> Document:
    """Return a battle on an orbital table, whose ships are about to leave it."""
    document = continuum.battle(luck)
    options = [
        option for option in document["options"] if option not in ("moving-table", "table-return")
    ]
    document["options"] = [*options, "orbital-table"]
    for side in document["sides"]:
        for ship in side["ships"]:
            ship["velocity"] = (
                max(ship.get("velocity", 0), 12) if "docked" not in ship else ship["velocity"]
            )
    return document


def of_bombardment(luck: Random) -> Document:
    """Return a battle over a planet with ground targets and ortillery; sometimes they decide it."""
    document = round_planets(luck)
    if not document["terrain"]:
        document["options"] = [
            option for option in document["options"] if option not in ("planets", "simple-planet")
        ]
        document["terrain"] = [dict(ORBITS[0])]
    names = [side["name"] for side in document["sides"]]
    document["ground"] = [
        {"side": name, "planet": "planet-1", "boxes": luck.randint(1, 6)} for name in names
    ]
    for side in document["sides"]:
        for ship in side["ships"]:
            if "design" in ship and "orbit" in ship:
                ship["design"]["systems"].append({"type": "ortillery", "count": 2})
    if luck.random() < 0.5:
        (first, *_) = names
        condition = {
            "winner": names[-1],
            "ships": ["site-1"],
            "fate": "destroyed",
            "reason": f"{first} has lost its port",
        }
        document["victory"] = [*document.get("victory", []), condition]
    return document
