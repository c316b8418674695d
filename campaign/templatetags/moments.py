"""Times in the reader's zone and language: `{{ when|deadline }}`, `{{ when|moment }}`.

They work inside a sentence too: `{% blocktranslate with on=stage.closes|deadline %}It closes on {{
on }}.{% … %}`. `date` replaces Django's filter and uses the date order of the reader's language.
"""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.web.daily import daily_closing
from campaign.words.moments import date_words

SHORT_FORMAT = "D j M, H:i"  # of Django's `date`

register = template.Library()
register.filter("date", date_words, expects_localtime=True, is_safe=False)
register.filter("daily_closing", daily_closing)


@register.filter(expects_localtime=True, is_safe=True)
def machine_time(value: datetime) -> str:
    """Return a time for HTML's `datetime` attribute, without fractions of a second.

    HTML allows at most three decimals there.
    """
    return value.isoformat(timespec="seconds")


@register.filter(expects_localtime=True)
def moment(value: datetime | None, date_format: str = SHORT_FORMAT) -> SafeString | str:
    """Return a time as a `<time>` element, or "" for None."""
    if value is None:
        return ""
    return format_html(
        '<time datetime="{}">{}</time>', machine_time(value), date_words(value, date_format)
    )


@register.filter(expects_localtime=True)
def deadline(value: datetime | None) -> SafeString | str:
    """Return a time with its zone; a script on every page adds the time left."""
    if value is None:
        return ""
    words = date_words(value, f"{SHORT_FORMAT} T")
    return format_html(
        '<time class="deadline" datetime="{}" data-until>{}</time>', machine_time(value), words
    )
