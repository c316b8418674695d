"""How fast the second edition's battles are now, against an earlier commit, in one run.

`python -m bench.against COMMIT [COMMIT]`: the tree as it lies here, or at the second commit, against the first.

Both trees fight the same battles from the same seeds in turn, slice by slice, each in a process of its own that counts
its CPU seconds: the ratio of slices that stand side by side holds where the machine's speed does not. What each battle
came to is compared too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import IO, NamedTuple

HERE = Path(__file__).resolve().parents[1]
SLICES = 31  # of each battle and tree, after one that is not counted
BATTLES = {"first battle": 24, "50 against 35": 2}  # fought in a slice

WORKER = """
import hashlib, json, sys, time, yaml
from bench.engine import FIRST_BATTLE, large
from engine.battle import begin, fight
from engine.dice import Dice
from engine.notation.battles import read_battle
from engine.notation.files import fixture_classes
classes = fixture_classes("second-edition")
files = {"first battle": yaml.safe_load(FIRST_BATTLE.read_text()), "50 against 35": large()}
begun = {name: begin(read_battle(document, classes)) for name, document in files.items()}
for line in sys.stdin:
    name, first, count = line.rstrip().split("|")
    told = hashlib.sha256()
    started = time.process_time()
    for seed in range(int(first), int(first) + int(count)):
        ended = fight(begun[name], {}, Dice(seed), str(seed), log=False)
        told.update(f"{ended.winner} {ended.turn} {[(s.id, s.x, s.y, s.damage) for s in ended.state.ships]}".encode())
    print(time.process_time() - started, told.hexdigest(), flush=True)
"""


class Slice(NamedTuple):
    """The CPU seconds a slice took, and what its battles came to."""

    seconds: float
    told: str


class Worker:
    """A tree's process, which fights on demand."""

    def __init__(self, tree: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER], cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def fought(self, name: str, first: int) -> Slice:
        """A slice of battles from seed `first` on. Raises RuntimeError where the process has died."""
        asked, told = self.process.stdin, self.process.stdout
        assert asked is not None
        assert told is not None
        return _slice(asked, told, f"{name}|{first}|{BATTLES[name]}\n")

    def stop(self) -> None:
        self.process.communicate()


def _slice(asked: IO[str], told: IO[str], line: str) -> Slice:
    asked.write(line)
    asked.flush()
    answer = told.readline().split()
    if len(answer) != 2:
        raise RuntimeError("a tree's process has died; its last words stand above")
    return Slice(float(answer[0]), answer[1])


def main(commits: list[str]) -> int:
    if not 1 <= len(commits) <= 2:
        print("usage: python -m bench.against COMMIT [COMMIT]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        trees = [Path(folder) / name for name in ("then", "now")[: len(commits)]]
        try:
            for tree, commit in zip(trees, commits, strict=True):
                subprocess.run(["git", "worktree", "add", "-q", "--detach", tree, commit], cwd=HERE, check=True)
            return compare(trees[0], trees[1] if len(trees) == 2 else HERE, commits[0])
        finally:
            for tree in trees:
                subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=HERE, check=False)


def compare(earlier: Path, later: Path, commit: str) -> int:
    """Print the ratios; 1 where a battle came to something else."""
    now, then = Worker(later), Worker(earlier)
    different = 0
    for name, count in BATTLES.items():
        pairs: list[tuple[Slice, Slice]] = []
        for number in range(SLICES + 1):
            first = number * count
            if number % 2:
                mine, theirs = now.fought(name, first), then.fought(name, first)
            else:
                theirs, mine = then.fought(name, first), now.fought(name, first)
            pairs.append((mine, theirs))
        different += sum(mine.told != theirs.told for mine, theirs in pairs)
        counted = pairs[1:]
        ratio = median(mine.seconds / theirs.seconds for mine, theirs in counted)
        rates = [count / median(pair[side].seconds for pair in counted) for side in (0, 1)]
        print(
            f"{name}: {rates[0]:.1f} a CPU second, {rates[1]:.1f} at {commit}; time now / then {ratio:.3f}", flush=True
        )
    now.stop()
    then.stop()
    print(f"{different} slices came to something else" if different else "every battle came to the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
