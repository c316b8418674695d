"""Measure what the orders page of a large war costs a browser.

`python -m tools.bench.orders_in_browser` uses the war of `tools.bench.orders_page`: 500 systems on
48 by 40 hexes, 200 fleets of five ships. It counts the elements, and the options among them, of the
page as sent and after its scripts have run. It measures the CPU time of the page's main thread,
which does not depend on other load: opening the page; then choosing ten fleets one after the other
and sending each somewhere. Medians of `ROUNDS`, in milliseconds.
"""

from __future__ import annotations

import os
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from playwright.sync_api import Browser, CDPSession, Error, Page

from tests.browser.chromium import chromium
from tests.browser.people import LAPTOP
from tools.bench.orders_page import large_scenario, stand_in
from tools.bench.temporary_site import temporary_site
from tools.bench.web import war_in_progress

ROUNDS = 5
PATIENCE = 10_000  # milliseconds for one step
CHOSEN = [f"esu/f{n}" for n in range(11, 21)]
GOAL = "0505"
COUNT_SCRIPT = """() => ["*", "option", "input, select, textarea"].map(
  (what) => document.querySelectorAll(what).length)"""
SERVED_COUNT_SCRIPT = """async () => {
  const text = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const one of page.querySelectorAll("noscript")) one.remove();
  return ["*", "option", "input, select, textarea"].map((what) => page.querySelectorAll(what).length);
}"""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Print no line for each request."""


def main() -> None:
    with temporary_site(ALLOWED_HOSTS="localhost,127.0.0.1", DEBUG="1"):
        session, _, war = war_in_progress(1, large_scenario(False), "admiral")
        stand_in(war)
        with serve_site() as address, chromium() as browser:
            measure(browser, f"{address}/c/{war}/orders/", session)


@contextmanager
def serve_site() -> Iterator[str]:
    """Serve the site and its static files in threads of this process."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.handlers.wsgi import WSGIHandler

    site = StaticFilesHandler(WSGIHandler())
    server = make_server("127.0.0.1", 0, site, server_class=_Server, handler_class=_Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def measure(browser: Browser, address: str, session: str) -> None:
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    opened: list[float] = []
    ordered: list[float] = []
    counts: tuple[Any, ...] = ()
    for _ in range(ROUNDS):
        opening, ordering, counts = visit(browser, address, session)
        opened.append(opening)
        ordered.append(ordering)
    for words, elements in zip(("as sent", "once opened", "after the orders"), counts, strict=True):
        print(
            f"{words:<18} {elements[0]:>6} elements, {elements[1]:>5} options, {elements[2]:>5} fields"
        )
    first, then = statistics.median(opened), statistics.median(ordered)
    print(f"main thread, ms CPU: opening {first:.0f}, {len(CHOSEN)} fleets ordered {then:.0f}, ")
    print(f"together {first + then:.0f}")


def visit(browser: Browser, address: str, session: str) -> tuple[float, float, tuple[Any, ...]]:
    """Return the CPU time of opening the page and ordering fleets, and the elements meanwhile."""
    from django.conf import settings

    context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]})
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", _complain)
    cdp = context.new_cdp_session(page)
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = cpu(cdp)
    page.goto(address, wait_until="networkidle")
    page.wait_for_selector("[data-list][data-ready]")
    opened = cpu(cdp) - before
    counts = [page.evaluate(SERVED_COUNT_SCRIPT), page.evaluate(COUNT_SCRIPT)]
    before = cpu(cdp)
    for key in CHOSEN:
        send(page, key)
    ordered = cpu(cdp) - before
    counts.append(page.evaluate(COUNT_SCRIPT))
    context.close()
    return opened, ordered, tuple(counts)


def _complain(error: Error) -> None:
    print(error)


def send(page: Page, key: str) -> None:
    """Choose a fleet in the list, and send it to a hex by its row."""
    row = page.locator(f"[data-fleet='{key}']")
    row.locator("[data-choose]").click()
    row.locator("details.doctrine").wait_for(state="attached")
    field = row.locator("[data-goto]")
    field.fill(GOAL)
    field.press("Enter")
    row.locator("[data-drop]").first.wait_for()
    page.wait_for_selector("[data-list]:not([aria-busy])")


def cpu(cdp: CDPSession) -> float:
    """Return the CPU milliseconds of the page's main thread until now."""
    metrics = cdp.send("Performance.getMetrics")["metrics"]
    seconds: float = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
    return 1000 * seconds


if __name__ == "__main__":
    main()
