"""Requests of a player about own and foreign scenarios, by pages and API."""

from __future__ import annotations

from collections.abc import Sequence

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
    forms = [{"act": act, "file": file} for act in ("check", "yaml", "save", "open")]
    return [Request("post", path, form) for form in (*forms, {"act": "open", "file": "? ["})]


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
