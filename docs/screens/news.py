"""Pictures of the newspaper."""

from __future__ import annotations

from playwright.sync_api import Page

from docs.screens.screen import Screen, Wars


def _gazette(wars: Wars, _page: Page) -> str:
    return f"/c/{wars['lafayette']}/gazette/"


SCREENS = (Screen("gazette", _gazette, views=(("laptop", "light"), ("laptop", "dark"), ("phone", "light"))),)
