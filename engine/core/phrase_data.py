"""Phrases as JSON, so that stored texts can be shown in any language. Pure functions.

A plain string stays a string. A phrase becomes a table whose first key names its kind:

    {"code": "no-firecon", "args": []}  a reason (`engine.core.reason`), whatever its text is today
    {"message": "You play {}.", "values": ["Frost"]}
    {"count": 3}                        a number to which a message may add a noun
    {"decimal": "2.5"}                  a number with a fraction, in a reason; digests refuse floats
    {"noun": "ship", "number": 3}
    {"joined": ", ", "parts": [...]}
    {"changed": "capital", "text": ...}

The values of a reason are plain JSON and hold no more than its text shows, so a side that may see
the text may see them. Numbers are rounded as in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from string import Formatter
from typing import Any

from engine.core.phrase import ChangedPhrase, Count, JoinedPhrase, Noun, Phrase
from engine.core.reason import Reason, with_code
from engine.core.reason_texts import REASON_TEXTS

JsonValue = Any

SCALARS = (str, int, float, bool, type(None))
ROUNDING = ("f", "g", "e")  # ends of format specifications that round a number


def phrase_data(value: object) -> JsonValue:
    """Return a text, or a value in a text, as JSON data.

    Raises:
        TypeError: The value is neither a text nor a number.
    """
    if isinstance(value, Noun):
        return {"noun": value.message, "number": value.number}
    if isinstance(value, JoinedPhrase):
        return {"joined": value.message, "parts": [phrase_data(part) for part in value.parts]}
    if isinstance(value, ChangedPhrase):
        return {"changed": value.change, "text": phrase_data(value.inner)}
    if isinstance(value, Reason):
        return _reason_data(value)
    if isinstance(value, Phrase):
        return _message_data(value)
    if isinstance(value, Count):
        return {"count": int(value)}
    if not isinstance(value, SCALARS):
        raise TypeError(f"a text cannot be stored with a {type(value).__name__} in it")
    return value


def reason_data(reason: str) -> JsonValue:
    """Return a reason, or any other text, as `{"code": ..., "args": ...}`."""
    return _reason_data(with_code(reason))


def restore_phrase(data: JsonValue) -> Any:
    """Return the text or value that `phrase_data` stored."""
    match data:
        case {"code": code, "args": args}:
            return _reason_of(code, args)
        case {"message": message}:
            return _restore_message(message, data.get("values", ()), data.get("named", {}))
        case {"noun": noun, "number": number}:
            return Noun(number, noun)
        case {"joined": between, "parts": parts}:
            return JoinedPhrase(between, [restore_phrase(part) for part in parts])
        case {"changed": change, "text": text}:
            return ChangedPhrase(restore_phrase(text), change)
        case {"count": count}:
            return Count(count)
        case {"decimal": number}:
            return float(number)
    return data


def _restore_message(
    message: str, values: Iterable[JsonValue], named: Mapping[str, JsonValue]
) -> Phrase:
    """Return the phrase of a message with its stored values."""
    named_values = {name: restore_phrase(value) for name, value in named.items()}
    return Phrase(message, *map(restore_phrase, values), **named_values)


def _message_data(text: Phrase) -> dict[str, JsonValue]:
    """Return a phrase as its message and its values, without those that are empty."""
    data: dict[str, JsonValue] = {"message": text.message}
    if text.values:
        data["values"] = [phrase_data(value) for value in text.values]
    if text.named_values:
        data["named"] = {name: phrase_data(value) for name, value in text.named_values.items()}
    return data


def _reason_data(reason: Reason) -> dict[str, JsonValue]:
    """Return a reason as its code and only those values that its message shows."""
    if not reason.values and not reason.named_values:
        return {"code": reason.code, "args": []}
    specs = dict(_message_fields(reason.message))
    if reason.named_values:
        named_args = {}
        for name, spec in specs.items():
            named_args[name] = _shown_value(reason.named_values[name], spec)
        return {"code": reason.code, "args": named_args}
    positional_args = []
    for n, value in enumerate(reason.values):
        if str(n) in specs:
            positional_args.append(_shown_value(value, specs[str(n)]))
    return {"code": reason.code, "args": positional_args}


def _reason_of(code: str, args: JsonValue) -> Reason:
    """Return the reason with a stored code and values, with the text that the code has today."""
    message = REASON_TEXTS.get(code, code)
    if isinstance(args, dict):
        return Reason(
            code, message, **{name: restore_phrase(value) for name, value in args.items()}
        )
    return Reason(code, message, *map(restore_phrase, args))


def _message_fields(message: str) -> Iterator[tuple[str, str]]:
    """Yield each `{field}` of a message: its name or number, and its format specification."""
    position = 0
    for _, name, spec, _ in Formatter().parse(message):
        if name is None:
            continue
        if not name:
            name = str(position)
            position += 1
        yield name, spec or ""


def _shown_value(value: object, spec: str) -> JsonValue:
    """Return a value of a reason as JSON that holds no more than the text shows."""
    if isinstance(value, Phrase | Count | bool) or value is None:
        return phrase_data(value)
    if isinstance(value, Real) and spec.endswith(ROUNDING):
        return {"decimal": str(float(format(float(value), spec)))}
    if type(value) is float:
        return {"decimal": str(value)}
    if type(value) is int:
        return value
    return str(value)
