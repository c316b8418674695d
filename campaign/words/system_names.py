"""Names of systems as users type them: in the reader's language, in English, or as ids."""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils import translation

from campaign.words.languages import in_language
from engine.core.phrase import join_phrases
from engine.design.offers import system_types
from engine.english import system_words

NUMBER = re.compile(r"(.*?)[ -]*(\d+)")
EXAMPLE = join_phrases(
    ", ", map(system_words, ("firecon-1", "drive"))
)  # an example of how to write lost systems


def system_id(text: str, edition: str) -> str:
    """Return the id of a system: `battery 2`, `batterie 2` and `battery-2` are the same.

    Words that name no system of the edition become an id as they are, joined by hyphens.
    """
    words = _plain(text)
    if not words:
        return ""
    numbered = NUMBER.fullmatch(words)
    name, number = (numbered[1], numbered[2]) if numbered else (words, "")
    type_ = _types(edition, translation.get_language() or "").get(name) or name.replace(" ", "-")
    if number:
        return f"{type_}-{number}"
    return type_


@lru_cache(maxsize=16)
def _types(edition: str, language: str) -> dict[str, str]:
    """Return the types of an edition by their names in a language, in English, and by id."""
    types = system_types(edition)
    with translation.override(language):
        in_reader_language = {}
        for type_ in types:
            in_reader_language[_plain(in_language(system_words(type_)))] = type_
    return {
        **{_plain(type_): type_ for type_ in types},
        **{_plain(system_words(type_)): type_ for type_ in types},
        **in_reader_language,
    }


def _plain(text: str) -> str:
    """Return a name in lower case, without hyphens or repeated spaces."""
    return " ".join(text.casefold().replace("-", " ").split())
