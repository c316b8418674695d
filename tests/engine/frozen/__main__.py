"""The frozen battery: 600 battles whose every event, view and end is known by its hash, so that a
rebuilding of the engine can be seen to change nothing.

`python -m tests.engine.frozen`            fights all of them, with a process for every core, and names what differs:
                                           the battle, which of its hashes, the first stop that went another way
`python -m tests.engine.frozen NAME ...`   only the battles whose names begin so (`continuum/orders`)
`python -m tests.engine.frozen --tell NAME ...`  prints every line that is hashed, to be compared with another tree's
`python -m tests.engine.frozen --renew`    writes the hashes anew and says how many lines changed. Renew only where a
                                           change is meant, and say in the commit's body what it is and how it was
                                           shown to be right: a renewed hash hides whatever else has changed with it
`--jobs N`                                 with so many processes

Exit status 1 where anything differs, or where what must occur in the battery does not.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from engine.cli.odds import PROCESSES
from tests.engine.frozen.coverage import EXCEPTIONS, expected_occurrences, fight_and_collect, tenth
from tests.engine.frozen.fighting import BattleDigest, Case, cases, fight_case

FILE = Path(__file__).resolve().parent / "hashes.txt"
GATE = 108  # battles that the gate fights
MAX_NAMES = 20


class Row(NamedTuple):
    """A line of the file: whether the gate fights the battle, and what it came to."""

    gate: bool
    digest: BattleDigest


def rows() -> dict[str, Row]:
    """The file, by the battles' names."""
    result = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        mark, name, *fields = line.split()
        result[name] = Row(mark == "gate", BattleDigest(*fields))
    return result


def difference(name: str, then: BattleDigest, now: BattleDigest) -> str:
    """What of a battle differs, and from which stop on; "" where nothing does."""
    parts = [part for part in ("log", "views", "end") if getattr(then, part) != getattr(now, part)]
    if not parts:
        return ""
    stops = range(0, max(len(then.trail), len(now.trail)), 4)
    first = next(
        (at // 4 for at in stops if then.trail[at : at + 4] != now.trail[at : at + 4]), None
    )
    where = "after its last stop" if first is None else f"from stop {first} on"
    return f"{name}: {', '.join(parts)} {'differs' if len(parts) == 1 else 'differ'} {where}"


def _measured(case: Case) -> tuple[str, BattleDigest, float]:
    started = time.process_time()
    digest = fight_case(case)
    return case.name, digest, time.process_time() - started


def _fight_case(case: Case) -> tuple[str, BattleDigest, set[str]]:
    return case.name, *fight_and_collect(case)


def _chosen(begins: Iterable[str]) -> Iterator[Case]:
    starts = tuple(begins)
    return (case for case in cases() if not starts or case.name.startswith(starts))


def compare(names: list[str], jobs: int) -> int:
    """Fight the battles and name those that differ from the file; 1 where any does."""
    recorded, different, seconds, number = rows(), 0, 0.0, 0
    with ProcessPoolExecutor(jobs, PROCESSES) as pool:
        for name, now, took in pool.map(_measured, _chosen(names), chunksize=5):
            number, seconds = number + 1, seconds + took
            words = (
                difference(name, recorded[name].digest, now)
                if name in recorded
                else f"{name}: not in the file"
            )
            different += bool(words)
            if words and different <= MAX_NAMES:
                print(words, flush=True)
    print(f"{number} battles in {seconds:.0f} CPU seconds; {different or 'none'} of them differ")
    return 1 if different or not number else 0


def renew(jobs: int) -> int:
    """Write the file anew; 1 where what must occur in the battery does not."""
    old = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    with ProcessPoolExecutor(jobs, PROCESSES) as pool:
        all_of_them = list(pool.map(_fight_case, cases(), chunksize=5))
    occurrences = {name: shows for name, _, shows in all_of_them}
    costs = {name: len(digest.trail) // 4 for name, digest, _ in all_of_them}
    gate = tenth(occurrences, costs, GATE)
    lines = [
        f"{'gate' if name in gate else '-':<4} {name} {' '.join(digest)}"
        for name, digest, _ in all_of_them
    ]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    everything, gate_occurrences = (
        set().union(*occurrences.values()),
        set().union(*(occurrences[name] for name in gate)),
    )
    missing = sorted(expected_occurrences() - everything - set(EXCEPTIONS))
    print(f"{len(set(lines) - set(old))} of {len(lines)} lines changed")
    print(
        f"{len(everything)} things occur in the battery, {len(gate_occurrences)} of them in the {len(gate)} of the gate"
    )
    print(
        f"{len(expected_occurrences() & everything)} of the {len(expected_occurrences())} that must occur do; missing: {missing or 'none'}"
    )
    return 1 if missing else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--tell", action="store_true")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args(arguments)
    if options.renew and (options.names or options.tell):
        parser.error("--renew writes the whole file")
    if options.renew:
        return renew(options.jobs)
    if options.tell:
        for case in _chosen(options.names):
            print("battle", case.name)
            fight_case(case, print)
        return 0
    return compare(options.names, options.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
