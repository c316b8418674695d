"""Phrases as JSON, so that a stored text can later be shown in any language. Pure.

A plain string stays a string. A phrase becomes a table whose first key names its kind:

    {"message": "You play {}.", "values": ["Frost"]}
    {"count": 3}                        a number that a message may give a noun
    {"noun": "ship", "number": 3}
    {"joined": ", ", "parts": [...]}
    {"changed": "capital", "text": ...}
"""

from __future__ import annotations

from typing import Any

from engine.core.phrase import Changed, Count, Joined, Noun, Phrase

JsonValue = Any

SCALARS = (str, int, float, bool, type(None))


def phrase_data(value: object) -> JsonValue:
    """Return a text or a value within a text as JSON data.

    Raises:
        TypeError: The value is neither a text nor a number.
    """
    if isinstance(value, Noun):
        return {"noun": value.message, "number": value.number}
    if isinstance(value, Joined):
        return {"joined": value.message, "parts": [phrase_data(part) for part in value.parts]}
    if isinstance(value, Changed):
        return {"changed": value.how, "text": phrase_data(value.inner)}
    if isinstance(value, Phrase):
        return _message_data(value)
    if isinstance(value, Count):
        return {"count": int(value)}
    if not isinstance(value, SCALARS):
        raise TypeError(f"a text cannot be stored with a {type(value).__name__} in it")
    return value


def phrase_of(data: JsonValue) -> Any:
    """Return the text or value that `phrase_data` stored."""
    match data:
        case {"message": message}:
            values = [phrase_of(value) for value in data.get("values", ())]
            named = {name: phrase_of(value) for name, value in data.get("named", {}).items()}
            return Phrase(message, *values, **named)
        case {"noun": noun, "number": number}:
            return Noun(number, noun)
        case {"joined": between, "parts": parts}:
            return Joined(between, [phrase_of(part) for part in parts])
        case {"changed": how, "text": text}:
            return Changed(phrase_of(text), how)
        case {"count": count}:
            return Count(count)
    return data


def _message_data(text: Phrase) -> dict[str, JsonValue]:
    data: dict[str, JsonValue] = {"message": text.message}
    if text.values:
        data["values"] = [phrase_data(value) for value in text.values]
    if text.named:
        data["named"] = {name: phrase_data(value) for name, value in text.named.items()}
    return data
