"""Battles of all kinds with complete logs, which two builds of the engine must print alike.

They are the frozen battery, battles between all pairs of Continuum classes, and the largest fleets.

`python -m tools.bench.battery` prints a line for each battle, and then every line of its log, its
views and its end. `bin/compile --check` compares the output of the plain and the compiled engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from engine.core.dice import Dice
from engine.notation.battles import BattleFile, read_battle
from engine.notation.files import fixture_classes
from tests.engine.frozen.fighting import Record, by_captains, cases, fight_case
from tools.bench.continuum import large as ten_against_ten
from tools.bench.engine import large


def files() -> Iterator[tuple[str, BattleFile, int]]:
    """Return the battles besides the frozen ones, by name, each with its seed."""
    yield "large", read_battle(large(), fixture_classes("second-edition")), 0
    classes = fixture_classes("continuum")
    for options in ((), ("vector",)):
        yield (
            " ".join(("large", "continuum", *options)),
            read_battle(ten_against_ten(*options), classes),
            0,
        )
        for number, (first_class, second_class) in enumerate(pairwise(classes)):
            yield (
                f"{first_class} and {second_class}",
                read_battle(meeting(first_class, second_class, options), classes),
                number,
            )


def meeting(first_class: str, second_class: str, options: tuple[str, ...]) -> dict[str, Any]:
    """Return a battle of two ships of one Continuum class against two of another."""

    def two(prefix: str, cls: str, x: int, course: int) -> list[dict[str, Any]]:
        place = {"class": cls, "course": course, "velocity": 4}
        return [place | {"id": f"{prefix}{n}", "at": [x, 20 + 6 * n]} for n in range(2)]

    sides = [
        {"name": "red", "ships": two("r", first_class, 10, 3)},
        {"name": "blue", "ships": two("b", second_class, 50, 9)},
    ]
    return {"edition": "continuum", "options": list(options), "table": [60, 48], "sides": sides}


def main() -> None:
    for case in cases():
        print("battle", case.name)
        fight_case(case, print)
    for name, file, seed in files():
        print("battle", name, seed)
        by_captains(file, file.doctrines, Dice(seed), str(seed), file.max_turns, Record(print))


if __name__ == "__main__":
    main()
