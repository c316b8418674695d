"""The texts of scripts: every literal of a JavaScript source, and which ones are translated.

A translated text is a template literal with the tag `phrase` (static/js/phrase.js); its
placeholders are `{}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TAG = "phrase"
# A slash after it begins a regular expression.
BEFORE_PATTERN = re.compile(r"(?:^|[(,=:\[!&|?{};+*%~^<>-]|\b(?:return|typeof|case))\s*$")
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/\w*")
PLAIN = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAME = re.compile(r"[\w$]+$")
CODES = {"n": "\n", "t": "\t"}
CONTEXT = 60


@dataclass(frozen=True)
class Literal:
    """A literal: its parts (several in a template literal), its tag, its line, and the code before
    it.
    """

    parts: tuple[str, ...]
    tag: str
    line: int
    before: str

    @property
    def text(self) -> str:
        """The literal with its placeholders, as the catalogues know it."""
        return "{}".join(self.parts)


def phrases_in(source: str) -> Iterator[str]:
    """Return the translated texts of a script."""
    return (item.text for item in literals(source) if item.tag == TAG)


def literals(source: str) -> list[Literal]:
    """Return every literal of a script, also within placeholders, in the order in which they end."""
    literals_found: list[Literal] = []
    _code(source, 0, literals_found)
    return literals_found


def _code(source: str, at: int, collected: list[Literal]) -> int:
    """Read code to its end, or past the brace that closes a placeholder; return where it ended."""
    depth, begin = 0, at
    while at < len(source):
        sign = source[at]
        if match := COMMENT.match(source, at):
            at = match.end()
        elif match := PLAIN.match(source, at):
            collected.append(_literal(source, begin, at, [match.group()[1:-1]]))
            at = match.end()
        elif sign == "`":
            at = _template(source, begin, at, collected)
        elif sign == "/" and BEFORE_PATTERN.search(source[max(begin, at - CONTEXT) : at]):
            match = PATTERN.match(source, at)
            at = match.end() if match else at + 1
        elif sign == "}" and depth == 0 and begin:
            return at + 1
        else:
            depth += (sign == "{") - (sign == "}")
            at += 1
    return at


def _template(source: str, begin: int, start: int, collected: list[Literal]) -> int:
    """Read a template literal from its first backtick to behind its last."""
    parts, at = [""], start + 1
    while source[at] != "`":
        if source[at] == "\\":
            parts[-1] += source[at : at + 2]
            at += 2
        elif source.startswith("${", at):
            at = _code(source, at + 2, collected)
            parts.append("")
        else:
            parts[-1] += source[at]
            at += 1
    collected.append(_literal(source, begin, start, parts))
    return at + 1


def _literal(source: str, begin: int, start: int, parts: list[str]) -> Literal:
    before = source[max(begin, start - CONTEXT) : start]
    tag = NAME.search(before)
    texts = tuple(
        re.sub(r"\\(.)", lambda code: CODES.get(code[1], code[1]), part) for part in parts
    )
    return Literal(
        texts,
        tag.group() if tag and source[start] == "`" else "",
        source.count("\n", 0, start) + 1,
        before,
    )
