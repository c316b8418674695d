"""What a player asks about designs and classes: his own, those of others, and what is none."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tests.access.asking import Ask
from tests.access.papers import CAMPAIGN, HIDDEN, moth
from tests.access.reach import Guesses

DRAWN_BY = ("design", "ftlibship")


def design_asks(known: Guesses, path: str) -> Sequence[Ask]:
    """Designs of one's own, lawful or not; and those of others by their names."""
    return [
        Ask("post", path, {"design": moth(known.history, name)}, True)
        for name in ("Moth", HIDDEN, "")
    ]


def design_texts(known: Guesses, path: str) -> Sequence[Ask]:
    mine, theirs = moth(known.history), moth(known.history, HIDDEN)
    texts = [json.dumps([mine, theirs]), "a: [b", json.dumps({**mine, "thrust": 99})]
    asks = [
        Ask("post", path, {"text": text, "source": source}, True)
        for text in texts
        for source in DRAWN_BY
    ]
    return [*asks, Ask("post", path, {"text": texts[0], "partial": True}, True)]


def class_forms(known: Guesses, path: str) -> Sequence[Ask]:
    """The forms of the classes' page: designs, and drawings of one's own and of others to be struck
    off.
    """
    texts = [json.dumps(moth(known.history)), json.dumps(moth(known.history, HIDDEN)), "?"]
    forms = [
        {"act": act, "text": text, "source": "design"}
        for act in ("check", "save")
        for text in texts
    ]
    forms += [{"act": "save", "text": f"[{texts[0]}, {texts[1]}, 3]", "partial": "1"}]
    forms += [{"act": "strike", "id": id_} for id_ in known.parts["drawing"]] + [{"act": "x"}]
    return [Ask("post", path, form) for form in forms]


def bench_forms(known: Guesses, path: str) -> Sequence[Ask]:
    """The designer's form, by a script and without, and all that it does."""
    edition = moth(known.history)
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
    plain = [Ask("post", path, {**fields, "act": act}) for act in acts]
    return [*plain, Ask("post", path, {**fields, "act": "show"}, headers=(("HX-Request", "true"),))]


def bench_queries(known: Guesses) -> Sequence[str]:
    return [
        *(f"of={id_}" for id_ in known.parts["drawing"]),
        *(f"shelf={id_}" for id_ in known.parts["design"]),
    ]


def compared_queries(known: Guesses) -> Sequence[str]:
    own, other = (f"shelf/{id_}" for id_ in known.parts["design"][:2])
    war = [f"war={CAMPAIGN}&first=war/{name}&second=war/{name}" for name in ("Moth", HIDDEN)]
    mine = f"first={own}&second={own}"
    return (mine, f"{mine}&fight=1", f"first={own}&second={other}", "first=x&second=y", *war)


def kept_designs(known: Guesses, path: str, verb: str = "post") -> Sequence[Ask]:
    """Designs for one's own shelf, readable and not."""
    return [Ask(verb, path, {"design": one}, True) for one in (moth(known.history), {"class": "?"})]


def set_against(known: Guesses, path: str) -> Sequence[Ask]:
    """Classes that are set against each other: by key, of one's own and of others, and by their
    designs.
    """
    design = {"design": moth(known.history)}
    keys = [*(f"shelf/{id_}" for id_ in known.parts["design"][:2]), "war/Moth", f"war/{HIDDEN}"]
    sides = [({"key": key}, design) for key in keys]
    asked = [{"first": first, "second": second, "war": CAMPAIGN} for first, second in sides]
    return [Ask("post", path, one, True) for one in asked]


def shelf_forms(known: Guesses, path: str) -> Sequence[Ask]:
    """The forms of the shelf: designs brought in, and those of oneself and of others to be thrown
    away.
    """
    texts = [json.dumps(moth(known.history)), "?"]
    forms = [{"act": "import", "text": text, "source": "design"} for text in texts]
    forms += [{"act": "delete", "id": id_} for id_ in known.parts["design"]] + [{"act": "x"}]
    return [Ask("post", path, form) for form in forms]
