"""Numbers, nouns and lists in English for pages, reports, messages and printouts. Pure functions.

The results can be translated (`engine.core.phrase`).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.phrase import (
    Count,
    capitalize_first,
    counted_noun,
    join_phrases,
    noun_for,
    phrase,
    plural,
)
from engine.weapons.registry import word_of

__all__ = [
    "Count",
    "capitalize_first",
    "classification_words",
    "counted_kind",
    "counted_noun",
    "join_names",
    "kind_words",
    "noun_for",
    "per_cent",
    "plural",
    "short_name",
    "system_words",
]

LONGEST_INITIALS = 3  # the most letters of an id that is written in capitals
KINDS = {"capital": "capital ship"}  # classifications that are not nouns
# Systems whose names differ from their ids.
SYSTEMS = {"drive": phrase("main drive"), "ftl": phrase("FTL drive")}
# Spelling of the rulebooks.
TERMS = {"firecon": "FireCon", "ftl": "FTL", "adfc": "ADFC", "ecm": "ECM"}


def counted_kind(number: int, classification: str) -> str:
    """Return a number of ships of a classification: `2 capital ships`, `1 escort`."""
    return counted_noun(number, KINDS.get(classification, classification))


def classification_words(classification: str) -> str:
    """Return the noun for a classification: `capital` is capital ship."""
    return noun_for(1, KINDS.get(classification, classification))


def per_cent(share: float) -> str:
    """Return a percentage as a whole number: `17%`."""
    return phrase("{}%", round(share))


def system_words(system: str) -> str:
    """Return the words for a system's type or id, as the rulebooks spell it.

    `battery-2` is battery 2, `firecon-1` is FireCon 1.
    """
    if system in SYSTEMS:
        return SYSTEMS[system]
    type_, _, number = system.rpartition("-")
    if not number.isdecimal():
        type_, number = system, ""
    words = phrase(word_of(type_) or " ".join(TERMS.get(word, word) for word in type_.split("-")))
    if number:
        return join_phrases(" ", (words, number))
    return words


def model_words(type_: str, variant: str, size: int = 0) -> str:
    """Return the words for a model of a system, such as B battery or K-gun 2 long."""
    if len(variant) == 1:  # only batteries have letters
        return phrase("{} battery", variant)
    parts = [system_words(type_)]
    if size:
        parts.append(str(size))
    if variant:
        parts.append(phrase(variant))
    if len(parts) == 1:
        return parts[0]
    return join_phrases(" ", parts)


def kind_words(kind: str) -> str:
    """Return the words for a craft type, a modification or a load.

    `assault-shuttle` is assault shuttle. A squadron of two types has both: `beam-and-needle`.
    """
    types = kind.split("-and-")
    return join_phrases(" and ", [phrase(type_.replace("-", " ")) for type_ in types])


def join_names(names: Sequence[str]) -> str:
    """Return names as a list: `a`, `a and b`, `a, b and c`."""
    most = join_phrases(", ", names[:-1])
    if most:
        return phrase("{} and {}", most, names[-1])
    return join_phrases("", names)


def short_name(key: str) -> str:
    """Return a faction's id as a name: `esu` is ESU, `frost` is Frost."""
    if len(key) <= LONGEST_INITIALS:
        return key.upper()
    return capitalize_first(key)


def times_words(number: int, words: str) -> str:
    """Return words with a number, "2 × screen"; without it for one."""
    if number > 1:
        return phrase("{} × {}", number, words)
    return words
