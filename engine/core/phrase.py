"""Texts for people that can be told in more than one language.

A `Phrase` is a text in English, and an ordinary `str`: it is compared, stored and sent as one.
Besides, it knows the message it was made of, which is the key of the catalogues, and the values in
it, so that whoever shows it can tell it in the reader's language (`told`), however long before it
was made or for whom. What is put together of texts stays one by `phrase`, `joined_phrases`,
`counted_noun`, `capital`, `+` and `format`; an f-string or `str.join` makes plain English.

The engine knows no catalogue. Who shows texts says once how they are told (`spoken_by`).
"""

from __future__ import annotations

import html
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

from typing_extensions import override

PLURALS = {
    "box": "boxes",
    "class": "classes",
    "craft": "craft",
    "hex": "hexes",
    "salvo": "salvoes",
    "torpedo": "torpedoes",
}
VOWELS = tuple("aeiou")
FIVE_DIGITS = 10_000
LOWER = "lower"  # a change of letters that each language makes itself


class Tongue(Protocol):
    """A language to tell texts in.

    `decimal`: what stands before the fraction of a number; `thousands`: what parts the digits of
    one that has five or more (`parted`).
    """

    @property
    def decimal(self) -> str: ...

    @property
    def thousands(self) -> str: ...

    def message(self, text: str) -> str:
        """A message of the catalogue."""
        ...

    def noun(self, one: str, many: str, number: int) -> str:
        """A noun of the catalogue as it stands after a number."""
        ...

    def before(self, text: str, value: str) -> str:
        """A text as it stands before a value: French cuts its `de` short before a vowel."""
        ...

    def small(self, text: str) -> str:
        """A text as it stands within a sentence, without the capital of its beginning; German nouns
        keep theirs.
        """

    def behind(self, text: str) -> Tongue:
        """The language as it tells a value behind a text: German has the dative behind some
        prepositions.
        """
        ...


class Phrase(str):
    """A text with the message it was made of and what was put into its places; see `str.format`."""

    message: str
    values: tuple[Any, ...]
    named: Mapping[str, Any]

    def __new__(cls, message: str, /, *values: Any, **named: Any) -> Self:
        text = str.format(message, *values, **named) if values or named else message
        found = super().__new__(cls, text)
        found.message, found.values, found.named = str(message), values, named
        return found

    def told(self, tongue: Tongue) -> str:
        """The text in a language."""
        message = tongue.message(self.message)
        if not self.values and not self.named:
            return message
        return _Filled(tongue).filled(message, self.values, self.named)

    @override
    def format(self, /, *values: Any, **named: Any) -> Phrase:
        """The text with values in its places, as one that can be told in any language."""
        return Phrase(self.message, *values, **named)

    @override
    def format_map(self, named: Mapping[str, Any], /) -> Phrase:  # type: ignore[override]
        return Phrase(self.message, **named)

    @override
    def __add__(self, other: str, /) -> Phrase:
        return Joined("", (self, other))

    def __radd__(self, other: str) -> Phrase:
        return Joined("", (other, self))

    @override
    def capitalize(self) -> Phrase:
        """The text with a capital at its beginning; in English the other letters are small."""
        return Changed(self, "capitalize")

    @override
    def lower(self) -> Phrase:
        """The text in small letters in English; in other languages as it stands within a
        sentence.
        """
        return Changed(self, LOWER)

    @override
    def strip(self, chars: str | None = None, /) -> str:
        """The text without blanks at its ends; without other signs it is plain English."""
        return Changed(self, "strip") if chars is None else str.strip(self, chars)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return _phrase_again, (self.message, self.values, dict(self.named))

    def __html__(self) -> str:
        """The text as templates show it: in the reader's language, and safe in HTML."""
        return html.escape(spoken(self))


class Noun(Phrase):
    """A noun as it stands after a number, without it."""

    number: int

    def __new__(cls, number: int, noun: str) -> Self:
        found = super().__new__(cls, noun if number == 1 else plural(noun))
        found.message, found.number = str(noun), number
        return found

    @override
    def told(self, tongue: Tongue) -> str:
        return tongue.noun(self.message, plural(self.message), self.number)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return Noun, (self.number, self.message)


class Joined(Phrase):
    """Texts one after the other, with a sign between them."""

    parts: tuple[str, ...]

    def __new__(cls, between: str, parts: Sequence[str]) -> Self:
        found = super().__new__(cls, str.join(between, parts))
        found.message, found.parts = str(between), tuple(parts)
        return found

    @override
    def told(self, tongue: Tongue) -> str:
        return tongue.message(self.message).join(in_tongue(part, tongue) for part in self.parts)

    @override
    def format(self, /, *values: Any, **named: Any) -> Phrase:
        return Joined(self.message, [part.format(*values, **named) for part in self.parts])

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return Joined, (self.message, self.parts)


class Changed(Phrase):
    """A text whose letters or ends are changed, by the name of the change (`CHANGES`)."""

    inner: Phrase
    how: str

    def __new__(cls, inner: Phrase, how: str) -> Self:
        in_english, _ = CHANGES[how]
        found = super().__new__(cls, in_english(inner))
        found.inner, found.how = inner, how
        return found

    @override
    def told(self, tongue: Tongue) -> str:
        if self.how == LOWER:
            return tongue.small(self.inner.told(tongue))
        _, in_others = CHANGES[self.how]
        return in_others(self.inner.told(tongue))

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return Changed, (self.inner, self.how)


class _Filled(string.Formatter):
    """Fills a message in a language: with texts told in it, and numbers as it writes them."""

    def __init__(self, tongue: Tongue) -> None:
        self.tongue = tongue

    def filled(self, message: str, values: Sequence[Any], named: Mapping[str, Any]) -> str:
        """The message with values in its places, as `vformat` puts them, each with what its
        language has before it.
        """
        text, counted = "", 0
        for literal, name, spec, change in self.parse(message):
            text += literal
            if name is None:
                continue
            if not name:
                name, counted = str(counted), counted + 1
            value, _ = self.get_field(name, values, named)
            told = _Filled(self.tongue.behind(text)).format_field(
                self.convert_field(value, change), spec or ""
            )
            text = self.tongue.before(text, told) + told
        return text

    @override
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Count) and format_spec:
            return in_tongue(counted_noun(value, format_spec), self.tongue)
        if isinstance(value, Phrase):
            return format(value.told(self.tongue), format_spec)
        if type(value) in (int, Count) and not format_spec:
            return parted(value, self.tongue.thousands)
        text = format(value, format_spec)
        return text.replace(".", self.tongue.decimal) if isinstance(value, float) else text


class Count(int):
    """A number that a message may give a noun: `{ships:ship}` is `1 ship` or `5 ships`, `{ships}`
    the number.
    """

    @override
    def __format__(self, spec: str) -> str:
        return counted_noun(self, spec) if spec else str(int(self))


def parted(number: int, thousands: str) -> str:
    """A number as people read it: from five digits on every three are parted, as scripts do it
    (phrase.js).
    """
    return f"{number:,}".replace(",", thousands) if abs(number) >= FIVE_DIGITS else str(int(number))


def phrase(message: str, /, *values: Any, **named: Any) -> str:
    """A text that can be told in other languages: the message in English, and what stands in its
    places.
    """
    return Phrase(message, *values, **named)


def joined_phrases(between: str, parts: Iterable[str]) -> str:
    """Texts one after the other: `str.join` for what is to be told in other languages."""
    return Joined(between, tuple(parts))


def counted_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 cruiser`, `5 cruisers`, `2 hexes`."""
    return Phrase("{} {}", int(number), Noun(int(number), noun))


def noun_for(number: int, noun: str) -> str:
    """The noun alone, as it stands after a number: `ships` where there is not exactly one."""
    return Noun(int(number), noun)


def capital(text: str) -> str:
    """The text with its first letter as a capital; the others stay as they are."""
    return Changed(text, "capital") if isinstance(text, Phrase) else _raised(text)


def plural(noun: str) -> str:
    """The plural of an English noun, which may have words before it: `capital ship` gives `capital
    ships`.
    """
    before, space, last = noun.rpartition(" ")
    return before + space + (PLURALS.get(last) or _regular(last))


def in_tongue(text: str, tongue: Tongue) -> str:
    """A text in a language, where it can be told in it; others stay as they are."""
    return text.told(tongue) if isinstance(text, Phrase) else text


def spoken(text: str) -> str:
    """A text as it is told to the reader of the moment: in English where nobody has said how
    (`spoken_by`).
    """
    return _speaker(text) if isinstance(text, Phrase) else text


def spoken_by(speaker: Callable[[Phrase], str]) -> None:
    """From now on texts are shown as `speaker` tells them."""
    global _speaker  # noqa: PLW0603 (one program shows texts in one way)
    _speaker = speaker


def _in_english(text: Phrase) -> str:
    return str.__str__(text)


_speaker: Callable[[Phrase], str] = _in_english


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]


# How a text is changed: in English, and in other languages, whose nouns may have capitals.
CHANGES: Mapping[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "capital": (_raised, _raised),
    "capitalize": (str.capitalize, _raised),
    LOWER: (str.lower, str),
    "strip": (str.strip, str.strip),
}


def _regular(noun: str) -> str:
    """A plural by the rule; initials that end with an S (`PDS`) are their own."""
    if noun.isupper() and noun.endswith("S"):
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in VOWELS else f"{noun}s"


def _phrase_again(message: str, values: tuple[Any, ...], named: Mapping[str, Any]) -> Phrase:
    return Phrase(message, *values, **named)
