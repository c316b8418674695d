"""Requests of a player about designs and classes: own, foreign, and invalid ones."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tests.access.client_requests import Request
from tests.access.private_rows import CAMPAIGN, HIDDEN, moth_design
from tests.access.site_routes import Guesses

DRAWN_BY = ("design", "ftlibship")


def design_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return own designs, legal or not, and foreign ones by name."""
    return [
        Request("post", path, {"design": moth_design(guesses.history, name)}, True)
        for name in ("Moth", HIDDEN, "")
    ]


def design_texts(guesses: Guesses, path: str) -> Sequence[Request]:
    mine, hidden_moth = moth_design(guesses.history), moth_design(guesses.history, HIDDEN)
    texts = [json.dumps([mine, hidden_moth]), "a: [b", json.dumps({**mine, "thrust": 99})]
    asks = [
        Request("post", path, {"text": text, "source": source}, True)
        for text in texts
        for source in DRAWN_BY
    ]
    return [*asks, Request("post", path, {"text": texts[0], "partial": True}, True)]


def class_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of the classes' page: designs, and own and foreign drafts to delete."""
    texts = [
        json.dumps(moth_design(guesses.history)),
        json.dumps(moth_design(guesses.history, HIDDEN)),
        "?",
    ]
    forms = [
        {"act": act, "text": text, "source": "design"}
        for act in ("check", "save")
        for text in texts
    ]
    forms += [{"act": "save", "text": f"[{texts[0]}, {texts[1]}, 3]", "partial": "1"}]
    forms += [{"act": "strike", "id": id_} for id_ in guesses.parts["drawing"]] + [{"act": "x"}]
    return [Request("post", path, form) for form in forms]


def editor_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return the designer's forms, by a script and without, with all actions."""
    edition = moth_design(guesses.history)
    fields = {
        "class": "Gnat",
        "kind": "warship",
        "mass": "8",
        "thrust": "4",
        "ftl": "standard",
        "boxes": "2",
    }
    fields |= {"row-0": json.dumps(edition["systems"][0]), "count-0": "1", "at": "0"}
    acts = ("show", "add:screen", "remove:0", "keep", "class", "x")
    plain = [Request("post", path, {**fields, "act": act}) for act in acts]
    return [
        *plain,
        Request("post", path, {**fields, "act": "show"}, headers=(("HX-Request", "true"),)),
    ]


def editor_queries(guesses: Guesses) -> Sequence[str]:
    return [
        *(f"of={id_}" for id_ in guesses.parts["drawing"]),
        *(f"library={id_}" for id_ in guesses.parts["design"]),
    ]


def comparison_queries(guesses: Guesses) -> Sequence[str]:
    own_key, other = (f"library/{id_}" for id_ in guesses.parts["design"][:2])
    war = [f"war={CAMPAIGN}&first=war/{name}&second=war/{name}" for name in ("Moth", HIDDEN)]
    mine = f"first={own_key}&second={own_key}"
    return (mine, f"{mine}&fight=1", f"first={own_key}&second={other}", "first=x&second=y", *war)


def library_designs(guesses: Guesses, path: str, verb: str = "post") -> Sequence[Request]:
    """Return designs for the player's own library, readable and not."""
    return [
        Request(verb, path, {"design": design}, True)
        for design in (moth_design(guesses.history), {"class": "?"})
    ]


def comparison_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return comparisons of classes: by key, own and foreign, and by design."""
    design = {"design": moth_design(guesses.history)}
    keys = [*(f"library/{id_}" for id_ in guesses.parts["design"][:2]), "war/Moth", f"war/{HIDDEN}"]
    sides = [({"key": key}, design) for key in keys]
    comparisons = [{"first": first, "second": second, "war": CAMPAIGN} for first, second in sides]
    return [Request("post", path, comparison, True) for comparison in comparisons]


def library_forms(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return forms of the library: imports, and own and foreign designs to delete."""
    texts = [json.dumps(moth_design(guesses.history)), "?"]
    forms = [{"act": "import", "text": text, "source": "design"} for text in texts]
    forms += [{"act": "delete", "id": id_} for id_ in guesses.parts["design"]] + [{"act": "x"}]
    return [Request("post", path, form) for form in forms]
