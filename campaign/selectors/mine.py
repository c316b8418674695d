"""What belongs to one user: his campaigns, each with his part in it and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import F, Max, Window

from campaign.models.campaign import Campaign, Faction
from campaign.models.membership import Membership
from campaign.models.scenario import Scenario
from campaign.models.stage import CLOSED, OPEN, Stage
from campaign.models.submission import Submission


@dataclass(frozen=True, slots=True)
class Mine:
    """A campaign of a user. `stage`: the one that waits; None before the war and after it. `sealed`: by his side."""

    campaign: Campaign
    roles: tuple[str, ...]
    faction: Faction | None
    stage: Stage | None
    sealed: bool


def campaigns_of(user: AbstractBaseUser) -> tuple[Mine, ...]:
    """The campaigns in which the user has a part, the newest first; three queries however many there are."""
    parts: dict[int, list[Membership]] = {}
    rows = Membership.objects.filter(user_id=user.pk).select_related("campaign__scenario", "faction")
    for row in rows.defer("campaign__scenario__body").order_by("-campaign_id", "role"):
        parts.setdefault(row.campaign_id, []).append(row)
    waiting = Stage.objects.filter(branch__headed__in=parts, battle__isnull=True, status__in=(OPEN, CLOSED))
    stages = {stage.branch.campaign_id: stage for stage in waiting.select_related("branch")}
    own = [part.faction_id for found in parts.values() for part in found if part.faction_id is not None]
    answers = Submission.objects.filter(stage__in=stages.values(), faction__in=own, withdrawn_at__isnull=True)
    sealed = set(answers.values_list("stage_id", "faction_id"))
    mine = []
    for key, found in parts.items():
        faction = next((part.faction for part in found if part.faction is not None), None)
        stage = stages.get(key)
        done = stage is not None and faction is not None and (stage.pk, faction.pk) in sealed
        mine.append(Mine(found[0].campaign, tuple(part.role for part in found), faction, stage, done))
    return tuple(mine)


def scenarios_newest() -> list[Scenario]:
    """The newest version of every scenario, by slug, without their documents."""
    newest = Window(Max("version"), partition_by=F("slug"))
    return list(Scenario.objects.annotate(newest=newest).filter(version=F("newest")).order_by("slug").defer("body"))
