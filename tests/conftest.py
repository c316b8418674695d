"""What all tests share: the database, the property profiles, and which tests belong to which run.

The database is that of DATABASE_URL (SQLite in memory without one; on PostgreSQL a test database
that is created and dropped). Tests marked `postgres` run only on PostgreSQL. `--database-only`
leaves out pure tests, which do not depend on the database, those of pages, and those marked
`any_database`. `--browser` runs the tests marked `browser` and nothing else.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest
from pytest_django import DjangoDbBlocker

from tests import shared
from tests.gate import must_run_everything
from tests.migrated_database import address_of, copy_instead_of_migrating, migrate_sqlite

# Garbage collection is rarer here: a run creates millions of lasting objects, and each collection
# counts them all again.
SELDOM = (20_000, 50, 1_000)
QUICK_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"
ROOT = Path(__file__).resolve().parent.parent
DATABASE_FIXTURES = frozenset(
    {"db", "transactional_db", "django_db_reset_sequences", "postgres_url"}
)

# Deterministic, and independent of the machine's speed.
PROPERTIES = hypothesis.settings(
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("thorough", PROPERTIES, max_examples=200)  # by hand
hypothesis.settings.register_profile("ci", PROPERTIES, max_examples=40)
hypothesis.settings.register_profile("quick", PROPERTIES, max_examples=10)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure(config: pytest.Config) -> None:
    """Keep messages of the tests' own process in it.

    Stages open as soon as the last outcome is written; tests of publication set that themselves
    (`tests.access.running`).
    """
    from django.conf import settings

    from config.celery import app

    if shared.WHERE not in os.environ:  # workers get it from the process that starts them
        temporary_folder = tempfile.TemporaryDirectory(prefix="bj-shared-")
        os.environ[shared.WHERE] = temporary_folder.name
        config.add_cleanup(temporary_folder.cleanup)

    os.environ["PUBLICATION_GRID"] = "0"  # for processes that tests start
    settings.PUBLICATION_GRID = 0
    os.environ["BEACON_RELAYS"] = ""  # no test asks a server outside
    settings.BEACON_RELAYS = ()
    # A quarter of a second for each password otherwise; the site's own are checked in
    # tests/config/test_accounts.py
    settings.PASSWORD_HASHERS = [QUICK_HASHER, *settings.PASSWORD_HASHERS]
    app.conf.update(broker_url="memory://", broker_transport_options={})
    gc.set_threshold(*SELDOM)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-only", action="store_true", help="only the tests that use a database"
    )
    parser.addoption("--browser", action="store_true", help="the tests in a browser, and no others")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if not _belongs(item, config)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _belongs(item, config)]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze everything loaded by now, so that garbage collection does not count it again."""
    gc.collect()
    gc.freeze()


def _belongs(item: pytest.Item, config: pytest.Config) -> bool:
    if item.get_closest_marker("browser") or config.getoption("--browser"):
        return bool(item.get_closest_marker("browser") and config.getoption("--browser"))
    if item.get_closest_marker("postgres"):
        return _on_postgres()
    return not config.getoption("--database-only") or (
        _uses_database(item)
        and not _of_pages(item)
        and item.get_closest_marker("any_database") is None
    )


def _of_pages(item: pytest.Item) -> bool:
    """Return whether a test is one of pages.

    Pages send no queries themselves; services and selectors do, whose tests run on every database.
    """
    return item.path.relative_to(ROOT).parts[1:3] in (("campaign", "pages"), ("umpire", "pages"))


def _uses_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or any(
        name in DATABASE_FIXTURES for name in fixtures
    )


def _on_postgres() -> bool:
    from django.conf import settings

    return bool(settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true, fail the session for a test that was skipped or expected to fail."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not must_run_everything() or reporter is None or hasattr(session.config, "workerinput"):
        return
    left_out = [
        report.nodeid
        for kind in ("skipped", "x" + "failed", "x" + "passed")
        for report in reporter.stats.get(kind, ())
    ]
    if left_out:
        reporter.ensure_newline()
        reporter.write_line(
            "Nothing may be skipped where CI=true: " + ", ".join(left_out), red=True
        )
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def nothing_counted_before(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin tests with the database with an empty cache, so no request limit is used up.

    Their jobs send no heartbeats: on a busy machine these would be a second connection that locks
    the test's tables.
    """
    if _uses_database(request.node):
        from django.core.cache import cache

        from jobs import services

        cache.clear()
        monkeypatch.setattr(services, "HEARTBEAT", 3600.0)


@pytest.fixture(scope="session", autouse=True)
def counted_by_this_worker() -> None:
    """Count requests separately for each test worker, because forked processes share that memory."""
    from config.observe import REQUESTS

    REQUESTS.share(1)


@pytest.fixture(scope="session", autouse=True)
def rendered_as_on_a_site(request: pytest.FixtureRequest) -> None:
    """Render templates without Django's signal for the test client, which copies each context.

    The signal takes a sixteenth of a request's time; tests read the answers.
    """
    if not request.config.pluginmanager.has_plugin("django"):  # a run without tests of the site
        return
    request.getfixturevalue("django_test_environment")
    from django.template.base import Template
    from django.test.utils import _TestState

    Template._render = _TestState.saved_data.template_render  # type: ignore[attr-defined]


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Return DATABASE_URL of a new SQLite file, not yet migrated, for programs that a test starts."""
    return f"sqlite:///{tmp_path}/test.sqlite3"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """Copy a migrated database just before the test database is created."""
    from tests.row_cache import delete_instead_of_flush

    with django_db_blocker.unblock():
        copy_instead_of_migrating()
        delete_instead_of_flush()


@pytest.fixture(scope="session")
def migrated_file() -> Path:
    """Return an SQLite file with every table and no row, to be copied."""
    return migrate_sqlite()


@pytest.fixture
def migrated_url(migrated_file: Path, sqlite_url: str) -> str:
    """Return DATABASE_URL of a new migrated SQLite file, for programs that a test starts."""
    shutil.copyfile(migrated_file, sqlite_url.removeprefix("sqlite:///"))
    return sqlite_url


@pytest.fixture
def postgres_url(transactional_db: None) -> str:
    """Return DATABASE_URL of the test's migrated PostgreSQL database, for programs of `postgres`
    tests.
    """
    from django.db import connection

    return address_of(connection.settings_dict, connection.settings_dict["NAME"])
