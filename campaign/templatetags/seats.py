"""The seats of factions: of a viewer, for the tabs, `{% seat_of viewer as seat %}`; of a faction by
its key, `{% seat_number campaign key as number %}`; emblems before factions' names in a text of the
war that a page is about, by `{% with_emblems words %}`. In every template by themselves.
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
    """Return a text with emblems before the names of factions, of the campaign that the page is
    about.
    """
    campaign = context.get("campaign") or (context.get("viewer") or context["war"].viewer).campaign
    return seat_names.with_emblems_of(campaign, conditional_escape(words))
