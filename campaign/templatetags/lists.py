"""Filters for long lists, which templates fold with `<c-fold>` and `<c-rest>`.

Every template has them without `{% load %}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from typing import Any

from django import template

from campaign.web.folding import FOLD_FROM, ROWS_OPEN
from campaign.words.notices import NoticeLine
from engine.core.phrase import join_phrases, phrase

register = template.Library()


@register.filter
def is_long(lines: Sized) -> bool:
    """Return whether a list is long enough to be folded."""
    return len(lines) >= FOLD_FROM


@register.filter
def unfolded_rows(rows: Sequence[Any], lines: Sized) -> Sequence[Any]:
    """Return the rows of a report that are shown unfolded: the first ones if it is long, else all.

    Args:
        lines: All lines of the report; a row has one or more. Their number decides.
    """
    if is_long(lines):
        return rows[:ROWS_OPEN]
    return rows


@register.filter
def folded_rows(rows: Sequence[Any], lines: Sized) -> Sequence[Any]:
    """Return the remaining rows of a report, which `<c-rest>` folds."""
    return rows[len(unfolded_rows(rows, lines)) :]


@register.filter
def repair_rolls(lines: Iterable[NoticeLine]) -> list[NoticeLine]:
    """Return the repairs among the lines of a report, which are folded."""
    return [line for line in lines if line.is_repair]


@register.filter
def without_repair_rolls(lines: Iterable[NoticeLine]) -> list[NoticeLine]:
    """Return the other lines of a report."""
    return [line for line in lines if not line.is_repair]


@register.filter
def first_names(names: Sequence[str], shown_count: int) -> str:
    """Return the first names of a list and the number of others: `Hudson, Rock and 82 more`."""
    if len(names) <= shown_count + 1:  # one more name is as short as "and 1 more"
        return join_phrases(", ", names)
    return phrase(
        "{} and {} more", join_phrases(", ", names[:shown_count]), len(names) - shown_count
    )
