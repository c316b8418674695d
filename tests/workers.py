"""Workers: the tests of one run in several processes, forked after imports and collection.

    pytest -p tests.workers --workers 2

`-n 2` of pytest-xdist starts processes that import and collect everything separately, and one more
that compares the results; it is for small runs by hand.

A worker takes one file of tests after the other, so that a module is set up once. Long files and
those that wait for processes are begun first, while other runs use the cores, so that the workers
end together. A worker has a name
(`gw0`), which is part of its test database's name as with pytest-xdist, and its own folder for
temporary files.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, TextIO

import pytest

NUMBER = 4  # bytes of a file's number in the queue
# Files begun first: they start processes and wait for them, or take longer than most folders.
FIRST = (
    "tests/umpire/admirals/test_wars.py",
    "tests/prerelease/test_move.py",
    "tests/test_set_up.py",
    "tests/test_load.py",
    "tests/test_play.py",
    "tests/test_workers.py",
    "tests/jobs/test_processes.py",
    "tests/jobs/test_slices_killed.py",
    "tests/config/test_outages.py",
    "tests/config/test_connections.py",
    "tests/config/test_serve.py",
)
ENDS_WITHIN = 20.0  # seconds for a worker to tear down its fixtures
REPORTS = ("terminalreporter", "LogXML")  # plug-ins that report: only in the first process


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--workers",
        type=int,
        default=1,
        help="processes that share the tests, forked after collection",
    )


@dataclass
class Worker:
    """A forked process; `at` is its current test."""

    name: str
    pid: int
    connection: Connection
    at: str = "its beginning"


class Teller:
    """Sends the reports of a worker's tests to the first process.

    A message costs as much as a small test, so that each test has only two: which it is, before it
    runs, and all its reports.
    """

    def __init__(self, config: pytest.Config, out: Connection) -> None:
        self.config, self.out = config, out
        self.reports: list[pytest.TestReport | dict[str, Any]] = []

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.out.send(("logstart", (nodeid, location)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.passed:
            report.keywords = {}  # nobody reads them there
            self.reports.append(report)
        else:
            to_document = self.config.hook.pytest_report_to_serializable
            self.reports.append(to_document(config=self.config, report=report))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.out.send(("reports", (nodeid, location, self.reports)))
        self.reports = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run what was collected; return None if one process is enough or something failed already."""
    count = session.config.getoption("--workers")
    if count < 2 or session.config.option.collectonly or session.testsfailed:
        return None
    assert threading.active_count() == 1, "a process with threads cannot be forked"
    files = _long_first(
        [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    )
    queue = _queue(len(files))
    folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    workers: list[Worker] = []
    is_complete = False
    try:
        workers.extend(
            _forked(f"gw{n}", session, files, queue, folder) for n in range(min(count, len(files)))
        )
        failures = list(_heard(session, {worker.connection: worker for worker in workers}))
        is_complete = True
    finally:
        _ended(workers, is_complete)
    if failures:
        raise session.Interrupted("; ".join(failures))
    return True


def _long_first(files: Sequence[Sequence[pytest.Item]]) -> list[Sequence[pytest.Item]]:
    """Return the files with those of `FIRST` before the others."""
    return sorted(files, key=lambda items: items[0].nodeid.partition("::")[0] not in FIRST)


def _queue(count: int) -> int:
    """Return the reading end of a pipe with the numbers of all files."""
    reading, writing = os.pipe()
    with open(writing, "wb") as numbers:
        numbers.write(b"".join(number.to_bytes(NUMBER, "big") for number in range(count)))
    return reading


def _forked(
    name: str,
    session: pytest.Session,
    files: Sequence[Sequence[pytest.Item]],
    queue: int,
    folder: Path,
) -> Worker:
    """Return a started worker. In its own process this never returns."""
    reading, writing = Pipe(duplex=False)
    sys.stdout.flush()
    sys.stderr.flush()
    if pid := os.fork():
        writing.close()
        return Worker(name, pid, reading)
    status = 1
    try:
        reading.close()
        _work(name, session, files, queue, writing, folder)
        writing.send(("done", None))
        status = 0
    finally:  # any error: what belongs to the first process is left alone
        if status:
            if capture := session.config.pluginmanager.get_plugin("capturemanager"):
                capture.stop_global_capturing()
            traceback.print_exc()
            session._setupstate.teardown_exact(None)
        os._exit(status)


def _work(
    name: str,
    session: pytest.Session,
    files: Sequence[Sequence[pytest.Item]],
    queue: int,
    out: Connection,
    folder: Path,
) -> None:
    """Run the tests of one file after the other that nobody else has taken."""
    config = session.config
    config.workerinput = {"workerid": name}  # type: ignore[attr-defined]
    for plugin in list(config.pluginmanager.get_plugins()):
        if config.pluginmanager.get_name(plugin) in REPORTS or type(plugin).__name__ in REPORTS:
            config.pluginmanager.unregister(plugin)
    config.pluginmanager.register(Teller(config, out))
    if capture := config.pluginmanager.get_plugin(
        "capturemanager"
    ):  # its files were shared with the others until now
        capture.stop_global_capturing()
        capture.start_global_capturing()
        _logged_to(sys.stderr)
    worker_folder = folder / name
    worker_folder.mkdir(mode=0o700)
    config._tmp_path_factory._basetemp = worker_folder  # type: ignore[attr-defined]
    while number := os.read(queue, NUMBER):
        items = files[int.from_bytes(number, "big")]
        for item, following in zip(
            items, (*items[1:], session), strict=True
        ):  # after its last test of a file, all fixtures go except
            config.hook.pytest_runtest_protocol(
                item=item, nextitem=following
            )  # those of the session
    session._setupstate.teardown_exact(None)


def _logged_to(stream: TextIO) -> None:
    """Send logs for a closed file to this one: otherwise each line would be an error with a
    traceback.
    """
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and getattr(handler.stream, "closed", False):
            handler.stream = stream  # `setStream` would first flush the closed one


def _heard(session: pytest.Session, workers: dict[Connection, Worker]) -> Iterator[str]:
    """Pass on the workers' reports until all are done; name each that ended otherwise."""
    hook: Any = session.config.hook
    while workers:
        for worker_connection in wait(list(workers)):
            assert isinstance(worker_connection, Connection)
            worker = workers[worker_connection]
            try:
                kind, payload = worker_connection.recv()
            except EOFError:
                del workers[worker_connection]
                yield f"worker {worker.name} has ended at {worker.at}"
                continue
            if kind == "done":
                del workers[worker_connection]
                continue
            nodeid, location, *reports = payload
            if kind == "logstart":
                worker.at = nodeid
                hook.pytest_runtest_logstart(nodeid=nodeid, location=location)
                continue
            for report in reports[0]:
                _pass_on(session, report)
            hook.pytest_runtest_logfinish(nodeid=nodeid, location=location)


def _pass_on(session: pytest.Session, report: pytest.TestReport | dict[str, Any]) -> None:
    """Give a worker's report to the plug-ins of the first process."""
    hook: Any = session.config.hook
    if isinstance(report, dict):
        report = hook.pytest_report_from_serializable(config=session.config, data=report)
    hook.pytest_runtest_logreport(report=report)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)


def _ended(workers: Sequence[Worker], is_complete: bool) -> None:
    """Wait for the workers' processes, interrupted if not all are done."""
    waiting = {worker.pid for worker in workers}
    deadline = time.monotonic() + ENDS_WITHIN
    if not is_complete:
        for pid in waiting:
            os.kill(pid, signal.SIGINT)
    while waiting:
        waiting -= {pid for pid in waiting if os.waitpid(pid, os.WNOHANG)[0]}
        if time.monotonic() > deadline:
            for pid in waiting:
                os.kill(pid, signal.SIGKILL)
        if waiting:
            time.sleep(0.02)
