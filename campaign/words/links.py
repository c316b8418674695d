"""Names in texts that lead to a page: a text says of a name where it leads, a template shows it as
a link. Pure.

A text with such names is a `Phrase` like any other and reads the same; only who shows it by
`html_of` gets links.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from typing_extensions import override

from engine.core.phrase import Phrase, Tongue

MARK = "\0"  # stands in no text that was ever stored: databases and forms refuse it
MARKED = re.compile(f"{MARK}(\\d+){MARK}(.*?){MARK}", re.DOTALL)


class Linked(Phrase):
    """A name that leads to an address."""

    href: str

    def __new__(cls, name: str, href: str) -> Linked:
        found = super().__new__(cls, "{}", name)
        found.href = href
        return found

    @override
    def told(self, tongue: Tongue) -> str:
        return tongue.mark(self) if isinstance(tongue, _Marking) else str(self)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return Linked, (str(self), self.href)


def linked(name: str, href: str) -> str:
    """A name that leads to an address, the plain name where there is none."""
    return Linked(name, href) if href else name


def html_of(text: str, tongue: Tongue) -> str:
    """A text in a language as safe HTML, with its names as links."""
    if not isinstance(text, Phrase):
        return html.escape(text)
    marking = _Marking(tongue)
    told = html.escape(text.told(marking))
    return MARKED.sub(
        lambda found: f'<a href="{html.escape(marking.hrefs[int(found[1])])}">{found[2]}</a>', told
    )


class _Marking:
    """A language that marks in what it tells where names lead to."""

    def __init__(self, tongue: Tongue) -> None:
        self.tongue, self.hrefs = tongue, list[str]()

    @property
    def decimal(self) -> str:
        return self.tongue.decimal

    @property
    def thousands(self) -> str:
        return self.tongue.thousands

    def message(self, text: str) -> str:
        return self.tongue.message(text)

    def noun(self, one: str, many: str, number: int) -> str:
        return self.tongue.noun(one, many, number)

    def before(self, text: str, value: str) -> str:
        """As the language has it before the name, which stands behind the mark and its number."""
        return self.tongue.before(
            text, value.split(MARK, 2)[2] if value.startswith(MARK) else value
        )

    def small(self, text: str) -> str:
        return self.tongue.small(text)

    def behind(self, text: str) -> Tongue:
        """The same marks in the language as it stands behind the text."""
        tongue = self.tongue.behind(text)
        if tongue is self.tongue:
            return self
        found = _Marking(tongue)
        found.hrefs = self.hrefs
        return found

    def mark(self, name: Linked) -> str:
        """A name between marks, with the number of its address."""
        self.hrefs.append(name.href)
        return f"{MARK}{len(self.hrefs) - 1}{MARK}{name}{MARK}"
