"""Battles of Continuum by options that came after the others: ships that are knocked off course.

They are battles as `continuum` draws them, and came after those: what is drawn there stays as it is.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import continuum
from tests.engine.frozen.making import Document

OPTIONS = ("knocked-off-course",)


def battle(luck: Random) -> Document:
    """A battle by all of these options."""
    made = continuum.battle(luck)
    made["options"] = [*made["options"], *OPTIONS]
    return made
