"""Names in texts that lead to a page. Pure functions.

A text with such names is a `Phrase` like any other and has the same words; `html_of` shows the
names as links.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from typing_extensions import override

from engine.core.phrase import Language, Phrase

MARK = "\0"  # cannot occur in stored texts: databases and forms refuse it
MARK_PATTERN = re.compile(f"{MARK}(\\d+){MARK}(.*?){MARK}", re.DOTALL)


class LinkedName(Phrase):
    """A name that leads to an address."""

    href: str

    def __new__(cls, name: str, href: str) -> LinkedName:
        instance = super().__new__(cls, "{}", name)
        instance.href = href
        return instance

    @override
    def in_language(self, language: Language) -> str:
        if isinstance(language, _MarkingLanguage):
            return language.mark(self)
        return str(self)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return LinkedName, (str(self), self.href)


def linked(name: str, href: str) -> str:
    """Return a name that leads to an address, or the plain name without one."""
    if href:
        return LinkedName(name, href)
    return name


def html_of(text: str, language: Language) -> str:
    """Return a text in a language as safe HTML, with its names as links."""
    if not isinstance(text, Phrase):
        return html.escape(text)
    marking = _MarkingLanguage(language)
    marked_html = html.escape(text.in_language(marking))

    def link(match: re.Match[str]) -> str:
        number, name = match.groups()
        return f'<a href="{html.escape(marking.hrefs[int(number)])}">{name}</a>'

    return MARK_PATTERN.sub(link, marked_html)


class _MarkingLanguage:
    """A language that marks linked names in the texts it translates.

    Everything else is left to the language of the text.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.hrefs = list[str]()

    @property
    def decimal(self) -> str:
        return self.language.decimal

    @property
    def thousands(self) -> str:
        return self.language.thousands

    def message(self, text: str) -> str:
        return self.language.message(text)

    def noun(self, singular: str, plural_form: str, number: int) -> str:
        return self.language.noun(singular, plural_form, number)

    def before(self, text: str, value: str) -> str:
        """Return a text in the form before a value, which may be a name after its marks."""
        if value.startswith(MARK):
            _, _, name = value.split(MARK, 2)
            return self.language.before(text, name)
        return self.language.before(text, value)

    def small(self, text: str) -> str:
        return self.language.small(text)

    def behind(self, text: str) -> Language:
        """Return the same marks with the language for a value after a text."""
        language_behind = self.language.behind(text)
        if language_behind is self.language:
            return self
        marking = _MarkingLanguage(language_behind)
        marking.hrefs = self.hrefs
        return marking

    def mark(self, name: LinkedName) -> str:
        """Put a name between marks, with the number of its address."""
        self.hrefs.append(name.href)
        return f"{MARK}{len(self.hrefs) - 1}{MARK}{name}{MARK}"
