"""The scenario editor in a real browser, on a phone and a laptop: from a copy to a campaign."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from campaign.web.hexmap import centre
from tests.browser.people import EVERYWHERE, LAPTOP, PHONE, person
from tests.site.running import Site

pytestmark = pytest.mark.browser

# How many faulty fields have a hint, and the faults that cover their hint.
OVERPRINTED = """() => {
  const pairs = [...document.querySelectorAll(".fields > div:has(> .hint):has(> [id$=-fault])")]
    .map((field) => [field.querySelector(".hint"), field.querySelector("[id$=-fault]")]);
  const over = pairs.filter(([hint, fault]) =>
    fault.getBoundingClientRect().top < hint.getBoundingClientRect().bottom - 1);
  return [pairs.length, over.map(([, fault]) => fault.textContent)];
}"""


# A phone shows a part of the map: scroll to the point first.
SCROLL_TO_POINT = """(svg, [x, y]) => {
  const place = () => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  const box = svg.closest("[data-map-scroll]");
  const seen = box.getBoundingClientRect();
  box.scrollLeft += place().x - seen.left - seen.width / 2;
  box.scrollTop += place().y - seen.top - seen.height / 2;
  return [place().x, place().y];
}"""


def _click(page: Page, hex_: str) -> None:
    """Click the middle of a hex on the map."""
    x, y = centre(hex_)
    drawing = page.locator(".map-picture svg")
    drawing.scroll_into_view_if_needed()
    place = drawing.evaluate(SCROLL_TO_POINT, [x, y])
    page.mouse.click(*place)


def test_scenario_is_edited_and_a_campaign_opened_from_it(site: Site, browser: Browser) -> None:
    """On a phone; every page is also checked on a laptop."""
    site.people("writer")
    player = person(site, browser, "writer", PHONE, color_scheme="dark", has_touch=True)
    player.open_and_check("/scenarios/", *EVERYWHERE)
    with player.page.expect_navigation():
        own_scenarios = player.page.locator(
            "article", has=player.page.get_by_role("heading", name="The Knot of Gates", exact=True)
        )
        own_scenarios.last.get_by_role("button").click()
    player.check_page("war", *EVERYWHERE)
    with player.page.expect_navigation():
        player.page.get_by_role("link", name="Balance").click()
    player.check_page("balance", *EVERYWHERE)
    player.press("Play 500 wars")
    player.check_page("balance being played", *EVERYWHERE)
    player.press("Stop")
    player.expect_text("They were stopped before all were played.")
    player.check_page("balance stopped", *EVERYWHERE)
    player.page.get_by_role("link", name="The war").click()
    player.page.get_by_label("Weeks").fill("4")
    player.press("Save and open a campaign")
    player.expect_title("The Knot of Gates (copy)")
    player.page.go_back()
    player.page.get_by_role("link", name="Map").click()
    player.page.locator("details.piece summary").first.click()
    field = player.page.get_by_label("Hex", exact=True).first
    player.page.get_by_label("Closed hexes").click()
    for hex_ in ("0202", "0909", "0202"):  # the second click removes it again
        _click(player.page, hex_)
    expect(player.page.get_by_label("Closed hexes")).to_have_value("0909")
    field.click()
    _click(player.page, "0410")
    expect(field).to_have_value("0410")
    player.check_page("map", *EVERYWHERE)
    field.fill("9999")
    player.page.keyboard.press("Enter")
    expect(player.page.get_by_text("is not a hex of this map")).to_be_visible()
    player.press("Add a link")
    player.check_page("map at fault", *EVERYWHERE)
    for screen in player.on_screens(*EVERYWHERE):
        hints, overprinted = player.page.evaluate(OVERPRINTED)
        assert hints, screen
        assert overprinted == [], screen
    player.press("Save and open a campaign")
    player.expect_text("That did not work")
    player.faults.clear()  # the browser reports the 422
    player.page.get_by_role("link", name="YAML").click()
    player.check_page("YAML", *EVERYWHERE)
    player.context.close()


def test_scenario_is_built_from_nothing_by_clicking(site: Site, browser: Browser) -> None:
    site.people("writer-new")
    player = person(site, browser, "writer-new", LAPTOP)
    page = player.page
    player.go("/scenarios/")
    player.press("Start with an empty map")
    page.get_by_label("Introduction").fill("Two worlds, one lane.")
    with page.expect_navigation():  # unsaved input is kept
        page.get_by_role("link", name="Map").click()
    for hex_, name in (("0304", "Alpha"), ("0904", "Beta")):
        _click(page, hex_)
        player.press(f"Add a system at {hex_}")
        opened = page.locator("details.piece[open]")
        opened.get_by_label("Name", exact=True).fill(name)
        expect(opened.get_by_label("Hex", exact=True)).to_have_value(hex_)
        page.keyboard.press("Enter")
        expect(page.locator("details.piece > summary", has_text=name)).to_be_visible()
    _click(page, "0304")
    expect(page.locator("#systems-0[open] > summary")).to_contain_text("Alpha")
    with page.expect_navigation():
        page.get_by_role("link", name="Forces").click()
    player.press("Add a fleet")
    page.keyboard.press("Tab")  # the keyboard focus is in what was added
    expect(page.locator("#fleets-0 > summary")).to_be_focused()
    page.get_by_label("Class to add").select_option("Destroyer")
    page.get_by_text("Ship classes").click()
    for name in ("Frigate", "Destroyer"):
        page.locator(".ship-classes").get_by_role("button", name=name).first.click()
    expect(page.get_by_label("Destroyer", exact=True)).to_have_value("2")
    expect(page.get_by_label("Frigate", exact=True)).to_have_value("1")
    expect(page.get_by_label("Hex", exact=True)).to_be_hidden()
    page.get_by_label("Starts at").select_option("hex")
    expect(page.get_by_label("Hex", exact=True)).to_be_visible()
    player.check_page("forces by clicking")
    with page.expect_navigation():
        page.get_by_role("link", name="The war").click()
    expect(page.get_by_label("Introduction")).to_have_value("Two worlds, one lane.")
    page.get_by_label("Weeks").fill("9")
    dialogs: list[str] = []

    def leave(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.accept()

    page.once("dialog", leave)
    page.get_by_role("link", name="Your scenarios").click()
    page.wait_for_url("**/scenarios/")
    assert dialogs == ["beforeunload"]
    player.check_page("scenarios with one from nothing")
    player.context.close()
