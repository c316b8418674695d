"""The seats of factions: of a viewer, for the tabs, `{% seat_of viewer as seat %}`; of a faction by its key,
`{% seat_number campaign key as number %}`; emblems before factions' names in a text of the war that a page is about, by
`{% with_emblems words %}`. In every template by themselves.
"""

from __future__ import annotations

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from campaign.access import Viewer
from campaign.store.cache import ProcessCache
from campaign.store.documents import scenario_of
from campaign.web import seat_marks, seat_names

_names: ProcessCache[str, seat_names.Names] = ProcessCache(64)  # by the hash of the scenario

register = template.Library()
register.simple_tag(seat_marks.seat_number)


@register.simple_tag
def seat_of(viewer: Viewer) -> int:
    """The number of the seat whose war the viewer sees; 0 where he sees none."""
    return seat_marks.seat_in(viewer.campaign, viewer.sees)


@register.simple_tag(takes_context=True)
def with_emblems(context: template.Context, words: str) -> SafeString:
    """A text with emblems before the names of factions, of the campaign that the page is about."""
    campaign = context.get("campaign") or (context.get("viewer") or context["war"].viewer).campaign
    names = _names.made(campaign.scenario.sha256, lambda: seat_names.faction_names(scenario_of(campaign)))
    told = seat_names.with_emblems(names, conditional_escape(words))
    return mark_safe(told)  # noqa: S308 (escaped, and marked with emblems alone)
