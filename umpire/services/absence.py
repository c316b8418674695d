"""Factions whose players have sealed no orders for some weeks, and for which a computer admiral stands in."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from campaign import models
from campaign.models.stage import PLAYER, UMPIRE


def orders_missed() -> QuerySet[models.Submission]:
    """The orders that were made for a faction since its players, or the umpire, last sealed some.

    Excused weeks are left out: neither do they count, nor is what was sealed in them.
    """
    given = models.Submission.objects.filter(stage__kind="orders", withdrawn_at__isnull=True)
    counted = given.filter(
        ~Exists(models.Excuse.objects.filter(faction=OuterRef("faction"), week=OuterRef("stage__week")))
    )
    own = counted.filter(
        faction=OuterRef("faction"),
        stage__branch=OuterRef("stage__branch"),
        stage__ordinal__gte=OuterRef("stage__ordinal"),
        source__in=(PLAYER, UMPIRE),
    )
    return counted.filter(~Exists(own))


def is_absent(stage: models.Stage, faction: models.Faction) -> bool:
    """Whether a computer admiral stands in for a faction that has sealed nothing at a stage: see the timetable's
    `admiral_after`. Never in a week for which the faction is excused.
    """
    after = stage.branch.campaign.timetable.get("admiral_after")
    if after is None or models.Excuse.objects.filter(faction=faction, week=stage.week).exists():
        return False
    missed = orders_missed().filter(faction=faction, stage__branch=stage.branch_id, stage__ordinal__lt=stage.ordinal)
    return missed.count() >= int(after)
