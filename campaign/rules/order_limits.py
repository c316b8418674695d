"""How many orders a faction can have to give, by what its View shows: more are refused before any is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from campaign.limits import MOST_SYSTEMS
from campaign.rules.designs import MOST_DESIGNS
from campaign.rules.orders import Orders
from campaign.rules.scenario import MOST_DUMMIES
from campaign.rules.view import View
from engine.core.errors import Violation, place

SLACK = 10  # what is named once too often is told as such, not as too much
MOST_FLEETS = 500  # of a deployment
MOST_SHIPS = 2000
MOST_STEPS = 100  # hexes of a path
MOST_REPAIRS = 100  # systems of a ship
MOST_REFITS = 20  # of a ship


def limit_faults(view: View, orders: Orders | Mapping[str, Any]) -> list[Violation]:
    """What there is too much of in orders, whatever else is wrong with them. They may be as somebody wrote them."""
    ships = len(view.ships) + SLACK
    most = _most(view, ships)
    found = [
        Violation(part, "too-many", f"at most {most[part]} orders of this kind can be given, not {given}")
        for part in most
        if (given := len(_listed(orders, part))) > most[part]
    ]
    return found or [
        Violation(where, "too-many", f"at most {limit} can be named, not {given}")
        for where, given, limit in _lists(orders, ships)
        if given > limit
    ]


def _most(view: View, ships: int) -> dict[str, int]:
    """How many orders of each kind there can be."""
    fleets = len(view.fleets) + len(view.dummies) + view.reserve + ships
    return {
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


def _lists(orders: Orders | Mapping[str, Any], ships: int) -> Iterator[tuple[str, int, int]]:
    """The lists within orders: their places, how long they are and how long they may be."""
    yield "deploy", _together(orders, "deploy", "ships"), MOST_SHIPS
    yield "designs", _together(orders, "designs", "systems"), MOST_SYSTEMS
    yield "detach", _together(orders, "detach", "ships"), 2 * ships
    yield "tow", _together(orders, "tow", "ships"), 2 * ships
    for n, path in enumerate(_paths(orders)):
        if path:
            yield place("moves", n, "path"), len(path), MOST_STEPS
    for n, item in enumerate(_listed(orders, "dock")):
        yield place("dock", n, "repair"), len(_listed(item, "repair")), MOST_REPAIRS


def _together(orders: Orders | Mapping[str, Any], part: str, name: str) -> int:
    return sum(len(_listed(item, name)) for item in _listed(orders, part))


def _paths(orders: Orders | Mapping[str, Any]) -> Sequence[Sequence[object]]:
    if isinstance(orders, Orders):
        return [move.path for move in orders.moves]
    return [_listed(item, "path") for item in _listed(orders, "moves")]


def _listed(item: object, name: str) -> Sequence[object]:
    """A list of an order, or of what somebody wrote for one; nothing where there is none."""
    found = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
    return found if isinstance(found, (list, tuple)) else ()
