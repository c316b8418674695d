"""What every page brings to a browser that has seen none: `python -m tools.bench.page_weights [NAME
...]`.

The pages are those of the pictures (tools/screens), each opened by a browser of its own with an
empty cache, at laptop width, from a site whose static files are collected as a server has them.
Bytes are as they come, compressed. What a page fetches later, with its first touch, is not among
them, but for what comes within a moment.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.browser.people import LAPTOP, person, visitor
from tools.screens.__main__ import EVERY, posed
from tools.screens.addresses import SHOWN
from tools.screens.screen import NOBODY

SETTLED = 600  # milliseconds
BROUGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
  one => [one.initiatorType, new URL(one.name).pathname, one.encodedBodySize])"""
SORTS = {"css": "styles", "js": "scripts", "svg": "pictures", "png": "pictures"}
COLUMNS = ("itself", "styles", "scripts", "pictures", "data")
ASKED = ("/pulse/", "/now/")  # by pages that wait


def main(begins: list[str]) -> None:
    chosen = [one for one in EVERY if one.name in set(SHOWN.values()) and one.scripts]
    chosen = [one for one in chosen if not begins or one.name.startswith(tuple(begins))]
    rows: list[tuple[str, Counter[str]]] = []
    with posed(collected=True) as (site, browser, wars):
        for screen in chosen:
            come = visitor if screen.who == NOBODY else person
            one = come(site, browser, screen.who, LAPTOP)
            path = screen.path(wars, one.page)
            one.context.close()  # which may have looked at other pages for it
            one = come(site, browser, screen.who, LAPTOP)
            one.go(path)
            one.page.wait_for_timeout(SETTLED)
            sums: Counter[str] = Counter()
            for by, name, size in one.page.evaluate(BROUGHT):
                if not any(asked in name for asked in ASKED):
                    sums[
                        "itself"
                        if by == "navigation"
                        else SORTS.get(name.rsplit(".", 1)[-1], "data")
                    ] += size
            rows.append((screen.name, sums))
            print(f"{screen.name} {sum(sums.values())}", file=sys.stderr, flush=True)
            one.context.close()
    print("| page | all, kB | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for name, sums in sorted(rows, key=lambda row: -sum(row[1].values())):
        cells = [f"{sums[column] / 1000:.1f}" if sums[column] else "" for column in COLUMNS]
        print(f"| {name} | {sum(sums.values()) / 1000:.0f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
