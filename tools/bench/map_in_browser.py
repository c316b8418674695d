"""Measure how a browser lays out the map of the orders: `python -m tools.bench.map_in_browser`.

The maps are First Steps and Lafayette with a fleet chosen, at laptop and phone width. The time of a
layout (`StarMap.paint`) is divided by the browser's own time for the same drawing given as text:
the ratio shows what our scripts add, on any machine; milliseconds are of this one. Medians of
`ROUNDS`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.chromium import chromium
from tests.browser.people import LAPTOP, PHONE, Person, person, start_umpired_war, wait_for_stage
from tests.browser.week import choose
from tests.site.running import run_site

ROUNDS = 41
MEASURED = """rounds => {
  const map = document.querySelector("[data-map]").starMap, layer = map.overlay, drawn = layer.innerHTML;
  const timed = (act) => {
    const once = () => { const begun = performance.now(); act(); return performance.now() - begun; };
    const found = Array.from({length: rounds}, once);
    return found.sort((a, b) => a - b)[rounds >> 1];
  };
  return [timed(() => map.paint()), timed(() => { layer.innerHTML = drawn; }), map.svg.querySelectorAll("*").length];
}"""
WARS = {"first-steps": ("ember", "frost"), "lafayette": ("esu", "nac")}


def main() -> None:
    print(f"{'':<32} {'layout, ms':>10} {'browser alone':>14} {'ratio':>7} {'elements':>9}")
    with (
        tempfile.TemporaryDirectory(prefix="bj-map-") as folder,
        run_site(Path(folder), f"sqlite:///{folder}/site.sqlite3", collected=True) as site,
        chromium() as browser,
    ):
        for slug, keys in WARS.items():
            campaign, names = start_umpired_war(site, slug, slug)
            for key in keys:
                visitor = person(site, browser, names[key])
                visitor.go(f"/c/{campaign}/deploy/")
                visitor.seal(last=key == keys[-1])
                visitor.context.close()
            wait_for_stage(site, names[keys[0]], campaign, (1, "orders"))
            for size in (LAPTOP, PHONE):
                player = person(site, browser, names[keys[0]], size)
                player.go(f"/c/{campaign}/orders/")
                row(f"{slug}, {size[0]} pixels wide", player)
                player.context.close()


def row(words: str, player: Person) -> None:
    choose(
        player,
        player.page.locator("[data-fleet][data-name]").first.get_attribute("data-name") or "",
    )
    layout_ms, alone, elements = player.page.evaluate(MEASURED, ROUNDS)
    print(
        f"{words:<32} {layout_ms:>10.1f} {alone:>14.1f} {layout_ms / max(alone, 0.1):>7.1f} {elements:>9}"
    )


if __name__ == "__main__":
    main()
