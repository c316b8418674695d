"""A site of the last commit before release 1.0.0 is moved, and everything in it goes on."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest
from pytest_django import DjangoDbBlocker

from tests.commands_here import manage_here, use_database
from tests.prerelease.old_site import expected, load_sqlite, on_postgres
from tests.site.running import ROOT
from tools.prerelease.__main__ import main as move_site


def run(address: str, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "DATABASE_URL": address,
        "BLINDJUMP_VAR": str(folder),
        "PUBLICATION_GRID": "0",
        "CELERY_BROKER_URL": "memory://",
    }
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def move(address: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run(address, folder, "tools.prerelease", *options)


@pytest.fixture
def move_here(
    database: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Callable[[], tuple[int, str]]:
    """Return a function that moves the site in this process; it returns the status and the text."""

    def moved() -> tuple[int, str]:
        printed = io.StringIO()
        with (
            django_db_blocker.unblock(),
            use_database(f"sqlite:///{database}", tmp_path),
            mock.patch("django.setup"),  # it would set up the logs again
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            return move_site([]), printed.getvalue()

    return moved


def contents(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        return list(connection.iterdump())


def tables_of(path: Path) -> dict[str, object]:
    """Return the columns of each table in any sequence, and the text of all else."""
    found: dict[str, object] = {}
    with sqlite3.connect(path) as connection:
        for kind, name, text in connection.execute("SELECT type, name, sql FROM sqlite_master"):
            plain = " ".join((text or "").split())
            found[f"{kind} {name}"] = sorted(plain.split(", ")) if kind == "table" else plain
    return found


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "site.sqlite3"
    load_sqlite(path)
    return path


def assert_goes_on(address: str, folder: Path, *asked: str) -> None:
    """Play a moved site on and compare with how it went on before the release."""
    after = run(address, folder, "tests.prerelease.after_move", *asked)
    assert after.returncode == 0, after.stderr[-3000:]
    result = json.loads(after.stdout)
    assert result["pages"] == []
    assert result["results"] == expected()
    recorded = {name: (rules, is_covered) for name, rules, is_covered in result["acts"]}
    assert recorded["captains"] == ("0.6", True)
    assert recorded["online"] == ("0.4", True)
    assert recorded["The ended war"] == ("0.6", False)


def test_moved_site_continues(
    database: Path, tmp_path: Path, move_here: Callable[[], tuple[int, str]], migrated_file: Path
) -> None:
    moved = move_here()
    assert moved[0] == 0, moved[1]
    after = contents(database)
    status, words = move_here()
    assert (status, "nothing to do" in words) == (0, True)
    assert contents(database) == after
    assert_goes_on(f"sqlite:///{database}", tmp_path, "pages")
    # It went through each migration, and has the tables of a site that began with all at once.
    assert tables_of(database) == tables_of(migrated_file)


@pytest.mark.postgres
def test_moved_site_continues_on_postgresql(
    postgres_url: str, database: Path, tmp_path: Path
) -> None:
    with on_postgres(postgres_url, database) as address:
        moved = move(address, tmp_path)
        assert moved.returncode == 0, moved.stderr[-3000:]
        assert_goes_on(address, tmp_path)


def test_site_does_not_start_before_the_move(
    database: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    before = contents(database)
    url = f"sqlite:///{database}"
    migrated = manage_here("migrate", url=url, var=tmp_path, blocker=django_db_blocker)
    for started in (migrated, run(url, tmp_path, "config.serve")):
        assert started.returncode == 1
        assert "see docs/operating/upgrading.md" in started.stderr + started.stdout
    assert contents(database) == before


def test_fault_changes_nothing(database: Path, move_here: Callable[[], tuple[int, str]]) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM campaign_faction WHERE id = 1")
    before = contents(database)
    status, words = move_here()
    assert status == 1
    assert words.startswith("Not moved, and nothing changed: ")
    assert contents(database) == before


@pytest.mark.parametrize(
    ("statement", "refusal"),
    [
        ("DELETE FROM django_migrations WHERE name LIKE '0035%'", "the database is older"),
        ("DROP TABLE django_migrations", "there is no site"),
        (
            "INSERT INTO jobs_workerpulse (name, lanes, seen_at)"
            " VALUES ('x', 'short', datetime('now'))",
            "a worker of the site is running",
        ),
    ],
)
def test_another_state_is_refused(
    database: Path, move_here: Callable[[], tuple[int, str]], statement: str, refusal: str
) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(statement)
    before = contents(database)
    status, words = move_here()
    assert (status, refusal in words) == (1, True), words
    assert contents(database) == before
