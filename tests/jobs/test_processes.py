"""Real worker processes that die in the middle of a job, on the file broker and a Redis server.

On files the clock is set back by an hour meanwhile, so all times in the rows are an hour ahead;
there the worker's child processes are killed, and their parent starts others. On Redis the whole
worker is killed, and another is started.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from config.worker import LANES_OF, PROCESSES
from tests import real_redis

ROOT = Path(__file__).resolve().parents[2]
A_WORKER = str(ROOT / "tests" / "jobs" / "worker_process.py")
JOBS = 6
AT_WORK = sum("short" in lanes for lanes in LANES_OF)  # processes that take these jobs
PATIENCE = 60.0  # seconds


class Workshop:
    """Workers for one database and one broker."""

    def __init__(self, folder: Path, database: str, broker: str) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "BLINDJUMP_VAR": str(folder / "var"),
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "JOB_LEASE_SECONDS": "2",
        }
        self._workers: list[subprocess.Popen[bytes]] = []
        self._console: subprocess.Popen[str] | None = None

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker: a parent with its processes."""
        worker = subprocess.Popen(
            [sys.executable, A_WORKER, "work"], cwd=ROOT, env=self._environment
        )
        self._workers.append(worker)
        return worker

    def clock_back(self, hours: int) -> None:
        self._send_line(f"back {hours}")

    def ask(self) -> None:
        self._send_line(f"ask {JOBS} {self._folder}")

    def rows(self) -> list[dict[str, Any]]:
        return self._send_line("look")

    def noted_jobs(self, word: str) -> list[int]:
        """Return the jobs with this note, in ascending order."""
        notes = self._folder / "notes"
        lines = notes.read_text().splitlines() if notes.exists() else []
        return sorted(int(line.split()[1]) for line in lines if line.startswith(word))

    def let_go(self) -> None:
        (self._folder / "go").touch()

    def close(self) -> None:
        for worker in self._workers:
            for process in (*children_of(worker.pid), worker.pid):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            worker.wait()
        if self._console is not None:
            self._console.communicate()

    def _send_line(self, line: str) -> list[dict[str, Any]]:
        """Send a line to the console process; return every row."""
        if self._console is None:
            self._console = subprocess.Popen(
                [sys.executable, A_WORKER, "desk"],
                cwd=ROOT, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        assert self._console.stdin is not None
        assert self._console.stdout is not None
        print(line, file=self._console.stdin, flush=True)
        rows: list[dict[str, Any]] = json.loads(self._console.stdout.readline())
        return rows


def children_of(parent: int) -> list[int]:
    """Return the children of a process that has not been waited for."""
    process = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in process.stdout.split()]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.1)


def kill_in_mid_task(shop: Workshop, with_parent: bool) -> None:
    """Kill processes in the middle of jobs, and check that all jobs are done once.

    Args:
        whole: Kill the worker with its parent and start another; otherwise also set the clock back.
    """
    worker = shop.worker()
    shop.ask()
    wait_until(lambda: len(shop.noted_jobs("begin")) == AT_WORK)
    children = children_of(worker.pid)
    assert len(children) == PROCESSES
    for process in ([worker.pid] if with_parent else []) + children:
        os.kill(process, signal.SIGKILL)
    assert shop.noted_jobs("end") == []
    torn = shop.noted_jobs("begin")
    shop.let_go()
    if with_parent:
        worker.wait()
        worker = shop.worker()
    else:
        shop.clock_back(hours=1)
    wait_until(lambda: len(shop.noted_jobs("end")) == JOBS)
    worker.terminate()
    assert worker.wait(20) == 0  # it finishes what it has begun
    rows = shop.rows()
    assert [(row["status"], row["result"]) for row in rows] == [
        ("done", number) for number in range(JOBS)
    ]
    assert shop.noted_jobs("end") == list(range(JOBS))
    assert shop.noted_jobs("begin") == sorted([*range(JOBS), *torn])
    assert [row["attempts"] for row in rows] == [1 + (number in torn) for number in range(JOBS)]


def test_killed_worker_loses_nothing(migrated_url: str, tmp_path: Path) -> None:
    shop = Workshop(tmp_path, migrated_url, broker="")
    try:
        kill_in_mid_task(shop, with_parent=False)
    finally:
        shop.close()


@pytest.mark.postgres
def test_killed_worker_loses_nothing_on_postgresql_and_redis(
    postgres_url: str, tmp_path: Path
) -> None:
    with real_redis.run_redis() as broker:
        shop = Workshop(tmp_path, postgres_url, broker)
        try:
            kill_in_mid_task(shop, with_parent=True)
        finally:
            shop.close()
