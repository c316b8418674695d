"""Measure what the orders page costs the server, and its size.

`python -m tools.bench.orders_page` uses Lafayette in its third week, and a war of 500 systems on 48
by 40 hexes with 200 fleets of five ships, a closed region, and gates in the last row. It measures
the CPU time of a whole GET through the site, like `tools.bench.web`: the first of a view in a
process, and later ones. Sizes are those of the page and of its data, plain and compressed.
"""

from __future__ import annotations

import gc
import gzip
import random
import re
import statistics
from dataclasses import replace
from time import process_time
from typing import Any

from tools.bench.temporary_site import temporary_site
from tools.bench.web import ask, war_in_progress

COLUMNS, ROWS, SYSTEMS, FLEETS, SHIPS = 48, 40, 500, 200, 5
WEEKS, ROUNDS, SEED = 12, 15, 7
DATA = re.compile(rb'<script id="desk" type="application/json">(.*?)</script>', re.DOTALL)


def main() -> None:
    with temporary_site(ALLOWED_HOSTS="localhost"):
        measure()


def measure() -> None:
    """Print a row for each war."""
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler

    site = WSGIHandler()
    print(
        f"{'':<34} {'first, ms CPU':>14} {'then':>7} {'page, KB':>8} {'gz':>8} {'data, KB':>8} {'gz':>8}"
    )

    def measure_war(words: str, session: str, war: str) -> None:
        row(
            words,
            site,
            f"/c/{war}/orders/",
            {"HTTP_COOKIE": f"{settings.SESSION_COOKIE_NAME}={session}"},
        )

    session, _, war = war_in_progress(3)
    measure_war("Lafayette, week 3", session, war)
    for words, odd in (
        ("500 systems, 200 fleets", False),
        ("the same, closed hexes and gates", True),
    ):
        session, _, war = war_in_progress(1, large_scenario(odd), f"admiral-{odd}")
        stand_in(war)
        measure_war(words, session, war)


def row(words: str, site: Any, address: str, headers: dict[str, str]) -> None:
    cpu_time(site, address, headers)  # warms the process up
    gc.collect()
    gc.freeze()  # as bin/serve does after loading everything
    forget()
    first = cpu_time(site, address, headers)
    then = statistics.median(cpu_time(site, address, headers) for _ in range(ROUNDS))
    page = body(address, headers)
    match = DATA.search(page)
    data = match[1] if match else b""
    sizes = (len(page), len(gzip.compress(page, 6)), len(data), len(gzip.compress(data, 6)))
    print(
        f"{words:<34} {first:>14.1f} {then:>7.1f} "
        + " ".join(f"{size / 1000:>8.1f}" for size in sizes)
    )


def cpu_time(site: Any, address: str, headers: dict[str, str]) -> float:
    """Return the CPU milliseconds of one GET."""
    started = process_time()
    status, _ = ask(site, address, headers)
    assert status == 200, status
    return (process_time() - started) * 1000


def body(address: str, headers: dict[str, str]) -> bytes:
    """Return the body of the answer."""
    from django.test import Client

    name, _, key = headers["HTTP_COOKIE"].partition("=")
    client = Client()
    client.cookies[name] = key
    content: bytes = client.get(address, headers={"host": "localhost"}).content
    return content


def forget() -> None:
    """Empty the process's caches of forms, maps and arrivals."""
    from campaign.pages.week import orders, orders_data
    from campaign.rules import arrivals
    from campaign.web import map_views

    for cached in (orders_data._cache, orders._form_html, map_views._map_views):
        cached.clear()
    arrivals.find_arrivals.cache_clear()
    arrivals.weeks_text.cache_clear()


def large_scenario(odd: bool) -> Any:
    """Return Lafayette on a large map with many more systems.

    Args:
        odd: With a closed region and gates.
    """
    from campaign.rules.files import fixture_scenario
    from campaign.rules.hexes import labels
    from campaign.rules.scenario import Link, StarSystem

    played, dice = fixture_scenario("lafayette"), random.Random(SEED)
    used_hexes = {system.hex for system in played.systems} | {entry.hex for entry in played.entries}
    closed = (
        tuple(label for label in labels(COLUMNS, ROWS) if label[:2] == "30" and label[2:] > "10")
        if odd
        else ()
    )
    free = [
        label for label in labels(COLUMNS, ROWS) if label not in used_hexes and label not in closed
    ]
    new_hexes = dice.sample(free, SYSTEMS - len(played.systems))
    links = (
        (Link("gate", new_hexes[0], new_hexes[1], 3), Link("portal", new_hexes[2], new_hexes[3], 0))
        if odd
        else ()
    )
    systems = tuple(
        StarSystem(f"far-{n}", f"Far {n}", label, None, n % 5 == 0)
        for n, label in enumerate(new_hexes)
    )
    return replace(
        played,
        slug=f"large-{odd}".lower(),
        columns=COLUMNS,
        rows=ROWS,
        weeks=WEEKS,
        systems=(*played.systems, *systems),
        closed=closed,
        links=links,
    )


def stand_in(war: str) -> None:
    """Replace the newest view of the player's faction, in this process, by one with many fleets."""
    from campaign.models.campaign import Campaign
    from campaign.sight import views

    campaign = Campaign.objects.get(public_id=war)
    now = views.current_sight(campaign, campaign.factions.get(key="esu"))
    views._view_cache.keep(
        now.etag, large_view([system.hex for system in large_scenario(False).systems], now.view)
    )


def large_view(hexes: list[str], view: Any) -> Any:
    """Return the view with many fleets, copies of one fleet's ships, and contacts all over the map."""
    from campaign.rules.view import Sighting

    dice = random.Random(SEED)
    fleet, fleet_ships = (
        view.fleets[0],
        [ship for ship in view.ships if ship.fleet == view.fleets[0].key][:SHIPS],
    )
    fleets, ships = [], []
    for n in range(1, FLEETS + 1):
        key = f"esu/f{n}"
        fleets.append(
            replace(fleet, key=key, name=f"Fleet {n}", hex=dice.choice(hexes), back="0101")
        )
        ships += [
            replace(s, key=f"esu/s{n * SHIPS + i}", name=f"{s.name} {n}", fleet=key)
            for i, s in enumerate(fleet_ships)
        ]
    sightings = [
        Sighting(1, label, "nac", (("capital", 2), ("escort", 5)))
        for label in dice.sample(hexes, 60)
    ]
    return replace(view, fleets=tuple(fleets), ships=tuple(ships), sightings=tuple(sightings))


if __name__ == "__main__":
    main()
