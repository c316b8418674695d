"""A replay in a real browser: keys, slider, link, follow, no scripts; a dark phone, a light laptop."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import LAPTOP, PHONE, Person, person
from tests.browser.wars import PLAYER, UMPIRE
from tests.site.running import Site

pytestmark = pytest.mark.browser
PAGE = 150_000  # most bytes of a page
SCRIPTS = 15_000  # bytes of scripts on the wire, compressed
PAINTED = 1_000  # most milliseconds until something is visible
OVERLAP = """() => {
  const named = [...document.querySelectorAll("#table .name")], boxes = named.map((one) => one.getBoundingClientRect());
  const meet = (x, y) => x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 3 && y.top < x.bottom - 3;
  return boxes.flatMap((x, i) => boxes.slice(i + 1).filter((y) => meet(x, y)).map(() => named[i].textContent));
}"""
WEIGHTS = """() => {
  const scripts = performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js"));
  const [page] = performance.getEntriesByType("navigation");
  return [page.decodedBodySize, scripts.reduce((sum, one) => sum + one.encodedBodySize, 0)];
}"""
FIRST_PAINT = """() => new Promise((told) => {
  new PerformanceObserver((list) => {
    for (const one of list.getEntriesByName("first-contentful-paint")) told(one.startTime);
  }).observe({ type: "paint", buffered: true });
})"""


@pytest.fixture(scope="module")
def war(played: list[str]) -> str:
    """Return a single battle that captains fought to its end, with a player and an umpire."""
    return played[2]


def open_replay(player: Person, war: str) -> str:
    """Open the replay by the link in the war room or reports; return its address."""
    player.go(f"/c/{war}/reports/")
    link = player.page.locator("a[href*='/battles/']").first.get_attribute("href")
    assert link is not None
    player.go(link)
    return link


def moment(player: Person) -> str:
    """Return the moment that is shown, as links to it have it."""
    return str(player.page.evaluate("location.hash.slice(1)"))


def test_replay_by_keys_slider_and_link(site: Site, browser: Browser, war: str) -> None:
    player = person(site, browser, PLAYER, LAPTOP, color_scheme="light", reduced_motion="reduce")
    link = open_replay(player, war)
    page, press = player.page, player.page.keyboard.press
    weight, scripts = page.evaluate(WEIGHTS)
    assert 0 < weight <= PAGE
    assert 0 < scripts <= SCRIPTS
    assert page.evaluate(FIRST_PAINT) <= PAINTED
    player.check_page("replay")
    status_line = page.locator("#announcement")
    press("ArrowRight")
    assert moment(player) == "t1.2"
    expect(status_line).to_contain_text("Turn 1")
    press("Shift+ArrowRight")
    assert moment(player) == "t2.1"
    press("Shift+ArrowRight")
    press("ArrowLeft")
    assert moment(player).startswith("t2.")
    press("End")
    last = moment(player)
    assert int(last[1:].partition(".")[0]) > 2
    expect(status_line).to_contain_text("battle is over")
    press("Home")
    assert moment(player) == "t1.1"
    page.get_by_label("Moment", exact=True).fill("7")
    seventh = page.locator(".say[aria-current]")
    expect(seventh).to_have_attribute("data-at", "7")
    here = moment(player)
    press("d")
    expect(page.locator(".rolls").first).to_be_visible()
    press("d")
    expect(page.locator(".rolls")).to_have_count(0)
    press("l")
    expect(status_line).to_contain_text(re.compile("Copied|address bar"))
    press(".")
    assert page.locator("#speed").input_value() == "2"
    press(",")
    press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    # a link to a moment shows that moment to everybody
    player.go("/")
    player.go(f"{link}#{here}")
    expect(page.locator(".say[aria-current]")).to_have_attribute("data-at", "7")
    # follow a ship, from the list and back
    page.get_by_role("tab", name="Ships").click()
    first = page.locator("#list [data-unit]").first
    first.click()
    expect(page.locator("#list [aria-pressed=true]")).to_have_count(1)
    assert page.locator("#follow").input_value() != ""
    expect(page.locator("#table .mark.chosen")).to_have_count(1)
    player.check_page("ships of a replay")
    press("f")
    assert page.locator("#follow").input_value() == ""
    for _ in range(4):
        press("Shift+ArrowRight")
        assert page.evaluate(OVERLAP) == []
    player.context.close()


def test_replay_on_a_phone_and_without_scripts(site: Site, browser: Browser, war: str) -> None:
    player = person(site, browser, PLAYER, PHONE, color_scheme="dark", has_touch=True)
    link = open_replay(player, war)
    player.check_page("replay")
    player.page.get_by_role("button", name="Play", exact=True).tap()
    player.page.wait_for_function("() => location.hash !== '#t1.1'")
    player.page.get_by_role("button", name="Pause").tap()
    player.page.get_by_role("tab", name="Ships").tap()
    player.check_page("ships of a replay")
    player.context.close()
    plain = person(site, browser, PLAYER, PHONE, java_script_enabled=False)
    plain.go(f"{link}?turn=2")
    expect(plain.page.locator("#table .mark").first).to_be_visible()
    plain.expect_text("Movement", "Fire")
    with plain.page.expect_navigation():
        plain.page.get_by_role("link", name="Turn 3 ›").click()
    plain.expect_title("turns")
    assert plain.page.url.endswith("turn=3")
    plain.context.close()


def test_umpire_sees_the_truth_or_one_side(site: Site, browser: Browser, war: str) -> None:
    judge = person(site, browser, UMPIRE, LAPTOP, color_scheme="dark")
    judge.go(f"/c/{war}/umpire/battles/")
    with judge.page.expect_navigation():
        judge.page.locator(
            "main a[href*='/umpire/battles/']:not([href$='/battles/'])"
        ).first.click()
    with judge.page.expect_navigation():
        judge.page.get_by_role("button", name="Everything").click()
    judge.check_page("everything")
    assert judge.page.locator("#table .mark.foe").count() == 0
    with judge.page.expect_navigation():
        judge.page.get_by_role("navigation", name="Seen by").get_by_role("link").nth(1).click()
    judge.check_page("as a side saw it")
    assert judge.page.locator("#table .mark.foe").count() > 0
    judge.context.close()
