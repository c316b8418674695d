"""Patrols in a real browser: the one control that the list of kinds of orders brings to the page of
the week.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import LAPTOP, PHONE, person, reached, war
from tests.site.running import ROOT, Site

pytestmark = pytest.mark.browser

ROW = "[data-fleet][data-name='Lantern'] .top"
PATROLS = "[name='control-patrol-ember/f3']"


def test_a_patrol_is_ticked_and_read_back_before_the_seal(site: Site, browser: Browser) -> None:
    campaign, names = war(site, "patrol", own=_with_patrols)
    for key in ("ember", "frost"):
        one = person(site, browser, names[key])
        one.go(f"/c/{campaign}/deploy/")
        one.seal(last=key == "frost")
        one.context.close()
    reached(site, names["ember"], campaign, (1, "orders"))
    for size in (LAPTOP, PHONE):
        _ticked_and_read_back(site, browser, names["ember"], campaign, size)


def _with_patrols(site: Site, name: str) -> str:
    """Make a scenario of First Steps with patrols, and return its slug."""
    text = (ROOT / "fixtures" / "scenarios" / "first-steps.yaml").read_text(encoding="utf-8")
    made = site.call(name, "POST", "own-scenarios/", {"text": f"{text}\npatrols: true\n"})
    assert made.status == 201, made
    stored = site.call(name, "POST", f"own-scenarios/{made.json['id']}/store/", {})
    assert stored.status in (200, 201), stored
    return str(stored.json["scenario"])


def _ticked_and_read_back(
    site: Site, browser: Browser, name: str, campaign: str, size: tuple[int, int]
) -> None:
    one = person(site, browser, name, size, has_touch=size == PHONE)
    one.go(f"/c/{campaign}/orders/")
    row = one.page.locator(ROW)
    box = one.page.locator(PATROLS)
    row.click()
    box.click()  # fails where anything lies over the box
    expect(row).to_contain_text("patrols")
    one.look("a patrol")
    one.page.get_by_role("button", name="Seal orders").click()
    expect(one.page.locator("dialog[open]")).to_contain_text("Lantern: Stays at Ember; patrols")
    one.page.locator("dialog[open]").get_by_role("button", name="Go back").click()
    box.click()  # as it was, for the next screen
    expect(row).not_to_contain_text("patrols")
    one.context.close()
