"""People at their browsers: where they go, what they press, and the words they see."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect

from tests.site.people import PASSWORD
from tests.site.running import Site

PATIENCE = 30.0  # seconds for a worker to resolve a stage
PAUSE = 0.2
LAPTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
Look = Callable[[Page], None]


@dataclass
class Seat:
    """Somebody at a browser. `troubles`: what the browser complained of. `look` is called at every page."""

    site: Site
    war: str
    name: str
    page: Page
    look: Look | None = None
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.troubles.append(f"{self.page.url}: {message.text}")

    def log_in(self) -> None:
        self.go("/accounts/login/")
        self.page.locator("[name=login]").fill(self.name)
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.get_by_role("button", name="Log in").click()
        expect(self.page.get_by_role("link", name="Log out")).to_be_visible()
        self.seen()

    def go(self, path: str) -> None:
        """To an address of the site."""
        answer = self.page.goto(self.site.address + path)
        assert answer is not None
        assert answer.ok, (path, answer.status)
        self.seen()

    def at(self, page: str) -> None:
        """To a page of the war."""
        self.go(f"/c/{self.war}/{page}")

    def reads(self, *words: str) -> None:
        """These words stand on the page, to be seen."""
        for each in words:
            expect(self.page.get_by_text(each).filter(visible=True).first).to_be_visible()

    def titled(self, words: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(words)

    def seal(self, what: str) -> None:
        """Seal the form of this page."""
        self.page.get_by_role("button", name=f"Seal {what}").click()
        expect(self.page.get_by_role("heading", name="Sealed")).to_be_visible()
        self.seen()

    def awaits(self, page: str, title: str) -> None:
        """Open a page of the war again and again until its heading begins to say this."""
        deadline = time.monotonic() + PATIENCE
        while True:
            self.page.goto(f"{self.site.address}/c/{self.war}/{page}")
            heading = self.page.locator("h1").inner_text()
            if title in heading:
                break
            assert time.monotonic() < deadline, (title, heading, self.site.last_lines())
            time.sleep(PAUSE)
        self.seen()

    def seen(self) -> None:
        """Every page fits its window, and is looked at."""
        wide, room = self.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= room, f"{self.page.url} is {wide} wide in a window of {room}"
        if self.look is not None:
            self.look(self.page)


def seat(
    browser: Browser,
    site: Site,
    war: str,
    name: str,
    window: ViewportSize = LAPTOP,
    *,
    dark: bool = False,
    scripts: bool = True,
    look: Look | None = None,
) -> Seat:
    """A browser of somebody's own. With a `look` the content security policy lets the looker's script in."""
    context = browser.new_context(
        viewport=window,
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
        bypass_csp=look is not None,
        reduced_motion="reduce",
    )
    context.set_default_timeout(10_000)
    return Seat(site, war, name, context.new_page(), look)
