"""Pictures of a battle at a table: a hit recorded offline, and printed sheets with their codes."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.screens.screen import Screen, Wars, linked

_table = linked("at-table", "", "/battles/")


def _record(wars: Wars, page: Page) -> str:
    return f"{_table(wars, page)}record/"


def _sheets(wars: Wars, page: Page) -> str:
    return _table(wars, page).replace("/table/", "/sheets/")


def _mark_damage(page: Page) -> None:
    """Mark the first row of a ship as lost while there is no network."""
    page.context.set_offline(True)
    ship = page.locator(".damage-panel").first
    ship.locator("summary").click()
    last = ship.locator("[data-last]").first.get_attribute("data-last")
    ship.locator(f"[data-box='{last}']").click()
    ship.locator("legend").first.evaluate("node => node.scrollIntoView()")


def _codes(page: Page) -> None:
    page.locator(".sheets").evaluate("node => node.scrollIntoView()")


SCREENS = (
    Screen("table-record", _record, _mark_damage),
    Screen("table-sheets", _sheets, _codes, views=(("laptop", "light"),)),
)
