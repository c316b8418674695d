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


class Language(Protocol):
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

    def noun(self, singular: str, plural_form: str, number: int) -> str:
        """A noun of the catalogue as it stands after a number."""
        ...

    def before(self, text: str, value: str) -> str:
        """A text as it stands before a value: French cuts its `de` short before a vowel."""
        ...

    def small(self, text: str) -> str:
        """A text as it stands within a sentence, without the capital of its beginning; German nouns
        keep theirs.
        """

    def behind(self, text: str) -> Language:
        """The language as it tells a value behind a text: German has the dative behind some
        prepositions.
        """
        ...


class Phrase(str):
    """A text with the message it was made of and what was put into its places; see `str.format`."""

    message: str
    values: tuple[Any, ...]
    named_values: Mapping[str, Any]

    def __new__(cls, message: str, /, *values: Any, **named_values: Any) -> Self:
        text = str.format(message, *values, **named_values) if values or named_values else message
        instance = super().__new__(cls, text)
        instance.message, instance.values, instance.named_values = (
            str(message),
            values,
            named_values,
        )
        return instance

    def in_language(self, language: Language) -> str:
        """The text in a language."""
        message = language.message(self.message)
        if not self.values and not self.named_values:
            return message
        return _MessageFiller(language).fill(message, self.values, self.named_values)

    @override
    def format(self, /, *values: Any, **named_values: Any) -> Phrase:
        """The text with values in its places, as one that can be told in any language."""
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
        """The text with a capital at its beginning; in English the other letters are small."""
        return ChangedPhrase(self, "capitalize")

    @override
    def lower(self) -> Phrase:
        """The text in small letters in English; in other languages as it stands within a
        sentence.
        """
        return ChangedPhrase(self, LOWER)

    @override
    def strip(self, chars: str | None = None, /) -> str:
        """The text without blanks at its ends; without other signs it is plain English."""
        return ChangedPhrase(self, "strip") if chars is None else str.strip(self, chars)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return _rebuild_phrase, (self.message, self.values, dict(self.named_values))

    def __html__(self) -> str:
        """The text as templates show it: in the reader's language, and safe in HTML."""
        return html.escape(localize(self))


class Noun(Phrase):
    """A noun as it stands after a number, without it."""

    number: int

    def __new__(cls, number: int, noun: str) -> Self:
        instance = super().__new__(cls, noun if number == 1 else plural(noun))
        instance.message, instance.number = str(noun), number
        return instance

    @override
    def in_language(self, language: Language) -> str:
        return language.noun(self.message, plural(self.message), self.number)

    @override
    def __reduce__(self) -> tuple[Callable[..., Phrase], tuple[Any, ...]]:
        return Noun, (self.number, self.message)


class JoinedPhrase(Phrase):
    """Texts one after the other, with a sign between them."""

    parts: tuple[str, ...]

    def __new__(cls, separator: str, parts: Sequence[str]) -> Self:
        instance = super().__new__(cls, str.join(separator, parts))
        instance.message, instance.parts = str(separator), tuple(parts)
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
    """A text whose letters or ends are changed, by the name of the change (`CHANGES`)."""

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
    """Fills a message in a language: with texts told in it, and numbers as it writes them."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def fill(self, message: str, values: Sequence[Any], named_values: Mapping[str, Any]) -> str:
        """The message with values in its places, as `vformat` puts them, each with what its
        language has before it.
        """
        text, position = "", 0
        for literal, name, spec, change in self.parse(message):
            text += literal
            if name is None:
                continue
            if not name:
                name, position = str(position), position + 1
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
        return text.replace(".", self.language.decimal) if isinstance(value, float) else text


class Count(int):
    """A number that a message may give a noun: `{ships:ship}` is `1 ship` or `5 ships`, `{ships}`
    the number.
    """

    @override
    def __format__(self, spec: str) -> str:
        return counted_noun(self, spec) if spec else str(int(self))


def group_digits(number: int, thousands: str) -> str:
    """A number as people read it: from five digits on every three are parted, as scripts do it
    (phrase.js).
    """
    return f"{number:,}".replace(",", thousands) if abs(number) >= FIVE_DIGITS else str(int(number))


def phrase(message: str, /, *values: Any, **named_values: Any) -> str:
    """A text that can be told in other languages: the message in English, and what stands in its
    places.
    """
    return Phrase(message, *values, **named_values)


def join_phrases(separator: str, parts: Iterable[str]) -> str:
    """Texts one after the other: `str.join` for what is to be told in other languages."""
    return JoinedPhrase(separator, tuple(parts))


def counted_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 cruiser`, `5 cruisers`, `2 hexes`."""
    return Phrase("{} {}", int(number), Noun(int(number), noun))


def noun_for(number: int, noun: str) -> str:
    """The noun alone, as it stands after a number: `ships` where there is not exactly one."""
    return Noun(int(number), noun)


def capitalize_first(text: str) -> str:
    """The text with its first letter as a capital; the others stay as they are."""
    return ChangedPhrase(text, "capital") if isinstance(text, Phrase) else _capitalize_first(text)


def plural(noun: str) -> str:
    """The plural of an English noun, which may have words before it: `capital ship` gives `capital
    ships`.
    """
    before, space, last = noun.rpartition(" ")
    return before + space + (PLURALS.get(last) or _regular(last))


def translate(text: str, language: Language) -> str:
    """A text in a language, where it can be told in it; others stay as they are."""
    return text.in_language(language) if isinstance(text, Phrase) else text


def localize(text: str) -> str:
    """A text as it is told to the reader of the moment: in English where nobody has said how
    (`spoken_by`).
    """
    return _localizer(text) if isinstance(text, Phrase) else text


def set_localizer(localizer: Callable[[Phrase], str]) -> None:
    """From now on texts are shown as `speaker` tells them."""
    global _localizer  # noqa: PLW0603 (one program shows texts in one way)
    _localizer = localizer


def _in_english(text: Phrase) -> str:
    return str.__str__(text)


_localizer: Callable[[Phrase], str] = _in_english


def _capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


# How a text is changed: in English, and in other languages, whose nouns may have capitals.
CHANGES: Mapping[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "capital": (_capitalize_first, _capitalize_first),
    "capitalize": (str.capitalize, _capitalize_first),
    LOWER: (str.lower, str),
    "strip": (str.strip, str.strip),
}


def _regular(noun: str) -> str:
    """A plural by the rule; initials that end with an S (`PDS`) are their own."""
    if noun.isupper() and noun.endswith("S"):
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in VOWELS else f"{noun}s"


def _rebuild_phrase(
    message: str, values: tuple[Any, ...], named_values: Mapping[str, Any]
) -> Phrase:
    return Phrase(message, *values, **named_values)
