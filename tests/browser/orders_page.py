"""The orders page of Ember's player in the first week of a war of two."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.people import Person, person
from tests.browser.week import CENTRE
from tests.site.running import Site

HOME, NEXT_TO_HOME, FROST, HALFWAY = "0304", "0502", "0804", "0504"


def hex_position(player: Person, hex_: str) -> tuple[float, float]:
    x, y = player.page.evaluate(CENTRE, hex_)
    return x, y


def expect_map_text(player: Person, words: str) -> None:
    expect(player.page.locator("[data-map-says]")).to_contain_text(words)


def type_order(player: Person, fleet: str, words: str) -> None:
    expect(player.page.locator(f"[data-fleet][data-name='{fleet}'] .top")).to_contain_text(words)


def clear_orders(player: Person) -> None:
    """Remove all orders on the page."""
    player.page.evaluate("""() => {
      const written = "[data-move], [data-path], [data-plan], [data-to], [data-merge]";
      for (const field of document.querySelectorAll(written)) field.value = "";
      document.querySelector("[data-move]").dispatchEvent(new Event("change", {bubbles: true}));
    }""")


def open_orders_page(
    site: Site, browser: Browser, ember: tuple[str, dict[str, str]], *size: Any, **options: Any
) -> Person:
    """Return Ember's player at the orders page, without orders."""
    campaign, names = ember
    orders = f"campaigns/{campaign}/orders/"
    cleared = site.call(names["ember"], "PUT", orders, {"schema": 1}, If_Match="*")
    assert cleared.status == 200, cleared
    player = person(site, browser, names["ember"], *size, **options)
    player.go(f"/c/{campaign}/orders/")
    return player
