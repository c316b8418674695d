"""One site and one browser for all tests here; most tests create their own wars and people."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.browser.people import person, start_umpired_war, wait_for_stage
from tests.browser.wars import GUEST, PLAYER, UMPIRE
from tests.site.running import Site, run_site


@pytest.fixture(scope="session")
def site(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a site like `bin/serve`: two web processes and the embedded worker, SQLite, collected
    files.
    """
    folder = tmp_path_factory.mktemp("site")
    database = shutil.copyfile(migrated_file, folder / "site.sqlite3")
    with run_site(folder, f"sqlite:///{database}", collected=True, migrated=True) as site:
        yield site


@pytest.fixture(scope="session")
def played(site: Site) -> list[str]:
    """Return wars that several modules look at (tests.browser.wars); a test that changes them says
    so.

    They are Lafayette in its fourth week and finished, and a finished single battle.
    """
    site.people(PLAYER, UMPIRE, GUEST)
    return site.run("tests.browser.wars", PLAYER, UMPIRE, "guest").splitlines()[-1].split()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(autouse=True)
def closes_its_browsers(browser: Browser) -> Iterator[None]:
    """Close the pages of a test, whose scripts would otherwise slow down later tests."""
    yield
    for context in browser.contexts:
        context.close()


@pytest.fixture(scope="session")
def ember(site: Site, browser: Browser) -> tuple[str, dict[str, str]]:
    """Return a war of two at its first orders.

    Tests that write orders remove them again, because they share it.
    """
    campaign, names = start_umpired_war(site, "desk")
    for key in ("ember", "frost"):
        player = person(site, browser, names[key])
        player.go(f"/c/{campaign}/deploy/")
        player.seal(last=key == "frost")
        player.context.close()
    wait_for_stage(site, names["ember"], campaign, (1, "orders"))
    return campaign, names
