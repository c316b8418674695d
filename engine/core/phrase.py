"""Texts for readers that can be translated after they are made.

A `Phrase` is an English text and an ordinary `str`: it is compared, stored and sent as one. It also
keeps its message, which is the key of the catalogues, and the values in it. Any page can therefore
show it in the reader's language (`in_language`), whenever and for whomever it was made. Combining
texts with `phrase`, `join_phrases`, `counted_noun`, `capitalize_first`, `+` or `format` keeps them
translatable. An f-string or `str.join` gives plain English.

The engine has no catalogues. The program that shows texts sets the translation once
(`set_localizer`).
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
LOWER = "lower"  # a change of letters that depends on the language


class Language(Protocol):
    """A language into which texts are translated.

    Attributes:
        decimal: The decimal separator.
        thousands: The separator of thousands in numbers of five digits or more (`group_digits`).
    """

    @property
    def decimal(self) -> str: ...

    @property
    def thousands(self) -> str: ...

    def message(self, text: str) -> str:
        """Return the translation of a message."""
        ...

    def noun(self, singular: str, plural_form: str, number: int) -> str:
        """Return the translation of a noun in the form that follows a number."""
        ...

    def before(self, text: str, value: str) -> str:
        """Return a text in the form it has before a value: French elides `de` before a vowel."""
        ...

    def small(self, text: str) -> str:
        """Return a text as written inside a sentence, without its capital; German nouns keep it."""

    def behind(self, text: str) -> Language:
        """Return the language for a value after a text: German may need the dative there."""
        ...


class Phrase(str):
    """A text with its message and the values filled into it; see `str.format`."""

    message: str
    values: tuple[Any, ...]
    named_values: Mapping[str, Any]

    def __new__(cls, message: str, /, *values: Any, **named_values: Any) -> Self:
        if values or named_values:
            text = str.format(message, *values, **named_values)
        else:
            text = message
        instance = super().__new__(cls, text)
        instance.message = str(message)
        instance.values = values
        instance.named_values = named_values
        return instance

    def in_language(self, language: Language) -> str:
        """Return the text in a language."""
        message = language.message(self.message)
        if not self.values and not self.named_values:
            return message
        return _MessageFiller(language).fill(message, self.values, self.named_values)

    @override
    def format(self, /, *values: Any, **named_values: Any) -> Phrase:
        """Return the text with values filled in, still translatable."""
        return Phrase(self.message, *values, **named_values)

    @override
    def format_map(self, named_values: Mapping[str, Any], /) -> Phrase:  # type: ignore[override]
        return Phrase(self.message, **named_values)

    @override
    def __add__(self, other: str, /) -> Phrase:
        return JoinedPhrase("", (self, other))

    def __radd__(self, other: str) -> Phrase:
        return JoinedPhrase("", (other, self))

    @override
    def capitalize(self) -> Phrase:
        """Return the text with a capital first letter; in English the rest becomes lower case."""
        return ChangedPhrase(self, "capitalize")

    @override
    def lower(self) -> Phrase:
        """Return the text in lower case in English, in other languages as inside a sentence."""
        return ChangedPhrase(self, LOWER)

    @override
    def strip(self, chars: str | None = None, /) -> str:
        """Return the text without blanks at its ends; with `chars` the result is plain English."""
        if chars is None:
            return ChangedPhrase(self, "strip")
        return str.strip(self, chars)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return _rebuild_phrase, (self.message, self.values, dict(self.named_values))

    def __html__(self) -> str:
        """Return the text for templates: in the reader's language and escaped."""
        return html.escape(localize(self))


class Noun(Phrase):
    """A noun in the form that follows a number, without the number."""

    number: int

    def __new__(cls, number: int, noun: str) -> Self:
        instance = super().__new__(cls, noun if number == 1 else plural(noun))
        instance.message = str(noun)
        instance.number = number
        return instance

    @override
    def in_language(self, language: Language) -> str:
        return language.noun(self.message, plural(self.message), self.number)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return Noun, (self.number, self.message)


class JoinedPhrase(Phrase):
    """Several texts joined by a separator."""

    parts: tuple[str, ...]

    def __new__(cls, separator: str, parts: Sequence[str]) -> Self:
        instance = super().__new__(cls, str.join(separator, parts))
        instance.message = str(separator)
        instance.parts = tuple(parts)
        return instance

    @override
    def in_language(self, language: Language) -> str:
        return language.message(self.message).join(translate(part, language) for part in self.parts)

    @override
    def format(self, /, *values: Any, **named_values: Any) -> Phrase:
        return JoinedPhrase(
            self.message, [part.format(*values, **named_values) for part in self.parts]
        )

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return JoinedPhrase, (self.message, self.parts)


class ChangedPhrase(Phrase):
    """A text with changed letters or ends, by the name of the change (`CHANGES`)."""

    inner: Phrase
    change: str

    def __new__(cls, inner: Phrase, change: str) -> Self:
        in_english, _ = CHANGES[change]
        instance = super().__new__(cls, in_english(inner))
        instance.inner, instance.change = inner, change
        return instance

    @override
    def in_language(self, language: Language) -> str:
        if self.change == LOWER:
            return language.small(self.inner.in_language(language))
        _, in_others = CHANGES[self.change]
        return in_others(self.inner.in_language(language))

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return ChangedPhrase, (self.inner, self.change)


class _MessageFiller(string.Formatter):
    """Fills a translated message with translated texts and localised numbers."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def fill(self, message: str, values: Sequence[Any], named_values: Mapping[str, Any]) -> str:
        """Return the message with its values, as `vformat`, adapting the text before each value."""
        text, position = "", 0
        for literal, name, spec, change in self.parse(message):
            text += literal
            if name is None:
                continue
            if not name:
                name = str(position)
                position += 1
            value, _ = self.get_field(name, values, named_values)
            shown_value = _MessageFiller(self.language.behind(text)).format_field(
                self.convert_field(value, change), spec or ""
            )
            text = self.language.before(text, shown_value) + shown_value
        return text

    @override
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Count) and format_spec:
            return translate(counted_noun(value, format_spec), self.language)
        if isinstance(value, Phrase):
            return format(value.in_language(self.language), format_spec)
        if type(value) in (int, Count) and not format_spec:
            return group_digits(value, self.language.thousands)
        text = format(value, format_spec)
        if isinstance(value, float):
            return text.replace(".", self.language.decimal)
        return text


class Count(int):
    """A number to which a message may add a noun.

    `{ships:ship}` gives `1 ship` or `5 ships`, `{ships}` only the number.
    """

    @override
    def __format__(self, spec: str) -> str:
        if spec:
            return counted_noun(self, spec)
        return str(int(self))


def group_digits(number: int, thousands: str) -> str:
    """Return a number for readers; from five digits on with separators, as in phrase.js."""
    if abs(number) >= FIVE_DIGITS:
        return f"{number:,}".replace(",", thousands)
    return str(int(number))


def phrase(message: str, /, *values: Any, **named_values: Any) -> str:
    """Return a translatable text from an English message and its values."""
    return Phrase(message, *values, **named_values)


def join_phrases(separator: str, parts: Iterable[str]) -> str:
    """Join texts so that the result stays translatable."""
    return JoinedPhrase(separator, tuple(parts))


def counted_noun(number: int, noun: str) -> str:
    """Return a number with its noun: `1 cruiser`, `5 cruisers`, `2 hexes`."""
    return Phrase("{} {}", int(number), Noun(int(number), noun))


def noun_for(number: int, noun: str) -> str:
    """Return only the noun as it follows a number: `ships` unless there is exactly one."""
    return Noun(int(number), noun)


def capitalize_first(text: str) -> str:
    """Return the text with a capital first letter; the other letters stay as they are."""
    if isinstance(text, Phrase):
        return ChangedPhrase(text, "capital")
    return _capitalize_first(text)


def plural(noun: str) -> str:
    """Return the plural of an English noun: `capital ship` gives `capital ships`."""
    before, space, last = noun.rpartition(" ")
    return before + space + (PLURALS.get(last) or _regular(last))


def translate(text: str, language: Language) -> str:
    """Return a text in a language; a plain string stays as it is."""
    if isinstance(text, Phrase):
        return text.in_language(language)
    return text


def localize(text: str) -> str:
    """Return a text in the current reader's language; in English if no localizer is set."""
    if isinstance(text, Phrase):
        return _localizer(text)
    return text


def set_localizer(localizer: Callable[[Phrase], str]) -> None:
    """Set the function that translates texts for the current reader."""
    global _localizer  # noqa: PLW0603 (one program shows texts in one way)
    _localizer = localizer


def _in_english(text: Phrase) -> str:
    return str.__str__(text)


_localizer: Callable[[Phrase], str] = _in_english


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


# How each change works in English, and in other languages, whose nouns may have capitals.
CHANGES: Mapping[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "capital": (_capitalize_first, _capitalize_first),
    "capitalize": (str.capitalize, _capitalize_first),
    LOWER: (str.lower, str),
    "strip": (str.strip, str.strip),
}


def _regular(noun: str) -> str:
    """Return a regular plural; initials that end with an S (`PDS`) do not change."""
    if noun.isupper() and noun.endswith("S"):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def _rebuild_phrase(
    message: str, values: tuple[Any, ...], named_values: Mapping[str, Any]
) -> Phrase:
    return Phrase(message, *values, **named_values)
