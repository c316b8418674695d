"""The scenario editor in a real browser, on a telephone and a laptop: from a copy of ours to a
campaign.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from campaign.web.hexmap import centre
from tests.browser.people import EVERYWHERE, LAPTOP, PHONE, person
from tests.site.running import Site

pytestmark = pytest.mark.browser

# How many faulty fields have a hint, and the faults that are printed over their hint.
OVERPRINTED = """() => {
  const pairs = [...document.querySelectorAll(".fields > div:has(> .hint):has(> [id$=-fault])")]
    .map((field) => [field.querySelector(".hint"), field.querySelector("[id$=-fault]")]);
  const over = pairs.filter(([hint, fault]) =>
    fault.getBoundingClientRect().top < hint.getBoundingClientRect().bottom - 1);
  return [pairs.length, over.map(([, fault]) => fault.textContent)];
}"""


def _click(page: Page, hex_: str) -> None:
    """Click the middle of a hex on the picture of the map."""
    x, y = centre(hex_)
    drawing = page.locator(".map-picture svg")
    drawing.scroll_into_view_if_needed()
    place = drawing.evaluate(
        "(svg, [x, y]) => { const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }",
        [x, y],
    )
    page.mouse.click(*place)


def test_a_scenario_is_changed_and_a_campaign_of_it_begun(site: Site, browser: Browser) -> None:
    """On a telephone; every page is looked at on a laptop, too."""
    site.people("writer")
    one = person(site, browser, "writer", PHONE, color_scheme="dark", has_touch=True)
    one.check("/scenarios/", *EVERYWHERE)
    with one.page.expect_navigation():
        ours = one.page.locator(
            "article", has=one.page.get_by_role("heading", name="The Knot of Gates", exact=True)
        )
        ours.last.get_by_role("button").click()
    one.look("war", *EVERYWHERE)
    one.page.get_by_role("link", name="Balance").click()
    one.look("balance", *EVERYWHERE)
    one.press("Play 500 wars")
    one.look("balance being played", *EVERYWHERE)
    one.press("Stop")
    one.reads("They were stopped before all were played.")
    one.look("balance stopped", *EVERYWHERE)
    one.page.get_by_role("link", name="The war").click()
    one.page.get_by_label("Weeks").fill("4")
    one.press("Save and open a campaign")
    one.titled("The Knot of Gates")
    one.page.go_back()
    one.page.get_by_role("link", name="Map").click()
    one.page.locator("details.piece summary").first.click()
    field = one.page.get_by_label("Hex", exact=True).first
    one.page.get_by_label("Closed hexes").click()
    for hex_ in ("0202", "0909", "0202"):  # the second click takes it out again
        _click(one.page, hex_)
    expect(one.page.get_by_label("Closed hexes")).to_have_value("0909")
    field.click()
    _click(one.page, "0410")
    expect(field).to_have_value("0410")
    one.look("map", *EVERYWHERE)
    field.fill("9999")
    one.page.keyboard.press("Enter")
    expect(one.page.get_by_text("is not a hex of this map")).to_be_visible()
    one.press("Add a link")
    one.look("map at fault", *EVERYWHERE)
    for screen in one.on(*EVERYWHERE):
        hints, overprinted = one.page.evaluate(OVERPRINTED)
        assert hints, screen
        assert overprinted == [], screen
    one.press("Save and open a campaign")
    one.reads("It was not done")
    one.faults.clear()  # the browser tells of the 422
    one.page.get_by_role("link", name="YAML").click()
    one.look("YAML", *EVERYWHERE)
    one.context.close()


def test_a_war_from_nothing_is_put_together_by_clicking(site: Site, browser: Browser) -> None:
    site.people("writer-new")
    one = person(site, browser, "writer-new", LAPTOP)
    page = one.page
    one.go("/scenarios/")
    one.press("Begin with an empty map")
    page.get_by_label("Introduction").fill("Two worlds, one lane.")
    with page.expect_navigation():  # what is typed goes along
        page.get_by_role("link", name="Map").click()
    for hex_, name in (("0304", "Alpha"), ("0904", "Beta")):
        _click(page, hex_)
        one.press(f"Add a system at {hex_}")
        opened = page.locator("details.piece[open]")
        opened.get_by_label("Name", exact=True).fill(name)
        expect(opened.get_by_label("Hex", exact=True)).to_have_value(hex_)
        page.keyboard.press("Enter")
        expect(page.locator("details.piece > summary", has_text=name)).to_be_visible()
    _click(page, "0304")
    expect(page.locator("details.piece[open] > summary")).to_contain_text("Alpha")
    with page.expect_navigation():
        page.get_by_role("link", name="Forces").click()
    one.press("Add a fleet")
    page.keyboard.press("Tab")  # by keys one goes on in what was added
    expect(page.locator("#fleets-0 > summary")).to_be_focused()
    page.get_by_label("Ships").click()
    page.get_by_text("Classes of ships").click()
    for name in ("Destroyer", "Frigate", "Destroyer"):
        page.locator(".ship-classes").get_by_role("button", name=name).first.click()
    expect(page.get_by_label("Ships")).to_have_value("Destroyer: 2\nFrigate: 1")
    one.look("forces by clicking")
    with page.expect_navigation():
        page.get_by_role("link", name="The war").click()
    expect(page.get_by_label("Introduction")).to_have_value("Two worlds, one lane.")
    page.get_by_label("Weeks").fill("9")
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.once("dialog", leave)
    page.get_by_role("link", name="Your scenarios").click()
    page.wait_for_url("**/scenarios/")
    assert asked == ["beforeunload"]
    one.look("scenarios with one from nothing")
    one.context.close()
