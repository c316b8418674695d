"""Draw the pictures again, all of them or those whose names begin so: `python -m tools.screens
[NAME ...]`.

`--language de` draws the pages as somebody reads them in that language, from top to bottom, into
var/screens/de, which is to look at and is kept nowhere.

Every page is judged as its picture is drawn, at each size and theme: one heading of the first
level, no sideways scrolling, nothing that axe finds, no complaint of the browser's. What is wrong
is said at the end, with exit status 1. A new page's pictures are a module here with its `SCREENS`,
and its line in the list below.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.browser.duels import STOPS
from tests.browser.people import person, visitor, war
from tests.site.running import ROOT, Site, running
from tools.screens import (
    accounts,
    battles,
    deciding,
    designer,
    desk,
    lost,
    news,
    pages,
    replays,
    seats,
    tables,
    umpire,
)
from tools.screens.addresses import SHOWN, shown_at
from tools.screens.screen import NOBODY, PLAYER, SIZES, UMPIRE, Screen, Wars

FOLDER = ROOT / "docs" / "pictures" / "screens"
EVERY: tuple[Screen, ...] = (
    # While the log-in is new: five minutes later these ask for the password again
    *accounts.SCREENS,
    *battles.SCREENS,
    *designer.SCREENS,
    *replays.SCREENS,
    *tables.SCREENS,
    *desk.SCREENS,
    *umpire.SCREENS,
    *news.SCREENS,
    *pages.SCREENS,
    *seats.SCREENS,
    *deciding.SCREENS,
    *lost.SCREENS,
)
WARS = ("lafayette", "lafayette-over", "first-battle", "at-table", *STOPS)
ELSEWHERE = ROOT / "var" / "screens"  # of other languages
QUALITY = 50  # of a small picture, in a hundred
SETTLED = 400  # milliseconds in which a page comes to rest


def draw(
    site: Site, browser: Browser, wars: Wars, screens: Iterable[Screen], language: str = ""
) -> list[str]:
    """Every picture of these screens, and what is wrong with their pages.

    One that is to show a page must be taken there. `language`: the one that people's browsers ask
    for.
    """
    folder = ELSEWHERE / language if language else FOLDER
    faults = []
    meant = {screen: address for address, screen in SHOWN.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for screen in screens:
        for size, theme in screen.views:
            options: dict[str, Any] = {
                "color_scheme": theme,
                "reduced_motion": "reduce",
                "java_script_enabled": screen.scripts,
            }
            if language:
                options["locale"] = language
            come = visitor if screen.who == NOBODY else person
            one = come(site, browser, screen.who, SIZES[size], **options)
            one.go(screen.path(wars, one.page))
            screen.act(one.page)
            one.page.mouse.move(0, 0)
            one.page.wait_for_timeout(SETTLED)
            shown = shown_at(one.page.url)
            assert meant.get(screen.name, shown) == shown, (
                f"{screen.name} shows {shown}, not {meant[screen.name]}"
            )
            small = screen.small and not language
            name = f"{screen.name}-{size}-{theme}.{'jpg' if small else 'png'}"
            how: dict[str, Any] = {"type": "jpeg", "quality": QUALITY} if small else {}
            if screen.kept or language:
                one.page.screenshot(path=folder / name, full_page=bool(language), **how)
            if screen.status != 200:
                one.faults[:] = [
                    fault for fault in one.faults if f"status of {screen.status}" not in fault
                ]
            if screen.scripts:
                try:
                    one.look(urlsplit(one.page.url).path)
                except AssertionError as fault:
                    faults.append(f"{name}: {fault}")
            one.context.close()
            print(name)
    return faults


@contextmanager
def posed(language: str = "", collected: bool = False) -> Iterator[tuple[Site, Browser, Wars]]:
    """A site with the wars whose pages are drawn, and a browser.

    `collected`: its static files are, as on a server.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), collected=collected) as site,
        chromium() as browser,
    ):
        ids = (
            site.python("-m", "tests.browser.wars", PLAYER, UMPIRE, "pictures")
            .splitlines()[-1]
            .split()
        )
        ids += (
            site.python("-m", "tests.browser.duels", PLAYER, UMPIRE, "pictures")
            .splitlines()[-1]
            .split()
        )
        deploying, _ = war(site, "screens", "lafayette")
        made = json.loads(
            site.python(
                "-m", "tools.screens.made", PLAYER, UMPIRE, *([language] if language else ())
            ).splitlines()[-1]
        )
        more = {"deploying": deploying, "address": site.address, **made}
        yield site, browser, {**dict(zip(WARS, ids, strict=True)), **more}


def main(given: list[str]) -> int:
    """Begin a site, make its wars, look at its pages."""
    asks = argparse.ArgumentParser(
        prog="python -m tools.screens", description=(__doc__ or "").partition("\n")[0]
    )
    asks.add_argument(
        "begins", nargs="*", metavar="NAME", help="what the name of a picture begins with"
    )
    asks.add_argument(
        "--language", default="", choices=["de", "fr"], help="draw the pages in this language"
    )
    asked = asks.parse_args(given)
    language: str = asked.language
    chosen = [
        screen
        for screen in EVERY
        if not asked.begins or screen.name.startswith(tuple(asked.begins))
    ]
    if not chosen:
        print(f"no picture begins so; there are {', '.join(screen.name for screen in EVERY)}")
        return 1
    with posed(language) as (site, browser, wars):
        faults = draw(site, browser, wars, chosen, language)
    print("\n".join(faults) or "Nothing is wrong with these pages.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
