"""The gazette, the chronicle and the story of a war in a browser: phone, laptop, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import EVERYWHERE, PHONE, WIDER, person
from tests.browser.wars import PLAYER
from tests.site.running import Site

pytestmark = pytest.mark.browser
# The size at which the smallest words of a page's pictures appear, in pixels.
SMALLEST = """() => Math.min(...[...document.querySelectorAll("svg text")]
  .filter(one => one.getBoundingClientRect().width)
  .map(one => one.getScreenCTM().d * parseFloat(getComputedStyle(one).fontSize)))"""


def test_war_story_is_read_by_week_and_as_a_whole(
    site: Site, browser: Browser, played: list[str]
) -> None:
    over = played[1]
    player = person(
        site, browser, PLAYER, PHONE, color_scheme="dark", reduced_motion="reduce", has_touch=True
    )
    player.open_and_check(f"/c/{over}/gazette/3/", *EVERYWHERE)
    player.expect_text("The NAC Gazette", "Who holds what")
    player.open_and_check(f"/c/{over}/gazette/3/?for=public", *EVERYWHERE)
    player.open_and_check(f"/c/{over}/gazette/", *EVERYWHERE)
    with player.page.expect_navigation():
        player.page.get_by_role("link", name="The chronicle of your war").click()
    player.check_page("chronicle", *EVERYWHERE)
    player.page.locator("details.ship-story summary").first.click()
    player.expect_text("Deployment.")
    player.open_and_check(f"/c/{over}/story/", *EVERYWHERE)
    error = player.page.locator(".errors a").first
    target = str(error.get_attribute("href"))
    error.click()
    player.page.wait_for_url(f"**{target.partition('&')[0]}*")
    expect(player.page.locator(".errors [aria-current=true]")).to_have_count(1)
    player.page.locator("[data-story] [type=range]").focus()
    player.page.keyboard.press("ArrowRight")
    moment = player.page.locator("[data-story-moment]").inner_text()
    player.page.get_by_role("button", name="Show", exact=True).click()
    expect(player.page.locator("#map-title small")).to_have_text(moment)
    player.context.close()
    plain = person(site, browser, PLAYER, PHONE, java_script_enabled=False)
    for path in ("map/", "gazette/3/", "story/"):
        plain.go(f"/c/{over}/{path}")
        small, wider = plain.page.evaluate(SMALLEST), plain.page.evaluate(WIDER)
        assert (small >= 10.9, wider <= 0) == (True, True), (path, small, wider)
    plain.go(f"/c/{over}/story/?seq=3&as=esu")
    plain.page.get_by_role("link", name="later →").click()
    expect(plain.page.locator("main")).to_contain_text("before week 2, orders")
    plain.context.close()
