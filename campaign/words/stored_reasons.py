"""Make stored English reasons of old documents translatable again.

Reasons are stored as a code and values (`engine.core.reason`). Older documents store in English why
an order was refused, and what is impossible in a table's results. The messages of the catalogues
show which message a text was made from, and with which values. Nothing written today needs this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import Formatter

from django.utils.translation import trans_real

from engine.core.phrase import Phrase, join_phrases, phrase

CATALOGUE_LANGUAGE = "de"  # any language: all catalogues have all messages
SEPARATOR = "; "  # between several texts
# Letters of a message outside its placeholders: with fewer it would match anything
FEWEST_LETTERS = 8
SIMPLE = re.compile(r"\d*")  # names of placeholders that are filled in order or by number
NUMBER = re.compile(r"[+.\d]*[dfg]")
NUMBERED = re.compile(r"(.+) (\d+)")  # a numbered system
NAME_AND_REST = re.compile(r"(\S+): (.+)")  # a ship and a statement about it
LETTER = re.compile(r"[a-z]", re.IGNORECASE)


def reason_words(reason: str) -> str:
    """Return a translatable reason: itself, or one made from an old document's English text."""
    if isinstance(reason, Phrase):
        return reason
    return retranslate(reason)


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

    The most specific messages come first.
    """
    catalogue = trans_real.translation(CATALOGUE_LANGUAGE)._catalog  # type: ignore[attr-defined]  # nothing else lists them
    keys = catalogue.keys()  # it is no mapping, but has this
    message_texts = [key for key in keys if isinstance(key, str) and "\x04" not in key]
    messages_with_places = sorted(_with_places(message_texts), reverse=True)
    return frozenset(key for key in message_texts if "{" not in key), tuple(
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
