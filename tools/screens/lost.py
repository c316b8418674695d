"""Pages that say what is not there, not allowed, or does not work: to those who have logged in and
to strangers.

What a server answers while it fails is drawn from its template, in an answer that the browser takes
for the server's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, Route

from campaign.rules.limits import FORM
from tools.screens.screen import NOBODY, PLAYER, Screen, at

BOTH = (("laptop", "light"), ("phone", "dark"))
FORMS = {"content-type": "application/x-www-form-urlencoded"}
SOMEWHERE = "/help/"  # where somebody was before


def _opened(path: str) -> Callable[[Page], None]:
    """An address is opened by itself."""
    return lambda page: _go(page, path)


def _sent(body: str, kind: str = FORMS["content-type"]) -> Callable[[Page], None]:
    """A form is sent, to the page where one logs in."""

    def act(page: Page) -> None:
        address = "/accounts/login/"

        def as_form(route: Route) -> None:
            headers = {**route.request.headers, "content-type": kind}
            route.continue_(method="POST", headers=headers, post_data=body)

        page.route(f"**{address}", as_form, times=1)
        _go(page, address)

    return act


def _failed(template: str, status: int, **told: Any) -> Callable[[Page], None]:
    """The server fails."""

    def act(page: Page) -> None:
        with translation.override(page.evaluate("navigator.language.slice(0, 2)")):
            body = render_to_string(template, {"status": status, **told})
        page.route(
            f"**{SOMEWHERE}",
            lambda route: route.fulfill(status=status, body=body, content_type="text/html"),
        )
        _go(page, SOMEWHERE)

    return act


def _guessed(page: Page) -> None:
    """Too many wrong passwords."""
    _go(page, "/accounts/login/")
    while page.locator("input[name=login]").count():
        page.locator("input[name=login]").fill("nobody-here")
        page.locator("input[name=password]").fill("Petrograd-1917")
        with page.expect_navigation():
            page.locator("form:has(input[name=login]) [type=submit]").click()


def _go(page: Page, path: str) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + path)


def _lost(
    name: str, status: int, act: Callable[[Page], None], who: str = PLAYER, kept: bool = False
) -> Screen:
    """One of these pages. They look alike, so few of their pictures are kept."""
    return Screen(
        f"lost-{name}",
        at(SOMEWHERE),
        act,
        who=who,
        views=BOTH,
        small=True,
        kept=kept,
        status=status,
    )


SCREENS = (
    _lost("not-found", 404, _opened("/help/no-such-page/"), kept=True),
    _lost("not-found-stranger", 404, _opened("/help/no-such-page/"), NOBODY),
    _lost(
        "invitation",
        404,
        _opened("/c/00000000-0000-4000-8000-000000000000/join/used/"),
        NOBODY,
        kept=True,
    ),
    _lost("no-form", 405, _opened("/guide/")),
    _lost("cut-short", 400, _sent("", "multipart/form-data")),
    _lost("old-form", 403, _sent("")),
    _lost("old-form-stranger", 403, _sent(""), NOBODY),
    _lost("forbidden", 403, _failed("403.html", 403)),
    _lost("too-large", 413, _sent("a=" + "x" * FORM)),
    _lost("locked-out", 429, _guessed, NOBODY),
    _lost(
        "too-often",
        429,
        _failed("later.html", 429, words="at most 60 of these a minute for one account", wait=24),
    ),
    _lost("failed", 500, _failed("500.html", 500), kept=True),
    _lost("away", 503, _failed("503.html", 503)),
    _lost("reset-link", 200, _opened("/accounts/password/reset/key/1-used/"), NOBODY),
)
