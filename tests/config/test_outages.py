"""A full disk, a locked database, or a missing broker folder, while bin/serve runs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tests.site.disk import Disk, small_disk
from tests.site.people import PASSWORD
from tests.site.running import Site, SiteAnswer
from tests.site.serving import PATIENCE, REMOVED_VARIABLES, ServeProcess, alive
from tests.wars.script import start_war

READ_WITHIN = 2.5  # seconds; a write gives up after 5
API_PATHS = ("", "stages/", "view/", "orders/", "reports/", "ledger/")  # by programs
PAGES = ("", "map/", "orders/", "reports/", "public/")  # to people
LITTLE = 120_000  # bytes: enough to close a stage, too few to resolve it
WRITERS = 6  # at once: more than the threads of a web process


class War:
    """A war of one player, ada, against the computer, on a running bin/serve."""

    def __init__(self, serve_process: ServeProcess, disk: Disk) -> None:
        self.server, self.disk, self.var = serve_process, disk, disk.folder / "var"
        environment = {
            name: value for name, value in os.environ.items() if name not in REMOVED_VARIABLES
        }
        self.address = f"http://127.0.0.1:{serve_process.port}"
        self.site = Site(
            self.address,
            {**environment, "BLINDJUMP_VAR": str(self.var)},
            self.var / "log/serve.log",
        )
        self.campaign = start_war(self.site, "first-steps", {"ember": "ada"})
        self.site.end()  # there are no other people; bin/serve is not one of its processes
        self.ada = Browser(self.address)
        assert self.ada.log_in() == 200

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> SiteAnswer:
        return self.site.call("ada", method, f"campaigns/{self.campaign}/{path}", body, **headers)

    def seal(self) -> SiteAnswer:
        """Seal the default of the open stage."""
        return self.call(
            "POST", "orders/seal/", {"orders": self.call("GET", "orders/default/").json["orders"]}
        )

    def read_all(self) -> None:
        """Check that everything a player reads is there at once, for a program and a browser."""
        for path in API_PATHS:
            began = time.monotonic()
            answered = self.call("GET", path)
            assert answered.status == 200, (path, answered)
            assert time.monotonic() - began < READ_WITHIN, path
        for path in ("/", *(f"/c/{self.campaign}/{page}" for page in PAGES)):
            began = time.monotonic()
            assert self.ada.open_page(path) == 200, path
            assert time.monotonic() - began < READ_WITHIN, path

    def refuses_to_write(self) -> None:
        """Check that writing is answered 503 with the time to come back."""
        self.refuses_to_seal()
        stranger = Browser(self.address)
        assert stranger.log_in() == 503
        assert int(stranger.headers["Retry-After"]) > 0

    def refuses_to_seal(self) -> None:
        answered = self.seal()
        assert answered.status == 503, answered
        assert int(answered.headers["Retry-After"]) > 0
        assert answered.headers["Content-Type"] == "application/problem+json"
        assert answered.json["code"] == "database-away"

    def rows(self, question: str) -> list[Any]:
        with closing(self.database()) as database:
            return database.execute(question).fetchall()

    def database_rows(self) -> list[str]:
        """Return every row of people, sessions and wars, as text."""
        with closing(self.database()) as database:
            dump = database.iterdump()
            return [
                line
                for line in dump
                if line.startswith(
                    ('INSERT INTO "campaign', 'INSERT INTO "auth', 'INSERT INTO "django')
                )
            ]

    def database(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self.var / "blindjump.sqlite3", timeout=PATIENCE, isolation_level=None
        )

    def wait_for_checkpoint(self) -> None:
        """Wait until the database's log is empty, so that the next write needs room."""
        with closing(self.database()) as database:
            wait_until(
                lambda: database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            )

    def fill_disk(self, free_bytes: int = 0) -> AbstractContextManager[None]:
        """Fill the disk while the block runs."""
        self.wait_for_checkpoint()
        return self.disk.fill((self.server.process.pid, *self.server.family), free_bytes)

    def count_resolved(self) -> int:
        """Return how many stages have been resolved."""
        return int(self.rows("SELECT count(*) FROM campaign_stage WHERE status = 'resolved'")[0][0])

    def is_closed(self) -> bool:
        """Return whether a stage is closed and not resolved."""
        return bool(self.rows("SELECT 1 FROM campaign_stage WHERE status = 'closed'"))

    def let_time_run_out(self) -> None:
        """Set the open stage's deadline to a minute ago."""
        with closing(self.database()) as database:
            database.execute(
                "UPDATE campaign_stage SET opens = datetime('now', '-2 days'), closes = datetime('now', '-1 minute')"
                " WHERE status = 'open'"
            )

    def wait_until_idle(self) -> None:
        """Wait until a stage is open and no worker has a job.

        A stage without anything to decide is resolved right after the one before it. A worker that
        has a job also takes the next one without a message.
        """
        wait_until(
            lambda: (
                bool(self.rows("SELECT 1 FROM campaign_stage WHERE status = 'open'"))
                and not self.rows("SELECT 1 FROM jobs_job WHERE status IN ('waiting', 'running')")
            )
        )

    def remove_broker(self) -> None:
        """Take the broker's folder away in one step; workers may use it until then."""
        broker = self.var / "broker"
        removed = self.var / "removed-broker"
        with suppress(FileNotFoundError):  # the test before has removed it already
            broker.rename(removed)
        shutil.rmtree(removed, ignore_errors=True)

    def replace_broker(self) -> Path:
        """Put a file in the place of the broker's folder, which workers may create anew meanwhile."""
        broker = self.var / "broker"
        deadline = time.monotonic() + PATIENCE
        while not broker.is_file():
            assert time.monotonic() < deadline
            self.remove_broker()
            with suppress(FileExistsError):
                broker.touch(exist_ok=False)
        return broker

    def assert_all_alive(self) -> None:
        assert all(alive(pid) for pid in self.server.family), self.site.last_lines()


class Browser:
    """A browser; `headers` are those of the last answer."""

    def __init__(self, address: str) -> None:
        self.address, self.jar, self.headers = address, CookieJar(), dict[str, str]()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def open_page(self, path: str, form: dict[str, str] | None = None) -> int:
        """Return the status of a page, or of the answer to a form, after redirects."""
        if form is not None:
            token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
            form = {**form, "csrfmiddlewaretoken": token or ""}
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with self.opener.open(self.address + path, data, timeout=PATIENCE) as answer:
                self.headers = dict(answer.headers)
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            self.headers = dict(refused.headers)
            return refused.code

    def log_in(self) -> int:
        """Open the page and log in as ada; return the answer's status."""
        assert self.open_page("/accounts/login/") == 200
        return self.open_page("/accounts/login/", {"login": "ada", "password": PASSWORD})


@pytest.fixture(scope="module")
def war(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[War]:
    with small_disk(tmp_path_factory.mktemp("outages")) as disk:
        serve_process = ServeProcess(Path(shutil.copytree(prepared, disk.folder / "var")))
        try:
            yield War(serve_process.wait_until_ready(), disk)
        finally:
            serve_process.close()


@contextmanager
def locked(war: War) -> Iterator[None]:
    """Let another program lock the database for writing while the block runs."""
    with closing(war.database()) as database:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            database.execute("ROLLBACK")


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_full_disk_allows_reads_and_refuses_writes(war: War) -> None:
    with war.fill_disk():
        before = war.database_rows()
        for _ in range(2):
            war.read_all()
            war.refuses_to_write()
        assert war.database_rows() == before
    war.assert_all_alive()
    assert Browser(war.address).log_in() == 200


def test_stage_closed_without_room_resolves_later(
    war: War,
) -> None:
    before = war.count_resolved()
    war.let_time_run_out()
    with war.fill_disk(free_bytes=LITTLE):
        wait_until(lambda: war.is_closed() or war.disk.free() == 0)
        war.read_all()
        assert war.count_resolved() == before
        war.assert_all_alive()
    wait_until(lambda: war.count_resolved() > before)
    war.assert_all_alive()


def test_foreign_write_lock_allows_reads_and_refuses_waiting_writers(
    war: War,
) -> None:
    with locked(war), ThreadPoolExecutor(WRITERS) as pool:
        before = war.database_rows()
        began = time.monotonic()
        refused = [pool.submit(war.refuses_to_seal) for _ in range(WRITERS)]
        time.sleep(0.5)  # until they wait
        war.read_all()
        assert not all(future.done() for future in refused)
        for future in refused:
            future.result()
        assert time.monotonic() - began < 20
        assert war.database_rows() == before
    war.assert_all_alive()


def test_missing_broker_folder_still_stores_and_resolves(war: War) -> None:
    war.wait_until_idle()
    before = war.count_resolved()
    war.remove_broker()
    sealed = war.seal()
    assert sealed.status == 201, sealed
    wait_until(lambda: war.count_resolved() > before)
    war.assert_all_alive()


def test_blocked_broker_folder_stores_and_resolves_later(
    war: War,
) -> None:
    war.wait_until_idle()
    before = war.count_resolved()
    broker = war.replace_broker()
    sealed = war.seal()
    assert sealed.status == 201, sealed
    time.sleep(3)
    assert war.count_resolved() == before
    broker.unlink()
    wait_until(lambda: war.count_resolved() > before)
    war.server.wait_until_ready()  # a worker is alive, perhaps another one
