"""Measure the frames of a film: `python -m tools.bench.film_in_browser`.

The film is the largest battle of a finished war of Lafayette, on its replay page, at normal speed
for `SECONDS`; with the processor as it is, and slowed down four times. Printed are the milliseconds
from frame to frame and those that our script takes for one. Without a graphics chip the browser
paints the canvas itself, so frames there are slower than on a phone or a laptop.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.browser.chromium import chromium
from tests.browser.people import LAPTOP, PHONE, Person, person
from tests.browser.wars import PLAYER, UMPIRE
from tests.site.running import run_site

SECONDS = 20
SLOWED = (1, 4)
MEASURED = """seconds => new Promise((done) => {
  const frames = [], scripts = [], begun = performance.now();
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) => request((time) => {
    const start = performance.now();
    act(time);
    scripts.push(performance.now() - start);
  });
  let last = 0;
  const next = (time) => {
    if (last) frames.push(time - last);
    last = time;
    if (performance.now() - begun < seconds * 1000) { request(next); return; }
    const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)];
    done([frames, scripts].map((list) => [at(list, 0.5), at(list, 0.95)]).flat());
  };
  request(next);
})"""


def main() -> None:
    """Print a row for each size and speed of the processor."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    print(f"{'':<38} {'frame, median':>14} {'95%':>6} {'script':>7} {'95%':>6}")
    with (
        tempfile.TemporaryDirectory(prefix="bj-film-") as folder,
        run_site(Path(folder), collected=True) as site,
        chromium() as browser,
    ):
        site.people(PLAYER, UMPIRE)
        wars = site.run("tests.browser.wars", PLAYER, UMPIRE).splitlines()[-1].split()
        for size in (LAPTOP, PHONE):
            player = person(site, browser, PLAYER, size)
            ships = _open_largest_battle(player, wars[1])
            for rate in SLOWED:
                _print_row(player, f"{ships} units, {size[0]} pixels, processor 1/{rate}", rate)
            player.context.close()


def _open_largest_battle(player: Person, war: str) -> int:
    """Open the replay with the most units, and return how many there are."""
    player.go(f"/c/{war}/reports/")
    links = player.page.locator("a[href*='/battles/']")
    addresses = {link.get_attribute("href") or "" for link in links.all()}
    sizes = {}
    for address in sorted(addresses):
        player.go(address)
        data = "JSON.parse(document.getElementById('replay').textContent).units.length"
        sizes[address] = int(player.page.evaluate(data))
    largest = max(sizes, key=lambda address: sizes[address])
    player.go(largest)
    return sizes[largest]


def _print_row(player: Person, words: str, rate: int) -> None:
    """Play the film from its beginning, and print what was measured."""
    page = player.page
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    session = player.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.keyboard.press("Space")
    frame, slow_frame, script, slow_script = page.evaluate(MEASURED, SECONDS)
    page.keyboard.press("Space")
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    print(f"{words:<38} {frame:>14.1f} {slow_frame:>6.1f} {script:>7.1f} {slow_script:>6.1f}")


if __name__ == "__main__":
    main()
