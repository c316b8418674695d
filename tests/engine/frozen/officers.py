"""Battles of Continuum with automatic point defence, from the beginning or from a later turn."""

from __future__ import annotations

from random import Random

from tests.engine.frozen import gunnery
from tests.engine.frozen.making import Document


def battle(luck: Random) -> Document:
    """Return guns against craft and ordnance; one side uses it, of the other one ship, for a time."""
    document = gunnery.battle(luck)
    red, blue = document["sides"]
    red["officers"] = luck.choice((True, [red["ships"][0]["id"]]))
    first = blue["ships"][0]["id"]
    return document | {"turns": [{"officers": {first: True}}, {}, {"officers": {first: False}}]}
