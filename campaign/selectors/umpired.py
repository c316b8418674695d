"""The campaigns that a user umpires, each with its stage and which factions have sealed.

The number of queries does not depend on the number of campaigns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from campaign.kinds import Role
from campaign.models.campaign import FACTION_ROLES, Campaign, Excuse, Faction, Membership
from campaign.models.stage import Stage, Submission
from campaign.selectors.clock import Seat
from campaign.selectors.next_action import Member, next_actions_of
from campaign.store.publication import public_entries, public_stage, waiting_condition


@dataclass(frozen=True, slots=True)
class UmpiredCampaign:
    """A campaign on the umpire dashboard.

    Attributes:
        stage: The stage that waits; None before and after the war.
    """

    campaign: Campaign
    stage: Stage | None
    seats: tuple[Seat, ...]

    @property
    def has_begun(self) -> bool:
        return self.campaign.started_at is not None

    @property
    def over(self) -> bool:
        return self.has_begun and self.stage is None


def umpired_campaigns(user: AbstractBaseUser) -> tuple[UmpiredCampaign, ...]:
    """Return the campaigns that the user umpires, newest first."""
    parts = (
        Membership.objects.filter(user_id=user.pk, role=Role.UMPIRE)
        .select_related("campaign__scenario", "campaign__head_branch")
        .defer("campaign__scenario__body")
        .order_by("-campaign_id")
    )
    campaigns = {part.campaign_id: part.campaign for part in parts}
    now = timezone.now()
    rows = Stage.objects.filter(
        waiting_condition(now), branch__headed__in=campaigns
    ).select_related("branch")
    stages = {}
    for row in rows:
        stages[row.branch.campaign_id] = public_stage(campaigns[row.branch.campaign_id], row, now)
    seats = _seats_of(campaigns, stages)
    result: list[UmpiredCampaign] = []
    for key, campaign in campaigns.items():
        result.append(UmpiredCampaign(campaign, stages.get(key), seats[key]))
    return tuple(result)


def umpired_count(user: AbstractBaseUser) -> int:
    """Count the campaigns that a user umpires."""
    return Membership.objects.filter(user_id=user.pk, role=Role.UMPIRE).count()


def _seats_of(
    campaigns: dict[int, Campaign], stages: dict[int, Stage]
) -> dict[int, tuple[Seat, ...]]:
    """Return the seats of campaigns as `clock.seats_at` shows them to an umpire."""
    now = timezone.now()
    weeks = {key: stage.week for key, stage in stages.items()}
    factions = list(Faction.objects.filter(campaign__in=campaigns).order_by("campaign_id", "key"))
    members = Membership.objects.filter(
        campaign__in=campaigns, role__in=FACTION_ROLES
    ).select_related("user")
    people: dict[int, list[str]] = {}
    for part in members.order_by("role", "user__username"):
        if part.faction_id is not None:
            people.setdefault(part.faction_id, []).append(part.user.get_username())
    live = Submission.objects.filter(stage__in=stages.values(), withdrawn_at__isnull=True)
    sealed = dict(public_entries(live, now).values_list("faction_id", "sealed_at"))
    excuses = Excuse.objects.filter(faction__campaign__in=campaigns)
    excused = set(excuses.values_list("faction_id", "week"))
    tasks = _battle_tasks(
        campaigns, stages, [row for row in factions if row.pk in people], set(sealed)
    )
    by_campaign: dict[int, list[Seat]] = {key: [] for key in campaigns}
    for row in factions:
        by_campaign[row.campaign_id].append(
            Seat(
                row.key,
                row.name,
                tuple(people.get(row.pk, ())),
                row.admiral,
                sealed.get(row.pk),
                (row.pk, weeks.get(row.campaign_id)) in excused,
                battle_task=tasks.get(row.pk, ""),
            )
        )
    return {key: tuple(seats) for key, seats in by_campaign.items()}


def _battle_tasks(
    campaigns: dict[int, Campaign],
    stages: dict[int, Stage],
    played: Sequence[Faction],
    sealed: set[int],
) -> dict[int, str]:
    """Return what their own battles require of factions now, by primary key."""
    rows = [row for row in played if row.campaign_id in stages]
    members = []
    for row in rows:
        members.append(
            Member(
                campaigns[row.campaign_id],
                (Role.PLAYER,),
                row,
                stages[row.campaign_id],
                row.pk in sealed,
            )
        )
    actions = next_actions_of(members)
    result: dict[int, str] = {}
    for row, action in zip(rows, actions, strict=True):
        if action.battle is not None:
            result[row.pk] = action.task
    return result
