"""Pictures of what players arrange before an absence: memos, and a substitute."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.screens.screen import Screen, Wars


def _more(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/more/"


def _memos(wars: Wars, page: Page) -> str:
    """Open the page with a memo for the last week."""
    where = f"/c/{wars['lafayette']}/memos/"
    page.goto(wars["address"] + where)
    page.locator("#memo-week").select_option(index=1)
    page.locator("#memo-text").fill(
        "Albion's convoy is due at Lafayette.\nKeep two cruisers back, whatever Sam says."
    )
    with page.expect_navigation():
        page.locator("form:has(#memo-text) [type=submit]").click()
    return where


def _seats(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/"


def _away(page: Page) -> None:
    """Open the form for a substitute."""
    page.locator(".drawer > summary").click()
    asks = page.locator("details:has(form[action$='/stand-in/']) > summary")
    asks.click()
    asks.scroll_into_view_if_needed()


SCREENS = (
    Screen("more", _more, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("memos", _memos, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("stand-in", _seats, _away, views=(("laptop", "dark"), ("phone", "light"))),
)
