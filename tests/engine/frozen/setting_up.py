"""Battles of the second edition whose sides set up in zones, in secret or in turn.

They are battles of `second_edition` and were added later, so the random draws there stay unchanged.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import second_edition
from tests.engine.frozen.making import Document

FORMATIONS = ("", "ranks", "line", "column", "wedge", "screen")
KINDS = ("meeting", "converging", "defence", "stand-off", "caught", "ambush")
# What begins in a place of its own, or beside another ship
PLACED_OTHERWISE = ("docked", "carried", "ftl_entry", "dummy", "groups", "berths")


def battle(luck: Random) -> Document:
    """Return a battle in which captains place most ships in the zones of a deployment."""
    document = second_edition.battle(luck)
    document["sides"] = document["sides"][:2]
    document["deployment"] = {
        "kind": luck.choice(KINDS),
        "manner": luck.choice(("sealed", "by-side", "by-ship")),
    }
    for side in document["sides"]:
        side["doctrine"] = {
            "formation": luck.choice(FORMATIONS),
            "reserve": luck.choice((0, 0, 2, 3)),
            "speed": luck.randint(0, 12),
        }
        for ship in side["ships"]:
            if not any(key in ship for key in PLACED_OTHERWISE):
                for key in ("at", "course", "velocity", "facing"):
                    ship.pop(key, None)
    return document


STATION = {
    "class": "Outpost",
    "edition": "second-edition",
    "kind": "installation",
    "mass": 60,
    "systems": [{"type": "battery", "battery": "C", "arcs": ["F", "S", "A", "P"]}],
}


def battle_with_bodies(luck: Random) -> Document:
    """Return such a battle in which the sides place asteroids and a station before their ships."""
    document = battle(luck)
    document["asteroids"] = {"place": luck.randint(1, 3), "apart": 5}
    if luck.randrange(2):
        document["asteroids"]["by"] = document["sides"][1]["name"]
    station = {
        "id": "outpost",
        "design": STATION,
        "apart": 6,
        "velocity": 0,
        "contact": "c-outpost",
    }
    document["sides"][0]["ships"].append(station)
    return document
