"""One site and one browser for all tests here; every test has wars and people of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.site.running import Site, running


@pytest.fixture(scope="session")
def site(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """As `bin/serve` has it: two web processes and the embedded worker, over SQLite, static files collected."""
    folder = tmp_path_factory.mktemp("site")
    database = shutil.copyfile(migrated_file, folder / "site.sqlite3")
    with running(folder, f"sqlite:///{database}", collected=True, migrated=True) as site:
        yield site


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
