"""What the tabs of a campaign say of messages."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.access import Viewer
from campaign.selectors.messages import message_rules_of, unread_count


@dataclass(frozen=True, slots=True)
class Letters:
    """Whether the reader's seat has messages, and how many are unread."""

    on: bool
    unread: int


def letters_of(viewer: Viewer) -> Letters:
    """Return the messages of a viewer, for the tabs."""
    on = message_rules_of(viewer.campaign).on and (viewer.plays or viewer.umpires)
    return Letters(on, unread_count(viewer) if on else 0)
