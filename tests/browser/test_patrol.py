"""Patrols in a real browser: the one control that the list of order kinds adds to the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import LAPTOP, PHONE, person, start_umpired_war, wait_for_stage
from tests.site.running import ROOT, Site

pytestmark = pytest.mark.browser

ROW = "[data-fleet][data-name='Lantern'] .top"
PATROLS = "[name='control-patrol-ember/f3']"


def test_patrol_is_ticked_and_read_back(site: Site, browser: Browser) -> None:
    campaign, names = start_umpired_war(site, "patrol", make_scenario=_with_patrols)
    for key in ("ember", "frost"):
        player = person(site, browser, names[key])
        player.go(f"/c/{campaign}/deploy/")
        player.seal(last=key == "frost")
        player.context.close()
    wait_for_stage(site, names["ember"], campaign, (1, "orders"))
    for size in (LAPTOP, PHONE):
        _check_patrol_box(site, browser, names["ember"], campaign, size)


def _with_patrols(site: Site, name: str) -> str:
    """Create a scenario of First Steps with patrols, and return its slug."""
    text = (ROOT / "fixtures" / "scenarios" / "first-steps.yaml").read_text(encoding="utf-8")
    answer = site.call(name, "POST", "own-scenarios/", {"text": f"{text}\npatrols: true\n"})
    assert answer.status == 201, answer
    stored_scenario = site.call(name, "POST", f"own-scenarios/{answer.json['id']}/store/", {})
    assert stored_scenario.status in (200, 201), stored_scenario
    return str(stored_scenario.json["scenario"])


def _check_patrol_box(
    site: Site, browser: Browser, name: str, campaign: str, size: tuple[int, int]
) -> None:
    player = person(site, browser, name, size, has_touch=size == PHONE)
    player.go(f"/c/{campaign}/orders/")
    row = player.page.locator(ROW)
    box = player.page.locator(PATROLS)
    row.click()
    box.click()  # fails if anything covers the box
    expect(row).to_contain_text("patrols")
    player.check_page("a patrol")
    player.page.get_by_role("button", name="Seal orders").click()
    expect(player.page.locator("dialog[open]")).to_contain_text("Lantern: Stays at Ember; patrols")
    player.page.locator("dialog[open]").get_by_role("button", name="Go back").click()
    box.click()  # restored for the next screen
    expect(row).not_to_contain_text("patrols")
    player.context.close()
