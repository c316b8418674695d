"""Take the pictures again, all of them or those whose names begin with NAME.

`python -m tools.screens [NAME ...]`. `--language de` takes full-length pictures of the pages in
that language and saves them in var/screens/de, which is not kept.

Every page is checked while its picture is taken, at each size and theme: one heading of the first
level, no sideways scrolling, nothing found by axe, no error of the browser. Faults are printed at
the end, and the exit status is 1. To add pictures, add a module with its `SCREENS` and list it
below.
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
from tests.browser.duels import PHASES
from tests.browser.people import person, start_umpired_war, visitor
from tests.site.running import ROOT, Site, run_site
from tools.screens import (
    accounts,
    battles,
    deciding,
    designer,
    error_pages,
    news,
    orders,
    pages,
    replays,
    seats,
    tables,
    umpire,
)
from tools.screens.addresses import PICTURES, address_name
from tools.screens.screen import ANONYMOUS, PLAYER, SIZES, UMPIRE, Screen, Wars

FOLDER = ROOT / "docs" / "pictures" / "screens"
ALL_SCREENS: tuple[Screen, ...] = (
    # These need a recent log-in: five minutes later they ask for the password again
    *accounts.SCREENS,
    *battles.SCREENS,
    *designer.SCREENS,
    *replays.SCREENS,
    *tables.SCREENS,
    *orders.SCREENS,
    *umpire.SCREENS,
    *news.SCREENS,
    *pages.SCREENS,
    *seats.SCREENS,
    *deciding.SCREENS,
    *error_pages.SCREENS,
)
WARS = ("lafayette", "lafayette-over", "first-battle", "at-table", *PHASES)
ELSEWHERE = ROOT / "var" / "screens"  # for other languages
QUALITY = 50  # quality of a small picture, in per cent
SETTLED = 400  # milliseconds until a page is at rest


def draw(
    site: Site, browser: Browser, wars: Wars, screens: Iterable[Screen], language: str = ""
) -> list[str]:
    """Take every picture of these screens, and return the faults of their pages.

    A screen that is listed as the picture of a page must be at that page.

    Args:
        language: The language that browsers ask for.
    """
    folder = ELSEWHERE / language if language else FOLDER
    faults = []
    expected = {screen: address for address, screen in PICTURES.items()}
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
            log_in = visitor if screen.user == ANONYMOUS else person
            visit = log_in(site, browser, screen.user, SIZES[size], **options)
            visit.go(screen.path(wars, visit.page))
            screen.act(visit.page)
            visit.page.mouse.move(0, 0)
            visit.page.wait_for_timeout(SETTLED)
            address_shown = address_name(visit.page.url)
            assert expected.get(screen.name, address_shown) == address_shown, (
                f"{screen.name} shows {address_shown}, not {expected[screen.name]}"
            )
            small = screen.small and not language
            name = f"{screen.name}-{size}-{theme}.{'jpg' if small else 'png'}"
            image_options: dict[str, Any] = {"type": "jpeg", "quality": QUALITY} if small else {}
            if screen.is_saved or language:
                visit.page.screenshot(path=folder / name, full_page=bool(language), **image_options)
            if screen.status != 200:
                visit.faults[:] = [
                    fault for fault in visit.faults if f"status of {screen.status}" not in fault
                ]
            if screen.scripts:
                try:
                    visit.check_page(urlsplit(visit.page.url).path)
                except AssertionError as fault:
                    faults.append(f"{name}: {fault}")
            visit.context.close()
            print(name)
    return faults


@contextmanager
def prepared_site(
    language: str = "", collected: bool = False
) -> Iterator[tuple[Site, Browser, Wars]]:
    """Yield a site with the wars of the pictures, and a browser.

    Args:
        collected: Whether static files are collected, as on a server.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    with (
        tempfile.TemporaryDirectory() as folder,
        run_site(Path(folder), collected=collected) as site,
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
        deploying, _ = start_umpired_war(site, "screens", "lafayette")
        war_ids = json.loads(
            site.python(
                "-m", "tools.screens.make_wars", PLAYER, UMPIRE, *([language] if language else ())
            ).splitlines()[-1]
        )
        extra = {"deploying": deploying, "address": site.address, **war_ids}
        yield site, browser, {**dict(zip(WARS, ids, strict=True)), **extra}


def main(arguments: list[str]) -> int:
    """Start a site, create its wars, and take pictures of its pages."""
    asks = argparse.ArgumentParser(
        prog="python -m tools.screens", description=(__doc__ or "").partition("\n")[0]
    )
    asks.add_argument(
        "begins", nargs="*", metavar="NAME", help="what the name of a picture begins with"
    )
    asks.add_argument(
        "--language", default="", choices=["de", "fr"], help="draw the pages in this language"
    )
    options = asks.parse_args(arguments)
    language: str = options.language
    chosen = [
        screen
        for screen in ALL_SCREENS
        if not options.begins or screen.name.startswith(tuple(options.begins))
    ]
    if not chosen:
        print(f"no picture begins so; there are {', '.join(screen.name for screen in ALL_SCREENS)}")
        return 1
    with prepared_site(language) as (site, browser, wars):
        faults = draw(site, browser, wars, chosen, language)
    print("\n".join(faults) or "Nothing is wrong with these pages.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
