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

from tests.engine.frozen.coverage import EXCEPTIONS, shown, tenth, wanted
from tests.engine.frozen.fighting import Case, Told, cases, fought

FILE = Path(__file__).resolve().parent / "hashes.txt"
GATE = 100  # battles that the gate fights
MOST_NAMED = 20


class Row(NamedTuple):
    """A line of the file: whether the gate fights the battle, and what it came to."""

    gate: bool
    told: Told


def rows() -> dict[str, Row]:
    """The file, by the battles' names."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        mark, name, *told = line.split()
        found[name] = Row(mark == "gate", Told(*told))
    return found


def difference(name: str, then: Told, now: Told) -> str:
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


def _measured(case: Case) -> tuple[str, Told, float]:
    started = time.process_time()
    told = fought(case)
    return case.name, told, time.process_time() - started


def _shown(case: Case) -> tuple[str, Told, set[str]]:
    return case.name, *shown(case)


def _chosen(begins: Iterable[str]) -> Iterator[Case]:
    starts = tuple(begins)
    return (case for case in cases() if not starts or case.name.startswith(starts))


def compare(names: list[str], jobs: int) -> int:
    """Fight the battles and name those that differ from the file; 1 where any does."""
    known, different, seconds, number = rows(), 0, 0.0, 0
    with ProcessPoolExecutor(jobs) as pool:
        for name, now, took in pool.map(_measured, _chosen(names), chunksize=5):
            number, seconds = number + 1, seconds + took
            words = (
                difference(name, known[name].told, now)
                if name in known
                else f"{name}: not in the file"
            )
            different += bool(words)
            if words and different <= MOST_NAMED:
                print(words, flush=True)
    print(f"{number} battles in {seconds:.0f} CPU seconds; {different or 'none'} of them differ")
    return 1 if different or not number else 0


def renew(jobs: int) -> int:
    """Write the file anew; 1 where what must occur in the battery does not."""
    old = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    with ProcessPoolExecutor(jobs) as pool:
        all_of_them = list(pool.map(_shown, cases(), chunksize=5))
    found = {name: shows for name, _, shows in all_of_them}
    costs = {name: len(told.trail) // 4 for name, told, _ in all_of_them}
    gate = tenth(found, costs, GATE)
    lines = [
        f"{'gate' if name in gate else '-':<4} {name} {' '.join(told)}"
        for name, told, _ in all_of_them
    ]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    everything, shown_there = (
        set().union(*found.values()),
        set().union(*(found[name] for name in gate)),
    )
    missing = sorted(wanted() - everything - set(EXCEPTIONS))
    print(f"{len(set(lines) - set(old))} of {len(lines)} lines changed")
    print(
        f"{len(everything)} things occur in the battery, {len(shown_there)} of them in the {len(gate)} of the gate"
    )
    print(
        f"{len(wanted() & everything)} of the {len(wanted())} that must occur do; missing: {missing or 'none'}"
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
    given = parser.parse_args(arguments)
    if given.renew and (given.names or given.tell):
        parser.error("--renew writes the whole file")
    if given.renew:
        return renew(given.jobs)
    if given.tell:
        for case in _chosen(given.names):
            print("battle", case.name)
            fought(case, print)
        return 0
    return compare(given.names, given.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
