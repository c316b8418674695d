"""What belongs to one user: his campaigns, each with his part in it and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import BigIntegerField, DateTimeField, F, Max, Window
from django.utils import timezone

from campaign.models.campaign import Campaign, Faction, Membership
from campaign.models.scenario import Scenario
from campaign.models.stage import Stage, Submission
from campaign.prepared import Prepared
from campaign.publication import entries_shown, stage_seen, waiting

PARTS = Prepared(
    lambda user: (
        Membership.objects.filter(user_id=user)
        .select_related("campaign__scenario", "faction")
        .defer("campaign__scenario__body")
        .order_by("-campaign_id", "role")
    ),
    BigIntegerField(),
)
STAGES = Prepared(
    lambda user, now: (
        Stage.objects.filter(waiting(now), branch__headed__memberships__user_id=user)
        .select_related("branch")
        .distinct()
    ),
    BigIntegerField(),
    DateTimeField(),
)


@dataclass(frozen=True, slots=True)
class OwnCampaign:
    """A campaign of a user. `stage`: the one that waits; None before the war and after it. `sealed`: by his side."""

    campaign: Campaign
    roles: tuple[str, ...]
    faction: Faction | None
    stage: Stage | None
    sealed: bool


def campaigns_of(user: AbstractBaseUser) -> tuple[OwnCampaign, ...]:
    """The campaigns in which the user has a part, the newest first; three queries however many there are."""
    parts: dict[int, list[Membership]] = {}
    for row in PARTS.rows(user.pk):
        parts.setdefault(row.campaign_id, []).append(row)
    now = timezone.now()
    campaigns = {key: found[0].campaign for key, found in parts.items()}
    stages = {
        row.branch.campaign_id: stage_seen(campaigns[row.branch.campaign_id], row, now)
        for row in STAGES.rows(user.pk, now)
        if row.branch.campaign_id in campaigns
    }
    own = [part.faction_id for found in parts.values() for part in found if part.faction_id is not None]
    answers = entries_shown(
        Submission.objects.filter(stage__in=stages.values(), faction__in=own, withdrawn_at__isnull=True), now
    )
    sealed = set(answers.values_list("stage_id", "faction_id"))
    mine = []
    for key, found in parts.items():
        faction = next((part.faction for part in found if part.faction is not None), None)
        stage = stages.get(key)
        done = stage is not None and faction is not None and (stage.pk, faction.pk) in sealed
        mine.append(OwnCampaign(found[0].campaign, tuple(part.role for part in found), faction, stage, done))
    return tuple(mine)


def scenarios_newest() -> list[Scenario]:
    """The newest version of every scenario, by slug, without their documents."""
    newest = Window(Max("version"), partition_by=F("slug"))
    return list(Scenario.objects.annotate(newest=newest).filter(version=F("newest")).order_by("slug").defer("body"))
