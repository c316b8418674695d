"""Reasons: stored as a code and values, and worded when read."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction

import pytest

from engine.core.phrase import Count, Phrase, join_phrases, phrase
from engine.core.phrase_data import reason_data, restore_phrase
from engine.core.reason import FREE_TEXT, Reason, reason
from engine.core.reason_texts import REASON_TEXTS
from engine.english import system_words

# Declared by the engine; see `engine.core.reason_texts`.
THRUST = reason("uses-thrust", "uses {} thrust; the limit is {}", 3, 2)
CONTACT = reason("you-not-contact", "you are not in contact with '{toward}' in {hex}")
TOO_FAR = reason("farther-mu", "{} is more than {:g} MU away", "c12", 24.000001)


def _through_json(text: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(json.dumps(reason_data(text)))
    return data


def test_reason_is_an_ordinary_text() -> None:
    assert THRUST == "uses 3 thrust; the limit is 2"
    assert isinstance(THRUST, Phrase)


def test_reason_is_stored_as_code_and_values() -> None:
    assert _through_json(THRUST) == {"code": "uses-thrust", "args": [3, 2]}


def test_value_may_be_a_reason() -> None:
    nested = reason("quoted", "'{}': {}", "P3+4", THRUST)
    assert _through_json(nested) == {
        "code": "quoted",
        "args": ["P3+4", {"code": "uses-thrust", "args": [3, 2]}],
    }


@pytest.mark.parametrize(
    "text",
    [
        THRUST,
        TOO_FAR,
        reason("quoted", "'{}': {}", "P3+4", THRUST),
        CONTACT.format(toward="esu", hex="0108"),
        reason("quoted", "'{}': {}", "x", join_phrases(", ", (THRUST, "beam-1"))),
        reason("has-no-armament", "it has no {}", system_words("beam-1")),
        join_phrases("; ", (THRUST, TOO_FAR)),
        phrase("a text without a code, but {}", THRUST),
        "so many escaped",
    ],
)
def test_stored_reason_round_trips(text: str) -> None:
    read = restore_phrase(_through_json(text))
    assert read == text
    assert isinstance(read, Reason)
    assert reason_data(read) == reason_data(text)


@pytest.mark.parametrize("text", [THRUST, CONTACT.format(toward="esu", hex="0108")])
def test_reason_keeps_its_code_between_processes(text: str) -> None:
    for again in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert again == text
        assert reason_data(again) == reason_data(text)


@pytest.mark.parametrize(
    ("text", "args"),
    [
        (TOO_FAR, ["c12", {"decimal": "24.0"}]),
        (reason("beyond-mu", "it is beyond {:.1f} MU", 3.14159), [{"decimal": "3.1"}]),
        (reason("quoted", "'{}': {}", Fraction(1, 3), Count(2)), ["1/3", {"count": 2}]),
        (reason("lies-to", "it withdraws", "n1"), []),
    ],
)
def test_values_contain_no_more_than_the_text(text: str, args: list[object]) -> None:
    assert _through_json(text)["args"] == args


def test_foreign_text_is_stored_unchanged() -> None:
    """A battle file's own words for its end are no reason of the program's."""
    assert _through_json("{nac} holds") == {"code": FREE_TEXT, "args": ["{nac} holds"]}
    assert restore_phrase(_through_json("{nac} holds")) == "{nac} holds"


def test_stored_reason_is_shown_in_todays_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = _through_json(THRUST)
    monkeypatch.setitem(REASON_TEXTS, "uses-thrust", "of {1} points of thrust it spends {0}")
    assert restore_phrase(stored) == "of 2 points of thrust it spends 3"


def test_unknown_code_is_shown_unchanged() -> None:
    assert restore_phrase({"code": "unheard-of", "args": [1]}) == "unheard-of"
