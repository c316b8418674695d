"""The messages tab of a campaign."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.access import Viewer
from campaign.selectors.messages import message_rules_of, unread_count


@dataclass(frozen=True, slots=True)
class MessageTab:
    """Whether the reader's seat has messages, and how many are unread."""

    is_shown: bool
    unread: int


def message_tab(viewer: Viewer) -> MessageTab:
    """Return the messages tab of a viewer, which players and umpires have."""
    has_seat = viewer.plays or viewer.umpires
    is_shown = message_rules_of(viewer.campaign).on and has_seat
    return MessageTab(is_shown, unread_count(viewer) if is_shown else 0)
