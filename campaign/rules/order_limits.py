"""How many orders a faction can have to give, by what its View shows: more are refused before any is judged."""

from __future__ import annotations

from collections.abc import Iterator

from campaign.limits import MOST_SYSTEMS
from campaign.rules.designs import MOST_DESIGNS
from campaign.rules.orders import Orders
from campaign.rules.scenario import MOST_DUMMIES
from campaign.rules.view import View
from engine.errors import Violation, place

SLACK = 10  # what is named once too often is told as such, not as too much
MOST_FLEETS = 500  # of a deployment
MOST_SHIPS = 2000
MOST_STEPS = 100  # hexes of a path
MOST_REPAIRS = 100  # systems of a ship
MOST_REFITS = 20  # of a ship


def limit_faults(view: View, orders: Orders) -> list[Violation]:
    """What there is too much of in orders."""
    ships = len(view.ships) + SLACK
    fleets = len(view.fleets) + len(view.dummies) + view.reserve + ships
    most = {
        "deploy": MOST_FLEETS,
        "settings": fleets,
        "detach": ships,
        "dock": ships,
        "weasels": ships,
        "decide": len(view.in_contact) + len(view.asked) + SLACK,
        "moves": fleets,
        "tow": ships,
        "dummies": len(view.dummies) + MOST_DUMMIES + SLACK,
        "refit": ships * MOST_REFITS,
        "designs": MOST_DESIGNS,
    }
    found = [
        Violation(part, "too-many", f"at most {most[part]} orders of this kind can be given, not {given}")
        for part in most
        if (given := len(getattr(orders, part))) > most[part]
    ]
    return found or [
        Violation(where, "too-many", f"at most {limit} can be named, not {given}")
        for where, given, limit in _lists(orders, ships)
        if given > limit
    ]


def _lists(orders: Orders, ships: int) -> Iterator[tuple[str, int, int]]:
    """The lists within orders: their places, how long they are and how long they may be."""
    together = sum(len(item.ships) for item in orders.deploy)
    systems = [item.get("systems") for item in orders.designs]
    yield "deploy", together, MOST_SHIPS
    yield "designs", sum(len(given) for given in systems if isinstance(given, list)), MOST_SYSTEMS
    yield "detach", sum(len(item.ships) for item in orders.detach), 2 * ships
    yield "tow", sum(len(item.ships) for item in orders.tow), 2 * ships
    for n, item in enumerate(orders.moves):
        if item.path:
            yield place("moves", n, "path"), len(item.path), MOST_STEPS
    for n, dock in enumerate(orders.dock):
        yield place("dock", n, "repair"), len(dock.repair), MOST_REPAIRS
