"""The further words of a plot, by rulebook: how each is read. What a word asks for and does stands in
`engine.continuum.plot_words`, a row under the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.core.orders import PLOT_FLAGS

# Reads the texts after a word into those the plot keeps (canonical: read again they stay the same). Raises ValueError
# that says what belongs there.
Reads = Callable[[list[str]], tuple[str, ...]]


def nothing(words: list[str]) -> tuple[str, ...]:
    """A word that stands alone."""
    if words:
        raise ValueError("nothing is needed here")
    return ()


def names(least: int, most: int, what: str) -> Reads:
    """From `least` to `most` names; commas part them as spaces do."""

    def read(words: list[str]) -> tuple[str, ...]:
        found = tuple(" ".join(words).replace(",", " ").split())
        if not least <= len(found) <= most:
            raise ValueError(f"{what} is needed here")
        return found

    return read


def whole(least: int, most: int, what: str) -> Reads:
    """One whole number."""

    def read(words: list[str]) -> tuple[str, ...]:
        if len(words) != 1 or not words[0].isdecimal() or not least <= int(words[0]) <= most:
            raise ValueError(f"{what}, a whole number from {least} to {most}, is needed here")
        return (str(int(words[0])),)

    return read


@dataclass(frozen=True, slots=True)
class Word:
    """A further word: how what follows it is read, and whether a plot may say it more than once.

    A word that names ships or groups, those of other sides by contact, stands in `engine.core.orders.NAMING` too.
    """

    reads: Reads = nothing
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a rulebook's plots may say: `flags`, words that stand alone and any rulebook may have; further `words`; two
    turns in one move (`double_turn`); burns of ships that move by vectors; and what is flown instead of a move that
    fails (`otherwise`).
    """

    flags: tuple[str, ...] = PLOT_FLAGS
    words: Mapping[str, Word] = field(default_factory=dict)
    double_turn: bool = False
    burns: bool = False
    otherwise: bool = False


def some(*known: str) -> Reads:
    """Some of a few known words, each once."""

    def read(words: list[str]) -> tuple[str, ...]:
        found = tuple(word.lower() for word in " ".join(words).replace(",", " ").split())
        if any(word not in known for word in found) or len(set(found)) < len(found):
            raise ValueError(f"{' or '.join(known)} is needed here, or nothing")
        return found

    return read


def one(*known: str) -> Reads:
    """One of a few known words."""

    def read(words: list[str]) -> tuple[str, ...]:
        if len(words) != 1 or words[0].lower() not in known:
            raise ValueError(f"one of {', '.join(known)} is needed here")
        return (words[0].lower(),)

    return read


def paired(what: str, *, upper: bool = False) -> Reads:
    """A system and what it is set to, in lower or in upper case letters."""

    def read(words: list[str]) -> tuple[str, ...]:
        if len(words) != 2:
            raise ValueError(f"{what} are needed here")
        return (words[0].lower(), words[1].upper() if upper else words[1].lower())

    return read


LONGEST_CLOAK = 99  # turns
MOST_SYSTEMS = 99

# Continuum's words, a row each, in alphabetical order.
WORDS: dict[str, Word] = {
    "alone": Word(),
    "charge": Word(names(1, MOST_SYSTEMS, "one or more wave guns")),
    "cloak": Word(whole(1, LONGEST_CLOAK, "the turns it stays under its cloak")),
    "detonate": Word(),
    "et": Word(),
    "jam": Word(some("ecm", "area-ecm")),
    "overload": Word(names(1, MOST_SYSTEMS, "one or more torpedo tubes")),
    "reflex": Word(),
    "roll": Word(),
    "set": Word(paired("a weapon and its setting, such as fusion-array-1 torpedo"), repeats=True),
    "squadron": Word(names(1, 1, "the ship that leads it")),
    "stealth": Word(one("active", "passive", "on", "off")),
    "turret": Word(paired("a turret and an arc, such as turret-1 FS", upper=True), repeats=True),
}
