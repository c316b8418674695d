"""A site of the last commit before release 1.0.0 is moved, and everything in it goes on."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.prerelease.old_site import expected, load_sqlite, on_postgres
from tests.site.running import ROOT


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


def contents(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        return list(connection.iterdump())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "site.sqlite3"
    load_sqlite(path)
    return path


def assert_goes_on(address: str, folder: Path) -> None:
    """Play a moved site on and compare with how it went on before the release."""
    after = run(address, folder, "tests.prerelease.after_move")
    assert after.returncode == 0, after.stderr[-3000:]
    result = json.loads(after.stdout)
    assert result["pages"] == []
    assert result["results"] == expected()
    recorded = {name: (rules, is_covered) for name, rules, is_covered in result["acts"]}
    assert recorded["captains"] == ("0.6", True)
    assert recorded["online"] == ("0.4", True)
    assert recorded["The ended war"] == ("0.6", False)


def test_moved_site_continues(database: Path, tmp_path: Path) -> None:
    address = f"sqlite:///{database}"
    moved = move(address, tmp_path)
    assert moved.returncode == 0, moved.stderr[-3000:]
    after = contents(database)
    again = move(address, tmp_path)
    assert (again.returncode, "nothing to do" in again.stdout) == (0, True)
    assert contents(database) == after
    assert_goes_on(address, tmp_path)


@pytest.mark.postgres
def test_moved_site_continues_on_postgresql(
    postgres_url: str, database: Path, tmp_path: Path
) -> None:
    with on_postgres(postgres_url, database) as address:
        moved = move(address, tmp_path)
        assert moved.returncode == 0, moved.stderr[-3000:]
        assert_goes_on(address, tmp_path)


def test_site_does_not_start_before_the_move(database: Path, tmp_path: Path) -> None:
    before = contents(database)
    for command in (("manage", "migrate"), ("config.serve",)):
        started = run(f"sqlite:///{database}", tmp_path, *command)
        assert started.returncode == 1
        assert "see docs/operating/upgrading.md" in started.stderr + started.stdout
    assert contents(database) == before


def test_fault_changes_nothing(database: Path, tmp_path: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM campaign_faction WHERE id = 1")
    before = contents(database)
    moved = move(f"sqlite:///{database}", tmp_path)
    assert moved.returncode == 1
    assert moved.stderr.startswith("Not moved, and nothing changed: ")
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
    database: Path, tmp_path: Path, statement: str, refusal: str
) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(statement)
    before = contents(database)
    moved = move(f"sqlite:///{database}", tmp_path)
    assert (moved.returncode, refusal in moved.stderr) == (1, True), moved.stderr
    assert contents(database) == before
