"""Pictures of the umpire dashboard: one campaign, a past week on both maps, all campaigns as rows."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tools.screens.screen import UMPIRE, Screen, Wars

VIEWS = (("laptop", "light"), ("laptop", "dark"), ("phone", "light"), ("phone", "dark"))


def _dashboard(tail: str) -> Callable[[Wars, Page], str]:
    return lambda wars, _page: f"/c/{wars['lafayette']}/umpire/{tail}"


def _together(wars: Wars, _page: Page) -> str:
    """Pause the clocks of two campaigns at once."""
    return f"/umpire/acts/pause/?c={wars['lafayette']}&c={wars['deciding']}"


def _other_map(page: Page) -> None:
    """Open the map as the faction knows it, on a phone."""
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
