"""A battle that is stored after any phase and continued has the same result, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.battle import Battle, Fight, ResolvedStop, battle_from, fight, start
from engine.core.canonical import encode_floats
from engine.core.dice import Dice, KeyedDice
from tests.engine.frozen.fighting import Case, cases, document
from tests.engine.secrecy.lent_ships import watch_captains

SEED = bytes(32)
CONTEXT: list[str | int] = ["a war", 1, 3, "battles", "digest"]


def through_json(value: Any) -> Any:
    """Return a document as a database returns it."""
    return json.loads(json.dumps(value))


def stop_record(stop: ResolvedStop) -> Any:
    """Return everything stored of a phase."""
    events = [event.to_json() for event in stop.events]
    views = [stop.view(side) for side in range(len(stop.before.sides))]
    return encode_floats(
        {"kind": stop.kind, "orders": stop.inputs, "events": events, "views": views}
    )


def at_once(
    battle: Battle, doctrines: Mapping[str, Any], dice: Dice, turns: int
) -> tuple[list[Any], Any]:
    stops: list[Any] = []
    ended = fight(
        battle,
        doctrines,
        dice,
        "captains",
        turns,
        on_stop=lambda stop: stops.append(stop_record(stop)),
    )
    return stops, encode_floats(ended.to_json())


def in_slices(
    battle: Battle, doctrines: Mapping[str, Any], dice: Callable[[], Dice], turns: int
) -> tuple[list[Any], Any, int]:
    """Fight every phase with another worker, which has only what the last one stored."""
    stops: list[Any] = []
    slices = 0
    going = Fight(battle, doctrines, dice(), "captains", turns)
    while not going.is_over:
        stops.append(stop_record(going.step()))
        memory = going.memory()
        if memory is not None and not going.is_over:
            state = through_json(going.battle().to_json())
            going = Fight(
                battle_from(state),
                doctrines,
                dice(),
                "captains",
                turns,
                memory=through_json(memory),
            )
            slices += 1
    return stops, encode_floats(going.battle().to_json()), slices


def keyed() -> Dice:
    return KeyedDice(SEED, CONTEXT).at("battle/0304")


def seeded() -> Dice:
    return Dice("a seed")


EVERY = 24  # of the battery's battles by captains; all 360 were equal when this was written
BATTLES = [case for case in cases() if case.captains and not case.fixture][::EVERY]


@pytest.mark.parametrize("case", BATTLES, ids=lambda case: case.name)
def test_battle_in_slices_equals_one_at_once(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = watch_captains(monkeypatch)
    file = {key: value for key, value in document(case).items() if key not in ("turns", "dice")}
    dice = seeded if case.seed % 4 == 3 else keyed
    doctrines = {side["name"]: side.get("doctrine", {}) for side in file["sides"]}
    stops, end = at_once(start(file), doctrines, dice(), 4)
    assert decisions.total() >= 2
    monkeypatch.undo()
    cut, cut_end, slices = in_slices(start(file), doctrines, dice, 4)
    assert slices >= len(stops) // 2
    assert cut == stops
    assert cut_end == end
