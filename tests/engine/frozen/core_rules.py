"""Battles of other modules with options that came later.

Those of the second edition are fought by its core rules: no bogeys, no drones, no rams, a fixed
table, or with fire ship by ship. Those of Continuum let docked ships fire.
"""

from __future__ import annotations

from random import Random

from tests.engine.frozen import company, second_edition
from tests.engine.frozen.making import RAMS, Document

OPTIONS = ("no-ramming", "fixed-table", "known-contacts", "no-decoys")


def battle(luck: Random) -> Document:
    """Return a battle with all options of the core rules."""
    document = second_edition.battle(luck)
    kept = [name for name in document["options"] if name not in (*RAMS, "moving-table")]
    document["options"] = [*kept, *OPTIONS]
    document["bogeys"] = False
    document["barred"] = ["nova-cannon"] if luck.random() < 0.5 else []
    for side in document["sides"]:
        side.pop("ram_on", None)
        side["ships"] = [ship for ship in side["ships"] if not ship.get("dummy")]
        if document["barred"]:
            for ship in side["ships"]:
                ship["design"]["systems"] = [
                    system
                    for system in ship["design"]["systems"]
                    if system["type"] != "nova-cannon"
                ]
    return document


def fire_by_ship(luck: Random) -> Document:
    """Return a battle of the second edition whose sides choose ship after ship to fire."""
    document = second_edition.battle(luck)
    document["options"] = [*document["options"], "fire-by-ship"]
    return document


def docked_fire(luck: Random) -> Document:
    """Return a battle of Continuum in which docked ships may fire."""
    document = company.alongside(luck)
    document["options"] = [*document.get("options", ()), "docked-fire"]
    return document
