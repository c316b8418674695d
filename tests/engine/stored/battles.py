"""Battles as each release stored them, with the orders from there on and what came of them.

`battle-1.0.json.gz` is a battle of Continuum by release 1.0.0, in its middle.
`python -m tests.engine.stored.write` wrote it. It is never written again: a later release adds a
file of its own.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from engine.battle import Battle
from engine.core.dice import KeyedDice
from engine.stops import resolve_documents

FILE = Path(__file__).with_name("battle-{}.json.gz")
SEED: tuple[bytes, list[str | int]] = (b"stored", ["con-am-12"])
Document = dict[str, Any]


def stored_battle(release: str) -> Document:
    """Return the document of a release."""
    text = gzip.decompress(FILE.with_name(FILE.name.format(release)).read_bytes())
    document: Document = json.loads(text)
    return document


def after(battle: Battle, document: Document) -> Document:
    """Play a battle on by the stored orders, and return what came of it."""
    dice = KeyedDice(*SEED)
    for number, orders in enumerate(document["orders"], document["first"]):
        by_side = {int(side): side_orders for side, side_orders in orders.items()}
        battle, _ = resolve_documents(battle, by_side, dice, number)
    ships = {
        ship.id: [ship.damage, str(ship.status), round(ship.x, 6), round(ship.y, 6)]
        for ship in battle.state.ships
    }
    return {"turn": battle.state.turn, "ships": ships}
