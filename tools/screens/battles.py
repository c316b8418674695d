"""Pictures of an online battle: its phases, with scripts, and the form without scripts."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tools.screens.screen import Screen, Wars

CHOICES = ".control-panel .cell"


def phase_path(kind: str) -> Callable[[Wars, Page], str]:
    """Return the address of the battle that is in this phase."""

    def path(wars: Wars, page: Page) -> str:
        page.goto(f"{wars['address']}/c/{wars[kind]}/")
        link = page.locator("main a[href*='/battles/'], main form[action*='/battles/']").first
        address = link.get_attribute("href") or link.get_attribute("action")
        assert address is not None, kind
        return address

    return path


def _who_has_choices(page: Page) -> None:
    """Choose the first unit that may do anything."""
    for _ in range(page.locator("#ships .ship").count()):
        if page.locator(CHOICES).count():
            break
        page.keyboard.press("n")


def _aims(page: Page) -> None:
    """Open the cards beside the plots, with a launcher that asks for a point on the table."""
    page.locator("details.drawer:has([data-row], [data-of]) > summary").first.click()
    aim = page.locator("[data-act=aim], [data-act=fly]").last
    aim.focus()
    page.keyboard.press("Enter")
    page.locator("#table .cursor").wait_for()
    page.keyboard.press("Space")


def _sheets(wars: Wars, page: Page) -> str:
    return f"{phase_path('engage')(wars, page)}sheets/"


def _so_far(wars: Wars, page: Page) -> str:
    return phase_path("engage")(wars, page).replace("/now/", "/so-far/")


SCREENS = (
    Screen("battle-plot", phase_path("plot")),
    Screen("battle-cursor", phase_path("plot"), _aims),
    Screen("battle-craft", phase_path("attack"), _who_has_choices),
    Screen("battle-defence", phase_path("defend"), _who_has_choices),
    Screen("battle-fire", phase_path("engage"), _who_has_choices),
    Screen("battle-control", phase_path("control"), _who_has_choices),
    Screen("battle-plain", phase_path("plot"), scripts=False, views=(("laptop", "light"),)),
    Screen("battle-sheets", _sheets, views=(("laptop", "light"),)),
    Screen("battle-so-far", _so_far, views=(("laptop", "light"), ("phone", "dark")), small=True),
)
