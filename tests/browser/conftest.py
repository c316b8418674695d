"""One site and one browser for all tests here; most tests have wars and people of their own."""

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
    """As `bin/serve` has it: two web processes and the embedded worker, over SQLite, static files
    collected.
    """
    folder = tmp_path_factory.mktemp("site")
    database = shutil.copyfile(migrated_file, folder / "site.sqlite3")
    with run_site(folder, f"sqlite:///{database}", collected=True, migrated=True) as site:
        yield site


@pytest.fixture(scope="session")
def played(site: Site) -> list[str]:
    """The wars that several modules look at: Lafayette in its fourth week and over, and a single
    battle that is over (tests.browser.wars). Who changes something there says so.
    """
    site.people(PLAYER, UMPIRE, GUEST)
    return site.run("tests.browser.wars", PLAYER, UMPIRE, "guest").splitlines()[-1].split()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def ember(site: Site, browser: Browser) -> tuple[str, dict[str, str]]:
    """A war of two whose first orders are due.

    Who writes some takes them back: the desk's tests share it.
    """
    campaign, names = start_umpired_war(site, "desk")
    for key in ("ember", "frost"):
        player = person(site, browser, names[key])
        player.go(f"/c/{campaign}/deploy/")
        player.seal(last=key == "frost")
        player.context.close()
    wait_for_stage(site, names["ember"], campaign, (1, "orders"))
    return campaign, names
