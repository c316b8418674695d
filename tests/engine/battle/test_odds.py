"""Odds for a user: all cores or one, as precise as requested, and stopped at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.cli import odds
from engine.cli.battle import battle_file
from engine.notation.files import read_input
from engine.odds import BLOCK, fight_runs, runs_needed, wilson
from tests.test_play import heard

ROOT = Path(__file__).resolve().parents[3]
FIRST_BATTLE = ROOT / "fixtures" / "battles" / "first-battle.yaml"

pytestmark = pytest.mark.rule("2e.first-battle")


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Any:
    """Calculate odds of the first battle in this process; return (result without speed, standard
    error).
    """

    def ask(*words: str) -> tuple[dict[str, Any], str]:
        assert main(["odds", str(FIRST_BATTLE), *words]) == 0
        output = capsys.readouterr()
        document: dict[str, Any] = json.loads(output.out)
        assert document.pop("battles_per_second") > 0
        return document, output.err

    return ask


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> list[tuple[str, str]]:
    assert main(["odds", str(FIRST_BATTLE), *words]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    return [(fault["where"], fault["code"]) for fault in json.loads(output.err)["violations"]]


def test_precision_ends_at_the_same_battle_for_any_processes(asked: Any) -> None:
    alone, _ = asked("--precision", "0.15", "--jobs", "1")
    shared, _ = asked("--precision", "0.15", "--jobs", "3")
    assert alone == shared == asked("--precision", "0.15")[0]
    precision = alone["precision"]
    assert (precision["wished"], precision["confidence"]) == (0.15, 0.95)
    assert precision["reached"] <= 0.15
    assert alone["runs"] % BLOCK == 0
    for side, share in alone["wins"].items():
        low, high = precision["wins"][side]
        assert low <= share <= high
        assert (high - low) / 2 <= precision["reached"] + 1e-4
    fewer, _ = asked("--runs", str(alone["runs"] - BLOCK), "--precision", "0.15")
    assert fewer["runs"] == alone["runs"] - BLOCK
    assert fewer["precision"]["reached"] > 0.15


def test_runs_limit_a_precision(
    asked: Any,
) -> None:
    few, _ = asked("--runs", "20", "--precision", "0.01")
    plain, _ = asked("--runs", "20")
    assert few["runs"] == 20
    assert few.pop("precision")["reached"] > 0.01
    assert few == plain


def test_intervals_follow_wilson() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert wilson(5, 10) == pytest.approx((0.23659, 0.76341), abs=1e-5)
    assert wilson(81, 263) == pytest.approx(
        (0.25529, 0.36621), abs=1e-5
    )  # Newcombe 1998, method 3: 0.2553 to 0.3662


@pytest.mark.parametrize("wished", [0.5, 0.1, 0.05, 0.01])
def test_precision_never_exceeds_its_battles(wished: float) -> None:
    def width(count: int) -> float:
        low, high = wilson(count // 2, count)
        return (high - low) / 2

    assert width(runs_needed(wished)) <= wished
    assert runs_needed(wished) == BLOCK or width(runs_needed(wished) - BLOCK) > wished


@pytest.mark.parametrize("wrong", ["0", "0.0001", "5", "-0.05", "nan", "inf"])
def test_invalid_precision_is_refused(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, f"--precision={wrong}") == [("--precision", "out-of-range")]


def test_all_number_faults_are_reported_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    faults = refused(capsys, "--precision", "7", "--runs", "0", "--jobs", "0", "--seconds", "nan")
    assert sorted(faults) == [
        (f"--{name}", "out-of-range") for name in ("jobs", "precision", "runs", "seconds")
    ]
    assert refused(capsys, "--precision", "close") == [("", "usage")]


def test_available_cores_are_used(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 3, 5}, raising=False)
    assert odds.cores() == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {3}, raising=False)
    monkeypatch.setattr(odds, "ProcessPoolExecutor", None)  # on one core there is no pool
    assert asked("--runs", "20")[0]["runs"] == 20


class Refused:
    """A pool on a system that starts no more processes."""

    def __init__(self, *_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")


class Dying:
    """A pool whose processes are killed after the first block."""

    blocks: Iterator[list[int]]

    def __init__(self, *_: object, **__: object) -> None:
        self.alive = True

    def submit(self, _: object, numbers: list[int]) -> Future[Any]:
        future: Future[Any] = Future()
        if self.alive:
            future.set_result(list(fight_runs(battle_file(read_input(str(FIRST_BATTLE))), numbers)))
        else:
            future.set_exception(BrokenProcessPool("a process ended"))
        self.alive = False
        return future

    def shutdown(self, **_: object) -> None:
        """Do nothing: no process is left."""


@pytest.mark.parametrize("pool", [Refused, Dying])
def test_single_process_is_used_and_reported_if_needed(
    pool: type, asked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, silent = asked("--runs", "30", "--jobs", "1")
    monkeypatch.setattr(odds, "ProcessPoolExecutor", pool)
    answer, message = asked("--runs", "30", "--jobs", "2")
    assert (answer, silent) == (alone, "")
    assert message.startswith("odds: cannot use 2 processes (")
    assert message.endswith("continuing with one\n")


def alive(pid: str) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def all_killed_at_the_end(session: int) -> Iterator[None]:
    """Kill everything in a session after the test, whatever its result."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(session, signal.SIGKILL)


@pytest.mark.parametrize(
    ("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)]
)
def test_processes_end_with_the_command(how: signal.Signals, status: int) -> None:
    """Ctrl-C reaches all of them, as from a terminal; killing the command alone leaves none either."""
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "odds", str(FIRST_BATTLE), "--runs", "1000000", "--jobs", "2"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=heard,  # noqa: PLW1509 the tests have one thread
    ) as process, all_killed_at_the_end(process.pid):  # fmt: skip
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        until = time.monotonic() + 60
        while len(pids := children.read_text().split()) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(pids) == 2
        if how is signal.SIGINT:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        assert process.wait(60) == status
        while any(map(alive, pids)) and time.monotonic() < until:
            time.sleep(0.02)
        assert not any(map(alive, pids))
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == ("", "")
