"""The battle builder in a real browser: a battle by points between two people, to its result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import (
    EVERYWHERE,
    OVER,
    PHONE,
    Person,
    person,
    stage_of,
    wait_for_stage,
    wait_until,
)
from tests.site.running import Site

NAMES = ("builder", "friend")
RESULT = re.compile(r"\b(victory|draw)\b", re.IGNORECASE)
pytestmark = [pytest.mark.browser, pytest.mark.rule("camp.one-off")]


def test_two_people_build_a_battle_and_play_it_to_its_result(site: Site, browser: Browser) -> None:
    site.people(*NAMES)
    builder = person(site, browser, "builder", PHONE, has_touch=True)
    builder.go("/")
    builder.press("Build a battle")
    builder.check_page("battle builder", *EVERYWHERE)
    points = builder.page.get_by_label("Points a side")
    check = builder.page.locator("[data-check]")
    points.fill("5")
    expect(check.locator(".fault")).to_contain_text("no fleet of the catalogue")
    points.fill("400")
    builder.page.get_by_label("Turns after which the battle ends").fill("2")
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
    builder.press("Place your ships")
    builder.expect_text("Battle by points")
    _play_on(site, war.removeprefix("/c/"), (builder, friend))
    for player in (builder, friend):
        player.go(f"{war}/")
        expect(player.page.locator("main")).to_contain_text(RESULT)


def _play_on(site: Site, campaign: str, players: tuple[Person, ...]) -> None:
    """Seal the captains' orders: on the page in the first phase, then over the API."""
    for name, player in zip(NAMES, players, strict=True):
        (fight,) = site.call(name, "GET", f"campaigns/{campaign}/fights/").json["fights"]
        player.go(f"/c/{campaign}/battles/{fight['id']}/now/")
        player.seal(last=player is players[-1])
    wait_until(site, lambda: _seal_or_end(site, campaign))


def _seal_or_end(site: Site, campaign: str) -> bool:
    """Seal what is asked of either side now, and return whether the battle is over."""
    for name in NAMES:
        for fight in site.call(name, "GET", f"campaigns/{campaign}/fights/").json["fights"]:
            if fight["state"] == "open":
                where = f"campaigns/{campaign}/fights/{fight['id']}/orders/seal/"
                assert site.call(name, "POST", where, {}).status in (200, 201, 409)
    return stage_of(site, NAMES[0], campaign)[1] == OVER
