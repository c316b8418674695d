"""The names of systems as people write them into a form: in the reader's language, in English, or
as ids.
"""

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
)  # how systems lost are written


def system_id(text: str, edition: str) -> str:
    """The id of the system that somebody calls so: `battery 2`, `batterie 2` and `battery-2` are
    the same one.

    What names none of the edition's systems is made an id as it stands.
    """
    words = _plain(text)
    if not words:
        return ""
    numbered = NUMBER.fullmatch(words)
    name, number = (numbered[1], numbered[2]) if numbered else (words, "")
    type_ = _types(edition, translation.get_language() or "").get(name) or name.replace(" ", "-")
    return f"{type_}-{number}" if number else type_


@lru_cache(maxsize=16)
def _types(edition: str, language: str) -> dict[str, str]:
    """What the types of an edition are called: by the names of a language, the English ones and the
    ids.
    """
    types = system_types(edition)
    with translation.override(language):
        in_reader_language = {_plain(in_language(system_words(type_))): type_ for type_ in types}
    return {
        **{_plain(type_): type_ for type_ in types},
        **{_plain(system_words(type_)): type_ for type_ in types},
        **in_reader_language,
    }


def _plain(text: str) -> str:
    """A name without capitals, hyphens and more than one space in a row."""
    return " ".join(text.casefold().replace("-", " ").split())
