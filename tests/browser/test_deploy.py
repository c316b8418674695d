"""The deployment in a real browser: by mouse, keys and touch; counted, undone, saved, sealed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.layout_shifts import assert_no_layout_shift, watch_shifts
from tests.browser.orders_page import expect_map_text, hex_position
from tests.browser.people import LAPTOP, PHONE, Person, Screen, person, start_umpired_war
from tests.browser.test_orders_page import DRAG_EVENT
from tests.browser.week import SAVED
from tests.site.running import Site

pytestmark = pytest.mark.browser
Played = tuple[str, dict[str, str]]
# Wait for the script for dragging, which the page's own script has requested.
DRAGGING_LOADED = """() => import(
  new URL("deploy_dragging.js", document.querySelector("script[src*='js/deploy']").src)
).then(() => {})"""


@pytest.fixture(scope="module")
def opened(site: Site, browser: Browser) -> Played:
    return start_umpired_war(site, "deploy")


def deploying(
    site: Site,
    browser: Browser,
    opened: Played,
    preset: str,
    size: tuple[int, int] = LAPTOP,
    **more: Any,
) -> Person:
    """Return Ember's player at the deployment, with the force of a preset."""
    player = person(site, browser, opened[1]["ember"], size, **more)
    player.go(f"/c/{opened[0]}/deploy/")
    player.page.get_by_role("button", name=preset).click()
    return player


def card(player: Person, fleet: str) -> Locator:
    """Return a fleet's card, opened."""
    top = player.page.locator("[data-cards] .top", has_text=fleet).first
    if top.get_attribute("aria-expanded") != "true":
        top.click()
    fleet_card = player.page.locator("[data-fleet].chosen")
    expect(fleet_card).to_contain_text(fleet)
    return fleet_card


def test_ships_are_bought_moved_and_undone_by_mouse(
    site: Site, browser: Browser, opened: Played
) -> None:
    player = deploying(site, browser, opened, "As in the scenario")
    page, points_spent = player.page, player.page.locator("[data-budgets] .sum b")
    lantern = card(player, "Lantern")
    player.check_page("a fleet open")
    before = points_spent.inner_text()
    lantern.get_by_role("button", name="less").first.click()
    expect(points_spent).not_to_have_text(before)
    page.get_by_role("button", name="Undo: One").click()
    expect(points_spent).to_have_text(before)
    page.get_by_role("button", name="Redo: One").click()
    expect(points_spent).not_to_have_text(before)
    card(player, "Lantern").get_by_role("button", name="Split in two").click()
    expect(page.locator("[data-cards] .fleet")).to_have_count(4)
    card(player, "Fleet 1").locator("[data-merge]").select_option(label="Lance")
    expect(page.locator("[data-cards] .fleet")).to_have_count(3)
    page.mouse.click(*hex_position(player, "0101"))
    expect_map_text(player, "cannot start at")
    player.expect_text("Draft saved")
    count = page.locator("[data-count]").inner_text()
    player.go(f"/c/{opened[0]}/deploy/")
    expect(page.locator("[data-count]")).to_have_text(count)
    player.context.close()


def test_faults_appear_at_once(site: Site, browser: Browser, opened: Played) -> None:
    player = deploying(site, browser, opened, "One strong force")
    player.page.locator("[data-new]").first.click()
    player.expect_text("a fleet must have at least one ship", "problem")
    player.page.locator("button[value=seal]").click()
    expect(player.page.locator("dialog[open]")).to_contain_text("to fix before you can seal")
    expect(player.page.locator("dialog[open] [data-confirm]")).to_have_count(0)
    player.page.get_by_role("button", name="Go back").click()
    card(player, "Fleet 1").get_by_role("button", name="Disband").click()
    player.expect_text(SAVED)
    player.context.close()


def test_fleet_is_placed_by_keyboard(site: Site, browser: Browser, opened: Played) -> None:
    player = deploying(site, browser, opened, "Two forces")
    page, keys = player.page, player.page.keyboard
    page.locator("[data-map]").focus()
    keys.press("n")
    expect_map_text(player, "can start here")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect_map_text(player, "cannot start")
    page.locator("[data-fleet].chosen .top").focus()
    more = page.locator("[data-fleet].chosen .buys-row.aboard [data-less]").first
    name = more.get_attribute("aria-label")
    for _ in range(60):
        keys.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == name:
            break
    before = page.locator("[data-budgets] .sum b").inner_text()
    keys.press("Enter")
    expect(page.locator("[data-budgets] .sum b")).not_to_have_text(before)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == name, (
        "the focus stays"
    )
    keys.press("Control+z")
    expect(page.locator("[data-budgets] .sum b")).to_have_text(before)
    player.context.close()


def test_ship_is_dragged_onto_the_card_of_another_fleet(
    site: Site, browser: Browser, opened: Played
) -> None:
    player = deploying(site, browser, opened, "Two forces")
    page = player.page
    ship = card(player, "Task Force 1").locator("[data-drawn]").first
    page.evaluate(DRAGGING_LOADED)
    other = page.locator("[data-fleet]:not(.chosen)", has_text="Task Force 2")
    expect(other).to_contain_text("1 escort")
    ship.evaluate(DRAG_EVENT, ["dragstart", None])
    for event in ("dragover", "drop"):
        other.evaluate(DRAG_EVENT, [event, None])
    expect(other).to_contain_text("2 escorts")
    expect_map_text(player, "from Task Force 1 to Task Force 2")
    player.context.close()


def test_force_is_read_back_and_sealed_by_touch(
    site: Site, browser: Browser, opened: Played
) -> None:
    player = deploying(
        site, browser, opened, "As in the scenario", PHONE, has_touch=True, is_mobile=True
    )
    watch_shifts(player)
    assert_no_layout_shift(player, f"/c/{opened[0]}/deploy/")
    day_and_night: tuple[Screen, ...] = ((PHONE, "light", True), (PHONE, "dark", True))
    page = player.page
    for beginning in ("Two forces", "As in the scenario"):
        page.get_by_role("button", name=beginning).tap()
    page.locator("[data-cards] .top", has_text="Lance").tap()
    player.check_page("by finger", *day_and_night)
    small = page.evaluate("""[...document.querySelectorAll("[data-cards] :is(button, select), .beginnings button")]
      .filter(one => one.offsetParent && one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML)""")
    assert small == []
    expect(page.locator("[data-count]")).to_be_in_viewport()
    player.expect_text(SAVED)
    page.locator("button[value=seal]").tap()
    expect(page.locator("dialog[open] li").first).to_contain_text("Hearth")
    player.check_page("read back", *day_and_night)
    page.get_by_role("button", name="Go back").tap()
    expect(page.locator("dialog[open]")).to_have_count(0)
    player.seal()
    player.expect_text("Your browser has checked the digest")
    player.check_page("sealed", *day_and_night)
    player.context.close()


def test_deployment_page_passes_the_common_checks_on_a_laptop(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "deploy-wide", "lafayette")
    player = person(site, browser, names["nac"])
    day_and_night: tuple[Screen, ...] = ((LAPTOP, "light", False), (LAPTOP, "dark", False))
    player.open_and_check(f"/c/{campaign}/deploy/", *day_and_night)
    player.page.locator("[data-cards] .top").first.click()
    player.check_page("a fleet open", *day_and_night)
    player.context.close()
