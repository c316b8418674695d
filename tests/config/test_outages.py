"""What is met while the disk is full, the database locked, or the broker's folder gone; with
bin/serve running.
"""

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
from contextlib import AbstractContextManager, closing, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tests.site.disk import Disk, small_disk
from tests.site.people import PASSWORD
from tests.site.running import Answered, Site
from tests.site.serving import KEPT_OUT, PATIENCE, Served, alive
from tests.wars.script import war_begun

READ_WITHIN = 2.5  # seconds; a write gives up after 5
READ = ("", "stages/", "view/", "orders/", "reports/", "ledger/")  # by programs
SHOWN = ("", "map/", "orders/", "reports/", "public/")  # to people
LITTLE = 120_000  # bytes: enough to close a stage, too little to resolve it
WRITERS = 6  # at once: more than a web process has threads for them


class War:
    """A war of one player, ada, against the computer, on a running bin/serve."""

    def __init__(self, served: Served, disk: Disk) -> None:
        self.served, self.disk, self.var = served, disk, disk.folder / "var"
        kept = {name: value for name, value in os.environ.items() if name not in KEPT_OUT}
        self.address = f"http://127.0.0.1:{served.port}"
        self.site = Site(
            self.address, {**kept, "BLINDJUMP_VAR": str(self.var)}, self.var / "log/serve.log"
        )
        self.campaign = war_begun(self.site, "first-steps", {"ember": "ada"})
        self.site.end()  # nobody else is made; bin/serve is none of its processes
        self.ada = Browser(self.address)
        assert self.ada.log_in() == 200

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        return self.site.call("ada", method, f"campaigns/{self.campaign}/{path}", body, **headers)

    def seal(self) -> Answered:
        """Seal what the open stage would do by itself."""
        return self.call(
            "POST", "orders/seal/", {"orders": self.call("GET", "orders/default/").json["orders"]}
        )

    def read(self) -> None:
        """Whatever a player reads is there, at once: by a program and in a browser."""
        for path in READ:
            began = time.monotonic()
            answered = self.call("GET", path)
            assert answered.status == 200, (path, answered)
            assert time.monotonic() - began < READ_WITHIN, path
        for path in ("/", *(f"/c/{self.campaign}/{page}" for page in SHOWN)):
            began = time.monotonic()
            assert self.ada.asked(path) == 200, path
            assert time.monotonic() - began < READ_WITHIN, path

    def refuses_to_write(self) -> None:
        """What writes is answered 503 and says when to come back."""
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

    def papers(self) -> list[str]:
        """Every row of people, sessions and wars, as text."""
        with closing(self.database()) as database:
            told = database.iterdump()
            return [
                line
                for line in told
                if line.startswith(
                    ('INSERT INTO "campaign', 'INSERT INTO "auth', 'INSERT INTO "django')
                )
            ]

    def database(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self.var / "blindjump.sqlite3", timeout=PATIENCE, isolation_level=None
        )

    def settled(self) -> None:
        """Nothing of the database's log is left: the next write needs room."""
        with closing(self.database()) as database:
            wait_until(
                lambda: database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            )

    def full(self, left: int = 0) -> AbstractContextManager[None]:
        """The disk is full while the block runs."""
        self.settled()
        return self.disk.full((self.served.process.pid, *self.served.family), left)

    def resolved(self) -> int:
        """How many stages have been resolved."""
        return int(self.rows("SELECT count(*) FROM campaign_stage WHERE status = 'resolved'")[0][0])

    def closed(self) -> bool:
        """Whether a stage is closed and not resolved."""
        return bool(self.rows("SELECT 1 FROM campaign_stage WHERE status = 'closed'"))

    def let_time_run_out(self) -> None:
        """The open stage's deadline was a minute ago."""
        with closing(self.database()) as database:
            database.execute(
                "UPDATE campaign_stage SET opens = datetime('now', '-2 days'), closes = datetime('now', '-1 minute')"
                " WHERE status = 'open'"
            )

    def nobody_died(self) -> None:
        assert all(alive(pid) for pid in self.served.family), self.site.last_lines()


class Browser:
    """A browser of somebody's own. `headers`: of the last answer."""

    def __init__(self, address: str) -> None:
        self.address, self.jar, self.headers = address, CookieJar(), dict[str, str]()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def asked(self, path: str, form: dict[str, str] | None = None) -> int:
        """The status of a page, or of what is answered to a form, after redirects."""
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
        """Open the page and log in as ada; the answer's status."""
        assert self.asked("/accounts/login/") == 200
        return self.asked("/accounts/login/", {"login": "ada", "password": PASSWORD})


@pytest.fixture(scope="module")
def war(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[War]:
    with small_disk(tmp_path_factory.mktemp("outages")) as disk:
        served = Served(Path(shutil.copytree(prepared, disk.folder / "var")))
        try:
            yield War(served.begun(), disk)
        finally:
            served.close()


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


def test_on_a_full_disk_reads_work_and_writes_are_refused_and_change_nothing(war: War) -> None:
    with war.full():
        before = war.papers()
        for _ in range(2):
            war.read()
            war.refuses_to_write()
        assert war.papers() == before
    war.nobody_died()
    assert Browser(war.address).log_in() == 200


def test_a_stage_that_closed_where_there_was_too_little_room_resolves_once_there_is_more(
    war: War,
) -> None:
    before = war.resolved()
    war.let_time_run_out()
    with war.full(left=LITTLE):
        wait_until(lambda: war.closed() or war.disk.free() == 0)
        war.read()
        assert war.resolved() == before
        war.nobody_died()
    wait_until(lambda: war.resolved() > before)
    war.nobody_died()


def test_while_another_program_writes_reads_work_beside_writers_that_wait_and_are_refused(
    war: War,
) -> None:
    with locked(war), ThreadPoolExecutor(WRITERS) as pool:
        before = war.papers()
        began = time.monotonic()
        refused = [pool.submit(war.refuses_to_seal) for _ in range(WRITERS)]
        time.sleep(0.5)  # until they wait
        war.read()
        assert not all(one.done() for one in refused)
        for one in refused:
            one.result()
        assert time.monotonic() - began < 20
        assert war.papers() == before
    war.nobody_died()


def test_with_the_brokers_folder_gone_a_seal_is_stored_and_its_stage_resolved(war: War) -> None:
    before = war.resolved()
    shutil.rmtree(war.var / "broker")
    sealed = war.seal()
    assert sealed.status == 201, sealed
    wait_until(lambda: war.resolved() > before)
    war.nobody_died()


def test_with_the_brokers_folder_in_the_way_of_messages_a_seal_is_stored_and_resolved_later(
    war: War,
) -> None:
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
