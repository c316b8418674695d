"""Requests of a player about own and foreign scenarios, by pages and API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.access.client_requests import Request
from tests.access.private_rows import OTHER_SCENARIO
from tests.access.site_routes import Guesses


def scenario_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of scenarios: created, imported, and own and foreign ones to delete."""
    forms = [{"act": "begin", "scenario": slug} for slug in ("first-steps", OTHER_SCENARIO)]
    forms += [{"act": "import", "text": text} for text in ("name: Small", "? [")]
    forms += [{"act": "delete", "id": id_} for id_ in guesses.parts["scenario"]] + [{"act": "x"}]
    return [Request("post", path, form) for form in forms]


def builder_form(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return what the battle builder sends: a battle and no battle, by each of its buttons."""
    file = (
        "{slug: duel, name: Duel, edition: second-edition, battle: {points: 200, sides: "
        "[{name: red, muster: {}}, {name: blue, muster: {}}]}, "
        "factions: [{id: red, name: Red}, {id: blue, name: Blue}]}"
    )
    forms = [{"act": act, "file": file} for act in ("check", "yaml", "save", "tournament", "open")]
    return [Request("post", path, form) for form in (*forms, {"act": "open", "file": "? ["})]


def tournament_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of new tournaments: a public battle, a foreign scenario, and bad values."""
    form = {"name": "Cup", "pairing": "swiss", "battles": "captains", "clock": "solo"}
    form |= {"rounds": "2", "win": "3", "draw": "1", "round_hours": ""}
    changes = ({"scenario": "first-battle"}, {"scenario": OTHER_SCENARIO}, {"rounds": "x"})
    return [Request("post", path, form | change) for change in changes]


def tournament_acts(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return all acts of an organiser at a tournament, with values for each, once for all verbs."""
    if not path.endswith("/nothing/"):
        return []
    # Round 99 is refused: a new battle would need random ids, which are the same here.
    form = {"number": "99", "hours": "3", "match": "1", "winner": "draw", "player": "2"}
    form |= {"first_scored": "1", "second_scored": "2"}
    acts = ("settle", "open", "extend", "close", "link", "remove", "leave", "finish", "nothing")
    where = path.rstrip("/").rpartition("/")[0]
    return [Request("post", f"{where}/{act}/", form) for act in acts]


def tournament_call(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return calls of the API about tournaments with values for each of them."""
    body: Any = {"name": "Cup", "scenario": "first-battle", "battles": "captains", "rounds": 2}
    if path != "/api/tournaments/":
        body = {
            "join": {"token": "wrong"},
            "rounds": {"number": 99},
            "deadline": {"hours": 2},
            "result": {"match": 1, "winner": "draw", "scored": [1, 2]},
            "remove": {"number": 2},
        }.get(path.rstrip("/").rpartition("/")[2], {})
    return [Request("post", path, body, True)]


def editor_form(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return what an editor's page sends: a faction, a system, and the button to play."""
    fields = {
        "factions-0-row": "1",
        "factions-0-id": guesses.history.others[0],
        "systems-0-row": "1",
    }
    return [
        Request("post", path, {**fields, "act": act})
        for act in ("save", "add:systems", "drop:systems:0", "play")
    ]


def scenario_texts(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return files of scenarios as programs send them, and copies of included and foreign ones."""
    payloads = [
        {"text": "name: Small"},
        {"text": "? ["},
        {"copy_of": "first-steps"},
        {"copy_of": OTHER_SCENARIO},
    ]
    return [Request("post", path, payload, True) for payload in payloads]


def scenario_put(guesses: Guesses, path: str) -> Sequence[Request]:
    tagged = Request("put", path, {"text": "name: Small"}, True, (("If-Match", '"x"'),))
    return [tagged, Request("put", path, {"text": "name: Small"}, True), Request("delete", path)]


def war_buttons(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return the buttons of a scenario's balance."""
    return [
        Request("post", path, {"act": act})
        for act in ("play", "stop", "seek", "apply", "undo", "x")
    ]
