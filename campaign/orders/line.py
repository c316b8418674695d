"""How orders are typed in the command line client, one order a line: `move ember/f2 0303`.

`tools.order_lines` writes these declarations into the client, which imports nothing of the site.
`blindjump.notation` reads and writes lines by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# `text` and `number` are one word. `list` is all words up to the next keyword. `flag` and `empty`
# are a keyword alone, which stores True or an empty list.
WordKind = Literal["text", "number", "list", "flag", "empty"]


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a line.

    Attributes:
        entry: The entry of the order that it fills. Empty where the whole order is this word.
        keyword: The word typed before it. Without one it stands in its place after the verb.
        least: How many words a list needs.
        is_optional: Whether it can be left out. Without a keyword, "" is stored then.
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
        form: How it is shown to people: capitals for what they fill in, brackets for what they
            can leave out.
        words: What follows the verb. A text is a `Word` that fills the entry of this name.
        hint: What is not clear from `form`.
        is_merged: Whether all lines with the same second word make one order together.
        inside: The entry that holds the words after the second one, as a table of their own.
        is_repeated: Whether `inside` holds a list, to which each such line adds a table.
    """

    verb: str
    form: str
    words: tuple[Word | str, ...]
    hint: str = ""
    is_merged: bool = False
    inside: str = ""
    is_repeated: bool = False
