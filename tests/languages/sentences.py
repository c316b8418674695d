"""Sentences in pieces: texts of a template that form a sentence only with a link or value.

No translation can put such pieces into the order of its language, or inflect a word for its
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PART = re.compile(
    r"(\{% blocktranslate\b.*?\{% endblocktranslate %\}|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}"
    r"|</?[A-Za-z](?:\{%.*?%\}|\{\{.*?\}\}|\"[^\"]*\"|'[^']*'|[^<>\"'])*>)",
    re.DOTALL,
)
TRANSLATE_TAG = re.compile(
    r"""\{% translate (["'])(.*?)\1 %\}|\{% blocktranslate\b.*?%\}(.*?)\{% endblocktranslate %\}""",
    re.DOTALL,
)
ASSIGNED = re.compile(r"\{% blocktranslate\b[^%]*\basvar \w+ %\}")  # shown elsewhere
WORD = re.compile(r"\{% (\w+)")
ELEMENT = re.compile(r"<(/?)([\w.-]+)")
# Elements within a sentence. One with a class is a label beside it, like a badge.
INLINE_TAGS = frozenset(
    ["a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "strong", "span", "time"]
)
LABEL = re.compile(r"""class=["'](?!num\b)""")
VALUES = ("{{", "<c-seat")  # the beginning of a value
UNREAD = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<[^<>]*>", re.DOTALL)
ENDS = re.compile(r"[.!?:…]\W*$")
CONTINUES = re.compile(r"\s*[a-zà-ÿ,;.)]")
BREAKS = re.compile(
    r"[·–|:,;(]|[.!?…]\s"
)  # literal separators between the facts of a list, or after a sentence
SIGN = re.compile(r"[:;!?]")  # a translated one: French has a space before it
BARE = re.compile(r"(?:\}\}|%\}|</[a-z]+>)[:;!?](?=\s|<|\{%|$)")  # an untranslated one
UNSAID = re.compile(
    r"\{% blocktranslate\b.*?\{% endblocktranslate %\}|\{#.*?#\}|<(script|style)\b.*?</\1>",
    re.DOTALL,
)
# A text that needs a text before or after it; and one that is a complete sentence.
CLAUSE = re.compile(r"^[,;:] (?!(?:and|then) ?$).*[a-z]|^ .*\{|\{.*[a-z] $")
SENTENCE = re.compile(r" ?[A-Z].*\. ?")
SEPARATING_TAGS = frozenset(
    ["block", "endblock", "include", "extends", "load", "guide", "guide_form", "csrf_token"]
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A translated text, or a value if `text` is empty.

    Attributes:
        bare: It has no element of its own.
    """

    text: str
    line: int
    depth: int


Last = frozenset[Piece]


def find_torn_sentences(source: str) -> Iterator[tuple[int, str, str]]:
    """Return neighbours that form one sentence: line, first piece, second piece."""
    last: Last = frozenset()
    branches: list[tuple[str, Last, Last, bool]] = []
    depth, line = 0, 1
    opened: list[tuple[str, bool, Last, int]] = []
    for part in PART.split(source):
        here, line = line, line + part.count("\n")
        if not part or part.startswith("{#") or ASSIGNED.match(part):
            continue
        translated = TRANSLATE_TAG.fullmatch(part)
        if translated and SIGN.fullmatch(translated[2] or ""):
            last = frozenset()
        elif translated or part.startswith(VALUES):
            piece = Piece(
                " ".join((translated[2] or translated[3]).split(" ")) if translated else "",
                here,
                depth,
            )
            yield from (
                (here, first.text or "a value", piece.text or "a value")
                for first in last
                if _is_one_sentence(first, piece)
            )
            last = frozenset({piece})
        elif part.startswith("{%"):
            word = WORD.match(part)
            name = word[1] if word else ""
            if name in ("if", "for"):
                branches.append((name, last, frozenset(), False))
            elif name in ("elif", "else", "empty"):
                kind, before, ends, _ = branches.pop()
                branches.append((kind, before, ends | last, name != "elif"))
                last = before
            elif name in ("endif", "endfor"):
                _, before, ends, is_whole = branches.pop()
                last = last | ends | (frozenset() if is_whole else before)
            elif name in SEPARATING_TAGS:
                last = frozenset()
        elif part.startswith("<") and (element := ELEMENT.match(part)):
            closes, tag = bool(element[1]), element[2].lower()
            if tag not in INLINE_TAGS:
                last, depth, opened = frozenset(), 0, []
            elif part.endswith("/>"):
                continue
            elif not closes:
                label = LABEL.search(part) is not None
                opened.append((tag, label, last, depth))
                last, depth = (frozenset(), 0) if label else (last, depth + 1)
            elif opened:
                _, label, before, depth = opened.pop()
                last = before if label else last
        elif BREAKS.search(part):
            last = frozenset()
    return


def bare_signs(source: str) -> list[str]:
    """Return untranslated signs after a value, with the text before them."""
    rest = UNSAID.sub("{% translate %}", source)
    return [rest[max(0, match.start() - 30) : match.end()] for match in BARE.finditer(rest)]


def _is_one_sentence(first: Piece, then: Piece) -> bool:
    """Return whether two neighbours form one sentence."""
    if not first.text and not then.text:
        return False
    if first.depth and then.depth:
        return False
    goes_on = bool(then.text) and CONTINUES.match(then.text) is not None
    return goes_on or (bool(first.text) and not ENDS.search(UNREAD.sub("", first.text)))
