"""What the tabs of a campaign say of messages: `{% messages_of viewer as letters %}`. In every template by itself."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from campaign.access import Viewer
from campaign.selectors.messages import message_rules_of, unread_count

register = template.Library()


@dataclass(frozen=True, slots=True)
class Letters:
    """Whether the reader's seat has messages, and how many are unread."""

    on: bool
    unread: int


@register.simple_tag
def messages_of(viewer: Viewer) -> Letters:
    """Return the messages of a viewer, for the tabs."""
    on = message_rules_of(viewer.campaign).on and (viewer.plays or viewer.umpires)
    return Letters(on, unread_count(viewer) if on else 0)
