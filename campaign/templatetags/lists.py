"""Long lists in templates, which fold them by `<c-fold>` and `<c-rest>`.

In every template without loading.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

from django import template

from campaign.web.folding import FOLD_FROM, ROWS_OPEN
from engine.core.phrase import join_phrases, phrase

register = template.Library()


@register.filter
def is_long(lines: Sized) -> bool:
    """Whether a list is so long that it is folded."""
    return len(lines) >= FOLD_FROM


@register.filter
def open_of(rows: Sequence[Any], lines: Sized) -> Sequence[Any]:
    """The rows of a report that stand open: the first where it is long, else all.

    `lines`: what the rows hold.
    """
    return rows[:ROWS_OPEN] if is_long(lines) else rows


@register.filter
def rest_of(rows: Sequence[Any], lines: Sized) -> Sequence[Any]:
    """The other rows of a report, which `<c-rest>` folds."""
    return rows[len(open_of(rows, lines)) :]


@register.filter
def first_of(names: Sequence[str], many: int) -> str:
    """So many names of a list, and how many there are besides: `Hudson, Rock and 82 more`."""
    if len(names) <= many + 1:  # one more name is as short as the word that there is one
        return join_phrases(", ", names)
    return phrase("{} and {} more", join_phrases(", ", names[:many]), len(names) - many)
