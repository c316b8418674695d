"""A server that was set up once, and running copies of it."""

from __future__ import annotations

import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import lock_folder
from tests.site.serving import PATIENCE, ServeProcess


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Path:
    """Return the folder of a server that was set up and stopped, created once, to be copied.

    Its tables are there before: `tests/test_play.py` starts with an empty database.
    """
    with lock_folder("served") as folder:
        database = folder / "served"
        if not database.exists():
            draft = tmp_path_factory.mktemp("serve")
            shutil.copyfile(migrated_file, draft / "blindjump.sqlite3")
            set_up(draft)
            shutil.move(draft, database)
    return database


def set_up(var: Path) -> None:
    """Start for the first time, with the first-account link, and stop."""
    server = ServeProcess(var)
    try:
        server.wait_until_ready()
        with urllib.request.urlopen(
            f"http://127.0.0.1:{server.port}/health/web/", timeout=PATIENCE
        ) as answer:
            assert answer.status == 200
        link = re.search(rf"http://127\.0\.0\.1:{server.port}(/welcome/\S+)", server.output)
        assert link, server.output
        server.process.terminate()
        assert server.wait_until_ended() == 0
    finally:
        server.close()


@pytest.fixture
def served(prepared: Path, tmp_path: Path) -> Iterator[ServeProcess]:
    """Run a server for one test."""
    running = ServeProcess(Path(shutil.copytree(prepared, tmp_path / "var")))
    try:
        yield running.wait_until_ready()
    finally:
        running.close()


@pytest.fixture(scope="session")
def standing(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """Run a server for many tests, none of which stops or changes it."""
    running = ServeProcess(
        Path(shutil.copytree(prepared, tmp_path_factory.mktemp("standing") / "var"))
    )
    try:
        yield running.wait_until_ready()
    finally:
        running.close()
