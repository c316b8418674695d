"""A test language in which every translated text is in brackets; text outside was not translated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from typing_extensions import override

from engine.core.phrase import plural
from tools.catalogue import NOUN, Texts

LANGUAGE = "xx"
OPEN, CLOSE = "⟦", "⟧"
BRACKET = re.compile(f"([{OPEN}{CLOSE}])")
VISIBLE_ATTRIBUTES = (
    "title",
    "aria-label",
    "alt",
    "placeholder",
    "label",
    "aria-description",
    "aria-roledescription",
)
SPOKEN_ATTRIBUTES = (
    "content",
    "data-confirm",
    "data-words",
    "data-label",
    "data-name",
    "data-stuck",
    "data-find",
)  # further attributes with words
UNSAID = (
    "script",
    "style",
    "template",
    "code",
    "kbd",
    "textarea",
)  # elements whose text is no sentence
WORD = re.compile(r"[A-Za-z][a-z]{2,}")


def write_catalogue(folder: Path, texts: Texts) -> None:
    """Write that language's catalogue in a folder that Django knows."""
    catalogue = Catalog(locale=None)
    for context, text in texts:
        if context == NOUN:
            catalogue.add(
                (text, plural(text)), (_bracketed(text), _bracketed(plural(text))), context=context
            )
        else:
            catalogue.add(text, _bracketed(text), context=context or None)
    path = folder / LANGUAGE / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)


def _bracketed(text: str) -> str:
    return f"{OPEN}{text}{CLOSE}"


class _Reader(HTMLParser):
    """The texts of a page outside brackets, as (where, text)."""

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.within, self.outside_texts = 0, [""], list[tuple[str, str]]()
        self.wrong: list[tuple[str, str]] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag not in (
            "input",
            "br",
            "hr",
            "meta",
            "link",
            "img",
            "path",
            "use",
            "circle",
            "rect",
            "line",
        ):
            self.within.append(tag if attributes.get("translate") != "no" else "code")
        visible = VISIBLE_ATTRIBUTES + (
            ("value",) if tag == "input" and attributes.get("type") in ("submit", "button") else ()
        )
        self.outside_texts += [
            (name, rest)
            for name in visible
            if (rest := outside(attributes.get(name) or "").strip())
        ]
        self.wrong += [
            (name, value)
            for name, value in attrs
            if value and OPEN in value and name not in visible + SPOKEN_ATTRIBUTES
        ]
        if tag == "script" and attributes.get("type") == "application/json":
            self.within[-1] = "json"

    @override
    def handle_endtag(self, tag: str) -> None:
        if len(self.within) > 1:
            self.within.pop()

    @override
    def handle_data(self, data: str) -> None:
        if self.within[-1] == "json":
            self.outside_texts += [
                ("data", rest)
                for text in _strings(json.loads(data))
                if (rest := outside(text).strip())
            ]
        elif not set(self.within) & set(UNSAID):
            self.depth, text = _outside(data, self.depth)
            if text.strip():
                self.outside_texts.append((self.within[-1], " ".join(text.split())))


def outside(text: str) -> str:
    """Return the part of a text outside brackets."""
    return _outside(text, 0)[1]


def _outside(text: str, depth: int) -> tuple[int, str]:
    """Return how many brackets are open after a text, and its part outside them.

    Args:
        depth: The number of open brackets before it.
    """
    if depth == 0 and OPEN not in text and CLOSE not in text:
        return 0, text
    rest = ""
    for part in BRACKET.split(text):
        depth += (part == OPEN) - (part == CLOSE)
        if depth == 0:
            rest += " " if part == CLOSE else part
    return depth, rest


def _strings(data: object) -> Iterator[str]:
    """Yield texts in a page's data that look like words, with a space between."""
    if isinstance(data, str):
        if " " in data:
            yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from _strings(value)


def read_page(page: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what is wrong with a page's texts, each with its element or attribute.

    Returns:
        The texts outside brackets, and translated texts in attributes for programs.
    """
    reader = _Reader()
    reader.feed(page)
    outside_texts = [(where, text) for where, text in reader.outside_texts if WORD.search(text)]
    return outside_texts, reader.wrong
