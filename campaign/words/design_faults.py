"""Faults for pages: ships, systems and options appear by name, never by the ids of documents.

Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.core.errors import Violation
from engine.core.phrase import JoinedPhrase, Phrase, join_phrases, phrase
from engine.core.reason import Reason
from engine.ruleset import all_rules

_SEGMENT = re.compile(r"([^.\[\]]*)(?:\[(\d+)\])?")  # of a path: a key, an index, or both
# Names of the items of a list of designs and of their systems, by the key of the list.
ITEMS = {"": phrase("design {}"), "systems": phrase("system {}")}


def with_names(words: str, names: Mapping[str, str]) -> str:
    """Return a text with each value that is an id replaced by its name.

    Args:
        words: A fault. Plain strings, and values that only contain an id, stay unchanged.
        names: Names by id.
    """
    if isinstance(words, JoinedPhrase):
        return join_phrases(words.message, [with_names(part, names) for part in words.parts])
    if not isinstance(words, Phrase) or type(words) not in (Phrase, Reason):
        return words
    values = [_value_with_name(value, names) for value in words.values]
    named_values = {}
    for key, value in words.named_values.items():
        named_values[key] = _value_with_name(value, names)
    return words.format(*values, **named_values)


def _value_with_name(value: Any, names: Mapping[str, str]) -> Any:
    """Return the name of an id, a text with names instead of ids, or any other value unchanged."""
    if isinstance(value, Phrase):
        return with_names(value, names)
    if isinstance(value, str):
        return names.get(value, value)
    return value


def _option_titles() -> Mapping[str, str]:
    """Return the titles of all optional rules by their ids."""
    titles = {}
    for rules in all_rules():
        for option in rules.choices:
            titles[option.name] = phrase(option.title)
    return titles


def with_option_titles(words: str) -> str:
    """Return a fault with the titles of optional rules instead of their ids."""
    return with_names(words, _option_titles())


def without_subject(words: str, subject: str) -> str:
    """Return a fault without the ship at its beginning, for pages that show it separately."""
    if not isinstance(words, Phrase) or words.message != "{}: {}":
        return words
    if words.values[:1] != (subject,):
        return words
    fault = words.values[1]
    return fault if isinstance(fault, str) else words


def place_words(where: str) -> str:
    """Describe the place of a fault in a design: `[0].systems[4]` is "design 1, system 5"."""
    parts: list[str] = []
    for segment in where.split("."):
        match = _SEGMENT.fullmatch(segment)
        if match is None:
            return where
        key = match[1]
        number = match[2]
        if number is None:
            parts.append(key.replace("_", " "))
        else:
            parts.append(ITEMS.get(key, phrase("{} {}", key, "{}")).format(int(number) + 1))
    return join_phrases(", ", parts)


def placed_words(fault: Violation) -> str:
    """Return a fault after its place: "system 4: needs the technology ..."."""
    words = with_option_titles(fault.message)
    if not fault.where:
        return words
    is_in_design = fault.where.startswith(("[", "systems["))
    place = place_words(fault.where) if is_in_design else fault.where
    return phrase("{}: {}", place, words)
