"""Searchable lists: search by words in the page's language, and an index of first letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from django.http import HttpRequest

from campaign.words.languages import in_language

LONGEST = 80  # characters of a search text
INDEX_FROM = 12  # lists up to this length have no index
OTHER_LETTER = "#"  # for texts that start with no letter


def search_text_of(request: HttpRequest) -> str:
    """Return the search text in `?q=`."""
    return request.GET.get("q", "").strip()[:LONGEST]


def normalize_text(text: str) -> str:
    """Return a text for comparison: in the reader's language, without accents and case."""
    parts = unicodedata.normalize("NFD", in_language(text))
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def matches_all_words(search_text: str, texts: Iterable[str]) -> bool:
    """Return whether every word of the search text occurs in the texts."""
    full_text = " ".join(map(normalize_text, texts))
    return all(word in full_text for word in normalize_text(search_text).split())


def index_letter(text: str) -> str:
    """Return the first letter of a text for an index, or `OTHER_LETTER`."""
    first = normalize_text(text)[:1].upper()
    if first.isalpha():
        return first
    return OTHER_LETTER
