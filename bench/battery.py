"""Battles of every sort, fought by captains, with all that happened: what two builds of the engine must tell alike.

`python -m bench.battery` prints a line for each battle, and one for every stop with its orders, events and state.
`bin/compile --check` compares what the plain and the compiled engine print.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import yaml

from bench.continuum import large as ten_against_ten
from bench.engine import large
from engine.battle import Battle, Stop, begin, fight
from engine.captains.doctrine import STYLES, TARGETS, Doctrine
from engine.dice import Dice, KeyedDice
from engine.notation.battles import BattleFile, read_battle
from engine.notation.files import fixture_classes
from engine.view import observe
from tests.engine.battle.test_anything import battle as any_battle

BATTLES = Path(__file__).resolve().parents[1] / "fixtures" / "battles"
SEEDS = 10  # of each battle of the fixtures
RANDOM = 100  # battles of anything with anything


def files() -> Iterator[tuple[str, BattleFile, int]]:
    """The battles by name, with the seed they are fought with."""
    for path in sorted(BATTLES.glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        file = read_battle(document, fixture_classes(document["edition"]))
        for seed in range(SEEDS):
            yield path.stem, file, seed
    yield "large", read_battle(large(), fixture_classes("second-edition")), 0
    classes = fixture_classes("continuum")
    for options in ((), ("vector",)):
        yield " ".join(("large", "continuum", *options)), read_battle(ten_against_ten(*options), classes), 0
        for number, (one, other) in enumerate(pairwise(classes)):
            yield f"{one} and {other}", read_battle(meeting(one, other, options), classes), number
    for seed in range(RANDOM):
        yield "anything", read_battle(any_battle(Random(seed)), fixture_classes("second-edition")), seed


def meeting(one: str, other: str, options: tuple[str, ...]) -> dict[str, Any]:
    """Two ships of a class of Continuum against two of another."""

    def two(prefix: str, cls: str, x: int, course: int) -> list[dict[str, Any]]:
        place = {"class": cls, "course": course, "velocity": 4}
        return [place | {"id": f"{prefix}{n}", "at": [x, 20 + 6 * n]} for n in range(2)]

    sides = [{"name": "red", "ships": two("r", one, 10, 3)}, {"name": "blue", "ships": two("b", other, 50, 9)}]
    return {"edition": "continuum", "options": list(options), "table": [60, 48], "sides": sides}


def tell(name: str, file: BattleFile, seed: int) -> None:
    """Fight one battle and print it stop by stop. Every third has dice that anyone can check."""
    print("battle", name, seed)
    doctrines: dict[str, Any] = dict(file.doctrines)
    if seed % 2:
        luck = Random(seed)
        for side in file.state.sides:
            doctrines[side] = Doctrine(
                style=STYLES[0], targets=luck.choice(TARGETS), break_off=luck.choice((20, 40, 60)), flee=seed % 7 == 1
            )
    dice = Dice(seed) if seed % 3 else KeyedDice(b"battery", [name, seed])
    ended = fight(begin(file), doctrines, dice, str(seed), on_stop=_print_stop)
    print(json.dumps(ended.to_json()))
    print(json.dumps(ended.events_json))
    print(json.dumps(dice.used))


def _print_stop(stop: Stop) -> None:
    battle = Battle("", (), stop.after, None, [])
    print(stop.seq, stop.turn, stop.kind, json.dumps([stop.inputs, battle.to_json()]))
    for event in stop.events:
        print(json.dumps(event.to_json()))
    for side in range(len(stop.after.sides)):
        print(json.dumps(observe(stop.after, side).to_json()))


def main() -> None:
    for name, file, seed in files():
        tell(name, file, seed)


if __name__ == "__main__":
    main()
