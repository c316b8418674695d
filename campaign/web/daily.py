"""What pages of a try at the battle of the day say about its table."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from campaign.models.campaign import Campaign
from campaign.selectors.daily import open_until


def daily_closing(campaign: Campaign) -> datetime | None:
    """Return when the table of a try at the battle of the day closes.

    Returns:
        None for other campaigns, and when the table is closed.
    """
    return open_until(campaign, timezone.now())
