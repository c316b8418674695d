"""Long lists in templates: `{% if fleets|is_long %}`, `{{ names|first_of:8 }}`. In every template without loading."""

from __future__ import annotations

from collections.abc import Sequence, Sized

from django import template

from campaign.pages.folding import MANY
from engine.core.phrase import joined_phrases, phrase

register = template.Library()


@register.filter
def is_long(lines: Sized) -> bool:
    """Whether a list is so long that it is folded."""
    return len(lines) >= MANY


@register.filter
def first_of(names: Sequence[str], many: int) -> str:
    """So many names of a list, and how many there are besides: `Hudson, Rock and 82 more`."""
    if len(names) <= many + 1:  # one more name is as short as the word that there is one
        return joined_phrases(", ", names)
    return phrase("{} and {} more", joined_phrases(", ", names[:many]), len(names) - many)
