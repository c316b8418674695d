"""Pictures of a war in its fourth week: a meeting, messages, an invitation, the host, the gallery.

Also of a war with tech bases, and of one that has not begun.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tools.screens.make_wars import HOST
from tools.screens.screen import ANONYMOUS, PLAYER, UMPIRE, Screen, Wars

LAPTOP, PHONE = (("laptop", "light"),), (("phone", "dark"),)
VIEWS = LAPTOP + PHONE
Views = tuple[tuple[str, str], ...]


def _of(tail: str, war: str = "deciding") -> Callable[[Wars, Page], str]:
    return lambda wars, _page: f"/c/{wars[war]}/{tail}"


def _page(name: str, tail: str, views: Views = LAPTOP, user: str = PLAYER) -> Screen:
    return Screen(name, _of(tail), user=user, views=views, small=True)


def _gallery_battle(wars: Wars, page: Page) -> str:
    """Return a battle of the finished war."""
    page.goto(f"{wars['address']}/gallery/{wars['told']}/")
    href = page.locator("#battles a").first.get_attribute("href")
    assert href is not None
    return href


def _gallery_film(wars: Wars, _page: Page) -> str:
    return f"/gallery/{wars['told']}/film/"


def _moment_new(wars: Wars, page: Page) -> str:
    """Return the form of the moment of the finished war."""
    page.goto(f"{wars['address']}/c/{wars['told']}/moments/")
    href = page.locator("a[href*='/moment/?turn=']").first.get_attribute("href")
    assert href is not None
    return href


SCREENS = (
    _page("decisions", "decisions/", VIEWS),
    _page("messages", "messages/", VIEWS),
    _page("messages-thread", "messages/to/esu/", VIEWS),
    _page("messages-umpire", "messages/umpire/", PHONE),
    _page("messages-all", "messages/all/", LAPTOP, UMPIRE),
    _page("host", "host/", VIEWS, HOST),
    Screen("lobby-before", _of("", "waiting"), views=VIEWS, small=True),
    Screen("lobby-before-host", _of("", "waiting"), user=HOST, views=VIEWS, small=True),
    _page("starmap-past", "map/?week=4&stage=orders"),
    Screen("join", lambda wars, _page: wars["invited"], user=ANONYMOUS, views=VIEWS, small=True),
    Screen(
        "gallery-war",
        lambda wars, _page: f"/gallery/{wars['deciding']}/",
        user=ANONYMOUS,
        views=VIEWS,
        small=True,
    ),
    Screen("gallery-film", _gallery_film, user=ANONYMOUS, views=PHONE, small=True),
    Screen("gallery-battle", _gallery_battle, user=ANONYMOUS, views=VIEWS, small=True),
    Screen(
        "gallery-moment",
        lambda wars, _page: f"/gallery/moments/{wars['moment']}/",
        user=ANONYMOUS,
        views=VIEWS,
        small=True,
    ),
    Screen(
        "moment-play",
        lambda wars, _page: f"/gallery/moments/{wars['moment']}/play/",
        views=PHONE,
        small=True,
    ),
    Screen("moments", _of("moments/", "told"), views=PHONE, small=True),
    Screen("moment-new", _moment_new, views=VIEWS, small=True),
    Screen("tech-base", _of("tech-base/", "technology"), views=LAPTOP, small=True),
)
