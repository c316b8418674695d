"""Where the heading of a page stands, and that a finger can press whatever is on it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.fingers import small
from tests.browser.people import PHONE

HEADING = "(() => { const at = document.querySelector('h1').getBoundingClientRect(); return [at.left, at.top]; })()"


def heading_at(page: Page) -> tuple[float, float]:
    """Where a page's heading stands, (left, top) in pixels; what can be pressed on a phone is as
    large as a finger.
    """
    if page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}:
        found = small(page)
        assert found == [], (page.url, found)
    left, top = page.evaluate(HEADING)
    return left, top
