"""The record of a change of the site's signing key."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.errors import Refused
from campaign.models.campaign import Campaign
from campaign.models.ledger import KEY
from campaign.models.stage import Stage
from campaign.services.acts import act_write, lock_open_stage
from campaign.services.seats import lock_campaign
from campaign.store.signatures import site_key
from engine.core.signed_notes import read_verifier_key


def key_change_record(*, before: str, after: str | None = None, now: datetime | None = None) -> int:
    """Write an act into every war that has begun if the site signs with another key than before.

    Older receipts and heads stay valid under the earlier key, which the act names.

    Args:
        before: The earlier public key, as a `vkey`.
        after: The new one; None for the present one.

    Returns:
        The number of wars.
    """
    new = after or site_key().verifier
    if read_verifier_key(before).public == read_verifier_key(new).public:
        return 0
    wars = Campaign.objects.filter(started_at__isnull=False).order_by("pk")
    for campaign in wars:
        with transaction.atomic():
            act_write(
                campaign=campaign,
                stage=_open_stage(campaign),
                actor=None,
                verb=KEY,
                facts={"before": before, "after": new},
                now=now or timezone.now(),
            )
    return len(wars)


def _open_stage(campaign: Campaign) -> Stage | None:
    """Lock a war and its open stage; None if no stage is open, so that no row covers the act."""
    locked = lock_campaign(campaign)
    try:
        return lock_open_stage(locked)
    except Refused:
        return None
