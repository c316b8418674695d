"""Compare today's captains with those of an earlier commit in mirrored battles of both editions.

`python -m tools.bench.captains COMMIT [--battles N] [--only NAME]` fights N battles of each lot
(default 1,000): every pair of fleets and dice once from either end.

Only the captains of the earlier commit are used, as a package of another name beside today's, so
that both fight by the same rules in one process. They must still find what they import from the
engine: choose a commit later than the last renaming there.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import yaml

from engine.battle import NO_ORDERS, Battle, begin, captain_orders, outcome_of
from engine.captains.captain import Captain
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from engine.core.kinds import HullKind
from engine.core.state import OVER
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
from engine.sequences import resolve_orders
from tools.bench.engine import FIRST_BATTLE

HERE = Path(__file__).resolve().parents[2]
BATTLES = 1000
MAX_TURNS = 40
FLEETS = 25  # pairs of fleets in a lot
SIZES = (2, 4)  # ships in a fleet
TABLES = ((72, 48), (84, 60))

BEFORE = "captains_before"  # package name of the earlier captains


def captains_of(commit: str, folder: Path) -> tuple[Any, Any]:
    """Return the classes Captain and Doctrine of a commit, unpacked into a folder.

    Raises:
        ImportError: They need an older engine.
    """
    archive = subprocess.run(
        ["git", "archive", "--format=tar", commit, "engine/captains"],
        cwd=HERE,
        check=True,
        capture_output=True,
    )
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    (folder / "engine" / "captains").rename(folder / BEFORE)
    for module in (folder / BEFORE).rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        module.write_text(text.replace("engine.captains", BEFORE), encoding="utf-8")
    sys.path.insert(0, str(folder))
    captain = importlib.import_module(f"{BEFORE}.captain")
    doctrine = importlib.import_module(f"{BEFORE}.common.doctrine")
    return captain.Captain, doctrine.Doctrine


def draw_battle(edition: str, seed: int, *options: str) -> dict[str, Any]:
    """Return a battle of equal fleets of an edition's fixture classes, the second turned by 180°."""
    luck = Random(f"{edition} {seed}")
    names = [
        name for name, design in fixture_classes(edition).items() if design.kind == HullKind.WARSHIP
    ]
    picked = [luck.choice(names) for _ in range(luck.randint(*SIZES))]
    (width, height), velocity = luck.choice(TABLES), luck.choice((4, 6, 8))
    gap = min(8.0, (height - 10) / len(picked))

    def fleet(prefix: str, x: float, course: int, way: int) -> list[dict[str, Any]]:
        middle = (len(picked) - 1) / 2
        return [
            {"id": f"{prefix}{n}", "class": name, "at": [x, height / 2 + way * gap * (n - middle)]}
            | {"course": course, "velocity": velocity}
            for n, name in enumerate(picked)
        ]

    sides = [
        {"name": "red", "ships": fleet("r", 6, 3, 1)},
        {"name": "blue", "ships": fleet("b", width - 6, 9, -1)},
    ]
    return {"edition": edition, "options": list(options), "table": [width, height], "sides": sides}


def lots() -> dict[str, list[dict[str, Any]]]:
    """Return the battle files of each lot, by its name."""
    return {
        "first battle": [yaml.safe_load(FIRST_BATTLE.read_text(encoding="utf-8"))],
        "second edition": [draw_battle("second-edition", number) for number in range(FLEETS)],
        "Continuum": [draw_battle("continuum", number) for number in range(FLEETS)],
        "Continuum by vectors": [
            draw_battle("continuum", number, "vector") for number in range(FLEETS)
        ],
    }


def fight_battle(battle: Battle, captains: dict[int, Captain], seed: str) -> str | None:
    """Fight a battle to its end or last turn; return the winner or None.

    Args:
        captains: The captains by side.
    """
    state, dice = battle.state, Dice(seed)
    while state.stop != OVER and state.turn <= MAX_TURNS:
        orders = captain_orders(state, captains, NO_ORDERS)
        state = resolve_orders(state, orders, dice, None, keep=state is battle.state)
    outcome = outcome_of(state)
    return outcome.winner if outcome else None


def compare(
    then: tuple[Any, Any], documents: list[dict[str, Any]], battles: int
) -> tuple[int, int, int]:
    """Return how many battles today's captains won and lost, and how many had no winner."""
    battles_begun = [
        begin(read_battle(document, fixture_classes(document["edition"]))) for document in documents
    ]
    wins = losses = 0
    for number in range(battles):
        battle, side = battles_begun[number // 2 % len(battles_begun)], number % 2
        seed = f"captains-{number // 2}"
        captains = {}
        for place in range(len(battle.state.sides)):
            captain, doctrine = (Captain, Doctrine) if place == side else then
            captains[place] = captain(doctrine(), Dice(f"{seed}/{place}"))
        winner = fight_battle(battle, captains, seed)
        wins += winner == battle.state.sides[side]
        losses += winner == battle.state.sides[1 - side]
    return wins, losses, battles - wins - losses


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit")
    parser.add_argument(
        "--battles", type=int, default=BATTLES, help=f"of each lot (default {BATTLES})"
    )
    parser.add_argument("--only", action="append", choices=list(lots()), help="of this lot alone")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        then = captains_of(options.commit, Path(folder))
        for name, documents in lots().items():
            if name in (options.only or lots()):
                wins, losses, draws = compare(then, documents, options.battles)
                print(
                    f"{name}: {wins} won, {losses} lost, {draws} drawn against {options.commit}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
