"""Compare the speed of the compiled engine with the plain one, in one run.

Run `python -m tools.bench.compiled [--rounds 9] [--seconds 1.0]` after bin/compile. Each engine has
its own process. In a round both fight the same battles for some seconds, one after the other; the
median of the rounds' ratios counts. Times are processor time, so a busy machine does not matter.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
BATTLES = (
    "first battle by captains",
    "the same with its log",
    "50 ships against 35",
    "ten against ten of Continuum",
)
TARGET = 3.0  # times the speed of the plain engine


def compiling() -> ModuleType:
    """Return the module behind bin/compile, which is in no package."""
    spec = importlib.util.spec_from_file_location(
        "compile_engine", ROOT / "tools" / "compile_engine.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fights() -> dict[str, Callable[[int], object]]:
    """Return one battle of each kind, with its seed."""
    import yaml

    from engine.battle import begin, fight
    from engine.core.dice import Dice
    from engine.notation.battles import read_battle
    from engine.notation.files import fixture_classes
    from tools.bench.continuum import large as ten_against_ten
    from tools.bench.engine import FIRST_BATTLE, large

    documents = yaml.safe_load(FIRST_BATTLE.read_text()), large(), ten_against_ten()
    first, big, ten = (
        read_battle(document, fixture_classes(document["edition"])) for document in documents
    )

    def fighter(battle: object, doctrines: object, log: bool) -> Callable[[int], object]:
        return lambda seed: fight(battle, doctrines, Dice(seed), str(seed), log=log)  # type: ignore[arg-type]

    began = begin(first)
    fighters = [fighter(began, first.doctrines, False), fighter(began, first.doctrines, True)]
    fighters += [fighter(begin(document_large), {}, False) for document_large in (big, ten)]
    return dict(zip(BATTLES, fighters, strict=True))


def work(expected: str) -> None:
    """Answer each line `[battle, seconds]` with the number of battles per second.

    No battle is fought twice, because captains would find cached results of the first time.
    """
    from engine.captains.common import move_search

    if not str(move_search.__file__).endswith(expected):
        sys.exit(f"this is not the engine to measure: {move_search.__file__}")
    ready = fights()
    seeds = {name: itertools.count(1) for name in ready}
    for line in sys.stdin:
        name, seconds = json.loads(line)
        began = time.process_time()
        for count in itertools.count(1):
            ready[name](next(seeds[name]))
            elapsed = time.process_time() - began
            if elapsed >= seconds:
                print(count / elapsed, flush=True)
                break


class Worker:
    """An engine in its own process."""

    def __init__(self, environment: dict[str, str], expected: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.bench.compiled", "--work", expected],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def fights(self, battle: str, seconds: float) -> float:
        """Return the battles per second over at least so many seconds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([battle, seconds]), file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def end(self) -> None:
        self._process.communicate()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each engine in each round")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        work(args.work)
        return 0
    module = compiling()
    if module.state() != "current":
        print("there is no compiled engine, or it is older than its sources: bin/compile builds it")
        return 0
    plain, compiled = (
        Worker(module.environment(False), ".py"),
        Worker(module.environment(True), ".so"),
    )
    ratios: dict[str, float] = {}
    for battle in BATTLES:
        rounds = [
            (plain.fights(battle, args.seconds), compiled.fights(battle, args.seconds))
            for _ in range(args.rounds + 1)
        ][1:]  # the first round warms both up
        ratios[battle] = statistics.median(two / plain_rate for plain_rate, two in rounds)
        slow, fast = (statistics.median(column) for column in zip(*rounds, strict=True))
        target = f" (target {TARGET:g})" if battle == BATTLES[0] else ""
        print(
            f"{battle:28} plain {slow:6.1f} a second, compiled {fast:6.1f}, ratio {ratios[battle]:.2f}{target}"
        )
    plain.end()
    compiled.end()
    print(
        json.dumps(
            {
                "bench": "compiled",
                "ratios": {name: round(ratio, 2) for name, ratio in ratios.items()},
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
