"""What a picture of a page is: its name, who looks, where, what he does first, at which sizes and
themes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser.people import LAPTOP, PHONE

Size = tuple[int, int]
PLAYER, UMPIRE = "screens-iris", "screens-judge"
ANONYMOUS = ""  # who has not logged in
DEPLOYS = "screens-nac"  # plays in the war that deploys
# Wars that are made for the pictures (tests.browser.wars), by name: Lafayette in its fourth week
# and at its end, a single battle that is over, and one that is about to be fought at a table; one
# that deploys; by the kinds of its stops a battle online; and what tools.screens.make_wars tells of.
Wars = Mapping[str, str]
SIZES: Mapping[str, Size] = {"laptop": LAPTOP, "phone": PHONE}


def nothing(page: Page) -> None:
    """Nothing is done before the picture is taken."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A page to be drawn.

    `path`: where it is, by the wars there are; `act`: what is done there before it is drawn.

    `scripts`: with scripts, or as a browser without them shows it. `views`: sizes with themes.
    `small`: a JPEG, a third as large as a PNG of the same page. `kept`: False where the page is
    another at every look, or much like others; it is judged though. `status`: what the server
    answers with this page in the end, of which a browser complains where it is no success.
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
    """An address of the site."""
    return lambda _wars, _page: path


def linked(war: str, tail: str, part: str) -> Callable[[Wars, Page], str]:
    """The address of the first link with `part` in it, and more behind it, on a page of a war."""

    def path(wars: Wars, page: Page) -> str:
        page.goto(f"{wars['address']}/c/{wars[war]}/{tail}")
        href = page.locator(f"main a[href*='{part}']:not([href$='{part}'])").first.get_attribute(
            "href"
        )
        assert href is not None, (war, tail, part)
        return href

    return path
