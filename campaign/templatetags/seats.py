"""Tags about the seats of factions; every template has them without `{% load %}`.

`{% seat_of viewer as seat %}` is a viewer's seat, for the tabs. `{% seat_number campaign key as
number %}` is the seat number of a faction. `{% with_emblems words %}` puts emblems before the
factions' names in a text about the page's war.
"""

from __future__ import annotations

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from campaign.web import seat_marks, seat_names

register = template.Library()
register.simple_tag(seat_marks.seat_number)
register.simple_tag(seat_names.seat_of)


@register.simple_tag(takes_context=True)
def with_emblems(context: template.Context, words: str) -> SafeString:
    """Return a text with emblems before the names of the campaign's factions."""
    return seat_names.with_emblems_of(seat_names.campaign_of(context), conditional_escape(words))
