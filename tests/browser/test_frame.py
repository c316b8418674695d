"""The frame of every page in a real browser: nothing wider than the screen, headings at the same
place, and with a finger no control that is too small for it. Pages that a week shows are seen in
`test_week_one`.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.headings import heading_at
from tests.browser.people import (
    EVERYWHERE,
    LAPTOP,
    PHONE,
    WIDER,
    Person,
    Screen,
    asked,
    person,
    visitor,
    wait_until,
    war,
)
from tests.browser.wars import PLAYER, UMPIRE
from tests.site.running import Site

pytestmark = pytest.mark.browser
CUT = """() => [...document.querySelectorAll("svg.table text")].filter((name) => {
  const frame = name.closest("svg").getBoundingClientRect(), box = name.getBoundingClientRect();
  return box.left < frame.left || box.right > frame.right;
}).map((name) => name.textContent)"""
# Words of the factions' names on the host's page that are broken within.
BROKEN = """() => [...document.querySelectorAll(".seal-cards h2")].flatMap((name) => {
  const found = [], walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    for (const word of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(word[0]);
    }
  }
  return found;
})"""
# Tabs that stand outside the line they belong to.
CUT_TABS = """() => [...document.querySelectorAll(".tab-line a, .desk-tabs a")].filter((tab) =>
  tab.getBoundingClientRect().right > tab.parentElement.getBoundingClientRect().right + 1)
  .map((tab) => tab.textContent.trim())"""
TAIL_OF_PLAYER = (
    "", "map/", "reports/", "ships/", "ships/sheets/", "receipts/", "classes/", "classes/sheets/",
    "tech-base/", "public/",
)  # fmt: skip
# As the orders' page it gives the map all the room there is: its heading stands nearer to the tabs
DESK = "deploy/"
TAIL_OF_UMPIRE = (
    "",
    "host/",
    "public/",
    "umpire/",
    "umpire/map/",
    "umpire/fleets/",
    "umpire/ledger/",
)
TAIL_OF_WATCHER = (
    *TAIL_OF_UMPIRE[2:], "umpire/factions/esu/", "umpire/ships/", "umpire/stages/", "umpire/reports/",
    "umpire/battles/",
)  # fmt: skip
OUTSIDE = ("/", "/me/", "/umpire/", "/campaigns/new", "/campaigns/new?scenario=lafayette", "/accounts/password/change/",
    "/accounts/email/", "/accounts/2fa/", "/accounts/reauthenticate/",
)  # fmt: skip


def test_headings_stand_still_and_no_page_is_wider_than_the_screen(
    site: Site, browser: Browser
) -> None:
    campaign, names = war(site, "frame")
    lobby = str(
        site.call(
            names["umpire"], "POST", "campaigns/", {"scenario": "lafayette", "name": "Lobby"}
        ).json["id"]
    )
    phone: dict[str, Any] = {"has_touch": True, "color_scheme": "dark"}
    ember, umpire = (
        person(site, browser, names[key], PHONE, **phone) for key in ("ember", "umpire")
    )
    for one, paths in (
        (umpire, OUTSIDE),
        (umpire, [f"/c/{lobby}/", f"/c/{campaign}/umpire/"]),
        (ember, [f"/c/{campaign}/{tail}" for tail in ("", "classes/", "tech-base/")]),
    ):
        places = {path: _places(one, path, *EVERYWHERE) for path in paths}
        assert len(set(places.values())) == 1, places
    usual = next(iter(places.values()))
    stranger = visitor(site, browser, "nobody", PHONE, **phone)
    assert {
        _places(stranger, f"/accounts/{tail}/", *EVERYWHERE)
        for tail in ("login", "signup", "password/reset")
    } == {_places(umpire, "/accounts/email/", *EVERYWHERE)}
    stranger.context.close()
    for (left, top), (most_left, most_top) in zip(
        _places(ember, f"/c/{campaign}/{DESK}", *EVERYWHERE), usual, strict=True
    ):
        assert 0 < left <= most_left
        assert 0 < top <= most_top
    umpire.go(f"/c/{campaign}/host/")
    for screen in umpire.on(*EVERYWHERE):
        assert umpire.page.evaluate(BROKEN) == [], screen
    for language, words in (("de-DE", "Öffentliches Protokoll"), ("fr-FR", "Archives publiques")):
        for name, path in (
            (names["ember"], "map/"),
            (names["umpire"], "host/"),
            (names["umpire"], "umpire/"),
        ):
            reader = person(site, browser, name, LAPTOP, locale=language)
            reader.go(f"/c/{campaign}/{path}")
            reader.reads(words)
            for screen in reader.on(*EVERYWHERE):
                assert reader.page.evaluate(CUT_TABS) == [], (language, path, screen)
            reader.context.close()
    for one in (ember, umpire):
        one.context.close()


def test_pages_of_played_wars_keep_within_a_phone(
    site: Site, browser: Browser, played: list[str]
) -> None:
    """Wars with battles, reports and losses, in the middle and over, as a player and an umpire see
    them.
    """
    player, umpire = (
        person(site, browser, name, PHONE, has_touch=True) for name in (PLAYER, UMPIRE)
    )
    for one, tails in ((player, TAIL_OF_PLAYER), (umpire, TAIL_OF_WATCHER)):
        for campaign in played:
            paths = [f"/c/{campaign}/{tail}" for tail in tails]
            if campaign != played[0]:
                paths.append(f"/c/{campaign}/story/")
            places = {path: _places(one, path) for path in paths}
            battle = one.page.locator("main a[href*='/battles/']").first
            if battle.count():
                path = str(battle.get_attribute("href"))
                places[path] = _places(one, path)
                assert one.page.evaluate(CUT) == [], path
            assert len(set(places.values())) == 1, places
        one.context.close()


def _places(one: Person, path: str, *screens: Screen) -> tuple[tuple[float, float], ...]:
    """Open a page, no wider than any of these screens, or than his own; where its heading stands on
    each of them (`heading_at`).
    """
    one.go(path)
    places = []
    for _ in one.on(*screens):
        assert one.page.evaluate(WIDER) <= 0, f"{path} is wider than the screen"
        places.append(heading_at(one.page))
    return tuple(places)


def test_no_name_is_cut_off_on_a_plot_or_on_the_printed_set_up(
    site: Site, browser: Browser
) -> None:
    campaign, names = war(site, "cut", "first-battle", battles="table")
    nac = person(site, browser, names["nac"], PHONE)
    nac.go(f"/c/{campaign}/")
    nac.press("To the table")
    with nac.page.expect_navigation():
        nac.page.get_by_role("link", name="sheets and the set-up").click()
    assert nac.page.locator("svg.table text").count() > 0
    assert nac.page.evaluate(CUT) == []
    nac.context.close()
    campaign, names = war(site, "plot", "first-battle")
    esu = person(site, browser, names["esu"], PHONE)
    wait_until(site, lambda: asked(site, names["esu"], campaign))
    esu.go(f"/c/{campaign}/")
    esu.press("Give orders")
    assert esu.page.locator("svg.table text").count() > 0
    assert esu.page.evaluate(CUT) == []
    esu.context.close()
