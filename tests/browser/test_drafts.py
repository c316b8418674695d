"""What is written in an orders form is kept until the site has it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.orders_page import (
    FROST,
    HALFWAY,
    NEXT_TO_HOME,
    clear_orders,
    expect_map_text,
    hex_position,
    open_orders_page,
    type_order,
)
from tests.browser.people import person
from tests.browser.week import choose
from tests.site.running import Site

pytestmark = pytest.mark.browser
STORAGE = "JSON.stringify(localStorage)"


def test_unsent_changes_are_offered_again(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]]
) -> None:
    """A seal without a network stays on the page, one after the log-in expired ends at the log-in;
    the
    input is there again either way, for its author only. A seal waits for a draft being saved.
    """
    campaign, names = ember
    player = open_orders_page(site, browser, ember)
    page, state, offered = (
        player.page,
        player.page.locator("[data-state]"),
        player.page.locator(".banner.lost"),
    )
    seal = page.locator("button[value=seal]")
    seal.click()
    page.locator("dialog[open]").get_by_role("button", name="Go back").click()
    choose(player, "Lance")
    player.context.set_offline(True)
    page.mouse.click(*hex_position(player, NEXT_TO_HOME))
    expect(state).to_contain_text("Your changes stay in this browser, and saving is tried again")
    seal.click()
    expect_map_text(player, "The orders cannot be sealed now: the server does not answer.")
    expect(state).to_contain_text("Your changes stay in this browser")
    player.context.set_offline(False)
    player.faults.clear()
    player.go(f"/c/{campaign}/orders/")
    expect(offered).to_contain_text("This browser has changes that never reached the server")
    expect(page.locator("[data-fleet][data-name='Lance'] .top")).not_to_contain_text("hex 0502")
    player.check_page("an offer")
    page.get_by_role("button", name="Use my changes").click()
    type_order(player, "Lance", "→ hex 0502")
    expect(offered).to_have_count(0)

    player.context.clear_cookies(name="sessionid")
    choose(player, "Lance")
    page.mouse.click(*hex_position(player, FROST))
    expect(state).to_contain_text("Not saved: you are logged out")
    seal.click()
    page.wait_for_url("**/accounts/login/**")
    storage = page.evaluate(STORAGE)
    for name, sees in ((names["frost"], 0), (names["ember"], 1)):
        other = person(site, browser, name)
        other.context.add_init_script(f"Object.assign(localStorage, {storage})")
        other.go(f"/c/{campaign}/orders/")
        expect(other.page.locator("[data-state]")).to_be_visible()
        expect(other.page.locator(".banner.lost")).to_have_count(sees)
        other.context.close()
    player.context.close()

    player = open_orders_page(site, browser, ember)
    page = player.page
    held_routes: list[Route] = []
    sent_routes: list[Route] = []
    choose(player, "Lance")

    def hold(route: Route) -> None:
        if sent_routes or not route.request.headers.get("x-draft"):
            route.continue_()
        else:
            held_routes.append(route)

    page.route("**/orders/", hold)
    page.mouse.click(*hex_position(player, HALFWAY))
    while not held_routes:
        page.wait_for_timeout(50)
    page.mouse.click(*hex_position(player, FROST))
    page.locator("button[value=seal]").click()
    sent_routes += held_routes
    held_routes.pop().continue_()
    expect(page.locator("dialog[open] li").filter(has_text="Lance: → Frost")).to_have_count(1)
    page.locator("dialog[open] [data-confirm]").click()
    expect(page.locator(".sealed .words")).to_contain_text("Frost (0804)")
    expect(page.locator(".sealed [data-check]")).to_contain_text("this browser made the nonce")
    nonce = page.locator(".sealed [data-nonce-used]").inner_text().strip()
    assert len(nonce) == 32
    assert nonce not in page.evaluate(STORAGE), "who has it can guess what it sealed"
    player.press("Unseal and change")
    with page.expect_response(lambda answer: "x-draft" in answer.request.headers):
        clear_orders(player)
    player.context.close()
