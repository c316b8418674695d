"""Pictures of the gazette, and of the chronicle of a finished war."""

from __future__ import annotations

from playwright.sync_api import Page

from tools.screens.screen import Screen, Wars


def _gazette(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/gazette/"


def _issue(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/gazette/2/"


def _by_mail(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/gazette/2/mail/"


def _story(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette-over']}/story/?seq=8"


def _film(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette-over']}/story/film/?seq=12&as=nac"


def _result(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette-over']}/result/"


def _umpires(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette-over']}/story/umpires/"


def _luck(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette-over']}/story/luck/"


def _chronicle(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette-over']}/gazette/chronicle/"


def _open(page: Page) -> None:
    """Open the first ship's story."""
    page.locator("details.ship-story summary").first.click()


SCREENS = (
    Screen(
        "gazette", _gazette, views=(("laptop", "light"), ("laptop", "dark"), ("phone", "light"))
    ),
    Screen("gazette-week", _issue, views=(("phone", "dark"),), small=True),
    Screen("gazette-mail", _by_mail, views=(("phone", "light"),), small=True),
    Screen("chronicle", _chronicle, _open, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("story-luck", _luck, views=(("phone", "light"),), small=True),
    Screen("story-umpires", _umpires, views=(("phone", "light"),), small=True),
    Screen("story", _story, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("war-result", _result, views=(("laptop", "light"), ("phone", "dark"))),
    Screen("story-film", _film, views=(("laptop", "dark"), ("phone", "dark"))),
)
