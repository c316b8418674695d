"""The seats of factions: of a viewer, for the tabs, `{% seat_of viewer as seat %}`; of a faction by its key,
`{% seat_number campaign key as number %}`. In every template by themselves.
"""

from __future__ import annotations

from django import template

from campaign.access import Viewer
from campaign.pages import seat_marks

register = template.Library()
register.simple_tag(seat_marks.seat_number)


@register.simple_tag
def seat_of(viewer: Viewer) -> int:
    """The number of the seat whose war the viewer sees; 0 where he sees none."""
    return seat_marks.seat_in(viewer.campaign, viewer.sees)
