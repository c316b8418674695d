"""Battles of Continuum by vectors with options that exclude systems and widen the lock-on of
missiles.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import gunnery
from tests.engine.frozen.making import Document

OPTIONS = [
    "vector",
    "wide-lock-on",
    "no-multi-stage",
    "no-short-k-guns",
    "no-decoys",
    "fighters-and-gunboats",
]


def battle(luck: Random) -> Document:
    """Return guns against craft and ordnance of one stage."""
    document = gunnery.battle(luck)
    for side in document["sides"]:
        for ship in side["ships"]:
            systems = [
                {
                    key: value
                    for key, value in item.items()
                    if (key, value) != ("model", "two-stage")
                }
                for item in ship["design"]["systems"]
            ]
            ship["design"] = {**ship["design"], "systems": systems}
    return document | {"options": [*OPTIONS, *document["options"]]}
