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
# An example of how to write lost systems
EXAMPLE = join_phrases(", ", map(system_words, ("firecon-1", "drive")))


def system_id(text: str, edition: str) -> str:
    """Return the id of a system: `battery 2`, `batterie 2` and `battery-2` are the same.

    Words that name no system of the edition become an id as they are, joined by hyphens.
    """
    name = _normalized(text)
    if not name:
        return ""
    number = ""
    if match := NUMBER.fullmatch(name):
        name, number = match.groups()
    types_by_name = _types_by_name(edition, translation.get_language() or "")
    type_ = types_by_name.get(name) or name.replace(" ", "-")
    if number:
        return f"{type_}-{number}"
    return type_


@lru_cache(maxsize=16)
def _types_by_name(edition: str, language: str) -> dict[str, str]:
    """Return the types of an edition by their names in a language, in English, and by id."""
    types = system_types(edition)
    types_by_name = {_normalized(type_): type_ for type_ in types}
    types_by_name |= {_normalized(system_words(type_)): type_ for type_ in types}
    with translation.override(language):
        types_by_name |= {_normalized(in_language(system_words(type_))): type_ for type_ in types}
    return types_by_name


def _normalized(text: str) -> str:
    """Return a name in lower case, without hyphens or repeated spaces."""
    return " ".join(text.casefold().replace("-", " ").split())
