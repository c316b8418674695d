"""The campaigns that a user umpires, each with its stage and which factions have sealed.

The number of queries does not depend on the number of campaigns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import F
from django.utils import timezone

from campaign.kinds import Role
from campaign.lineage import played_on_line
from campaign.models.campaign import FACTION_ROLES, Campaign, Excuse, Faction, Membership
from campaign.models.stage import IS_LATE, Stage, Submission
from campaign.selectors.clock import NOT_SEALED, Sealing, Seat
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
    def is_over(self) -> bool:
        """Return whether the war has begun and no stage waits any more."""
        return self.has_begun and self.stage is None


def umpired_campaigns(user: AbstractBaseUser) -> tuple[UmpiredCampaign, ...]:
    """Return the campaigns that the user umpires, newest first."""
    memberships = (
        Membership.objects.filter(user_id=user.pk, role=Role.UMPIRE)
        .select_related("campaign__scenario", "campaign__head_branch")
        .defer("campaign__scenario__body")
        .order_by("-campaign_id")
    )
    campaigns = {membership.campaign_id: membership.campaign for membership in memberships}
    now = timezone.now()
    waiting_stages = Stage.objects.filter(
        waiting_condition(now), branch__headed__in=campaigns
    ).select_related("branch")
    stages = {}
    for stage in waiting_stages:
        id_ = stage.branch.campaign_id
        stages[id_] = public_stage(campaigns[id_], stage, now)
    seats = _seats_of(campaigns, stages)
    result: list[UmpiredCampaign] = []
    for id_, campaign in campaigns.items():
        result.append(UmpiredCampaign(campaign, stage=stages.get(id_), seats=seats[id_]))
    return tuple(result)


def umpired_count(user: AbstractBaseUser) -> int:
    """Count the campaigns that a user umpires."""
    return Membership.objects.filter(user_id=user.pk, role=Role.UMPIRE).count()


def _seats_of(
    campaigns: dict[int, Campaign], stages: dict[int, Stage]
) -> dict[int, tuple[Seat, ...]]:
    """Return the seats of campaigns as `clock.seats_at` shows them to an umpire.

    Args:
        campaigns: By primary key.
        stages: The stage that waits in each campaign that has one, by the campaign's primary key.

    Returns:
        The seats by the campaign's primary key.
    """
    now = timezone.now()
    weeks = {id_: stage.week for id_, stage in stages.items()}
    factions = list(Faction.objects.filter(campaign__in=campaigns).order_by("campaign_id", "key"))
    people = _people_by_faction(campaigns)
    live = Submission.objects.filter(stage__in=stages.values(), withdrawn_at__isnull=True)
    sealed = {}
    entries = public_entries(live, now).annotate(is_late=IS_LATE)
    for faction_id, at, is_late in entries.values_list("faction_id", "sealed_at", "is_late"):
        sealed[faction_id] = Sealing(at, bool(is_late))
    excuses = Excuse.objects.filter(faction__campaign__in=campaigns)
    excuses = played_on_line(excuses, F("faction__campaign__head_branch"))
    excused = set(excuses.values_list("faction_id", "week"))
    played = [faction for faction in factions if faction.pk in people]
    tasks = _battle_tasks(campaigns, stages, played=played, sealed=set(sealed))
    by_campaign: dict[int, list[Seat]] = {id_: [] for id_ in campaigns}
    for faction in factions:
        sealing = sealed.get(faction.pk, NOT_SEALED)
        seat = Seat(
            key=faction.key,
            name=faction.name,
            people=tuple(people.get(faction.pk, ())),
            admiral=faction.admiral,
            sealed_at=sealing.at,
            excused=(faction.pk, weeks.get(faction.campaign_id)) in excused,
            battle_task=tasks.get(faction.pk, ""),
            is_late=sealing.is_late,
        )
        by_campaign[faction.campaign_id].append(seat)
    return {id_: tuple(seats) for id_, seats in by_campaign.items()}


def _people_by_faction(campaigns: Collection[int]) -> dict[int, list[str]]:
    """Return the user names of players and staff, by the primary key of their faction."""
    members = Membership.objects.filter(
        campaign__in=campaigns, role__in=FACTION_ROLES
    ).select_related("user")
    people: dict[int, list[str]] = {}
    for member in members.order_by("role", "user__username"):
        if member.faction_id is not None:
            people.setdefault(member.faction_id, []).append(member.user.get_username())
    return people


def _battle_tasks(
    campaigns: dict[int, Campaign],
    stages: dict[int, Stage],
    played: Sequence[Faction],
    sealed: set[int],
) -> dict[int, str]:
    """Return what their own battles require of factions now, by primary key.

    Args:
        played: The factions with players.
        sealed: Primary keys of the factions that have sealed the stage of the week.
    """
    factions = [faction for faction in played if faction.campaign_id in stages]
    members = []
    for faction in factions:
        members.append(
            Member(
                campaign=campaigns[faction.campaign_id],
                roles=(Role.PLAYER,),
                faction=faction,
                stage=stages[faction.campaign_id],
                sealed=faction.pk in sealed,
            )
        )
    actions = next_actions_of(members)
    tasks: dict[int, str] = {}
    for faction, action in zip(factions, actions, strict=True):
        if action.battle is not None:
            tasks[faction.pk] = action.task
    return tasks
