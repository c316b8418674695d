"""The gazette, the chronicle and the story of a war in a browser: phone, laptop, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import EVERYWHERE, PHONE, WIDER, Person, person
from tests.browser.wars import PLAYER
from tests.site.running import Site

pytestmark = pytest.mark.browser
# The size at which the smallest words of a page's pictures appear, in pixels.
SMALLEST = """() => Math.min(...[...document.querySelectorAll("svg text")]
  .filter(one => one.getBoundingClientRect().width)
  .map(one => one.getScreenCTM().d * parseFloat(getComputedStyle(one).fontSize)))"""


SHIFT = """() => new Promise(done => new PerformanceObserver(list => done(
  list.getEntries().reduce((sum, entry) => sum + entry.value, 0)
)).observe({type: "layout-shift", buffered: true}) || setTimeout(() => done(0), 300))"""


def watch_film(player: Person, war: str) -> None:
    """Watch the film of a finished war by keyboard, pointer and its chapters."""
    with player.page.expect_navigation():
        player.page.get_by_role("button", name="Watch the film").click()
    player.check_page("film", *EVERYWHERE)
    when = player.page.locator("#film-when")
    for key, title in (
        ("PageDown", "Week 2, orders"),
        ("ArrowRight", "Week 2, decisions"),
        ("ArrowLeft", "Week 2, orders"),
        ("PageUp", "Week 1, orders"),
        ("End", "The end"),
        ("Home", "Week 1, orders"),
    ):
        player.page.keyboard.press(key)
        expect(when).to_have_text(title)
    first = player.page.locator(".film-sides [aria-current]").inner_text()
    player.page.keyboard.press("b")
    expect(player.page.locator(".film-sides [aria-current]")).not_to_have_text(first)
    player.page.locator("#film-pace").select_option("4")
    player.page.keyboard.press("Escape")
    player.page.locator("#film-go").focus()
    player.page.keyboard.press("Space")
    expect(when).to_have_text("Week 1, battles")
    player.page.get_by_role("button", name="Pause").tap()
    player.page.get_by_role("button", name="What they believed").tap()
    expect(player.page.locator("#film-belief")).to_be_visible()
    player.page.locator(".film-chapters ol a").last.tap()
    expect(player.page.locator(".film-chapters [aria-current]")).to_have_count(1)
    player.page.reload()
    assert player.page.evaluate(SHIFT) < 0.02
    expect(player.page.locator("#film-pace")).to_have_value("4")
    expect(player.page.locator(".film-chapters [aria-current]")).to_have_count(1)


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
    player.open_and_check(f"/c/{over}/result/", *EVERYWHERE)
    player.page.get_by_role("link", name="The whole story").click()
    player.page.wait_for_url("**/story/")
    player.check_page("story", *EVERYWHERE)
    watch_film(player, over)
    player.context.close()
    plain = person(site, browser, PLAYER, PHONE, java_script_enabled=False)
    for path in ("map/", "gazette/3/", "story/", "story/film/?seq=8"):
        plain.go(f"/c/{over}/{path}")
        small, wider = plain.page.evaluate(SMALLEST), plain.page.evaluate(WIDER)
        assert (small >= 10.9, wider <= 0) == (True, True), (path, small, wider)
    plain.go(f"/c/{over}/story/film/?seq=3&as=nac")
    plain.page.get_by_role("link", name="One step on").click()
    expect(plain.page.locator("#film-when")).to_have_text("Week 2, orders")
    expect(plain.page.locator(".film-map")).to_have_count(2)
    plain.page.locator(".film-chapters ol a").first.click()
    expect(plain.page.locator(".film-chapters [aria-current]")).to_have_count(1)
    plain.context.close()
