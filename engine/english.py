"""Numbers, nouns and lists as people write them, for every page, report, message and printout.

Pure.

What these make can be told in other languages (`engine.core.phrase`).
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


def counted_kind(number: int, classification: str) -> str:
    """Ships of a classification: `2 capital ships`, `1 escort`."""
    return counted_noun(number, KINDS.get(classification, classification))


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
    return join_phrases(" ", (words, number)) if number else words


def kind_words(kind: str) -> str:
    """A type of craft, what modifies it, or a load as people say it: `assault-shuttle` is assault
    shuttle.
    """
    return phrase(kind.replace("-", " "))


def join_names(names: Sequence[str]) -> str:
    """Names as a list: `a`, `a and b`, `a, b and c`."""
    most = join_phrases(", ", names[:-1])
    return phrase("{} and {}", most, names[-1]) if most else join_phrases("", names)


def short_name(key: str) -> str:
    """A faction's id as a name: `esu` is ESU, `frost` is Frost."""
    return key.upper() if len(key) <= LONGEST_INITIALS else capitalize_first(key)


def times_words(number: int, words: str) -> str:
    """Things alike together, "2 × screen"; one alone by its name."""
    return phrase("{} × {}", number, words) if number > 1 else words
