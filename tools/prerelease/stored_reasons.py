"""Replaces reasons that old documents store as English texts by their codes and values.

Reasons are stored as a code and values (`engine.core.phrase_data.reason_data`). Older documents
store in English why an order was refused, and what is impossible in a table's results. The texts
of the base commit (`old_reason_texts.json`) show which message a reason was made from, and with
which values. A text that no message matches is kept as written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from django.utils.translation import trans_real

from engine.core.phrase import JoinedPhrase, Phrase, join_phrases, phrase
from engine.core.phrase_data import reason_data
from engine.core.reason import Reason, several_reasons

CATALOGUE_LANGUAGE = "de"  # any language: all catalogues have all messages
SEPARATOR = "; "  # between several texts
# Letters of a message outside its placeholders: with fewer it would match anything
FEWEST_LETTERS = 8
SIMPLE = re.compile(r"\d*")  # names of placeholders that are filled in order or by number
NUMBER = re.compile(r"[+.\d]*[dfg]")
NUMBERED = re.compile(r"(.+) (\d+)")  # a numbered system
NAME_AND_REST = re.compile(r"(\S+): (.+)")  # a ship and a statement about it
LETTER = re.compile(r"[a-z]", re.IGNORECASE)


# The kinds of log lines with a reason in `why`, and the codes of week events with such a fact.
LINES_WITH_REASONS = frozenset(
    {
        "battle-over",
        "docking-missed",
        "flight-refused",
        "ordnance-gone",
        "order-refused",
        "scan-failed",
        "shot-refused",
    }
)
WEEK_EVENTS_WITH_REASONS = frozenset({"order-dropped"})
REASON = "why"
FAULT = {"code", "where", "message"}  # the keys of an old fault
OLD_TEXTS = Path(__file__).with_name("old_reason_texts.json")  # text: code, at the base commit
OLD_CODES: dict[str, str] = json.loads(OLD_TEXTS.read_text(encoding="utf-8"))


def with_reasons(part: Any) -> Any:
    """Return a document, or a part of one, with codes and values instead of English reasons."""
    if isinstance(part, list):
        return [with_reasons(item) for item in part]
    if not isinstance(part, dict):
        return part
    if set(part) == FAULT:
        return {"code": part["code"], "where": part["where"], "reason": reason_of(part["message"])}
    result = {key: with_reasons(value) for key, value in part.items()}
    if part.get("event") in LINES_WITH_REASONS and isinstance(part.get(REASON), str):
        result[REASON] = reason_of(part[REASON])
    if part.get("code") in WEEK_EVENTS_WITH_REASONS and "facts" in part:
        result["facts"] = [_fact_with_reason(fact) for fact in part["facts"]]
    return result


def _fact_with_reason(fact: list[Any]) -> list[Any]:
    name, value = fact
    return [name, reason_of(value) if name == REASON and isinstance(value, str) else value]


def reason_of(text: str) -> Any:
    """Return an English text as the code and values of a reason."""
    return reason_data(_with_codes(retranslate(text)))


def _with_codes(text: str) -> str:
    if isinstance(text, JoinedPhrase):
        parts = [_with_codes(part) for part in text.parts]
        return (
            several_reasons(parts)
            if text.message == SEPARATOR
            else join_phrases(text.message, parts)
        )
    if not isinstance(text, Phrase):
        return text
    values = [_with_codes(item) if isinstance(item, str) else item for item in text.values]
    if text.message in OLD_CODES:
        return Reason(OLD_CODES[text.message], text.message, *values)
    if values:
        return phrase(text.message, *values)
    return text if text in _messages()[0] else str(text)


@lru_cache(maxsize=4096)
def retranslate(text: str) -> str:
    """Return a stored text as a translatable one; unchanged if no message matches."""
    parts = text.split(SEPARATOR)
    matches = [_match_message(part) for part in parts]
    if None not in matches:
        return join_phrases(SEPARATOR, filter(None, matches))
    if len(parts) == 1:
        return phrase(text)
    whole_match = _match_message(text)
    if whole_match is not None:
        return whole_match
    texts = (
        phrase(part) if match is None else match for part, match in zip(parts, matches, strict=True)
    )
    return join_phrases(SEPARATOR, texts)


def _match_message(text: str) -> str | None:
    plain, places = _messages()
    if text in plain:
        return phrase(text)
    for message, longest in places:
        if longest in text and (filled := _filled(message, text)) is not None:
            return filled
    name_match = NAME_AND_REST.fullmatch(text)
    rest = None if name_match is None else _match_message(name_match[2])
    if name_match is None or rest is None:
        return None
    return phrase("{}: {}", name_match[1], rest)


def _filled(message: str, text: str) -> str | None:
    """Return the message filled with its values in the text, or None if it does not match."""
    pattern, numbers = _pattern(message)
    match = pattern.fullmatch(text)
    if match is None:
        return None
    values = []
    for value, number in zip(match.groups(), numbers, strict=True):
        values.append(float(value) if number else _value(value))
    filled = phrase(message, *values)
    if filled == text:
        return filled
    return None


def _value(text: str) -> str:
    """Return a value of a text, translatable if it is one or several texts.

    Names have capitals and are never translated.
    """
    if not text[:1].islower():
        return text
    if ", " in text:
        return join_phrases(", ", map(_value, text.split(", ")))
    plain, _ = _messages()
    numbered = NUMBERED.fullmatch(text)
    if numbered and numbered[1] in plain:
        return join_phrases(" ", (phrase(numbered[1]), numbered[2]))
    if " " in text:
        return retranslate(text)
    return text


@lru_cache(maxsize=1)
def _messages() -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """Return the messages without placeholders, and the others with their longest literal part.

    The former are those of old reasons and of today's catalogues, which have the names in reasons;
    the latter those of old reasons, the most specific first.
    """
    catalogue = trans_real.translation(CATALOGUE_LANGUAGE)._catalog  # type: ignore[attr-defined]  # nothing else lists them
    keys = catalogue.keys()  # it is no mapping, but has this
    of_today = [key for key in keys if isinstance(key, str) and "\x04" not in key]
    messages_with_places = sorted(_with_places(list(OLD_CODES)), reverse=True)
    return frozenset(key for key in (*OLD_CODES, *of_today) if "{" not in key), tuple(
        (message, longest) for *_, message, longest in messages_with_places
    )


def _with_places(messages: list[str]) -> Iterator[tuple[int, int, str, str]]:
    """Yield messages with placeholders: literal letters, characters, text, longest literal."""
    for message in messages:
        if "{" not in message or "%(" in message:
            continue
        parts = list(Formatter().parse(message))
        literals = [literal for literal, _, _, _ in parts]
        letter_count = len(LETTER.findall("".join(literals)))
        simple = all(
            name is None
            or (SIMPLE.fullmatch(name) and not change and (not spec or NUMBER.fullmatch(spec)))
            for _, name, spec, change in parts
        )
        if simple and letter_count >= FEWEST_LETTERS:
            yield letter_count, sum(map(len, literals)), message, max(literals, key=len)


def _pattern(message: str) -> tuple[re.Pattern[str], tuple[bool, ...]]:
    """Return a pattern for texts made from a message, and which placeholders are numbers."""
    text = ""
    numbers = list[bool]()
    for literal, name, spec, _ in Formatter().parse(message):
        text += re.escape(literal)
        if name is not None:
            numbers.append(bool(spec))
            text += r"([+-]?\d+(?:\.\d+)?)" if spec else r"(.+?)"
    return re.compile(text), tuple(numbers)
