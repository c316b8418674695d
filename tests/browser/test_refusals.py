"""Fighters refuse a dogfight in a real browser, on a laptop and on a German phone."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import LAPTOP, PHONE, person, wait_until
from tests.site.running import Site

pytestmark = pytest.mark.browser
NAC, ESU = "refusal-nac", "refusal-esu"


class Reader(NamedTuple):
    """A reader of the page.

    Attributes:
        label: The label of the field.
        why: The line of the log about the attackers.
    """

    size: tuple[int, int]
    language: str
    label: str
    why: str


READERS = (
    Reader(
        LAPTOP,
        "en",
        "If fighters attack, fly on to x, y",
        "their target is faster and flies on",
    ),
    Reader(
        PHONE,
        "de",
        "Bei Angriff durch Jäger weiterfliegen nach x, y",
        "Ihr Ziel ist schneller und fliegt weiter",
    ),
)


def test_fighters_refuse_a_dogfight(site: Site, browser: Browser) -> None:
    """The field says where fast fighters fly on to; the log says why slower ones got no shot."""
    site.people(NAC, ESU)
    campaigns = site.run("tests.browser.duels", NAC, ESU, "refusals").split()
    for campaign, reader in zip(campaigns, READERS, strict=True):
        _check_refusal(site, browser, campaign, reader)


def _check_refusal(site: Site, browser: Browser, campaign: str, reader: Reader) -> None:
    wait_until(site, lambda: _fight(site, NAC, campaign)["state"] == "open")
    for name in (NAC, ESU):
        _seal(site, name, campaign, {"plot": {}})
    wait_until(site, lambda: _fight(site, NAC, campaign)["phase"]["kind"] == "attack")
    attack = {"e1/hangar-1": [{"weapon": "fighters", "target": "flight-1"}]}
    _seal(site, ESU, campaign, {"attack": attack})

    phone = reader.size == PHONE
    player = person(site, browser, NAC, reader.size, has_touch=phone, locale=reader.language)
    fight = _fight(site, NAC, campaign)
    page = f"/c/{campaign}/battles/{fight['id']}/now/"
    player.go(page)
    player.page.locator("#ships .ship").first.click()
    player.page.locator(
        "#control-panel [data-do=hold]"
    ).click()  # a group that attacks cannot refuse
    more = player.page.locator("#control-panel details:has([name='leaves-n1/hangar-3']) > summary")
    more.click()
    field = player.page.get_by_label(reader.label)
    field.fill("60 10")
    field.press("Tab")
    player.check_page("a dogfight is refused")
    player.seal(last=True)
    wait_until(site, lambda: _fight(site, NAC, campaign)["phase"] != fight["phase"])
    player.go(page)
    player.page.locator("details:has(.log) > summary").first.click()
    expect(player.page.locator(".log li", has_text=reader.why)).to_be_visible()
    assert player.faults == []
    player.context.close()


def _fight(site: Site, name: str, campaign: str) -> Any:
    """Return the battle as the API lists it for somebody."""
    return site.call(name, "GET", f"campaigns/{campaign}/fights/").json["fights"][0]


def _seal(site: Site, name: str, campaign: str, orders: dict[str, Any]) -> None:
    """Seal somebody's orders of a phase through the API."""
    fight = _fight(site, name, campaign)["id"]
    address = f"campaigns/{campaign}/fights/{fight}/orders/seal/"
    answer = site.call(name, "POST", address, {"orders": orders})
    assert answer.status == 201, answer
