"""Translatable texts: English by default, whole in another language on request."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping

import pytest

from engine.core.phrase import (
    Count,
    Language,
    Phrase,
    capitalize_first,
    counted_noun,
    join_phrases,
    noun_for,
    phrase,
    translate,
)
from engine.english import counted_kind, join_names, system_words

WORDS: Mapping[str, str] = {
    "{} has {}": "{1} hat {0}",
    "{} and {}": "{} und {}",
    "{ships:ship} at {place}": "bei {place}: {ships:ship}",
    "{:.1f} MU away": "{:.1f} MU entfernt",
    "the fleet": "die Flotte",
    "main drive": "Hauptantrieb",
}
NOUNS = {"ship": ("Schiff", "Schiffe"), "capital ship": ("Großkampfschiff", "Großkampfschiffe")}


class German:
    """A language of a few words."""

    decimal, thousands = ",", " "

    def message(self, text: str) -> str:
        return WORDS.get(text, text)

    def noun(self, one: str, many: str, number: int) -> str:
        german_singular, german_plural = NOUNS.get(one, (one, many))
        return german_singular if number == 1 else german_plural

    def behind(self, text: str) -> Language:
        return self

    def before(self, text: str, value: str) -> str:
        return text

    def small(self, text: str) -> str:
        return text


EXAMPLES = [
    (phrase("{} has {}", "Pax", counted_noun(2, "ship")), "Pax has 2 ships", "2 Schiffe hat Pax"),
    (
        phrase("{} has {}", counted_noun(1, "ship"), phrase("the fleet")),
        "1 ship has the fleet",
        "die Flotte hat 1 Schiff",
    ),
    (join_names(["a", phrase("the fleet")]), "a and the fleet", "a und die Flotte"),
    (join_names(["a", "b", "c"]), "a, b and c", "a, b und c"),
    (join_names(["a"]), "a", "a"),
    (phrase("{:.1f} MU away", 2.5), "2.5 MU away", "2,5 MU entfernt"),
    (capitalize_first(phrase("the fleet")), "The fleet", "Die Flotte"),
    (
        phrase("{ships:ship} at {place}").format(ships=Count(3), place="0108"),
        "3 ships at 0108",
        "bei 0108: 3 Schiffe",
    ),
    (phrase("the fleet") + "!", "the fleet!", "die Flotte!"),
    ("(" + phrase("the fleet"), "(the fleet", "(die Flotte"),
    (noun_for(0, "ship"), "ships", "Schiffe"),
    (counted_kind(2, "capital"), "2 capital ships", "2 Großkampfschiffe"),
    (system_words("drive"), "main drive", "Hauptantrieb"),
    (join_phrases("; ", (counted_noun(1, "ship"), "x")), "1 ship; x", "1 Schiff; x"),
    (phrase("{cls} {message}").format(cls=1, message=2), "1 2", "1 2"),
]


@pytest.mark.parametrize(("text", "english", "german"), EXAMPLES)
def test_phrase_is_english_and_translatable(text: str, english: str, german: str) -> None:
    assert text == english
    assert hash(text) == hash(english)
    assert json.dumps([text]) == json.dumps([english])
    assert translate(text, German()) == german


@pytest.mark.parametrize("text", [text for text, *_ in EXAMPLES])
def test_phrase_survives_pickling(text: str) -> None:
    assert isinstance(text, Phrase)
    for again in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert again == text
        assert translate(again, German()) == translate(text, German())


def test_player_text_stays_unchanged() -> None:
    assert translate("the fleet", German()) == "the fleet"
    assert (
        translate(phrase("{} has {}", "the fleet", "{} and {}"), German())
        == "{} and {} hat the fleet"
    )


def test_templates_escape_phrases() -> None:
    text = phrase("{} has {}", "<b>", "&")
    assert isinstance(text, Phrase)
    assert text.__html__() == "&lt;b&gt; has &amp;"
