"""A single battle in a real browser: a turn of it online on a phone, and the results of a table entered by both."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import PHONE, Person, asked, person, stage_of, wait_until, war
from tests.site.running import Site

pytestmark = pytest.mark.browser


def test_a_turn_of_a_battle_online(site: Site, browser: Browser) -> None:
    campaign, names = war(site, "online", "first-battle")
    nac = person(site, browser, names["nac"], PHONE)
    esu = person(site, browser, names["esu"], java_script_enabled=False)
    for stop in ("movement", "fire"):
        for one in (nac, esu):
            _to_the_battle(one, campaign, "Give orders")
            one.titled(stop)
            if one is nac:
                one.look("battle")
            if stop == "movement":
                one.page.get_by_label("Speed").first.select_option("2")
            one.press("Seal orders")
        wait_until(site, lambda: asked(site, names["nac"], campaign))
    _to_the_battle(nac, campaign, "Give orders")
    nac.titled("turn 2")
    for one in (nac, esu):
        one.context.close()


def test_the_results_of_a_table_are_entered_compared_and_end_the_battle(site: Site, browser: Browser) -> None:
    campaign, names = war(site, "table", "first-battle", battles="table")
    nac = person(site, browser, names["nac"], PHONE)
    esu = person(site, browser, names["esu"])
    _to_the_battle(nac, campaign, "To the table")
    nac.page.get_by_role("link", name="sheets and the set-up").click()
    nac.titled("Sheets")
    nac.look("sheets")
    for damage in (2, 3):
        for one in (nac, esu):
            _to_the_battle(one, campaign, "To the table")
            one.look("table")
            one.page.locator("input[name=damage-n1]").fill(str(damage if one is nac else 3))
            one.press("Seal the result")
        if damage == 2:
            wait_until(site, lambda: _round(site, names["nac"], campaign) == 1)
            _to_the_battle(nac, campaign, "To the table")
            nac.reads("The results do not agree")
            nac.look("what differs")
    wait_until(site, lambda: stage_of(site, names["nac"], campaign)[1] == "over")
    nac.go(f"/c/{campaign}/")
    expect(nac.page.get_by_text("Read the whole story").first).to_be_visible()
    for one in (nac, esu):
        one.context.close()


def _to_the_battle(one: Person, campaign: str, label: str) -> None:
    """From the war room by what it says is next."""
    one.go(f"/c/{campaign}/")
    with one.page.expect_navigation():
        one.page.get_by_role("button", name=label).first.click()


def _round(site: Site, name: str, campaign: str) -> int:
    """How often the results of his table did not fit."""
    tables = site.call(name, "GET", f"campaigns/{campaign}/tables/").json["tables"]
    return int(tables[0]["round"])
