"""The battle builder in a real browser: a battle by points, built on a phone, up to its set-up."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import EVERYWHERE, PHONE, person, wait_for_stage
from tests.site.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.rule("camp.one-off")]


def test_two_people_build_a_battle_and_choose_their_ships(site: Site, browser: Browser) -> None:
    site.people("builder", "friend")
    builder = person(site, browser, "builder", PHONE, has_touch=True)
    builder.go("/")
    builder.press("Build a battle")
    builder.check_page("battle builder", *EVERYWHERE)
    points = builder.page.get_by_label("Points a side")
    check = builder.page.locator("[data-check]")
    points.fill("5")
    expect(check.locator(".fault")).to_contain_text("no fleet of the catalogue")
    points.fill("600")
    expect(check).to_contain_text("can be played")
    builder.press("Open")
    war = "/c/" + builder.page.url.split("/c/")[1].partition("/")[0]
    link = builder.page.locator("section.good input").input_value()
    friend = person(site, browser, "friend")
    friend.page.goto(link)
    friend.press("Join")
    builder.page.reload()
    builder.press("Start")
    for player in (builder, friend):
        player.go(f"{war}/deploy/")
        player.seal(last=player is friend)
    builder.go(f"{war}/")
    wait_for_stage(site, "builder", war.removeprefix("/c/"), (1, "battles"))
    builder.go(f"{war}/")
    builder.press("Give orders")
    builder.expect_text("Battle by points")
