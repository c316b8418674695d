"""Moments in templates, in the reader's zone and language: `{{ when|deadline }}`, `{{ when|moment
}}`.

They may stand within a sentence: `{% blocktranslate with on=stage.closes|deadline %}It closes on {{
on }}.{% … %}`. `date` takes the place of Django's filter and writes dates in the order of the
reader's language.
"""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.words.moments import date_words

SHORT = "D j M, H:i"

register = template.Library()
register.filter("date", date_words, expects_localtime=True, is_safe=False)


@register.filter(expects_localtime=True, is_safe=True)
def machine_time(value: datetime) -> str:
    """Return a moment as HTML's `datetime` wants it: of a second no more than three digits, so
    without any.
    """
    return value.isoformat(timespec="seconds")


@register.filter(expects_localtime=True)
def moment(value: datetime | None, form: str = SHORT) -> SafeString | str:
    """A moment that programs can read, too; nothing where there is none."""
    if value is None:
        return ""
    return format_html(
        '<time datetime="{}">{}</time>', machine_time(value), date_words(value, form)
    )


@register.filter(expects_localtime=True)
def deadline(value: datetime | None) -> SafeString | str:
    """A moment with its zone; beside it stands what is left until then, which a script of every
    page knows.
    """
    if value is None:
        return ""
    words = date_words(value, f"{SHORT} T")
    return format_html(
        '<time class="deadline" datetime="{}" data-until>{}</time>', machine_time(value), words
    )
