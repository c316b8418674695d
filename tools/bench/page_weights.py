"""Measure what every page brings to a browser with an empty cache.

`python -m tools.bench.page_weights [NAME ...]` opens the pages of the pictures (tools/screens),
each in its own browser at laptop width, from a site whose static files are collected as on a
server. Sizes are in compressed bytes, as received. What a page fetches later, at the first touch,
is not counted unless it comes within a moment.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.browser.people import LAPTOP, person, visitor
from tools.screens.__main__ import ALL_SCREENS, prepared_site
from tools.screens.addresses import PICTURES
from tools.screens.screen import ANONYMOUS

SETTLED = 600  # milliseconds
BROUGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
  one => [one.initiatorType, new URL(one.name).pathname, one.encodedBodySize])"""
SORTS = {"css": "styles", "js": "scripts", "svg": "pictures", "png": "pictures"}
COLUMNS = ("itself", "styles", "scripts", "pictures", "data")
POLLED_PATHS = ("/pulse/", "/now/")  # for pages that wait


def main(begins: list[str]) -> None:
    chosen = [
        visit for visit in ALL_SCREENS if visit.name in set(PICTURES.values()) and visit.scripts
    ]
    chosen = [visit for visit in chosen if not begins or visit.name.startswith(tuple(begins))]
    rows: list[tuple[str, Counter[str]]] = []
    with prepared_site(collected=True) as (site, browser, wars):
        for screen in chosen:
            log_in = visitor if screen.user == ANONYMOUS else person
            visit = log_in(site, browser, screen.user, LAPTOP)
            path = screen.path(wars, visit.page)
            visit.context.close()  # it may have opened other pages first
            visit = log_in(site, browser, screen.user, LAPTOP)
            visit.go(path)
            visit.page.wait_for_timeout(SETTLED)
            sums: Counter[str] = Counter()
            for by, name, size in visit.page.evaluate(BROUGHT):
                if not any(polled in name for polled in POLLED_PATHS):
                    sums[
                        "itself"
                        if by == "navigation"
                        else SORTS.get(name.rsplit(".", 1)[-1], "data")
                    ] += size
            rows.append((screen.name, sums))
            print(f"{screen.name} {sum(sums.values())}", file=sys.stderr, flush=True)
            visit.context.close()
    print("| page | all, kB | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for name, sums in sorted(rows, key=lambda row: -sum(row[1].values())):
        cells = [f"{sums[column] / 1000:.1f}" if sums[column] else "" for column in COLUMNS]
        print(f"| {name} | {sum(sums.values()) / 1000:.0f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
