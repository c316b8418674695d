"""The guide of a first war in a real browser: one step at a time, which goes when it is done."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import PHONE, person, start_umpired_war, wait_for_stage
from tests.site.running import Site

pytestmark = pytest.mark.browser


def test_guide_shows_one_step_and_an_order_completes_its_step(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "guided")
    for key in ("ember", "frost"):
        where = f"campaigns/{campaign}/orders"
        proposed = site.call(names[key], "GET", f"{where}/default/").json["orders"]
        assert site.call(names[key], "POST", f"{where}/seal/", {"orders": proposed}).status in (
            200,
            201,
        )
    wait_for_stage(site, names["ember"], campaign, (1, "orders"))
    player = person(site, browser, names["ember"], PHONE)
    page, guide = player.page, player.page.locator("[data-guide]:not([hidden])")
    player.go(f"/c/{campaign}/orders/")
    expect(guide).to_have_attribute("data-guide", "top")
    player.check_page("a step of the guide over the map")
    guide.get_by_role("button", name="Got it").click()
    expect(guide).to_have_attribute("data-guide", "list")
    expect(guide).to_be_focused()
    for name in ("Lance", "Lantern"):
        expect(guide).to_have_attribute("data-guide", "list")
        fleet = page.locator(
            f"[data-fleet][data-name='{name}']"
        )  # each names the other in its lists
        fleet.click()
        fleet.locator("[data-goto]").fill("0404")
        fleet.locator("[data-go]").click()
    expect(guide).to_have_attribute("data-guide", "seal")
    player.check_page("a step of the guide at the seal")
    player.expect_text("Draft saved")
    player.go(f"/c/{campaign}/orders/")
    expect(guide).to_have_attribute("data-guide", "seal")
    guide.get_by_role("button", name="Hide the guide").click()
    expect(page.locator("[data-guide]")).to_have_count(0)
    player.go(f"/c/{campaign}/reports/")
    expect(page.locator("[data-guide]")).to_have_count(0)
    player.context.close()
