"""Writes the stored battle of this release: `python -m tests.engine.stored.write`.

Run it once for each release whose battle documents differ from those of the release before, in a
checkout of that release.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from engine.battle import battle_from, begin
from engine.captains.common.doctrine import Doctrine
from engine.cli.release import version_of
from engine.core.dice import KeyedDice
from engine.notation.battles import read_battle
from engine.notation.files import classes_for, read_input
from engine.stops import advise, awaited_sides, resolve_documents
from tests.engine.stored.battles import FILE, SEED, after

BATTLE_FILE = "fixtures/battles/con-am-12.yaml"
BEFORE, AFTER = 6, 6  # decisions before the document is stored, and after


def main() -> None:
    file = read_input(BATTLE_FILE)
    dice = KeyedDice(*SEED)
    battle = begin(read_battle(file, classes_for(file)), dice)
    orders: list[dict[str, Any]] = []
    stored: dict[str, Any] = {}
    for number in range(BEFORE + AFTER):
        if number == BEFORE:
            stored = json.loads(json.dumps(battle.to_json()))
        advice = {
            side: advise(battle, side, Doctrine(), f"stored/{side}")
            for side in awaited_sides(battle)
        }
        if number >= BEFORE:
            orders.append({str(side): document for side, document in advice.items()})
        battle, _ = resolve_documents(battle, advice, dice, number)
    document = {"battle": stored, "first": BEFORE, "orders": json.loads(json.dumps(orders))}
    document["after"] = after(battle_from(stored), document)
    release = version_of().rpartition(".")[0]
    packed = gzip.compress(json.dumps(document).encode(), mtime=0)
    FILE.with_name(FILE.name.format(release)).write_bytes(packed)


if __name__ == "__main__":
    main()
