"""Pictures of replays: a moment of fire, ships, dice, the umpire's view, a turn without scripts."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.screens.screen import UMPIRE, Screen, Wars, linked

FIRST_SHOT = "[data-at][data-kind=fire]"
_battle = linked("first-battle", "reports/", "/battles/")


def _fire(page: Page) -> None:
    """Go to the second turn's first shot."""
    page.keyboard.press("Shift+ArrowRight")
    page.locator(FIRST_SHOT).first.click()


def _dice(page: Page) -> None:
    _fire(page)
    page.keyboard.press("d")
    page.locator(".rolls").first.wait_for()


def _ships(page: Page) -> None:
    _fire(page)
    page.locator("#tab-ships").click()
    page.locator("[data-unit]").first.click()


def _plain(wars: Wars, page: Page) -> str:
    return f"{_battle(wars, page)}?turn=2"


def _card(wars: Wars, page: Page) -> str:
    return f"{_battle(wars, page)}result/"


def _everything(wars: Wars, page: Page) -> str:
    page.goto(
        wars["address"] + linked("first-battle", "umpire/battles/", "/umpire/battles/")(wars, page)
    )
    href = page.locator("main a[role=button][href$='/replay/']").first.get_attribute("href")
    assert href is not None
    return href


def _story_replay(wars: Wars, page: Page) -> str:
    """Open a battle of the finished war, as its participants see it."""
    page.goto(wars["address"] + linked("lafayette-over", "story/", "/story/battles/")(wars, page))
    href = page.locator("main a[href$='/replay/']").first.get_attribute("href")
    assert href is not None
    return href


SCREENS = (
    Screen("battle-card", _card, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("replay", _battle, _fire),
    Screen("replay-dice", _battle, _dice, views=(("laptop", "light"),)),
    Screen("replay-ships", _battle, _ships, views=(("phone", "dark"),)),
    Screen("replay-plain", _plain, scripts=False, views=(("laptop", "light"),)),
    Screen("replay-everything", _everything, _fire, user=UMPIRE, views=(("laptop", "dark"),)),
    Screen(
        "replay-story",
        _story_replay,
        _fire,
        views=(("laptop", "light"), ("phone", "dark")),
        small=True,
    ),
)
