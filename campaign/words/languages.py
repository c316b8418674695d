"""The languages of the pages and of what is sent to people: which there are, which a reader gets,
how a text is told.

The catalogues are gettext's, in locale/: texts of the templates by Django's tags, texts of the
program as `engine.core.phrase.Phrase`. The API speaks English, as programs go by its codes;
sentences of reports, which people read, are there in their reader's language, too.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from typing_extensions import override

from engine.core.phrase import Phrase

ENGLISH = "en"
DECIMALS = {
    "de": ",",
    "fr": ",",
}  # what stands before a fraction within a sentence; elsewhere a point
THOUSANDS = {
    "de": ".",
    "fr": "\N{NARROW NO-BREAK SPACE}",
}  # what parts every three digits; in English a comma
LARGE = re.compile(r"\d{5}")  # in a text in English: a number whose digits are parted
NOUN = "noun"  # the context of nouns in the catalogues
VOWEL = re.compile("[aeiouàâæéèêëîïôœùûü]", re.IGNORECASE)
CUT_SHORT = re.compile(r"\b([Dd]|\w*[Qq]u)e $")  # `de`, `que`, `jusque` before a value
# German words that begin a title or a moment and are no nouns: within a sentence they are small.
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
# German words behind which a counted noun has the dative; `bis zu` counts up to it and leaves its
# case.
DATIVE = re.compile(
    r"(?:\b(?:ab|aus|außer|bei|binnen|in|mit|nach|seit|von|vor)|(?<!\bbis )\bzu) $", re.IGNORECASE
)
ADJECTIVE = re.compile(r"\b([a-zäöüß-]+?)e[rs]? (?=.)")
WEAK = re.compile(
    r"(?:ist|oid)$"
)  # nouns with an ending in all cases but the first: einem Asteroiden
# How dates are put together (the letters of Django's `date`), where a language does it otherwise
# than English.
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
    """The reader's language of the moment, as Django has it."""

    @property
    def decimal(self) -> str:
        return DECIMALS.get(translation.get_language() or ENGLISH, ".")

    @property
    def thousands(self) -> str:
        return THOUSANDS.get(translation.get_language() or ENGLISH, ",")

    def message(self, text: str) -> str:
        """A message of the catalogue; the empty one is none."""
        return translation.gettext(text) if text else text

    def noun(self, singular: str, plural_form: str, number: int) -> str:
        """A noun of the catalogue as it stands after a number."""
        return translation.npgettext(NOUN, singular, plural_form, number)

    def before(self, text: str, value: str) -> str:
        """A text as it stands before a value: `de` and its like are cut short before a vowel in
        French.
        """
        if translation.get_language() == "fr" and VOWEL.match(value):
            return CUT_SHORT.sub(r"\1’", text)
        return text

    def small(self, text: str) -> str:
        """A text as it stands within a sentence: initials keep their capitals, and so do German
        nouns.
        """
        first = text.split(" ", 1)[0].rstrip(":,;\N{NO-BREAK SPACE}")
        keeps = first[1:] != first[1:].lower()
        if translation.get_language() == "de":
            keeps = keeps or first not in NO_NOUNS
        return text if keeps else text[:1].lower() + text[1:]

    def behind(self, text: str) -> ReaderLanguage:
        """The language as it tells a value behind a text: German nouns in the dative behind `von`
        and its like.
        """
        return _DATIVE if translation.get_language() == "de" and DATIVE.search(text) else self


class _DativeLanguage(ReaderLanguage):
    """German behind a word that asks for the dative, with all that stands in the value."""

    @override
    def noun(self, singular: str, plural_form: str, number: int) -> str:
        return dative_noun(
            super().noun(singular, plural_form, 1),
            super().noun(singular, plural_form, number),
            number,
        )


READER_LANGUAGE, _DATIVE = ReaderLanguage(), _DativeLanguage()


def dative_noun(singular: str, counted: str, number: int) -> str:
    """A German noun as it stands behind a number in the dative.

    `one`: behind a 1; `told`: behind this number.
    """
    words = ADJECTIVE.sub(r"\1en ", counted)
    if number == 1:
        return WEAK.sub(r"\g<0>en", words)
    is_unchanged = counted == singular and counted.endswith(
        "e"
    )  # no more than one of it, as Infanterie
    return words if is_unchanged or words[-1] in "ns" or words[-1].isupper() else f"{words}n"


def languages() -> dict[str, str]:
    """The languages by their codes, each as it calls itself."""
    return dict(settings.LANGUAGES)


def in_language(text: str) -> str:
    """A text of the program in the reader's language of the moment; other texts stay as they
    are.
    """
    if isinstance(text, Phrase) and (translation.get_language() != ENGLISH or LARGE.search(text)):
        return text.in_language(READER_LANGUAGE)
    return str(text)


def all_in_language(data: object) -> object:
    """The same lists and tables with the texts of the program in the reader's language of the
    moment.
    """
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
    """A form of Django's `date` as the reader's language of the moment has it."""
    return DATES.get(translation.get_language() or ENGLISH, {}).get(form, form)


def language_from_query(request: HttpRequest) -> str:
    """The language that a stranger chose at the foot of a page (`?language=de`); empty where he
    chose none there is.
    """
    code = request.GET.get("language", "")
    return code if code in languages() else ""


def language_of(request: HttpRequest, chosen: str) -> str:
    """The language of a page: the one its reader has chosen, else the browser's where there is that
    one.
    """
    return chosen if chosen in languages() else translation.get_language_from_request(request)
