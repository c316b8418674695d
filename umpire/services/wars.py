"""Start a war, and run a war of computer admirals to its end with the ordinary services."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.errors import AlreadyStarted
from campaign.kinds import StageStatus
from campaign.models.campaign import Branch, Campaign
from campaign.models.stage import Stage
from campaign.models.truth import Snapshot
from campaign.rules.codec import to_document
from campaign.selectors.entropy import entropy_begin
from campaign.selectors.rules import rules_now
from campaign.selectors.truth import world_of
from campaign.services.outbox import stage_announce
from campaign.store.documents import true_scenario_of
from engine.core.canonical import digest
from engine.core.phrase import phrase
from umpire.adjudication import week
from umpire.adjudication.fighting import Fighter, fight_by_captains
from umpire.adjudication.stage_results import battle_files
from umpire.services.battle_phases import phases_begin
from umpire.services.computing import set_up_salts, sheets_for, sheets_of
from umpire.services.projection import projection_rows, projection_write
from umpire.services.stages import Resolution, stage_open, stage_resolve
from umpire.services.stand_ins import Admiral, computer_admiral
from umpire.services.tables import tables_open
from umpire.services.writing import battles_open, sheets_write, snapshot_write

STAGES_A_WEEK = 3

Progress = Callable[[Resolution], None]


def campaign_start(*, campaign: Campaign, now: datetime | None = None) -> Stage:
    """Begin the war: its first stage is open. Raises AlreadyStarted.

    This is the deployment, the single battle, or the stage from which the war was forked.
    """
    moment = now or timezone.now()
    scenario = true_scenario_of(campaign)
    origin = campaign.forked_from
    world = week.create_world(scenario) if origin is None else world_of(origin)
    rules = rules_now(campaign).version_in(world.week)
    document = to_document(world) if origin is None else origin.world
    with transaction.atomic():
        branch = Branch.objects.select_for_update().get(campaign=campaign, number=1)
        if branch.head_id is not None:
            raise AlreadyStarted(phrase("this campaign has started"))
        salt = set_up_salts(branch, 0, entropy_begin(campaign))
        waiting = battle_files(scenario, world, salt, rules)
        files = {engagement.key: file for engagement, file in waiting}
        factions = list(campaign.factions.all())
        if origin is None:
            sheets = sheets_for(scenario, world, factions, {}, {}, files)
        else:
            sheets = sheets_of(origin, factions)
        snapshot = snapshot_write(
            branch=branch,
            parent=None,
            world=world,
            document=document,
            sha256=digest(document),
            event_documents=[],
            rules=rules,
        )
        Branch.objects.filter(pk=branch.pk).update(head=snapshot)
        Campaign.objects.filter(pk=campaign.pk).update(started_at=moment)
        sheets_write(
            branch=branch, snapshot=snapshot, week=world.week, stage="start", sheets=sheets
        )
        projection_write(
            branch=branch,
            before=projection_rows(scenario, None),
            after=projection_rows(scenario, world),
        )
        battles_open(branch=branch, snapshot=snapshot, waiting=waiting)
        tables_open(branch=branch, snapshot=snapshot, now=moment)
        stage = stage_open(branch=branch, snapshot=snapshot, ordinal=0, now=moment)
        phases_begin(branch=branch, snapshot=snapshot, now=moment)
        if stage is None:
            raise ValueError("the scenario is over before it has begun")
        stage_announce(campaign=campaign, branch=branch, ordinal=0, stage=stage, now=moment)
    return stage


def seed_from(number: int) -> str:
    """Return the 32-byte seed of a repeatable war, in hexadecimal.

    Such a seed can be guessed: it is only for wars between computers.
    """
    return hashlib.sha256(f"blind jump, war {number}".encode()).hexdigest()


def war_run(
    *,
    campaign: Campaign,
    progress: Progress,
    fighter: Fighter = fight_by_captains,
    admiral: Admiral = computer_admiral,
) -> Snapshot:
    """Play a war to its end, and return the last snapshot.

    Stages are closed whether due or not: for wars between computers.

    Args:
        progress: Called after each stage.
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
    """Return the number of stages in a war of so many weeks, including the deployment."""
    return 1 + STAGES_A_WEEK * weeks


def _waiting(branch: Branch) -> Stage | None:
    """Return the stage of the week that is not resolved yet, or None."""
    return (
        Stage.objects.filter(branch=branch, battle__isnull=True)
        .exclude(status=StageStatus.RESOLVED)
        .first()
    )
