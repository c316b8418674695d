"""Pictures of the orders page: with a plan, of a past week, without scripts; deployment; star map."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.screens.screen import DEPLOYS, Screen, Wars

VIEWS = (("laptop", "light"), ("laptop", "dark"), ("phone", "light"), ("phone", "dark"))


def _orders(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/orders/"


def _map(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/map/"


def _deploy(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['deploying']}/deploy/"


def _squadron(page: Page) -> None:
    """Open a fleet, with the sheet of its first class."""
    page.locator("[data-cards] .top", has_text="Lafayette Squadron").click()
    page.locator("[data-cards] .chosen summary").first.click()


def _plan(page: Page) -> None:
    """Send a fleet that can move, and plan its further way."""
    page.keyboard.press("/")
    page.keyboard.type("toledo hudson then merrills")
    # The draft has been saved
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.keyboard.press("Enter")


def _past(page: Page) -> None:
    page.locator("#week-shown").fill("3")
    page.locator("output[for=week-shown]", has_text="3").wait_for()


SCREENS = (
    Screen("orders", _orders, _plan, views=VIEWS),
    Screen("orders-past", _orders, _past, views=(("laptop", "dark"),)),
    Screen("orders-plain", _orders, scripts=False, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("deploy", _deploy, _squadron, user=DEPLOYS, views=VIEWS),
    Screen("deploy-plain", _deploy, user=DEPLOYS, scripts=False, views=(("phone", "light"),)),
    Screen("starmap", _map, views=(("laptop", "light"), ("phone", "dark"))),
)
