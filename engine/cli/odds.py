"""The `odds` command: many battles by captains, in several processes, with a progress bar.

Clock and processes are used only here in the command line, never in the rules.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from argparse import Namespace
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, nullcontext
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import Any

from engine.cli.battle import battle_file
from engine.core.errors import RuleViolations, Violation
from engine.notation.battles import BattleFile
from engine.notation.files import read_input
from engine.odds import BLOCK, Run, blocks, fight_runs, precision, runs_needed, summary

RUNS = 1000  # without a number or a precision
MAX_RUNS, MAX_JOBS = 1_000_000, 256
FINEST, COARSEST = 0.001, 0.5  # the limits of a precision
AHEAD = 3  # blocks queued for each process
# Forked processes start fastest, and none is left over when the command is killed. macOS cannot
# fork safely; there Python's own choice is taken.
PROCESSES = get_context("fork" if sys.platform == "linux" else None)


def run(args: Namespace) -> dict[str, Any]:
    """Fight the file's battle `--runs` times, or until the result is as precise as requested.

    The result is the same for any `--jobs`: precision is checked after every block in the order of
    the runs, so the speed of processes does not matter.
    """
    document, file = _read_file(args)
    total = args.runs or (RUNS if args.precision is None else runs_needed(args.precision))
    sides = file.state.sides
    outcomes: list[Run] = []
    reached: dict[str, Any] | None = None
    started = time.perf_counter()
    with _progress_bar(total) as bar:
        battles = _fight_blocks(document, file, total, args.jobs or cores())
        try:
            for block in battles:
                outcomes += block
                bar.update(len(block))
                if args.precision is not None:
                    reached = precision(sides, outcomes)
                    if reached["reached"] <= args.precision:
                        break
                if args.seconds is not None and time.perf_counter() - started >= args.seconds:
                    break
        finally:
            battles.close()
    elapsed = time.perf_counter() - started
    result = summary(sides, outcomes)
    if reached is not None:
        rounded = {"reached": round(reached["reached"], 4)}
        result["precision"] = {"wished": args.precision} | reached | rounded
    result["battles_per_second"] = round(len(outcomes) / elapsed, 1)
    return result


def _read_file(args: Namespace) -> tuple[Any, BattleFile]:
    """Return the battle file of the command line, as JSON and as it is read.

    Raises:
        RuleViolations: With every fault of the file and of the other arguments.
    """
    faults = _faults(args)
    document = read_input(args.file)
    if isinstance(document, dict) and "dice" in document:
        faults.append(
            Violation("dice", "scripted-odds", "odds cannot use scripted dice: give a seed instead")
        )
    try:
        file = battle_file(document)
    except RuleViolations as bad:
        raise RuleViolations([*bad.violations, *faults]) from bad
    if faults:
        raise RuleViolations(faults)
    return document, file


def _faults(args: Namespace) -> list[Violation]:
    """Return the faults of the numbers on the command line."""
    runs = args.runs
    jobs = args.jobs
    seconds = args.seconds
    wished = args.precision
    checks = (
        (
            "runs",
            runs is None or 1 <= runs <= MAX_RUNS,
            f"runs must be from 1 to {MAX_RUNS}",
        ),
        (
            "jobs",
            jobs is None or 1 <= jobs <= MAX_JOBS,
            f"jobs must be from 1 to {MAX_JOBS}",
        ),
        (
            "seconds",
            seconds is None or seconds > 0,
            "seconds must be more than 0",
        ),
        (
            "precision",
            wished is None or FINEST <= wished <= COARSEST,
            f"precision must be from {FINEST} to {COARSEST} (0.05 is 5% in each direction)",
        ),
    )
    faults = []
    for name, is_valid, words in checks:
        if not is_valid:
            faults.append(Violation(f"--{name}", "out-of-range", words))
    return faults


def cores() -> int:
    """Return how many processor cores this command may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(MAX_JOBS, len(os.sched_getaffinity(0)))
    return min(MAX_JOBS, os.cpu_count() or 1)


def _fight_blocks(document: Any, file: BattleFile, total: int, jobs: int) -> Generator[list[Run]]:
    """Yield blocks of battles in order, fought by `jobs` processes.

    This process fights them if there is only one job, or if the system gives no processes.
    """
    remaining = blocks(total)
    jobs = min(jobs, -(-total // BLOCK))
    if jobs > 1:
        block_count = 0
        try:
            with closing(_fight_in_processes(document, total, jobs)) as shared:
                for block in shared:
                    block_count += 1
                    yield block
        except (OSError, NotImplementedError, BrokenProcessPool) as why:
            print(
                f"odds: cannot use {jobs} processes ({why}); continuing with one",
                file=sys.stderr,
            )
        remaining = islice(remaining, block_count, None)
    for numbers in remaining:
        yield list(fight_runs(file, numbers))


def _fight_in_processes(document: Any, total: int, jobs: int) -> Generator[list[Run]]:
    """Yield blocks of battles in order, fought by a pool whose processes end with this generator.

    Raises:
        OSError, NotImplementedError, BrokenProcessPool: If the system gives no processes, or ends
            one.
    """
    pool = ProcessPoolExecutor(jobs, PROCESSES, initializer=_prepare, initargs=(document,))
    waiting: deque[Future[list[Run]]] = deque()
    try:
        for numbers in blocks(total):
            with _uninterrupted():
                waiting.append(pool.submit(_block, numbers))
            if len(waiting) > AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for process in active_children():
            process.terminate()
        # This waits for the pool's thread, which may fail at the interpreter's exit.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C during the block; processes started in it never receive it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_FILE: list[BattleFile] = []


def _prepare(document: Any) -> None:
    """Read the battle once in a worker.

    The worker ignores Ctrl-C, and ends with the command, however that ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_command, daemon=True).start()
    _FILE[:] = [battle_file(document)]


def _end_with_the_command() -> None:
    """Wait in a thread of a worker for the command to end, and end the worker."""
    command = parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _block(numbers: list[int]) -> list[Run]:
    """Fight a block of battles in a worker."""
    return list(fight_runs(_FILE[0], numbers))


class SilentProgress:
    """A progress bar that shows nothing."""

    def update(self, battles: int) -> None:
        """Ignore progress."""


def _progress_bar(total: int) -> Any:
    """Return a progress bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext(SilentProgress())
    from tqdm import tqdm

    return tqdm(total=total, unit="battle", file=sys.stderr, leave=False)
