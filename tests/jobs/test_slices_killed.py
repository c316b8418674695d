"""A real worker is killed in the middle of a long battle: another goes on, and the stage ends with
the same result.
"""

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
A_WORKER = str(ROOT / "tests" / "jobs" / "a_long_battle.py")
PATIENCE = 120.0  # seconds
LONG_AT = next(place for place, lanes in enumerate(LANES_OF) if "long" in lanes)


class Desk:
    """A worker, and a process that looks at what it does."""

    def __init__(self, folder: Path, database: str) -> None:
        environment = {
            **os.environ,
            "BLINDJUMP_VAR": str(folder / "var"),
            "DATABASE_URL": database,
            "JOB_LEASE_SECONDS": "2",
        }
        self.desk = subprocess.Popen(
            [sys.executable, A_WORKER, "desk"],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.told("war")
        self.worker = subprocess.Popen(
            [sys.executable, A_WORKER, "work"], cwd=ROOT, env=environment
        )

    def told(self, line: str) -> dict[str, Any]:
        assert self.desk.stdin is not None
        assert self.desk.stdout is not None
        print(line, file=self.desk.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.desk.stdout.readline())
        return answer

    def until(self, least: int, key: str) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while (found := self.told("look"))[key] < least:
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        return found

    def until_in_lane(self, lane: str) -> dict[str, Any]:
        """Wait for the lane: a slice is written down a moment before its job changes lanes."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.told("look"))["lane"] != lane:
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        return found

    def close(self) -> None:
        for process in (*children_of(self.worker.pid), self.worker.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.worker.wait()
        self.desk.communicate()


@pytest.fixture
def desk(migrated_url: str, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, migrated_url)
    yield desk
    desk.close()


@pytest.fixture
def postgres_desk(postgres_url: str, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, postgres_url)
    yield desk
    desk.close()


def test_a_worker_killed_in_the_middle_of_a_slice_changes_nothing(desk: Desk) -> None:
    _killed_in_a_slice(desk)


@pytest.mark.postgres
def test_a_worker_killed_in_the_middle_of_a_slice_changes_nothing_on_postgresql(
    postgres_desk: Desk,
) -> None:
    _killed_in_a_slice(postgres_desk)


def _killed_in_a_slice(desk: Desk) -> None:
    desk.until(1, "slices")
    begun = desk.until_in_lane("long")
    assert (begun["stops"], begun["hashes"]) == (0, 1)
    children = sorted(children_of(desk.worker.pid))
    assert len(children) == len(LANES_OF)
    os.kill(children[LONG_AT], signal.SIGKILL)
    ended = desk.until(2, "hashes")
    assert ended["same"], "inputs, events, views and chain of every stop"
    assert ended["slices"] == 0
    assert ended["stops"] > begun["slices"]
