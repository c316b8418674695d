"""Battles in documents from before release 1.0.0, converted and played on with the orders of then.

`battles-1.json.gz`: seven battles in documents of the first shape, each at a stop in its middle:
the battle, the battle as each side knew it, the orders from there on, and what each side saw, what
it was told and how the battle was stored five stops later. `battles-2.json.gz`: the same in
documents of the second shape. `battles-3.json.gz`: two with ships in squadrons, in documents of the
third. `battles-4.json.gz`: two of Continuum in documents of the fourth.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.battle import Battle, battle_from
from engine.core.dice import KeyedDice
from engine.stops import awaited_sides, resolve_documents, side_view
from engine.view.side_log import side_log
from tools.prerelease import FIRST_RULES
from tools.prerelease.convert import convert

HERE = Path(__file__).parent
SHAPES = (1, 2, 3, 4)
Document = dict[str, Any]


@cache
def stored(shape: int) -> tuple[Document, ...]:
    return tuple(json.loads(gzip.decompress((HERE / f"battles-{shape}.json.gz").read_bytes())))


CASES = [
    pytest.param(shape, row, id=f"{shape}-{row['name']}")
    for shape in SHAPES
    for row in stored(shape)
]


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def moved(document: Document) -> Battle:
    return battle_from(convert("battle", document))


@pytest.mark.parametrize(("shape", "row"), CASES)
def test_every_format_is_read(shape: int, row: Document) -> None:
    for document in (row["battle"], row["end"], *row["known"]):
        assert document["schema"] == shape
        converted = convert("battle", document)
        battle = battle_from(converted)
        assert battle.state.terms.rules == FIRST_RULES
        assert as_json(battle.to_json()) == converted


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in stored(1)])
def test_old_battle_is_played_to_the_same_end(row: Document) -> None:
    battle = moved(row["battle"])
    dice = KeyedDice(b"stored", [row["name"], "after"])
    for number, orders_by_side in enumerate(row["orders"]):
        assert {str(side) for side in awaited_sides(battle)} == set(orders_by_side)
        orders = {
            int(side): convert("stop-orders", orders) for side, orders in orders_by_side.items()
        }
        battle, stop = resolve_documents(battle, orders, dice, row["seq"] + number)
    assert as_json(battle.to_json()) == convert("battle", row["end"])
    sides = range(len(battle.state.sides))
    logs = [as_json(side_log(stop.events, stop.before, side)) for side in sides]
    assert logs == [convert("stop-events", log) for log in row["log"]]
    views = [as_json(side_view(battle, side)) for side in sides]
    assert views == [convert("stop-views", view) for view in row["views"]]


def test_squadron_leaders_are_found_by_place() -> None:
    led = set()
    for row in stored(3):
        for ship in moved(row["battle"]).state.ships:
            if ship.record.squadron:
                place = row["battle"]["ships"][ship.id]["notes"]["squadron"]
                own = [
                    name
                    for name, other in row["battle"]["ships"].items()
                    if other["side"] == ship.owner
                ]
                assert ship.record.squadron == own[place - 1] != ship.id
                led.add(ship.id)
    assert led
