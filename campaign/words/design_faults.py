"""Faults as pages say them: ships and systems by their names, never by the ids of documents.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.core.errors import Violation
from engine.core.phrase import Joined, Phrase, joined_phrases, phrase
from engine.core.reason import Reason

_SEGMENT = re.compile(r"([^.\[\]]*)(?:\[(\d+)\])?")
# What the items of a list of designs, and of their systems, are called, by the key of the list.
ITEMS = {"": phrase("design {}"), "systems": phrase("system {}")}


def with_names(words: str, names: Mapping[str, str]) -> str:
    """Return a text with every value that is an id replaced by its name.

    Args:
        words: A fault. What is no phrase, and values that only contain an id, stay as they are.
        names: Names by id.
    """
    if isinstance(words, Joined):
        return joined_phrases(words.message, [with_names(part, names) for part in words.parts])
    if not isinstance(words, Phrase) or type(words) not in (Phrase, Reason):
        return words
    values = [_named(value, names) for value in words.values]
    named = {key: _named(value, names) for key, value in words.named.items()}
    return words.format(*values, **named)


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Phrase):
        return with_names(value, names)
    if isinstance(value, str):
        return names.get(value, value)
    return value


def without_subject(words: str, subject: str) -> str:
    """Return a fault without the ship that it begins with, where the page shows that beside it."""
    if isinstance(words, Phrase) and words.message == "{}: {}" and words.values[:1] == (subject,):
        said = words.values[1]
        return said if isinstance(said, str) else words
    return words


def place_words(where: str) -> str:
    """Return the place of a fault in a design as people say it: `[0].systems[4]` is "design 1,
    system 5".
    """
    found: list[str] = []
    for segment in where.split("."):
        match = _SEGMENT.fullmatch(segment)
        if match is None:
            return where
        key, number = match[1], match[2]
        if number is None:
            found.append(key.replace("_", " "))
        else:
            found.append(ITEMS.get(key, phrase("{} {}", key, "{}")).format(int(number) + 1))
    return joined_phrases(", ", found)


def placed_words(fault: Violation) -> str:
    """Return a fault with its place in front: "system 4: needs the technology ..."."""
    if not fault.where:
        return fault.message
    in_design = fault.where.startswith(("[", "systems["))
    return phrase("{}: {}", place_words(fault.where) if in_design else fault.where, fault.message)
