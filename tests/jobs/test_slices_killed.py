"""A worker is killed in the middle of a long battle: another continues, with the same result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from config.worker import LANES_OF
from tests.jobs.test_processes import children_of

ROOT = Path(__file__).resolve().parents[2]
A_WORKER = str(ROOT / "tests" / "jobs" / "long_battle_process.py")
PATIENCE = 120.0  # seconds
LONG_AT = next(place for place, lanes in enumerate(LANES_OF) if "long" in lanes)


class WorkerConsole:
    """A worker, and a process that shows what it does."""

    def __init__(self, folder: Path, database: str) -> None:
        environment = {
            **os.environ,
            "BLINDJUMP_VAR": str(folder / "var"),
            "DATABASE_URL": database,
            "JOB_LEASE_SECONDS": "2",
        }
        self.process = subprocess.Popen(
            [sys.executable, A_WORKER, "desk"],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.send_line("war")
        self.worker = subprocess.Popen(
            [sys.executable, A_WORKER, "work"], cwd=ROOT, env=environment
        )

    def send_line(self, line: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(line, file=self.process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def until(self, least: int, key: str) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while (answer := self.send_line("look"))[key] < least:
            assert time.monotonic() < deadline, answer
            time.sleep(0.1)
        return answer

    def until_in_lane(self, lane: str) -> dict[str, Any]:
        """Wait for the lane: a slice is stored a moment before its job changes lanes."""
        deadline = time.monotonic() + PATIENCE
        while (answer := self.send_line("look"))["lane"] != lane:
            assert time.monotonic() < deadline, answer
            time.sleep(0.1)
        return answer

    def close(self) -> None:
        for process in (*children_of(self.worker.pid), self.worker.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.worker.wait()
        self.process.communicate()


@pytest.fixture
def desk(migrated_url: str, tmp_path: Path) -> Iterator[WorkerConsole]:
    console = WorkerConsole(tmp_path, migrated_url)
    yield console
    console.close()


def test_worker_killed_during_a_slice_changes_nothing(desk: WorkerConsole) -> None:
    desk.until(1, "slices")
    start = desk.until_in_lane("long")
    assert (start["stops"], start["hashes"]) == (0, 1)
    children = sorted(children_of(desk.worker.pid))
    assert len(children) == len(LANES_OF)
    os.kill(children[LONG_AT], signal.SIGKILL)
    ended = desk.until(2, "hashes")
    assert ended["same"], "inputs, events, views and chain of every stop"
    assert ended["slices"] == 0
    assert ended["stops"] > start["slices"]
