"""Compare the speed of battles with that of an earlier commit, in one run.

`python -m tools.bench.against COMMIT [COMMIT]` compares the checkout, or the second commit, with
the first.

Both trees fight the same battles with the same seeds in alternating slices, each in its own process
that counts its CPU seconds. The ratio of neighbouring slices holds even if the machine's speed
changes. The results of the battles are compared as well. Each process runs its own tree's
`tools/bench/fights.py`, or this tree's if the other has none; a battle that the earlier tree cannot
read is named and left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import yaml

from tools.bench.continuum import large as ten_against_ten
from tools.bench.engine import FIRST_BATTLE, large

HERE = Path(__file__).resolve().parents[2]
SLICES = 31  # slices of each battle and tree, after one that is not counted
# Battles in a slice.
BATTLES = {
    "first battle": 24,
    "50 against 35": 2,
    "ten against ten of Continuum": 2,
    "the same by vectors": 2,
}


def documents() -> dict[str, Any]:
    """Return the battle files that both trees read, by name."""
    first = yaml.safe_load(FIRST_BATTLE.read_text(encoding="utf-8"))
    return dict(
        zip(BATTLES, (first, large(), ten_against_ten(), ten_against_ten("vector")), strict=True)
    )


class Slice(NamedTuple):
    """The CPU seconds of a slice, and the hash of its results."""

    seconds: float
    digest: str


class Worker:
    """A process of one tree that fights battles on request."""

    def __init__(self, tree: Path) -> None:
        own_script = tree / "tools" / "bench" / "fights.py"
        program = (
            own_script if own_script.is_file() else HERE / "tools" / "bench" / "fights.py"
        ).read_text(encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin_battle(self, name: str, document: Any) -> str:
        """Begin a battle; return "" or the reason why the tree cannot read it."""
        answer = self._ask(f"begin|{name}|{json.dumps(document)}")
        return "" if answer == "ready" else answer

    def fight_slice(self, name: str, first: int) -> Slice:
        """Fight a slice of battles, beginning with seed `first`."""
        seconds, digest = self._ask(f"fight|{name}|{first}|{BATTLES[name]}").split()
        return Slice(float(seconds), digest)

    def _ask(self, line: str) -> str:
        """Return the process's answer.

        Raises:
            RuntimeError: The process has died.
        """
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{line}\n")
        stdin.flush()
        answer = stdout.readline()
        if not answer:
            raise RuntimeError("a tree's process has died; its last words stand above")
        return answer.rstrip("\n")

    def stop(self) -> None:
        self.process.communicate()


def main(commits: list[str]) -> int:
    if not 1 <= len(commits) <= 2:
        print("usage: python -m tools.bench.against COMMIT [COMMIT]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        trees = [Path(folder) / name for name in ("then", "now")[: len(commits)]]
        try:
            for tree, commit in zip(trees, commits, strict=True):
                subprocess.run(
                    ["git", "worktree", "add", "-q", "--detach", tree, commit], cwd=HERE, check=True
                )
            return compare(trees[0], trees[1] if len(trees) == 2 else HERE, commits[0])
        finally:
            for tree in trees:
                subprocess.run(
                    ["git", "worktree", "remove", "--force", tree], cwd=HERE, check=False
                )


def compare(earlier: Path, later: Path, commit: str) -> int:
    """Print the ratios; return 1 if a battle had another result."""
    now, then = Worker(later), Worker(earlier)
    different = 0
    for name, document in documents().items():
        count = BATTLES[name]
        if unable := now.begin_battle(name, document):
            raise RuntimeError(f"{name}: {unable}")
        if unable := then.begin_battle(name, document):
            print(f"{name}: not fought at {commit}: {unable}", flush=True)
            continue
        pairs: list[tuple[Slice, Slice]] = []
        for number in range(SLICES + 1):
            first = number * count
            if number % 2:
                later_slice, earlier_slice = (
                    now.fight_slice(name, first),
                    then.fight_slice(name, first),
                )
            else:
                earlier_slice, later_slice = (
                    then.fight_slice(name, first),
                    now.fight_slice(name, first),
                )
            pairs.append((later_slice, earlier_slice))
        different += sum(
            later_slice.digest != earlier_slice.digest for later_slice, earlier_slice in pairs
        )
        measured = pairs[1:]
        ratio = median(
            later_slice.seconds / earlier_slice.seconds for later_slice, earlier_slice in measured
        )
        rates = [count / median(pair[side].seconds for pair in measured) for side in (0, 1)]
        print(
            f"{name}: {rates[0]:.1f} a CPU second, {rates[1]:.1f} at {commit}; time now / then {ratio:.3f}",
            flush=True,
        )
    now.stop()
    then.stop()
    print(
        f"{different} slices came to something else"
        if different
        else "every battle came to the same"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
