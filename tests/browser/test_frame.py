"""The frame of every page in a real browser: no overflow, steady headings, large controls.

Pages of a week are checked in `test_week_one`.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.headings import measure_heading
from tests.browser.people import (
    EVERYWHERE,
    LAPTOP,
    PHONE,
    WIDER,
    Person,
    Screen,
    person,
    start_umpired_war,
    visitor,
    wait_until,
    was_requested,
)
from tests.browser.wars import PLAYER, UMPIRE
from tests.site.running import Site

pytestmark = pytest.mark.browser
CUT_NAMES = """() => [...document.querySelectorAll("svg.table text")].filter((name) => {
  const frame = name.closest("svg").getBoundingClientRect(), box = name.getBoundingClientRect();
  return box.left < frame.left || box.right > frame.right;
}).map((name) => name.textContent)"""
# Words of factions' names on the host's page that are broken in the middle.
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
# Tabs outside their line.
CUT_TABS = """() => [...document.querySelectorAll(".bar .tabs a, .desk-tabs a")].filter((tab) =>
  tab.getBoundingClientRect().right > tab.parentElement.getBoundingClientRect().right + 1)
  .map((tab) => tab.textContent.trim())"""
TAIL_OF_PLAYER = (
    "", "map/", "reports/", "ships/", "ships/sheets/", "receipts/", "classes/", "classes/sheets/",
    "tech-base/", "public/", "more/",
)  # fmt: skip
# The orders page gives the map all the room, so its heading is nearer to the tabs
ORDERS_PAGE = "deploy/"
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


def test_headings_stay_in_place_and_pages_fit_the_screen(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "frame")
    lobby = str(
        site.call(
            names["umpire"], "POST", "campaigns/", {"scenario": "lafayette", "name": "Lobby"}
        ).json["id"]
    )
    phone: dict[str, Any] = {"has_touch": True, "color_scheme": "dark"}
    ember, umpire = (
        person(site, browser, names[key], PHONE, **phone) for key in ("ember", "umpire")
    )
    for each_person, paths in (
        (umpire, OUTSIDE),
        (umpire, [f"/c/{lobby}/", f"/c/{campaign}/umpire/"]),
        (ember, [f"/c/{campaign}/{tail}" for tail in ("", "classes/", "tech-base/")]),
    ):
        places = {path: _heading_positions(each_person, path, *EVERYWHERE) for path in paths}
        assert len(set(places.values())) == 1, places
    usual = next(iter(places.values()))
    stranger = visitor(site, browser, "nobody", PHONE, **phone)
    assert {
        _heading_positions(stranger, f"/accounts/{tail}/", *EVERYWHERE)
        for tail in ("login", "signup", "password/reset")
    } == {_heading_positions(umpire, "/accounts/email/", *EVERYWHERE)}
    stranger.context.close()
    for (left_edge, top), (most_left_edge, most_top) in zip(
        _heading_positions(ember, f"/c/{campaign}/{ORDERS_PAGE}", *EVERYWHERE), usual, strict=True
    ):
        assert 0 < left_edge <= most_left_edge
        assert 0 < top <= most_top
    umpire.go(f"/c/{campaign}/host/")
    for screen in umpire.on_screens(*EVERYWHERE):
        assert umpire.page.evaluate(BROKEN) == [], screen
    for language, words in (("de-DE", "Lageraum"), ("fr-FR", "Salle de guerre")):
        for name, path in (
            (names["ember"], "map/"),
            (names["umpire"], "host/"),
            (names["umpire"], "umpire/"),
        ):
            reader = person(site, browser, name, LAPTOP, locale=language)
            reader.go(f"/c/{campaign}/{path}")
            reader.expect_text(words)
            for screen in reader.on_screens(*EVERYWHERE):
                assert reader.page.evaluate(CUT_TABS) == [], (language, path, screen)
            reader.context.close()
    for each_person in (ember, umpire):
        each_person.context.close()


def test_pages_of_played_wars_fit_a_phone(site: Site, browser: Browser, played: list[str]) -> None:
    """Wars with battles, reports and losses, in progress and finished, for a player and an umpire."""
    player, umpire = (
        person(site, browser, name, PHONE, has_touch=True) for name in (PLAYER, UMPIRE)
    )
    for reader, tails in ((player, TAIL_OF_PLAYER), (umpire, TAIL_OF_WATCHER)):
        for campaign in played:
            paths = [f"/c/{campaign}/{tail}" for tail in tails]
            if campaign != played[0]:
                paths.append(f"/c/{campaign}/story/")
            places = {path: _heading_positions(reader, path) for path in paths}
            battle = reader.page.locator("main a[href*='/battles/']").first
            if battle.count():
                path = str(battle.get_attribute("href"))
                places[path] = _heading_positions(reader, path)
                assert reader.page.evaluate(CUT_NAMES) == [], path
            assert len(set(places.values())) == 1, places
        reader.context.close()


def _heading_positions(
    player: Person, path: str, *screens: Screen
) -> tuple[tuple[float, float], ...]:
    """Open a page, which must fit these screens, and return its heading's position on each."""
    player.go(path)
    places = []
    for _ in player.on_screens(*screens):
        assert player.page.evaluate(WIDER) <= 0, f"{path} is wider than the screen"
        places.append(measure_heading(player.page))
    return tuple(places)


def test_names_are_never_cut_off(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "cut", "first-battle", battles="table")
    nac = person(site, browser, names["nac"], PHONE)
    nac.go(f"/c/{campaign}/")
    nac.press("Go to the table")
    with nac.page.expect_navigation():
        nac.page.get_by_role("link", name="sheets and the set-up").click()
    assert nac.page.locator("svg.table text").count() > 0
    assert nac.page.evaluate(CUT_NAMES) == []
    nac.context.close()
    campaign, names = start_umpired_war(site, "plot", "first-battle")
    esu = person(site, browser, names["esu"], PHONE)
    wait_until(site, lambda: was_requested(site, names["esu"], campaign))
    esu.go(f"/c/{campaign}/")
    esu.press("Give orders")
    assert esu.page.locator("svg.table text").count() > 0
    assert esu.page.evaluate(CUT_NAMES) == []
    esu.context.close()
