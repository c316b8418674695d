"""Battles of Continuum with boarders aboard at the beginning, and transporters that send more.

They are battles of `continuum` and were added later, so the random draws there stay unchanged.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import Document


def alongside(luck: Random) -> Document:
    """Return a battle in which ships fly close beside foes, some disabled, with marines to board
    them.
    """
    document = battle(luck)
    ours, theirs = (side["ships"] for side in document["sides"][:2])
    for own_ship, foe in zip(ours, theirs, strict=False):
        if (
            "facing" in foe
            or "movement" in foe
            or "docked" in own_ship
            or "ftl_entry" in foe
            or "ftl_entry" in own_ship
        ):
            continue
        own_ship |= {"at": [foe["at"][0] + 1.0, foe["at"][1] + 1.0]}
        own_ship |= {key: foe[key] for key in ("course", "velocity")}
        for ship in (own_ship, foe):
            if "design" in ship:
                ship["crew"] = {"marines": luck.randint(1, 4)}
        if luck.random() < 0.7 and foe.get("design", {}).get("thrust") and not foe.get("lost"):
            foe["lost"] = ["drive", "drive"]
    return document


def battle(luck: Random) -> Document:
    """Return a battle in which boarders hold some ships already, with the owner's people aboard."""
    document = continuum.battle(luck)
    document["options"] = [*document["options"], "boarding"]
    names = [side["name"] for side in document["sides"]]
    for side in document["sides"]:
        for ship in side["ships"]:
            if "dummy" in ship or luck.random() < 0.4:
                continue
            ship["boarders"] = {
                name: {
                    "marines": 0 if name == side["name"] else luck.randint(0, 4),
                    "parties": luck.randint(0, 4),
                }
                for name in names
                if luck.random() < 0.6
            }
            if luck.random() < 0.3 and "damage" not in ship and "design" in ship:
                ship["damage"] = ship["design"]["hull"]["boxes"] - 1
    return document
