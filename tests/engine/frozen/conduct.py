"""Battles of Continuum with later options: knocked off course, striking, withdrawal, one navy.

They are battles of `continuum` and were added later, so the random draws there stay unchanged.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import Document

OPTIONS = ("knocked-off-course",)
MORALE = ("fleet-morale", "striking", "civil-war")
NAVIES = ("nac", "esu")


def battle(luck: Random) -> Document:
    """Return a battle with all of these options."""
    document = continuum.battle(luck)
    document["options"] = [*document["options"], *OPTIONS]
    return document


def of_morale(luck: Random) -> Document:
    """Return a battle with morale checks; sometimes sides set a loss limit, a navy, and no quarter."""
    document = continuum.battle(luck)
    late = ["late-striking"] if luck.random() < 0.3 else []
    document["options"] = [*document["options"], *MORALE, *late]
    names = [side["name"] for side in document["sides"]]
    for side in document["sides"]:
        if luck.random() < 0.7:
            side["withdraws_at"] = luck.randint(5, 40)
        for ship in side["ships"]:
            boxes = ship.get("design", {"hull": {"boxes": 0}})["hull"]["boxes"]
            ship["damage"] = max(ship.get("damage", 0), int(boxes * luck.choice((0.0, 0.6, 0.9))))
        if luck.random() < 0.3:
            side["navy"] = luck.choice(NAVIES)
    if luck.random() < 0.2:
        document["no_quarter"] = [luck.sample(names, 2)]
    return document
