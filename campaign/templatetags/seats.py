"""The seat of a viewer, for the tabs: `{% seat_of viewer as seat %}`. In every template by itself."""

from __future__ import annotations

from django import template

from campaign.access import Viewer
from campaign.pages.seat_marks import seats
from campaign.stored import scenario_of

register = template.Library()


@register.simple_tag
def seat_of(viewer: Viewer) -> int:
    """The number of the seat whose war the viewer sees; 0 where he sees none."""
    return 0 if viewer.sees is None else seats(scenario_of(viewer.campaign))[viewer.sees.key]
