"""Pictures of account pages: logging in, signing up, a new password, the second factor."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.site.people import PASSWORD
from tools.screens.make_wars import FACTOR
from tools.screens.screen import ANONYMOUS, PLAYER, Screen, Wars, at

PRESSED = "main form:has(input[name=password]) [type=submit]"
VIEWS = (("laptop", "light"), ("phone", "dark"))


def _ask_password_again(page: Page) -> None:
    """Open the page that asks for the password again before an address is changed."""
    page.locator("input[name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.locator(PRESSED).click()


def _await_second_factor(page: Page) -> None:
    """Log in with the password, up to the question for the second factor."""
    page.locator("input[name=login]").fill(FACTOR)
    page.locator("input[name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.locator(PRESSED).click()


def _twice(path: str) -> Callable[[Wars, Page], str]:
    """Return an address, opened by the account that has logged in with two factors."""

    def path_of(wars: Wars, page: Page) -> str:
        page.context.add_cookies(
            [{"name": "sessionid", "value": wars["twice"], "url": wars["address"]}]
        )
        return path

    return path_of


def _factor(name: str, path: str) -> Screen:
    return Screen(
        f"account-{name}", _twice(f"/accounts/2fa/{path}"), user=ANONYMOUS, views=VIEWS, small=True
    )


def _page(name: str, path: str, user: str = PLAYER) -> Screen:
    return Screen(name, at(path), user=user, views=VIEWS, small=True)


SCREENS = (
    _page("account-login", "/accounts/login/", ANONYMOUS),
    _page("account-signup", "/accounts/signup/", ANONYMOUS),
    _page("account-reset", "/accounts/password/reset/", ANONYMOUS),
    _page("account-reset-done", "/accounts/password/reset/done/", ANONYMOUS),
    _page("account-inactive", "/accounts/inactive/", ANONYMOUS),
    _page("account-again", "/accounts/reauthenticate/"),
    Screen("account-email", at("/accounts/email/"), _ask_password_again, views=VIEWS, small=True),
    _page("account-password", "/accounts/password/change/"),
    _page("account-logout", "/accounts/logout/"),
    _page("account-factors", "/accounts/2fa/"),
    Screen(
        "account-second",
        at("/accounts/login/"),
        _await_second_factor,
        user=ANONYMOUS,
        views=VIEWS,
        small=True,
    ),
    Screen(
        "account-second-on",
        at("/accounts/2fa/totp/activate/"),
        _ask_password_again,
        views=VIEWS,
        is_saved=False,
    ),  # with a new secret
    _factor("second-again", "reauthenticate/"),
    _factor("second-off", "totp/deactivate/"),
    _factor("codes", "recovery-codes/"),
    _factor("codes-new", "recovery-codes/generate/"),
    Screen(
        "account-new-password",
        lambda wars, _page: wars["reset"],
        user=ANONYMOUS,
        views=VIEWS,
        small=True,
    ),
    Screen(
        "mail-stop", lambda wars, _page: wars["mail_stop"], user=ANONYMOUS, views=VIEWS, small=True
    ),
    _page("account-new-password-done", "/accounts/password/reset/key/done/", ANONYMOUS),
)
