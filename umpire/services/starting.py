"""The start of a war: the first world, the first views, and the first stage opened."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign import models
from campaign.errors import AlreadyStarted
from campaign.rules.codec import to_document
from campaign.selectors.rules import rules_of
from campaign.stored import scenario_of
from engine.core.canonical import digest
from umpire.adjudication import week
from umpire.services.battle_stops import stops_begin
from umpire.services.computing import battles_waiting, sheets_for
from umpire.services.outbox import stage_announce
from umpire.services.projection import projection_rows, projection_write
from umpire.services.stages import stage_open
from umpire.services.tables import tables_open
from umpire.services.writing import battles_open, sheets_write, snapshot_write


def campaign_start(*, campaign: models.Campaign, now: datetime | None = None) -> models.Stage:
    """Begin the war: the deployment stands open, or the single battle. Raises AlreadyStarted."""
    moment, scenario = now or timezone.now(), scenario_of(campaign)
    world = week.start(scenario)
    rules = rules_of(campaign).at(world.week)
    document = to_document(world)
    sheets = sheets_for(scenario, world, list(campaign.factions.all()), {}, {})
    with transaction.atomic():
        branch = models.Branch.objects.select_for_update().get(campaign=campaign, number=1)
        if branch.head_id is not None:
            raise AlreadyStarted("this campaign has started")
        snapshot = snapshot_write(
            branch=branch,
            parent=None,
            world=world,
            document=document,
            sha256=digest(document),
            happenings=[],
            rules=rules,
        )
        models.Branch.objects.filter(pk=branch.pk).update(head=snapshot)
        models.Campaign.objects.filter(pk=campaign.pk).update(started_at=moment)
        sheets_write(branch=branch, snapshot=snapshot, week=world.week, stage="start", sheets=sheets)
        projection_write(branch=branch, before=projection_rows(scenario, None), after=projection_rows(scenario, world))
        battles_open(branch=branch, week=world.week, waiting=battles_waiting(branch, scenario, world, rules))
        tables_open(branch=branch, snapshot=snapshot, now=moment)
        stage = stage_open(branch=branch, snapshot=snapshot, ordinal=0, now=moment)
        stops_begin(branch=branch, snapshot=snapshot, now=moment)
        if stage is None:
            raise ValueError("the scenario is over before it has begun")
        stage_announce(campaign=campaign, branch=branch, ordinal=0, stage=stage, now=moment)
    return stage
