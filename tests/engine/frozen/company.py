"""Battles of Continuum in which ships are boarded: people aboard as the battle begins, and transporters that send more.

They are battles as `continuum` draws them, and came after those: what is drawn there stays as it is.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import Document


def battle(luck: Random) -> Document:
    """A battle in which some ships are held by others' boarders already, and their owner's people are with them."""
    made = continuum.battle(luck)
    made["options"] = [*made["options"], "boarding"]
    names = [side["name"] for side in made["sides"]]
    for side in made["sides"]:
        for ship in side["ships"]:
            if "dummy" in ship or luck.random() < 0.4:
                continue
            ship["boarders"] = {
                name: {"marines": 0 if name == side["name"] else luck.randint(0, 4), "parties": luck.randint(0, 4)}
                for name in names
                if luck.random() < 0.6
            }
            if luck.random() < 0.3 and "damage" not in ship and "design" in ship:
                ship["damage"] = ship["design"]["hull"]["boxes"] - 1
    return made
