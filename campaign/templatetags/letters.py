"""What the tabs of a campaign say of messages: `{% messages_of viewer as letters %}`. In every template by itself."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from campaign.access import Viewer
from campaign.rules.message_rules import message_rules_of
from campaign.selectors.messages import unread_count

register = template.Library()


@dataclass(frozen=True, slots=True)
class Letters:
    """Whether there are messages for the reader's seat, and how many he has not read."""

    on: bool
    unread: int


@register.simple_tag
def messages_of(viewer: Viewer) -> Letters:
    """The messages of a viewer, for the tabs."""
    on = message_rules_of(viewer.campaign).on and (viewer.plays or viewer.umpires)
    return Letters(on, unread_count(viewer) if on else 0)
