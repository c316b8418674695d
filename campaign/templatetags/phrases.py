"""Filters that keep a text of the program one that can be told in the reader's language, or tell
it.

They take the places of Django's filters of the same names, which make plain text of whatever they
get.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.template import defaultfilters
from django.utils.html import json_script as script_of
from django.utils.safestring import SafeString, mark_safe

from campaign.words.languages import READER_LANGUAGE, all_in_language, in_language
from campaign.words.links import html_of
from engine.core import phrase as phrases
from engine.core.phrase import Phrase, capitalize_first, join_phrases

register = template.Library()


@register.filter(is_safe=True)
def capfirst(value: Any) -> Any:
    """The text with a capital at its beginning."""
    return capitalize_first(value) if isinstance(value, Phrase) else defaultfilters.capfirst(value)


@register.filter(is_safe=True)
def lower(value: Any) -> Any:
    """The text in small letters, as it stands within a sentence; German leaves its nouns as they
    are.
    """
    return in_language(value.lower()) if isinstance(value, Phrase) else defaultfilters.lower(value)


@register.filter(is_safe=True)
def floatformat(value: Any, digits: Any = -1) -> str:
    """A number as the reader's language writes it."""
    return str(defaultfilters.floatformat(value, digits)).replace(".", READER_LANGUAGE.decimal)


@register.filter(needs_autoescape=True)
def join(value: Iterable[Any], separator: str, autoescape: bool = True) -> Any:
    """The texts of a list with a sign between them."""
    parts = list(value)
    if any(isinstance(part, Phrase) for part in parts):
        return join_phrases(
            separator, [part if isinstance(part, str) else str(part) for part in parts]
        )
    return defaultfilters.join(parts, separator, autoescape)


@register.filter(is_safe=True)
def json_script(value: Any, element: str) -> SafeString:
    """The data of a page's scripts, its texts in the reader's language."""
    return script_of(all_in_language(value), element)


@register.filter
def with_links(value: str) -> SafeString:
    """The text in the reader's language, with links where names in it lead to a page."""
    return mark_safe(html_of(value, READER_LANGUAGE))  # noqa: S308 (html_of escapes all but its links)


@register.filter
def phrase(value: str) -> str:
    """A text of a table of data (`tools.catalogue_tables`) as one that is told in the reader's
    language.
    """
    return phrases.phrase(value)
