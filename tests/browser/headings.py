"""Where a page's heading is, and that a finger can press everything on the page."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.people import PHONE
from tests.browser.touch_targets import small

# The place of the heading; a list of the tab's pages may push it down.
HEADING = """(() => {
  const at = document.querySelector("h1").getBoundingClientRect();
  return [at.left, at.top - (document.querySelector(".tab-pages")?.offsetHeight ?? 0)];
})()"""


def measure_heading(page: Page) -> tuple[float, float]:
    """Return a heading's (left, top) in pixels; on a phone all controls must fit a finger."""
    if page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}:
        small_controls = small(page)
        assert small_controls == [], (page.url, small_controls)
    left_edge, top = page.evaluate(HEADING)
    return left_edge, top
