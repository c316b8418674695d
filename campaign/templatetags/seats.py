"""The seats of factions: of a viewer, for the tabs, `{% seat_of viewer as seat %}`; of a faction by its key,
`{% seat_number campaign key as number %}`. In every template by themselves.
"""

from __future__ import annotations

from django import template

from campaign.access import Viewer
from campaign.models.campaign import Campaign
from campaign.pages.seat_marks import seats
from campaign.stored import scenario_of

register = template.Library()


@register.simple_tag
def seat_of(viewer: Viewer) -> int:
    """The number of the seat whose war the viewer sees; 0 where he sees none."""
    return 0 if viewer.sees is None else seat_number(viewer.campaign, viewer.sees.key)


@register.simple_tag
def seat_number(campaign: Campaign, key: str) -> int:
    """The number of the seat of a faction; 0 for further ones."""
    return seats(scenario_of(campaign)).get(key, 0)
