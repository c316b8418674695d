"""Lists that one looks something up in: by words, in the page's own language, and by first
letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from django.http import HttpRequest

from campaign.words.languages import in_language

LONGEST = 80  # characters of what is looked for
INDEX_FROM = 12  # a list no longer than this needs no letters
OTHER_LETTER = "#"  # in place of the letter of what begins with none


def search_text_of(request: HttpRequest) -> str:
    """What the page is asked to show, by `?q=`."""
    return request.GET.get("q", "").strip()[:LONGEST]


def normalize_text(text: str) -> str:
    """A text as it is compared: without accents and case, in the reader's language."""
    parts = unicodedata.normalize("NFD", in_language(text))
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def matches_all_words(search_text: str, texts: Iterable[str]) -> bool:
    """Whether every word of what is looked for is in one of the texts."""
    full_text = " ".join(map(normalize_text, texts))
    return all(word in full_text for word in normalize_text(search_text).split())


def index_letter(text: str) -> str:
    """The letter that a text begins with, for an index; `OTHER` where it begins with none."""
    first = normalize_text(text)[:1].upper()
    return first if first.isalpha() else OTHER_LETTER
