"""Numbers, nouns and lists as English writes them, for every page, report, message and printout. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from engine.weapons.registry import word_of

PLURALS = {
    "box": "boxes",
    "class": "classes",
    "craft": "craft",
    "hex": "hexes",
    "salvo": "salvoes",
    "torpedo": "torpedoes",
}
VOWELS = tuple("aeiou")
LONGEST_INITIALS = 3  # letters of an id that stands for the initials of a name
KINDS = {"capital": "capital ship"}  # a classification that is no noun by itself
SYSTEMS = {"drive": "main drive", "ftl": "FTL drive"}  # whose ids are not what they are called
TERMS = {"firecon": "FireCon", "ftl": "FTL", "adfc": "ADFC", "ecm": "ECM"}  # as the rulebooks spell them


def plural(noun: str) -> str:
    """The plural of a noun, which may have words before it: `capital ship` gives `capital ships`."""
    before, space, last = noun.rpartition(" ")
    return before + space + (PLURALS.get(last) or _regular(last))


def _regular(noun: str) -> str:
    """A plural by the rule; initials that end with an S (`PDS`) are their own."""
    if noun.isupper() and noun.endswith("S"):
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in VOWELS else f"{noun}s"


def counted_noun(many: int, noun: str) -> str:
    """A number with its noun: `1 cruiser`, `5 cruisers`, `2 hexes`."""
    return f"{many} {noun if many == 1 else plural(noun)}"


def counted_kind(many: int, classification: str) -> str:
    """Ships of a classification: `2 capital ships`, `1 escort`."""
    return counted_noun(many, KINDS.get(classification, classification))


def capital(text: str) -> str:
    """The text with its first letter as a capital; the others stay as they are."""
    return text[:1].upper() + text[1:]


def system_words(system: str) -> str:
    """A system's type or id as the rulebooks spell it: `battery-2` is battery 2, `firecon-1` is FireCon 1."""
    if system in SYSTEMS:
        return SYSTEMS[system]
    type_, _, number = system.rpartition("-")
    if not number.isdecimal():
        type_, number = system, ""
    words = word_of(type_) or " ".join(TERMS.get(word, word) for word in type_.split("-"))
    return f"{words} {number}" if number else words


def listed(names: Sequence[str]) -> str:
    """Names as a list: `a`, `a and b`, `a, b and c`."""
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def short_name(key: str) -> str:
    """A faction's id as a name: `esu` is ESU, `frost` is Frost."""
    return key.upper() if len(key) <= LONGEST_INITIALS else capital(key)


class Count(int):
    """A number that a format string may give a noun: `{ships:ship}` is `1 ship` or `5 ships`, `{ships}` the number."""

    def __format__(self, spec: str) -> str:
        return counted_noun(self, spec) if spec else str(int(self))
