"""Change the ruleset of a war that has begun, which the database refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.models import Campaign


def write_ruleset(campaign: Campaign, ruleset: Mapping[str, Any]) -> None:
    """Store another ruleset, as if the war had begun with it."""
    rows = Campaign.objects.filter(pk=campaign.pk)
    started_at = rows.values_list("started_at", flat=True).get()
    rows.update(started_at=None)
    rows.update(ruleset=dict(ruleset), started_at=started_at)
