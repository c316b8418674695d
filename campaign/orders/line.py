"""How orders are typed in the command line client, one order a line: `move ember/f2 0303`.

`tools.order_lines` writes these declarations into the client, which imports nothing from the site.
`blindjump.notation` reads and writes lines by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# `text` and `number` are one word. `list` is all words up to the next keyword. `flag` and `empty`
# are a keyword alone, which stores True or an empty list.
# `places` is a list of places, `-6,4 0,8`.
WordKind = Literal["text", "number", "list", "places", "flag", "empty"]


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a line.

    Attributes:
        entry: The entry of the order that it fills. Empty if the whole order is this word.
        keyword: The word typed before it. Without one, it has a fixed place after the verb.
        least: How many words a list needs.
        is_optional: Whether it can be left out; without a keyword, "" is stored then.
    """

    entry: str
    kind: WordKind = "text"
    keyword: str = ""
    least: int = 1
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """How an order is typed. A kind with several forms of one verb has a line for each.

    Attributes:
        verb: Its first word.
        form: Its form for people: capitals for what they fill in, brackets for optional parts.
        words: What follows the verb. A string stands for a `Word` that fills the entry of this
            name.
        hint: What `form` does not explain.
        is_merged: Whether all lines with the same second word make one order together.
        inside: The entry that holds the words after the second one, as a nested table.
        is_repeated: Whether `inside` holds a list, to which each such line adds a table.
    """

    verb: str
    form: str
    words: tuple[Word | str, ...]
    hint: str = ""
    is_merged: bool = False
    inside: str = ""
    is_repeated: bool = False
