"""Filters for numbers and nouns: `{{ points|number }}`, `{{ total|counted_noun:"ship" }}`.

Every template has them without `{% load %}`.
"""

from __future__ import annotations

from django import template

from campaign.words.design_faults import with_option_titles
from campaign.words.languages import READER_LANGUAGE
from engine import english
from engine.core.phrase import group_digits

register = template.Library()


@register.filter
def counted_noun(count: int, noun: str) -> str:
    """Return a number with its noun: `5 ships`."""
    return english.counted_noun(count, noun)


@register.filter
def counted_kind(count: int, classification: str) -> str:
    """Return a number of ships of a classification: `2 capital ships`."""
    return english.counted_kind(count, classification)


@register.filter
def number(value: int) -> str:
    """Return a whole number with the language's digit groups: `9585`, `12,345`.

    Scripts format numbers the same way. Other values are returned unchanged.
    """
    if isinstance(value, int):
        return group_digits(value, READER_LANGUAGE.thousands)
    return value


@register.filter
def option_titles(fault: str) -> str:
    """Return a fault with the titles of optional rules instead of their ids."""
    return with_option_titles(fault)


@register.filter
def short_name(key: str) -> str:
    """Return a faction's name from its id."""
    return english.short_name(key)


@register.filter
def noun_for(count: int, noun: str) -> str:
    """Return the noun alone: `ships` unless there is exactly one."""
    return english.noun_for(1 if count == 1 else 2, noun)


@register.filter
def per_cent(share: float) -> str:
    """Return a share as a percentage in the reader's language: `17%`."""
    return english.per_cent(share)
