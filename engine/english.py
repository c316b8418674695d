"""Numbers, nouns and lists as people write them, for every page, report, message and printout.

Pure.

What these make can be told in other languages (`engine.core.phrase`).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.phrase import (
    Count,
    capital,
    counted_noun,
    joined_phrases,
    noun_for,
    phrase,
    plural,
)
from engine.weapons.registry import word_of

__all__ = [
    "Count",
    "capital",
    "counted_kind",
    "counted_noun",
    "kind_words",
    "listed",
    "noun_for",
    "per_cent",
    "plural",
    "short_name",
    "system_words",
]

LONGEST_INITIALS = 3  # letters of an id that stands for the initials of a name
KINDS = {"capital": "capital ship"}  # a classification that is no noun by itself
SYSTEMS = {
    "drive": phrase("main drive"),
    "ftl": phrase("FTL drive"),
}  # whose ids are not what they are called
TERMS = {
    "firecon": "FireCon",
    "ftl": "FTL",
    "adfc": "ADFC",
    "ecm": "ECM",
}  # as the rulebooks spell them


def counted_kind(many: int, classification: str) -> str:
    """Ships of a classification: `2 capital ships`, `1 escort`."""
    return counted_noun(many, KINDS.get(classification, classification))


def per_cent(share: float) -> str:
    """A share in hundredths, whole: `17%`."""
    return phrase("{}%", round(share))


def system_words(system: str) -> str:
    """A system's type or id as the rulebooks spell it: `battery-2` is battery 2, `firecon-1` is
    FireCon 1.
    """
    if system in SYSTEMS:
        return SYSTEMS[system]
    type_, _, number = system.rpartition("-")
    if not number.isdecimal():
        type_, number = system, ""
    words = phrase(word_of(type_) or " ".join(TERMS.get(word, word) for word in type_.split("-")))
    return joined_phrases(" ", (words, number)) if number else words


def kind_words(kind: str) -> str:
    """A type of craft, what modifies it, or a load as people say it: `assault-shuttle` is assault
    shuttle.
    """
    return phrase(kind.replace("-", " "))


def listed(names: Sequence[str]) -> str:
    """Names as a list: `a`, `a and b`, `a, b and c`."""
    most = joined_phrases(", ", names[:-1])
    return phrase("{} and {}", most, names[-1]) if most else joined_phrases("", names)


def short_name(key: str) -> str:
    """A faction's id as a name: `esu` is ESU, `frost` is Frost."""
    return key.upper() if len(key) <= LONGEST_INITIALS else capital(key)


def times(many: int, words: str) -> str:
    """Things alike together, "2 × screen"; one alone by its name."""
    return phrase("{} × {}", many, words) if many > 1 else words
