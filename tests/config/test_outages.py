"""What is met while the disk is full, the database is locked, or the broker's folder is gone; with bin/serve running.

A full disk: from one moment on, every write to a file by any of the site's processes fails (the size their files may
have is set to nothing, from outside), until that is lifted again.
"""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.site.running import Answered, Site
from tests.site.serving import KEPT_OUT, PATIENCE, Served, alive
from tests.wars.script import war_begun

SEALED = "SELECT id, sealed_at, digest FROM campaign_submission ORDER BY id"
READ_WITHIN = 2.5  # seconds; a write gives up after 5
PAGES = ("", "stages/", "view/", "orders/", "reports/", "ledger/")


class War:
    """A war of one player, ada, against the computer, on a running bin/serve."""

    def __init__(self, served: Served, var: Path) -> None:
        self.served, self.var = served, var
        kept = {name: value for name, value in os.environ.items() if name not in KEPT_OUT}
        self.site = Site(f"http://127.0.0.1:{served.port}", {**kept, "BLINDJUMP_VAR": str(var)}, var / "log/serve.log")
        self.campaign = war_begun(self.site, "first-steps", {"ember": "ada"})

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        return self.site.call("ada", method, f"campaigns/{self.campaign}/{path}", body, **headers)

    def seal(self) -> Answered:
        """Seal what the open stage would do by itself."""
        return self.call("POST", "orders/seal/", {"orders": self.call("GET", "orders/default/").json["orders"]})

    def read(self) -> None:
        """Whatever a player reads is there, at once."""
        for path in PAGES:
            began = time.monotonic()
            answered = self.call("GET", path)
            assert answered.status == 200, (path, answered)
            assert time.monotonic() - began < READ_WITHIN, path

    def rows(self, question: str) -> list[Any]:
        with closing(self.database()) as database:
            return database.execute(question).fetchall()

    def database(self) -> sqlite3.Connection:
        return sqlite3.connect(self.var / "blindjump.sqlite3", timeout=PATIENCE, isolation_level=None)

    def resolved(self) -> int:
        """How many stages have been resolved."""
        return int(self.rows("SELECT count(*) FROM campaign_stage WHERE status = 'resolved'")[0][0])

    def let_time_run_out(self) -> None:
        """The open stage's deadline was a minute ago."""
        with closing(self.database()) as database:
            database.execute(
                "UPDATE campaign_stage SET opens = datetime('now', '-2 days'), closes = datetime('now', '-1 minute')"
                " WHERE status = 'open'"
            )

    def refuses_to_write(self) -> None:
        """What writes is answered 503, says when to come back, and has changed nothing."""
        before = self.rows(SEALED)
        answered = self.seal()
        assert answered.status == 503, answered
        assert int(answered.headers["Retry-After"]) > 0
        assert answered.headers["Content-Type"] == "application/problem+json"
        assert answered.json["code"] == "database-away"
        assert self.rows(SEALED) == before

    def nobody_died(self) -> None:
        assert all(alive(pid) for pid in self.served.family), self.site.last_lines()


@pytest.fixture(scope="module")
def war(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[War]:
    var = Path(shutil.copytree(prepared, tmp_path_factory.mktemp("outages") / "var"))
    served = Served(var)
    try:
        yield War(served.begun(), var)
    finally:
        served.close()


@contextmanager
def full_disk(served: Served) -> Iterator[None]:
    """Every write of the site to a file fails while the block runs."""
    pids = (served.process.pid, *served.family)
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for pid in pids:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextmanager
def locked(war: War) -> Iterator[None]:
    """Another program holds the database for writing while the block runs."""
    with closing(war.database()) as database:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            database.execute("ROLLBACK")


def wait_until(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_on_a_full_disk_reads_work_writes_are_refused_and_the_stage_resolves_once_there_is_room(war: War) -> None:
    before = war.resolved()
    with full_disk(war.served):
        war.read()
        war.refuses_to_write()
        war.let_time_run_out()
        time.sleep(6)  # long enough for the clock, the sweep and a job to fail
        war.read()
        war.nobody_died()
        assert war.resolved() == before
    wait_until(lambda: war.resolved() > before)
    war.nobody_died()


def test_while_the_database_is_locked_reads_work_and_a_write_is_refused_after_a_short_wait(war: War) -> None:
    with locked(war):
        war.read()
        began = time.monotonic()
        war.refuses_to_write()
        assert time.monotonic() - began < 15
    war.nobody_died()


def test_with_the_brokers_folder_gone_a_seal_is_stored_and_its_stage_resolved(war: War) -> None:
    before = war.resolved()
    shutil.rmtree(war.var / "broker")
    sealed = war.seal()
    assert sealed.status == 201, sealed
    wait_until(lambda: war.resolved() > before)
    war.nobody_died()


def test_with_the_brokers_folder_in_the_way_of_messages_a_seal_is_stored_and_resolved_later(war: War) -> None:
    broker, before = war.var / "broker", war.resolved()
    shutil.rmtree(broker)
    broker.write_text("a file where the folder was")
    sealed = war.seal()
    assert sealed.status == 201, sealed
    time.sleep(3)
    assert war.resolved() == before
    broker.unlink()
    wait_until(lambda: war.resolved() > before)
    war.served.begun()  # the worker lives, be it another one
