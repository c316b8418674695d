"""Two players and an umpire play a week, on laptops and on phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.conftest import MakeWar
from tests.browser.seats import LAPTOP, PHONE
from tests.browser.week import play, table_of
from tests.site.running import Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("window", "dark"), [(LAPTOP, False), (PHONE, True)], ids=["laptop", "phone"])
def test_a_week_is_played(
    browser: Browser, site: Site, new_war: MakeWar, number: int, window: ViewportSize, dark: bool
) -> None:
    names = (f"ann{number}", f"bob{number}", f"uma{number}")
    table = table_of(browser, site, new_war("table", *names), names, window, dark)
    play(table)
    assert [each.troubles for each in table.all] == [[], [], []]
