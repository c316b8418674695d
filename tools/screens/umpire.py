"""Pictures of the umpire's table: one campaign on one screen, a past week on both maps, and all
campaigns as rows.
"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tools.screens.screen import UMPIRE, Screen, Wars

VIEWS = (("laptop", "light"), ("laptop", "dark"), ("phone", "light"), ("phone", "dark"))


def _dashboard(tail: str) -> Callable[[Wars, Page], str]:
    return lambda wars, _page: f"/c/{wars['lafayette']}/umpire/{tail}"


def _together(wars: Wars, _page: Page) -> str:
    """The clocks of two campaigns are stopped at once."""
    return f"/umpire/acts/pause/?c={wars['lafayette']}&c={wars['deciding']}"


def _other_map(page: Page) -> None:
    """On a telephone: the map as the faction knows it."""
    page.locator("#twin-view").check()


SCREENS = (
    Screen("umpire", _dashboard("?as=esu"), user=UMPIRE, views=VIEWS),
    Screen(
        "umpire-knows", _dashboard("?as=esu"), _other_map, user=UMPIRE, views=(("phone", "dark"),)
    ),
    Screen(
        "umpire-plain", _dashboard(""), user=UMPIRE, scripts=False, views=(("laptop", "light"),)
    ),
    Screen("umpire-map", _dashboard("map/?seq=9&as=nac"), user=UMPIRE, views=(("laptop", "dark"),)),
    Screen(
        "umpire-tables",
        lambda _wars, _page: "/umpire/",
        user=UMPIRE,
        views=(("laptop", "light"), ("laptop", "dark"), ("phone", "dark")),
    ),
    Screen(
        "umpire-many",
        _together,
        user=UMPIRE,
        views=(("laptop", "light"), ("phone", "dark")),
        small=True,
    ),
)
