"""Battles of Continuum: ten ships against ten in both movement systems, and a battle of carriers."""

from __future__ import annotations

import time
from typing import Any

from engine.battle import begin, fight
from engine.core.dice import Dice
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
from tools.bench.craft import ENTRIES as CRAFT
from tools.bench.systems import battle_file

FLEET = ("Heavy Cruiser", "Frigate", "Frigate", "Heavy Cruiser", "Frigate")
SIDE = 10
BATTLES = 30


def large(*options: str) -> dict[str, Any]:
    """Return a battle of ten ships in line abreast at either end of the table."""

    def fleet(prefix: str, x: int, course: int) -> list[dict[str, Any]]:
        return [
            {
                "id": f"{prefix}{n}",
                "class": FLEET[n % len(FLEET)],
                "at": [x, 8 + n * 8],
                "course": course,
                "velocity": 6,
            }
            for n in range(SIDE)
        ]

    return {
        "edition": "continuum",
        "options": list(options),
        "table": [120, 90],
        "sides": [
            {"name": "red", "ships": fleet("r", 10, 3)},
            {"name": "blue", "ships": fleet("b", 110, 9)},
        ],
    }


def carriers() -> dict[str, Any]:
    """Return a battle of six ships a side, three of them carriers with twelve groups together."""
    return battle_file(CRAFT["carriers"], "")


def main() -> None:
    classes = fixture_classes("continuum")
    ten = f"{SIDE} against {SIDE} of Continuum"
    for name, document in (
        (ten, large()),
        (f"{ten}, vector", large("vector")),
        ("carriers", carriers()),
    ):
        battle = begin(read_battle(document, classes))
        fight(battle, {}, Dice("first"), "first", log=False)  # fill the captains' caches
        started = time.process_time()
        turns = sum(fight(battle, {}, Dice(n), str(n), log=False).turn for n in range(BATTLES))
        rate = BATTLES / (time.process_time() - started)
        print(f"{name}: {rate:.1f} a CPU second, {turns / BATTLES:.1f} turns")


if __name__ == "__main__":
    main()
