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
    """Return the messages tab of a viewer."""
    on = message_rules_of(viewer.campaign).on and (viewer.plays or viewer.umpires)
    return MessageTab(on, unread_count(viewer) if on else 0)
