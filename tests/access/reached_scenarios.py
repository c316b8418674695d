"""What a player asks of scenarios of his own, and of those of others, by pages and API."""

from __future__ import annotations

from collections.abc import Sequence

from tests.access.asking import Ask
from tests.access.papers import THEIRS
from tests.access.reach import Guesses


def scenario_forms(known: Guesses, path: str) -> Sequence[Ask]:
    """The forms of one's scenarios: begun, brought in, and those of oneself and of others to be
    thrown away.
    """
    forms = [{"act": "begin", "scenario": slug} for slug in ("first-steps", THEIRS)]
    forms += [{"act": "import", "text": text} for text in ("name: Small", "? [")]
    forms += [{"act": "delete", "id": id_} for id_ in known.parts["scenario"]] + [{"act": "x"}]
    return [Ask("post", path, form) for form in forms]


def editor_form(known: Guesses, path: str) -> Sequence[Ask]:
    """What an editor's page sends: a faction, a system, and the wish to play it."""
    fields = {"factions-0-row": "1", "factions-0-id": known.history.others[0], "systems-0-row": "1"}
    return [
        Ask("post", path, {**fields, "act": act})
        for act in ("save", "add:systems", "drop:systems:0", "play")
    ]


def scenario_texts(known: Guesses, path: str) -> Sequence[Ask]:
    """Files of scenarios as programs send them, and copies of the project's and of others'."""
    given = [
        {"text": "name: Small"},
        {"text": "? ["},
        {"copy_of": "first-steps"},
        {"copy_of": THEIRS},
    ]
    return [Ask("post", path, one, True) for one in given]


def scenario_put(known: Guesses, path: str) -> Sequence[Ask]:
    tagged = Ask("put", path, {"text": "name: Small"}, True, (("If-Match", '"x"'),))
    return [tagged, Ask("put", path, {"text": "name: Small"}, True), Ask("delete", path)]


def war_buttons(known: Guesses, path: str) -> Sequence[Ask]:
    """The buttons of a scenario's balance."""
    return [
        Ask("post", path, {"act": act}) for act in ("play", "stop", "seek", "apply", "undo", "x")
    ]
