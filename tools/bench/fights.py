"""The process of one tree in `tools.bench.against`: begins battles and fights slices of them.

The line `begin|NAME|DOCUMENT` is answered by `ready`, or by `unable` and the reason why this tree
cannot read the battle. The line `fight|NAME|FIRST|COUNT` fights battles from seed FIRST on, and is
answered by the CPU seconds and a hash of the results. Each tree runs its own copy of this file, so
the file may change with the engine.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time

from engine.battle import Battle, begin, fight
from engine.core.dice import Dice
from engine.core.errors import RuleViolations
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes


def start_battle(document: str) -> Battle:
    """Return the battle of a document in its first phase."""
    file = json.loads(document)
    return begin(read_battle(file, fixture_classes(file["edition"])))


def fight_battles(battle: Battle, first: int, count: int) -> str:
    """Return CPU seconds and a hash, as words."""
    began = time.process_time()
    ended = [
        fight(battle, {}, Dice(seed), str(seed), log=False) for seed in range(first, first + count)
    ]
    seconds = time.process_time() - began
    hasher = hashlib.sha256()
    for battle_end in ended:
        ships = battle_end.to_json()["ships"]
        came_to = [
            (name, ship["at"], ship["damage"], ship["status"]) for name, ship in ships.items()
        ]
        hasher.update(json.dumps([battle_end.winner, battle_end.turn, came_to]).encode())
    return f"{seconds} {hasher.hexdigest()}"


def main() -> None:
    battles: dict[str, Battle] = {}
    for line in sys.stdin:
        command, name, rest = line.rstrip("\n").split("|", 2)
        if command == "begin":
            try:
                battles[name] = start_battle(rest)
                print("ready", flush=True)
            except (RuleViolations, KeyError, OSError) as why:
                print("unable", " ".join(repr(why).split()), flush=True)
        else:
            first, count = rest.split("|")
            print(fight_battles(battles[name], int(first), int(count)), flush=True)


if __name__ == "__main__":
    main()
