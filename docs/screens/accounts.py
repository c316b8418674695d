"""Pictures of what belongs to an account: logging in and signing up, a new password, the second factor."""

from __future__ import annotations

from playwright.sync_api import Page

from docs.screens.screen import NOBODY, PLAYER, Screen, at
from tests.site.people import PASSWORD

BOTH = (("laptop", "light"), ("phone", "dark"))


def _again(page: Page) -> None:
    """The password is asked for again before an address is changed."""
    page.locator("input[name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Continue").click()


def _page(name: str, path: str, who: str = PLAYER) -> Screen:
    return Screen(name, at(path), who=who, views=BOTH, small=True)


SCREENS = (
    _page("account-login", "/accounts/login/", NOBODY),
    _page("account-signup", "/accounts/signup/", NOBODY),
    _page("account-reset", "/accounts/password/reset/", NOBODY),
    _page("account-reset-done", "/accounts/password/reset/done/", NOBODY),
    _page("account-inactive", "/accounts/inactive/", NOBODY),
    _page("account-again", "/accounts/reauthenticate/"),
    Screen("account-email", at("/accounts/email/"), _again, views=BOTH, small=True),
    _page("account-password", "/accounts/password/change/"),
    _page("account-logout", "/accounts/logout/"),
    _page("account-factors", "/accounts/2fa/"),
)
