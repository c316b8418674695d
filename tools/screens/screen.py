"""What describes a picture: name, viewer, address, preparation, sizes and themes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser.people import LAPTOP, PHONE

Size = tuple[int, int]
PLAYER, UMPIRE = "screens-iris", "screens-judge"
ANONYMOUS = ""  # not logged in
DEPLOYS = "screens-nac"  # plays in the war that is being deployed
# Wars created for the pictures (tests.browser.wars), by name: Lafayette in its fourth week and at
# its end, a finished battle, a battle about to be fought at a table, a war in deployment, an online
# battle for each kind of phase, and the wars of tools.screens.make_wars.
Wars = Mapping[str, str]
SIZES: Mapping[str, Size] = {"laptop": LAPTOP, "phone": PHONE}


def nothing(page: Page) -> None:
    """Do nothing before the picture is taken."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A page to take a picture of.

    Attributes:
        path: Its address, given the wars that exist.
        act: What is done on the page first.
        scripts: With scripts, or as a browser without scripts shows it.
        views: Sizes with themes.
        small: As a JPEG, a third as large as a PNG of the same page.
        kept: Whether the picture is kept. False if the page differs each time or resembles others;
            it is checked all the same.
        status: The final status of the answer; browsers report those that are no success.
    """

    name: str
    path: Callable[[Wars, Page], str]
    act: Callable[[Page], None] = nothing
    user: str = PLAYER
    scripts: bool = True
    views: tuple[tuple[str, str], ...] = (("laptop", "dark"), ("phone", "light"))
    small: bool = False
    is_saved: bool = True
    status: int = 200


def at(path: str) -> Callable[[Wars, Page], str]:
    """Return an address of the site."""
    return lambda _wars, _page: path


def linked(war: str, tail: str, part: str) -> Callable[[Wars, Page], str]:
    """Return the address of the first link that contains `part` on a page of a war, with a suffix."""

    def path(wars: Wars, page: Page) -> str:
        page.goto(f"{wars['address']}/c/{wars[war]}/{tail}")
        href = page.locator(f"main a[href*='{part}']:not([href$='{part}'])").first.get_attribute(
            "href"
        )
        assert href is not None, (war, tail, part)
        return href

    return path
