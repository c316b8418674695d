"""One word for one thing in every language, alone and after numbers."""

from __future__ import annotations

import pytest
from babel.messages.pofile import read_po

from tools.catalogue import LANGUAGES, po_of

# English words with two meanings, or with a short form after a number.
TWO_THINGS = frozenset(
    [
        *(
            "battery",
            "condition",
            "craft",
            "damage control",
            "emp",
            "entries",
            "entry",
            "hex",
            "hit",
            "hits",
            "hold",
        ),
        *("holds", "needle", "row", "second", "time", "turn"),
    ]
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_things_have_their_usual_names(language: str) -> None:
    alone: dict[str, set[str]] = {}
    plural_words: dict[str, str] = {}
    with po_of(language).open("rb") as file:
        for message in read_po(file):
            if isinstance(message.id, str) and isinstance(message.string, str):
                alone.setdefault(message.id.lower(), set()).add(message.string.lower())
            elif isinstance(message.id, tuple) and isinstance(message.string, tuple):
                plural_words |= dict(
                    zip(message.id, (form.lower() for form in message.string), strict=True)
                )
    faults = {
        name: (words, alone[name])
        for name, words in plural_words.items()
        if name in alone and words not in alone[name] and name not in TWO_THINGS
    }
    assert faults == {}
