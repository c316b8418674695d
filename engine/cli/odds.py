"""The `odds` command: many battles by captains, over several processes, with a progress bar on a terminal.

The clock and the processes are here, with the command line; the rules never see them.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from engine.cli.battle import battle_file
from engine.core.errors import RuleViolations, Violation
from engine.notation.files import read_input
from engine.odds import Run, blocks, runs, summary

BLOCK = 10
MOST_RUNS, MOST_JOBS = 1_000_000, 256


def run(args: Namespace) -> dict[str, Any]:
    """Fight the file's battle `--runs` times; the same result for any `--jobs`."""
    faults = [
        Violation(f"--{name}", "out-of-range", words)
        for name, bad, words in (
            ("runs", not 1 <= args.runs <= MOST_RUNS, f"runs are from 1 to {MOST_RUNS}"),
            ("jobs", not 1 <= args.jobs <= MOST_JOBS, f"jobs are from 1 to {MOST_JOBS}"),
            ("seconds", args.seconds is not None and args.seconds <= 0, "seconds are more than 0"),
        )
        if bad
    ]
    document = read_input(args.file)
    if isinstance(document, dict) and "dice" in document:
        faults.append(Violation("dice", "scripted-odds", "odds roll their own dice: give a seed instead"))
    try:
        file = battle_file(document)
    except RuleViolations as bad:
        raise RuleViolations([*bad.violations, *faults]) from bad
    if faults:
        raise RuleViolations(faults)
    started = time.perf_counter()
    outcomes: list[Run] = []
    with _bar(args.runs) as bar:
        for block in _fought(document, args.runs, args.jobs):
            outcomes += block
            bar.update(len(block))
            if args.seconds is not None and time.perf_counter() - started >= args.seconds:
                break
    elapsed = time.perf_counter() - started
    return summary(file.state.sides, outcomes) | {"battles_per_second": round(len(outcomes) / elapsed, 1)}


def _fought(document: Any, total: int, jobs: int) -> Iterator[list[Run]]:
    """Blocks of battles in order, fought here or by `jobs` processes."""
    if jobs == 1:
        file = battle_file(document)
        for block in blocks(total, BLOCK):
            yield list(runs(file, block))
        return
    pool = ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(document,))
    try:
        yield from pool.map(_block, blocks(total, BLOCK))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_FILE: list[Any] = []


def _prepare(document: Any) -> None:
    """A worker reads the battle once."""
    _FILE[:] = [battle_file(document)]


def _block(numbers: list[int]) -> list[Run]:
    return list(runs(_FILE[0], numbers))


def _bar(total: int) -> Any:
    """A progress bar, silent where standard error is no terminal."""
    from tqdm import tqdm

    return tqdm(total=total, unit="battle", file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)
