"""Battles of Continuum in places: what lies and blows between the fleets, with the options that concern it.

They are battles as `continuum` draws them, and came after those: what is drawn there stays as it is.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import Document

OPTIONS = ("asteroid-destruction",)


def battle(luck: Random) -> Document:
    """A battle with something in its way."""
    made = continuum.battle(luck)
    made["options"] = [*made["options"], *(option for option in OPTIONS if luck.random() < 0.7)]
    if luck.random() < 0.5:
        laid = [{"at": [31, 40], "radius": 3, "boxes": 4}, {"at": [40, 22], "radius": 2, "boxes": 3}]
        made["asteroids"] = luck.choice([{"roll": True, "radius": 2, "apart": 8, "boxes": 3}, laid])
        made["drift"] = luck.choice([{"course": 8, "speed": 3}, "roll"])
    return made
