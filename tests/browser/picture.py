"""The picture of the README: `python -m tests.browser.picture` draws docs/pictures/starmap.png
again.

It shows a player of Lafayette at the orders of the fourth week, in the dark theme, with a fleet on
its way. A palette of 256 colours makes the file a third as large.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.chromium import chromium
from tests.browser.people import LAPTOP, person
from tests.browser.week import CENTRE
from tests.site.running import ROOT, run_site

PICTURE = ROOT / "docs" / "pictures" / "starmap.png"
PLAYER = "iris"
FROM, TO = "0805", "1104"


def main() -> None:
    """Start a site, play the war, take the picture."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_site(Path(folder)) as site,
        chromium() as browser,
    ):
        war = site.python("-m", "tests.browser.wars", PLAYER).splitlines()[-1]
        player = person(site, browser, PLAYER, LAPTOP, color_scheme="dark", reduced_motion="reduce")
        player.go(f"/c/{war}/orders/")
        for hex_ in (FROM, TO):
            player.page.mouse.click(*player.page.evaluate(CENTRE, hex_))
        player.page.mouse.move(0, 0)
        PICTURE.parent.mkdir(exist_ok=True)
        player.page.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
