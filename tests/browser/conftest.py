"""One site and one browser for all tests here; every test has wars and people of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.site.running import Site, running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """As `bin/serve` has it: two web processes and the embedded worker, over SQLite, static files collected."""
    with running(tmp_path_factory.mktemp("site"), collected=True) as site:
        yield site


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
