"""Battles of Continuum in which sides leave point defence to their officers: from the beginning, or
in a turn.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import gunnery
from tests.engine.frozen.making import Document


def battle(luck: Random) -> Document:
    """Guns against craft and ordnance; one side has left it to them, of the other a ship does, and
    takes it back.
    """
    document = gunnery.battle(luck)
    red, blue = document["sides"]
    red["officers"] = luck.choice((True, [red["ships"][0]["id"]]))
    first = blue["ships"][0]["id"]
    return document | {"turns": [{"officers": {first: True}}, {}, {"officers": {first: False}}]}
