"""The newspaper, the chronicle and the story of a war, read in a browser: on a phone, on a laptop,
without scripts.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import EVERYWHERE, PHONE, WIDER, person
from tests.browser.wars import PLAYER
from tests.site.running import Site

pytestmark = pytest.mark.browser
# The size in which the smallest words of a page's pictures are seen, in pixels.
SMALLEST = """() => Math.min(...[...document.querySelectorAll("svg text")]
  .filter(one => one.getBoundingClientRect().width)
  .map(one => one.getScreenCTM().d * parseFloat(getComputedStyle(one).fontSize)))"""


def test_a_war_is_read_week_by_week_and_as_a_whole(
    site: Site, browser: Browser, played: list[str]
) -> None:
    over = played[1]
    one = person(
        site, browser, PLAYER, PHONE, color_scheme="dark", reduced_motion="reduce", has_touch=True
    )
    one.check(f"/c/{over}/gazette/3/", *EVERYWHERE)
    one.reads("The NAC Gazette", "Who holds what")
    one.check(f"/c/{over}/gazette/3/?for=public", *EVERYWHERE)
    one.check(f"/c/{over}/gazette/", *EVERYWHERE)
    with one.page.expect_navigation():
        one.page.get_by_role("link", name="The chronicle of your war").click()
    one.look("chronicle", *EVERYWHERE)
    one.page.locator("details.ship-story summary").first.click()
    one.reads("Deployment.")
    one.check(f"/c/{over}/story/", *EVERYWHERE)
    error = one.page.locator(".errors a").first
    target = str(error.get_attribute("href"))
    error.click()
    one.page.wait_for_url(f"**{target.partition('&')[0]}*")
    expect(one.page.locator(".errors [aria-current=true]")).to_have_count(1)
    one.page.locator("[data-story] [type=range]").focus()
    one.page.keyboard.press("ArrowRight")
    moment = one.page.locator("[data-story-says]").inner_text()
    one.page.get_by_role("button", name="Show", exact=True).click()
    expect(one.page.locator("#map-title small")).to_have_text(moment)
    one.context.close()
    plain = person(site, browser, PLAYER, PHONE, java_script_enabled=False)
    for path in ("map/", "gazette/3/", "story/"):
        plain.go(f"/c/{over}/{path}")
        small, wider = plain.page.evaluate(SMALLEST), plain.page.evaluate(WIDER)
        assert (small >= 10.9, wider <= 0) == (True, True), (path, small, wider)
    plain.go(f"/c/{over}/story/?seq=3&as=esu")
    plain.page.get_by_role("link", name="later →").click()
    expect(plain.page.locator("main")).to_contain_text("before week 2, orders")
    plain.context.close()
