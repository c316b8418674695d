"""Requests of a player about battles: results at a table, orders in a phase, public moments."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from tests.access.client_requests import Request
from tests.access.fights import guessed_ships
from tests.access.site_routes import ANY_MATCH, NOT_THERE, Guesses


def table_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of a result, about own and foreign ships."""
    fields = {f"damage-{key}": "1" for key in guesses.ships} | {
        f"status-{key}": "left" for key in guesses.ships
    }
    return [
        Request("post", path, {"stage": number, "version": "1", "action": action, **fields})
        for number in ("0", "7")
        for action in ("save", "seal", "unseal", "x")
    ]


def record_form(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return buttons of a battle's record, about own and foreign ships."""
    buttons = [f"boxes|{ship}|1|1|1" for ship in guesses.ships] + ["phase|1|1", "plot", "x"]
    return [
        Request("post", path, {"key": "0", "do": do, "about": "a die", "rolls": "4"})
        for do in buttons
    ]


def record_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return entries of a battle's record as its script sends them."""
    ships = guessed_ships(guesses.history)
    marks = [{"kind": "boxes", "ship": ship, "first": 1, "last": 1, "off": True} for ship in ships]
    marks += [{"kind": "shown", "ship": ship} for ship in ships]
    others: list[dict[str, Any]] = [
        {"kind": "phase", "turn": 1, "phase": 1},
        {"kind": "plot", "turn": 1, "orders": {}},
    ]
    entries = [[str(uuid.UUID(int=n)), entry] for n, entry in enumerate((*marks, *others))]
    return [
        Request("post", path, {"entries": entries}, True),
        Request("post", path, {"entries": [[1, 2]]}, True),
    ]


def record_api_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return the same over the API."""
    (request, _) = record_requests(guesses, path)
    keyed_entries = [{"key": key, "entry": entry} for key, entry in request.data["entries"]]
    return [
        Request("post", path, {"entries": keyed_entries}, True),
        Request("post", path, {"entries": [{}]}, True),
    ]


def result_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return results over the API."""
    ships = {key: {"status": "left", "damage": 1} for key in guesses.ships}
    results = [{"turns": 2, "ships": ships}, {"turns": 0}, {}]
    if path.endswith("seal/"):
        return [Request("post", path, {"result": result}, True) for result in results]
    method, tags = ("post", ()) if path.endswith("check/") else ("put", ANY_MATCH)
    return [Request(method, path, result, True, tags) for result in results]


def phase_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return orders in a phase to own and foreign ships, at targets under every name one may guess."""
    names = guessed_ships(guesses.history)
    orders: list[dict[str, Any]] = [
        {},
        {"plot": {}},
        {"engage": []},
        {"plot": dict.fromkeys(names, "P1+1")},
        {"plot": {name: f"scan {' '.join(names)}; ram {names[-1]}" for name in names}},
        {
            "engage": {
                name: [{"weapon": "battery-1", "target": other} for other in names]
                for name in names
            }
        },
        {"engage": [[name, [{"weapon": "nothing", "target": name}]] for name in names]},
    ]
    if path.endswith("seal/"):
        return [
            Request("post", path, {"orders": order_document}, True) for order_document in orders
        ]
    method, tags = ("post", ()) if path.endswith("check/") else ("put", ANY_MATCH)
    return [Request(method, path, order_document, True, tags) for order_document in orders]


def phase_panels(guesses: Guesses) -> Sequence[str]:
    """Return rare orders of own ships that name foreign ones by code and id, and of foreign ships."""
    own_ship, *_, code, _, foe, _ = guessed_ships(guesses.history)
    panels = [
        f"panel={own_ship}&raw-{own_ship}=P1%3B%20scan%20{name}%3B%20ram%20{name}"
        for name in (code, foe)
    ]
    return [
        "at=0-open",
        *panels,
        f"panel={code}",
        f"panel={foe}",
        f"more={own_ship}",
        f"more={foe}",
    ]


def phase_form(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of a phase, about own and foreign ships."""
    ships = guessed_ships(guesses.history)
    fields = {f"turn-{key}": "1" for key in ships} | {
        f"fire-{key}-battery-1-0": ships[-1] for key in ships
    }
    return [
        Request("post", path, {"stage": number, "version": "1", "action": action, **fields})
        for number in ("0", "1", "7")
        for action in ("save", "seal", "unseal", "default")
    ]


def moment_calls(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return turns of a battle to publish: of one that may exist, and of none."""
    battles = [*guesses.parts.get("battle", ())[:2], NOT_THERE]
    bodies = [{"battle": battle, "turn": 1, "title": "x"} for battle in battles]
    return [Request("post", path, body, json=True) for body in bodies]


def moment_forms(_: Guesses, path: str) -> Sequence[Request]:
    """Return answers to a moment that does not exist."""
    forms = [{"act": act, "moment": NOT_THERE} for act in ("agree", "take-back")]
    return [Request("post", path, form) for form in forms]
