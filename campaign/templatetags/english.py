"""Numbers in templates, alone and with nouns: `{{ points|number }}`, `{{ total|counted_noun:"ship"
}}`. In every template without loading.
"""

from __future__ import annotations

from django import template

from campaign.words.languages import READER_LANGUAGE
from engine import english
from engine.core.phrase import group_digits

register = template.Library()


@register.filter
def counted_noun(many: int, noun: str) -> str:
    """`5 ships`."""
    return english.counted_noun(many, noun)


@register.filter
def counted_kind(many: int, classification: str) -> str:
    """`2 capital ships`."""
    return english.counted_kind(many, classification)


@register.filter
def number(value: int) -> str:
    """`9585`, `12,345`, as a language writes it and as scripts do; what is no whole number stays as
    it is.
    """
    return group_digits(value, READER_LANGUAGE.thousands) if isinstance(value, int) else value


@register.filter
def short_name(key: str) -> str:
    """A faction's id as a name."""
    return english.short_name(key)


@register.filter
def noun_for(many: int, noun: str) -> str:
    """The noun alone: `ships` where there is not exactly one."""
    return english.noun_for(1 if many == 1 else 2, noun)


@register.filter
def per_cent(share: float) -> str:
    """`17%`, as a language writes it."""
    return english.per_cent(share)
