"""Filters that keep a `Phrase` translatable, or translate it into the reader's language.

They replace Django's filters of the same names, which turn phrases into plain text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.template import defaultfilters
from django.utils.html import json_script as json_script_element
from django.utils.safestring import SafeString, mark_safe

from campaign.words.languages import READER_LANGUAGE, all_in_language, in_language
from campaign.words.links import html_of
from engine.core import phrase as phrases
from engine.core.phrase import Phrase, capitalize_first, join_phrases

register = template.Library()


@register.filter(is_safe=True)
def capfirst(value: Any) -> Any:
    """Capitalise the first letter of a text."""
    if isinstance(value, Phrase):
        return capitalize_first(value)
    return defaultfilters.capfirst(value)


@register.filter(is_safe=True)
def lower(value: Any) -> Any:
    """Return a text in lower case for use within a sentence. German nouns keep their capitals."""
    if isinstance(value, Phrase):
        return in_language(value.lower())
    return defaultfilters.lower(value)


@register.filter(is_safe=True)
def floatformat(value: Any, digits: Any = -1) -> str:
    """Format a number as Django does, with the decimal separator of the reader's language."""
    return str(defaultfilters.floatformat(value, digits)).replace(".", READER_LANGUAGE.decimal)


@register.filter(needs_autoescape=True)
def join(value: Iterable[Any], separator: str, autoescape: bool = True) -> Any:
    """Join the texts of a list with a separator."""
    items = list(value)
    if any(isinstance(item, Phrase) for item in items):
        # str() would turn a Phrase, which is a str already, into plain text.
        texts = [item if isinstance(item, str) else str(item) for item in items]
        return join_phrases(separator, texts)
    return defaultfilters.join(items, separator, autoescape)


@register.filter(is_safe=True)
def json_script(value: Any, element_id: str) -> SafeString:
    """Return the data of a page's scripts, with texts in the reader's language."""
    return json_script_element(all_in_language(value), element_id)


@register.filter
def with_links(value: str) -> SafeString:
    """Return the text in the reader's language, with names in it linked to their pages."""
    return mark_safe(html_of(value, READER_LANGUAGE))  # noqa: S308 (html_of escapes all but its links)


@register.filter
def phrase(value: str) -> str:
    """Return a text of a data table (`tools.catalogue_tables`) as a phrase, for translation."""
    return phrases.phrase(value)
