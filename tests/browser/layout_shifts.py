"""How much of a page moves while it loads, as browsers measure it: below 0.1 is good."""

from __future__ import annotations

from tests.browser.people import Person

MOST = 0.1
WATCH = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const moved = entry.sources.map(({node}) => node?.outerHTML?.slice(0, 60) ?? "");
    window.shifts.push([entry.value, moved]);
  }
}).observe({type: "layout-shift", buffered: true});
"""


def watch_shifts(player: Person) -> None:
    """Watch every page that the player opens from now on."""
    player.context.add_init_script(WATCH)


def assert_no_layout_shift(player: Person, path: str) -> None:
    """Open a page, and check that hardly anything moves while it loads."""
    player.go(path)
    player.page.wait_for_load_state("networkidle")
    shifts = player.page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) < MOST, (path, shifts)
