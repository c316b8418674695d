"""One site and one browser for all tests here; every test has wars and people of its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.site.running import Site, running

MakeWar = Callable[..., str]
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """As `bin/serve` has it: two web processes and the embedded worker, over SQLite."""
    with running(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def new_war(site: Site) -> MakeWar:
    """Makes a war of a kind for people of these names (see tests.browser.wars)."""

    def made(kind: str, *names: str) -> str:
        return site.python("-m", "tests.browser.wars", kind, *names).splitlines()[-1]

    return made


@pytest.fixture
def number() -> int:
    """Of this test, for names that are nobody else's."""
    return next(_numbers)
