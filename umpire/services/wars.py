"""A whole war, stage by stage, through the same services as any other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from campaign import models
from campaign.models.campaign import Campaign
from campaign.models.stage import RESOLVED
from umpire.services.admirals import Admiral, computer_admiral
from umpire.services.battles import fight_by_captains
from umpire.services.fighting import Fighter
from umpire.services.stages import Resolution, stage_resolve
from umpire.services.starting import campaign_start

STAGES_A_WEEK = 3

Progress = Callable[[Resolution], None]


def seed_from(number: int) -> str:
    """The 32-byte seed of a repeatable war, in hexadecimal. Such a seed can be guessed: it is for computers' wars."""
    return hashlib.sha256(f"blind jump, war {number}".encode()).hexdigest()


def war_run(
    *,
    campaign: Campaign,
    progress: Progress,
    fighter: Fighter = fight_by_captains,
    admiral: Admiral = computer_admiral,
) -> models.Snapshot:
    """Play a war from wherever it stands to its end; every stage is told to `progress`. The last snapshot.

    Stages are closed whether due or not: for wars that computers fight.
    """
    branch = campaign.head_branch
    if branch is None:
        raise ValueError("a campaign has a branch")
    branch.refresh_from_db()
    if branch.head_id is None:
        campaign_start(campaign=campaign)
    while (stage := _waiting(branch)) is not None:
        resolution = stage_resolve(stage=stage.pk, force=True, fighter=fighter, admiral=admiral)
        if resolution is None:
            raise ValueError("a forced stage stayed open")
        progress(resolution)
    branch.refresh_from_db()
    if branch.head is None:
        raise ValueError("a war that was fought has a head")
    return branch.head


def stages_at_most(weeks: int) -> int:
    """How many stages a war of so many weeks has, the deployment included, if nothing ends it early."""
    return 1 + STAGES_A_WEEK * weeks


def _waiting(branch: models.Branch) -> models.Stage | None:
    return models.Stage.objects.filter(branch=branch, battle__isnull=True).exclude(status=RESOLVED).first()
