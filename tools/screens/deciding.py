"""Pictures of a war in its fourth week: a meeting to decide on, letters, an invitation, the host,
the gallery; of the tech base of another; and of one that has not begun.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tools.screens.made import HOST
from tools.screens.screen import NOBODY, PLAYER, UMPIRE, Screen, Wars

LAPTOP, PHONE = (("laptop", "light"),), (("phone", "dark"),)
BOTH = LAPTOP + PHONE
Views = tuple[tuple[str, str], ...]


def _of(tail: str, war: str = "deciding") -> Callable[[Wars, Page], str]:
    return lambda wars, _page: f"/c/{wars[war]}/{tail}"


def _page(name: str, tail: str, views: Views = LAPTOP, who: str = PLAYER) -> Screen:
    return Screen(name, _of(tail), who=who, views=views, small=True)


def _watched(wars: Wars, page: Page) -> str:
    """A battle of the war that is over."""
    page.goto(f"{wars['address']}/gallery/{wars['told']}/")
    found = page.locator("#battles a").first.get_attribute("href")
    assert found is not None
    return found


SCREENS = (
    _page("decisions", "decisions/", BOTH),
    _page("messages", "messages/", BOTH),
    _page("messages-thread", "messages/to/esu/", BOTH),
    _page("messages-umpire", "messages/umpire/", PHONE),
    _page("messages-all", "messages/all/", LAPTOP, UMPIRE),
    _page("host", "host/", BOTH, HOST),
    Screen("lobby-before", _of("", "waiting"), views=BOTH, small=True),
    Screen("lobby-before-host", _of("", "waiting"), who=HOST, views=BOTH, small=True),
    _page("starmap-past", "map/?week=4&stage=orders"),
    Screen("join", lambda wars, _page: wars["invited"], who=NOBODY, views=BOTH, small=True),
    Screen(
        "gallery-war",
        lambda wars, _page: f"/gallery/{wars['deciding']}/",
        who=NOBODY,
        views=BOTH,
        small=True,
    ),
    Screen("gallery-battle", _watched, who=NOBODY, views=BOTH, small=True),
    Screen("tech-base", _of("tech-base/", "technology"), views=LAPTOP, small=True),
)
