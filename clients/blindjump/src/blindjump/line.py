"""What a line of orders is made of; `blindjump.lines` has those of each kind of order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """A part of a line.

    Attributes:
        entry: The entry of the order that it fills. Empty where the whole order is this word.
        kind: `text` and `number` are one word, `list` is all words up to the next keyword,
            `places` likewise but each word is a place such as `-6,4`, `flag` and `empty` are a
            keyword alone, which stores True or an empty list.
        keyword: The word typed before it. Words without one follow the verb in this order.
        least: How many words a list needs.
        is_optional: Whether it can be left out. Without a keyword, "" is stored then.
    """

    entry: str
    kind: str = "text"
    keyword: str = ""
    least: int = 1
    is_optional: bool = False


@dataclass(frozen=True)
class Line:
    """How an order of the kind `part` is typed: a verb, then its words.

    Attributes:
        form: How the line is shown to people.
        hint: What is not clear from `form`.
        is_merged: Whether all lines with the same second word make one order together.
        inside: The entry that holds the words after the second one, as a table of their own.
        is_repeated: Whether `inside` holds a list, to which each such line adds a table.
    """

    verb: str
    form: str
    part: str
    words: tuple[Word, ...]
    hint: str = ""
    is_merged: bool = False
    inside: str = ""
    is_repeated: bool = False
