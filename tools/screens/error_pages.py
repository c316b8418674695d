"""Pictures of error pages: not found, not allowed, or failed, with and without a log-in.

Pages of a failing server are drawn from their template, in an answer that the browser accepts as
the server's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, Route

from campaign.rules.limits import FORM
from tools.screens.screen import ANONYMOUS, PLAYER, Screen, at

VIEWS = (("laptop", "light"), ("phone", "dark"))
FORMS = {"content-type": "application/x-www-form-urlencoded"}
SOMEWHERE = "/help/"  # the page before


def _open_address(path: str) -> Callable[[Page], None]:
    """Open an address directly."""
    return lambda page: _go(page, path)


def _send_form(body: str, kind: str = FORMS["content-type"]) -> Callable[[Page], None]:
    """Send a form to the log-in page."""

    def act(page: Page) -> None:
        address = "/accounts/login/"

        def as_form(route: Route) -> None:
            headers = {**route.request.headers, "content-type": kind}
            route.continue_(method="POST", headers=headers, post_data=body)

        page.route(f"**{address}", as_form, times=1)
        _go(page, address)

    return act


def _fail(template: str, status: int, **context: Any) -> Callable[[Page], None]:
    """Let the server fail."""

    def act(page: Page) -> None:
        with translation.override(page.evaluate("navigator.language.slice(0, 2)")):
            body = render_to_string(template, {"status": status, **context})
        page.route(
            f"**{SOMEWHERE}",
            lambda route: route.fulfill(status=status, body=body, content_type="text/html"),
        )
        _go(page, SOMEWHERE)

    return act


def _guess_passwords(page: Page) -> None:
    """Enter too many wrong passwords."""
    _go(page, "/accounts/login/")
    while page.locator("input[name=login]").count():
        page.locator("input[name=login]").fill("nobody-here")
        page.locator("input[name=password]").fill("Petrograd-1917")
        with page.expect_navigation():
            page.locator("form:has(input[name=login]) [type=submit]").click()


def _go(page: Page, path: str) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + path)


def _error_screen(
    name: str, status: int, act: Callable[[Page], None], user: str = PLAYER, is_saved: bool = False
) -> Screen:
    """Return the screen of an error page; few of these pictures are kept, because they look alike."""
    return Screen(
        f"lost-{name}",
        at(SOMEWHERE),
        act,
        user=user,
        views=VIEWS,
        small=True,
        is_saved=is_saved,
        status=status,
    )


SCREENS = (
    _error_screen("not-found", 404, _open_address("/help/no-such-page/"), is_saved=True),
    _error_screen("not-found-stranger", 404, _open_address("/help/no-such-page/"), ANONYMOUS),
    _error_screen(
        "invitation",
        404,
        _open_address("/c/00000000-0000-4000-8000-000000000000/join/used/"),
        ANONYMOUS,
        is_saved=True,
    ),
    _error_screen("no-form", 405, _open_address("/guide/")),
    _error_screen("cut-short", 400, _send_form("", "multipart/form-data")),
    _error_screen("old-form", 403, _send_form("")),
    _error_screen("old-form-stranger", 403, _send_form(""), ANONYMOUS),
    _error_screen("forbidden", 403, _fail("403.html", 403)),
    _error_screen("too-large", 413, _send_form("a=" + "x" * FORM)),
    _error_screen("locked-out", 429, _guess_passwords, ANONYMOUS),
    _error_screen(
        "too-often",
        429,
        _fail("try_later.html", 429, words="at most 60 of these per minute and account", wait=24),
    ),
    _error_screen("failed", 500, _fail("500.html", 500), is_saved=True),
    _error_screen("away", 503, _fail("503.html", 503)),
    _error_screen(
        "reset-link", 200, _open_address("/accounts/password/reset/key/1-used/"), ANONYMOUS
    ),
)
