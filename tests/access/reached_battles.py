"""What a player asks where battles are played by people: results at a table, orders at a stop."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from tests.access.asking import Ask
from tests.access.fights import guessed_ships
from tests.access.reach import ANY_MATCH, Guesses


def table_asks(known: Guesses, path: str) -> Sequence[Ask]:
    """The form of a result: about own ships and those of others."""
    fields = {f"damage-{key}": "1" for key in known.ships} | {
        f"status-{key}": "left" for key in known.ships
    }
    return [
        Ask("post", path, {"stage": number, "version": "1", "action": action, **fields})
        for number in ("0", "7")
        for action in ("save", "seal", "unseal", "x")
    ]


def record_form(known: Guesses, path: str) -> Sequence[Ask]:
    """Buttons of a battle's record: about own ships and those of others."""
    buttons = [f"boxes|{ship}|1|1|1" for ship in known.ships] + ["phase|1|1", "plot", "x"]
    return [
        Ask("post", path, {"key": "0", "do": do, "about": "a die", "rolls": "4"}) for do in buttons
    ]


def record_asks(known: Guesses, path: str) -> Sequence[Ask]:
    """Entries of a battle's record as its script sends them."""
    ships = guessed_ships(known.history)
    marks = [{"kind": "boxes", "ship": ship, "first": 1, "last": 1, "off": True} for ship in ships]
    marks += [{"kind": "shown", "ship": ship} for ship in ships]
    others: list[dict[str, Any]] = [
        {"kind": "phase", "turn": 1, "phase": 1},
        {"kind": "plot", "turn": 1, "orders": {}},
    ]
    sent = [[str(uuid.UUID(int=n)), entry] for n, entry in enumerate((*marks, *others))]
    return [
        Ask("post", path, {"entries": sent}, True),
        Ask("post", path, {"entries": [[1, 2]]}, True),
    ]


def record_asks_api(known: Guesses, path: str) -> Sequence[Ask]:
    """The same over the API."""
    (sent, _) = record_asks(known, path)
    named = [{"key": key, "entry": entry} for key, entry in sent.data["entries"]]
    return [Ask("post", path, {"entries": named}, True), Ask("post", path, {"entries": [{}]}, True)]


def result_asks(known: Guesses, path: str) -> Sequence[Ask]:
    """Results over the API."""
    ships = {key: {"status": "left", "damage": 1} for key in known.ships}
    results = [{"turns": 2, "ships": ships}, {"turns": 0}, {}]
    if path.endswith("seal/"):
        return [Ask("post", path, {"result": one}, True) for one in results]
    method, tags = ("post", ()) if path.endswith("check/") else ("put", ANY_MATCH)
    return [Ask(method, path, one, True, tags) for one in results]


def stop_asks(known: Guesses, path: str) -> Sequence[Ask]:
    """Orders at a stop: to own ships, to those of others, aimed at what is there under every name
    one may guess.
    """
    names = guessed_ships(known.history)
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
        return [Ask("post", path, {"orders": one}, True) for one in orders]
    method, tags = ("post", ()) if path.endswith("check/") else ("put", ANY_MATCH)
    return [Ask(method, path, one, True, tags) for one in orders]


def stop_panels(known: Guesses) -> Sequence[str]:
    """Seldom orders of own ships, which name those of others by their codes and by their ids, and
    of others' ships.
    """
    own, *_, code, _, foe, _ = guessed_ships(known.history)
    said = [
        f"panel={own}&raw-{own}=P1%3B%20scan%20{name}%3B%20ram%20{name}" for name in (code, foe)
    ]
    return [*said, f"panel={code}", f"panel={foe}", f"more={own}", f"more={foe}"]


def stop_form(known: Guesses, path: str) -> Sequence[Ask]:
    """The form of a stop: about own ships and those of others."""
    ships = guessed_ships(known.history)
    fields = {f"turn-{key}": "1" for key in ships} | {
        f"fire-{key}-battery-1-0": ships[-1] for key in ships
    }
    return [
        Ask("post", path, {"stage": number, "version": "1", "action": action, **fields})
        for number in ("0", "1", "7")
        for action in ("save", "seal", "unseal", "default")
    ]
