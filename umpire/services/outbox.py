"""Messages about a stage: one to each user, the same for everybody, so that nothing can be read from them."""

from __future__ import annotations

from campaign import models

OPENED = "{campaign}: week {week}, {stage}. Your orders can be sealed now."
ENDED = "{campaign}: the war is over."


def stage_announce(
    *, campaign: models.Campaign, branch: models.Branch, ordinal: int, stage: models.Stage | None
) -> int:
    """Write the outbox rows for the stage that opened (None: the war is over); how many."""
    if stage is None:
        body = ENDED.format(campaign=campaign.name)
    else:
        body = OPENED.format(campaign=campaign.name, week=stage.week, stage=stage.kind)
    users = models.Membership.objects.filter(campaign=campaign).order_by("user_id").values_list("user_id", flat=True)
    rows = [
        models.Notification(
            user_id=user, dedupe_key=f"stage/{campaign.public_id}/{branch.number}/{ordinal}/{user}", body=body
        )
        for user in users.distinct()
    ]
    models.Notification.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)
