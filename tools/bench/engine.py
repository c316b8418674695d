"""Battles of the second edition: the introductory one, and one of 50 ships against 35."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

import yaml

from engine.battle import begin, fight
from engine.core.dice import Dice
from engine.notation.battles import BattleFile, read_battle
from engine.notation.files import fixture_classes

FIRST_BATTLE = Path(__file__).resolve().parents[2] / "fixtures" / "battles" / "first-battle.yaml"
FLEET = (
    "Heavy Cruiser",
    "Light Cruiser",
    "Destroyer",
    "Frigate",
    "Battleship",
    "Superdreadnought",
    "Corvette",
)


def large() -> dict[str, Any]:
    """Return a battle of fifty mixed ships against thirty-five, in columns on a large table."""

    def fleet(prefix: str, count: int, x: int, step: int, course: int) -> list[dict[str, Any]]:
        return [
            {
                "id": f"{prefix}{n}",
                "class": FLEET[n % len(FLEET)],
                "at": [x + n // 12 * step, 6 + n % 12 * 7],
                "course": course,
                "velocity": 6,
            }
            for n in range(count)
        ]

    return {
        "edition": "second-edition",
        "table": [144, 96],
        "sides": [
            {"name": "red", "ships": fleet("r", 50, 5, 5, 3)},
            {"name": "blue", "ships": fleet("b", 35, 139, -5, 9)},
        ],
    }


def fight_for(file: BattleFile, seconds: float) -> tuple[int, float, float]:
    """Fight for at least so many CPU seconds; return battles, CPU seconds used, and mean turns."""
    count = turns = 0
    battle = begin(file)
    started = process_time()
    while (elapsed := process_time() - started) < seconds:
        turns += fight(battle, file.doctrines, Dice(count), str(count), log=False).turn
        count += 1
    return count, elapsed, turns / count


def main() -> None:
    classes = fixture_classes("second-edition")
    first, big = (
        read_battle(d, classes) for d in (yaml.safe_load(FIRST_BATTLE.read_text()), large())
    )
    count, elapsed, turns = fight_for(first, 5.0)
    print(
        f"first battle by captains: {count / elapsed:.0f} a CPU second, {turns:.1f} turns (target 150 a second)"
    )
    count, elapsed, turns = fight_for(big, 3.0)
    print(f"battle of 50 against 35: {elapsed / count:.3f} CPU s, {turns:.1f} turns (target 0.5 s)")


if __name__ == "__main__":
    main()
