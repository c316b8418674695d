"""A tree's process for `tools.bench.against`: it begins battles and fights slices of them, by the
lines it reads.

`begin|NAME|DOCUMENT` answers `ready`, or `unable` and why where this tree cannot read such a
battle; `fight|NAME|FIRST|COUNT` fights as many battles from seed FIRST on and answers with the CPU
seconds they took and a hash of what they came to. `tools.bench.against` runs each tree's own copy
of this file, so that it may change with the engine.
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


def started(document: str) -> Battle:
    """The battle of a file's document at its first stop."""
    file = json.loads(document)
    return begin(read_battle(file, fixture_classes(file["edition"])))


def fought(begun: Battle, first: int, count: int) -> str:
    """CPU seconds and a hash, as words."""
    began = time.process_time()
    ended = [
        fight(begun, {}, Dice(seed), str(seed), log=False) for seed in range(first, first + count)
    ]
    seconds = time.process_time() - began
    told = hashlib.sha256()
    for one in ended:
        ships = one.to_json()["ships"]
        came_to = [
            (name, ship["at"], ship["damage"], ship["status"]) for name, ship in ships.items()
        ]
        told.update(json.dumps([one.winner, one.turn, came_to]).encode())
    return f"{seconds} {told.hexdigest()}"


def main() -> None:
    begun: dict[str, Battle] = {}
    for line in sys.stdin:
        what, name, rest = line.rstrip("\n").split("|", 2)
        if what == "begin":
            try:
                begun[name] = started(rest)
                print("ready", flush=True)
            except (RuleViolations, KeyError, OSError) as why:
                print("unable", " ".join(repr(why).split()), flush=True)
        else:
            first, count = rest.split("|")
            print(fought(begun[name], int(first), int(count)), flush=True)


if __name__ == "__main__":
    main()
