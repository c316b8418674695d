"""Moments as shown on pages, in the reader's zone and language."""

from __future__ import annotations

from datetime import datetime

from django.template import defaultfilters

from campaign.words.languages import date_form


def date_words(value: datetime | str | None, form: str | None = None) -> str:
    """Format a moment by a form of Django's `date`, in the order of the reader's language."""
    return defaultfilters.date(value, date_form(form) if form else form)
