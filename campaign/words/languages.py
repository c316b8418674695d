"""The languages of pages and messages, the choice of one for a reader, and grammar.

The catalogues are gettext's, in locale/: texts of templates use Django's tags, texts of the program
are `engine.core.phrase.Phrase`. The API uses English, because programs use its codes; only
sentences of reports, which people read, are translated there, too.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from typing_extensions import override

from engine.core.phrase import Phrase

ENGLISH = "en"
# Decimal separators within sentences, if not a point
DECIMALS = {"de": ",", "fr": ","}
# Thousands separators, if not a comma
THOUSANDS = {"de": ".", "fr": "\N{NARROW NO-BREAK SPACE}"}
LARGE_NUMBER = re.compile(r"\d{5}")  # in an English text: a number that needs separators
NOUN = "noun"  # context of nouns in the catalogues
VOWEL = re.compile("[aeiouàâæéèêëîïôœùûü]", re.IGNORECASE)
ELIDED_WORD = re.compile(r"\b([Dd]|\w*[Qq]u)e $")  # `de`, `que`, `jusque` before a value
# German words that begin a title or a moment and are not nouns: lower case within a sentence.
NO_NOUNS = (
    "Vor",
    "Nach",
    "Am",
    "Im",
    "Zu",
    "Bei",
    "Von",
    "Der",
    "Die",
    "Das",
    "Ein",
    "Eine",
    "Kein",
    "Keine",
)
# German words that put the following counted noun into the dative; `bis zu` counts up to it and
# does not change its case.
DATIVE = re.compile(
    r"(?:\b(?:ab|aus|außer|bei|binnen|in|mit|nach|seit|von|vor)|(?<!\bbis )\bzu) $", re.IGNORECASE
)
ADJECTIVE = re.compile(r"\b([a-zäöüß-]+?)e[rs]? (?=.)")
# German nouns with an ending in all cases except the nominative: einem Asteroiden
WEAK_NOUN = re.compile(r"(?:ist|oid)$")
# Date formats (letters of Django's `date`) by language, where they differ from English.
DATES = {
    "de": {
        "D H:i": "D., H:i",
        "D j M, H:i": "D., j. N, H:i",
        "D j M, H:i T": "D., j. N, H:i T",
        "D j M Y, H:i": "D., j. N Y, H:i",
        "j F": "j. F",
        "j M": "j. N",
        "j M, H:i": "j. N, H:i",
        "j M Y, H:i": "j. N Y, H:i",
        "j F Y": "j. F Y",
    },
    "fr": {
        "D H:i": "D. H:i",
        "D j M, H:i": "D. j N, H:i",
        "D j M, H:i T": "D. j N, H:i T",
        "D j M Y, H:i": "D. j N Y, H:i",
        "j M": "j N",
        "j M, H:i": "j N, H:i",
        "j M Y, H:i": "j N Y, H:i",
    },
}


class ReaderLanguage:
    """The currently active language of Django."""

    @property
    def decimal(self) -> str:
        return DECIMALS.get(translation.get_language() or ENGLISH, ".")

    @property
    def thousands(self) -> str:
        return THOUSANDS.get(translation.get_language() or ENGLISH, ",")

    def message(self, text: str) -> str:
        """Translate a message; an empty text stays empty."""
        if text:
            return translation.gettext(text)
        return text

    def noun(self, singular: str, plural_form: str, number: int) -> str:
        """Translate a noun in the form that follows a number."""
        return translation.npgettext(NOUN, singular, plural_form, number)

    def before(self, text: str, value: str) -> str:
        """Return a text in the form before a value; French elides `de` before a vowel."""
        if translation.get_language() == "fr" and VOWEL.match(value):
            return ELIDED_WORD.sub(r"\1’", text)
        return text

    def small(self, text: str) -> str:
        """Return a text in the form within a sentence; acronyms and German nouns keep capitals."""
        first_word = text.split(" ", 1)[0].rstrip(":,;\N{NO-BREAK SPACE}")
        is_acronym = first_word[1:] != first_word[1:].lower()
        is_german_noun = translation.get_language() == "de" and first_word not in NO_NOUNS
        if is_acronym or is_german_noun:
            return text
        return text[:1].lower() + text[1:]

    def behind(self, text: str) -> ReaderLanguage:
        """Return the language for a value after a text; German has the dative after `von`."""
        if translation.get_language() == "de" and DATIVE.search(text):
            return _DATIVE
        return self


class _DativeLanguage(ReaderLanguage):
    """German after a word that requires the dative, for the whole value."""

    @override
    def noun(self, singular: str, plural_form: str, number: int) -> str:
        return dative_noun(
            super().noun(singular, plural_form, 1),
            super().noun(singular, plural_form, number),
            number,
        )


READER_LANGUAGE = ReaderLanguage()
_DATIVE = _DativeLanguage()


def dative_noun(singular: str, counted: str, number: int) -> str:
    """Return a German noun after a number in the dative.

    Args:
        singular: The form after 1.
        counted: The form after this number.
    """
    words = ADJECTIVE.sub(r"\1en ", counted)
    if number == 1:
        return WEAK_NOUN.sub(r"\g<0>en", words)
    has_no_plural = counted == singular and counted.endswith("e")  # Infanterie
    if has_no_plural or words[-1] in "ns" or words[-1].isupper():
        return words
    return f"{words}n"


def languages() -> dict[str, str]:
    """Return the languages by code, each with its own name for itself."""
    return dict(settings.LANGUAGES)


def in_language(text: str) -> str:
    """Translate a text of the program into the active language; other texts stay unchanged."""
    if not isinstance(text, Phrase):
        return str(text)
    # English needs no translation, only separators in large numbers
    if translation.get_language() == ENGLISH and not LARGE_NUMBER.search(text):
        return str(text)
    return text.in_language(READER_LANGUAGE)


def all_in_language(data: object) -> object:
    """Translate the program's texts in nested lists and mappings into the active language."""
    if translation.get_language() == ENGLISH:
        return data
    return _translated(data)


def _translated(data: object) -> object:
    if isinstance(data, Phrase):
        return in_language(data)
    if isinstance(data, dict):
        return {name: _translated(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_translated(value) for value in data]
    return data


def date_form(form: str) -> str:
    """Return a date format in the form of the active language."""
    return DATES.get(translation.get_language() or ENGLISH, {}).get(form, form)


def language_from_query(request: HttpRequest) -> str:
    """Return the language chosen at the foot of a page without a login (`?language=de`), or ""."""
    code = request.GET.get("language", "")
    if code in languages():
        return code
    return ""


def language_of(request: HttpRequest, chosen: str) -> str:
    """Return the language of a page: the reader's choice, or else the browser's if available."""
    if chosen in languages():
        return chosen
    return translation.get_language_from_request(request)
