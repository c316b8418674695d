"""What a host may know to keep the clock: stages, which sides have sealed, and acts.

Nothing here is hidden information.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import BigIntegerField, DateTimeField, QuerySet
from django.utils import timezone

from campaign.kinds import Role
from campaign.lineage import played_on_line
from campaign.models.campaign import FACTION_ROLES, Campaign, Excuse, Faction, Membership
from campaign.models.ledger import UMPIRES_ONLY, Act
from campaign.models.stage import IS_LATE, Stage, Submission
from campaign.selectors.next_action import Member, next_actions_of
from campaign.store.prepared import PreparedRows
from campaign.store.publication import public_entries, public_stage, waiting_condition

WAIT = "wait"  # task of a player with nothing to do (`campaign.selectors.next_action`)

WAITING = PreparedRows(
    lambda campaign, now: Stage.objects.filter(waiting_condition(now), branch__headed=campaign)[:1],
    parameters=(BigIntegerField(), DateTimeField()),
    related=("branch",),
)
PEOPLE = PreparedRows(
    lambda campaign: Membership.objects.filter(campaign_id=campaign).order_by("role", "pk"),
    parameters=(BigIntegerField(),),
    related=("user", "faction"),
)
FACTIONS = PreparedRows(
    lambda campaign: Faction.objects.filter(campaign_id=campaign).order_by("key"),
    parameters=(BigIntegerField(),),
)


class Sealing(NamedTuple):
    """When a faction sealed, and whether that was after the deadline."""

    at: datetime | None
    is_late: bool


NOT_SEALED = Sealing(None, is_late=False)


@dataclass(frozen=True, slots=True)
class Seat:
    """A faction at a stage.

    Attributes:
        people: User names of those who play it.
        admiral: Character of its computer admiral; "" while it has a player.
        sealed_at: None while its envelope is missing.
        is_late: It was sealed after the deadline.
        excused: It is not waited for this week.
        hidden: It has players, but the reader may not know whether they have sealed.
        battle_task: For umpires only: what its players have to do now other than sealing the stage
            (`campaign.selectors.next_action`).
    """

    key: str
    name: str
    people: tuple[str, ...]
    admiral: str
    sealed_at: datetime | None
    excused: bool
    hidden: bool = False
    battle_task: str = ""
    is_late: bool = False

    @property
    def awaited(self) -> bool:
        """Return whether the stage waits for this faction's players to seal.

        A faction without players is led by its admiral or its default orders.
        """
        if self.excused:
            return False
        if self.battle_task:
            return self.battle_task != WAIT
        return bool(self.people) and self.sealed_at is None and not self.hidden


def waiting_stage(*, campaign: Campaign) -> Stage | None:
    """Return the stage of the week that is publicly open or closed; None outside the war."""
    now = timezone.now()
    row = WAITING.first(campaign.pk, now)
    if row is None:
        return None
    return public_stage(campaign, row, now)


def war_has_begun(*, campaign: Campaign) -> bool:
    """Return whether the deployment was opened."""
    return Stage.objects.filter(branch__headed=campaign).exists()


def war_is_over(*, campaign: Campaign) -> bool:
    """Return whether the war has begun and no stage is open or waiting."""
    return waiting_stage(campaign=campaign) is None and war_has_begun(campaign=campaign)


def seats_at(
    *, campaign: Campaign, stage: Stage | None, player: Faction | None = None, umpire: bool = False
) -> tuple[Seat, ...]:
    """Return the factions by key, each with its people and whether it has sealed this stage.

    Args:
        player: The faction of a host who plays; sealing is shown for that faction only. Whether
            other players hurry or do not seal would reveal whether they have something to decide.
        umpire: Include what the battles of the week require of each faction.
    """
    (seats,) = seats_by_stage(campaign=campaign, stages=[stage], player=player, umpire=umpire)
    return seats


def seats_by_stage(
    *,
    campaign: Campaign,
    stages: Sequence[Stage | None],
    player: Faction | None = None,
    umpire: bool = False,
) -> list[tuple[Seat, ...]]:
    """Return for each of several stages what `seats_at` returns, in as many queries as for one."""
    sealed, excused = _sealed_and_excused(
        campaign, [stage for stage in stages if stage is not None]
    )
    people = _people_by_faction(campaign)
    factions = factions_of(campaign)
    played = [faction for faction in factions if faction.pk in people]
    result = []
    for stage in stages:
        sealings = {} if stage is None else sealed.get(stage.pk, {})
        tasks = _battle_tasks(campaign, stage, played, set(sealings)) if umpire else {}
        seats = []
        for faction in factions:
            sealing = sealings.get(faction.pk, NOT_SEALED)
            seat = Seat(
                key=faction.key,
                name=faction.name,
                people=people.get(faction.pk, ()),
                admiral=faction.admiral,
                sealed_at=sealing.at,
                excused=stage is not None and (faction.pk, stage.week) in excused,
                battle_task=tasks.get(faction.pk, ""),
                is_late=sealing.is_late,
            )
            is_hidden_from_player = player is not None and faction.pk != player.pk
            if is_hidden_from_player:
                seat = replace(seat, sealed_at=None, is_late=False, hidden=bool(seat.people))
            seats.append(seat)
        result.append(tuple(seats))
    return result


def _people_by_faction(campaign: Campaign) -> dict[int, tuple[str, ...]]:
    """Return the user names of those who play each faction, sorted by role and name."""
    members = []
    for row in PEOPLE.rows(campaign.pk):
        if row.faction_id is not None and row.role in FACTION_ROLES:
            members.append((row.role, row.user.get_username(), row.faction_id))
    people: dict[int, tuple[str, ...]] = {}
    for _, name, faction in sorted(members):
        people[faction] = (*people.get(faction, ()), name)
    return people


def _sealed_and_excused(
    campaign: Campaign, stages: Sequence[Stage]
) -> tuple[dict[int, dict[int, Sealing]], set[tuple[int, int]]]:
    """Return when factions sealed, by stage and faction, and who is excused: (faction, week)."""
    sealed: dict[int, dict[int, Sealing]] = {}
    if not stages:
        return sealed, set()
    seals = Submission.objects.filter(stage__in=stages, withdrawn_at__isnull=True)
    entries = public_entries(seals, timezone.now()).annotate(is_late=IS_LATE)
    for stage, faction, at, is_late in entries.values_list(
        "stage_id", "faction_id", "sealed_at", "is_late"
    ):
        sealed.setdefault(stage, {})[faction] = Sealing(at, bool(is_late))
    weeks = {stage.week for stage in stages}
    excuses = Excuse.objects.filter(faction__campaign=campaign, week__in=weeks)
    excuses = played_on_line(excuses, campaign.head_branch_id or 0)
    return sealed, set(excuses.values_list("faction_id", "week"))


def _battle_tasks(
    campaign: Campaign, stage: Stage | None, played: list[Faction], sealed: set[int]
) -> dict[int, str]:
    """Return what their own battles require of factions now, by primary key."""
    if stage is None:
        return {}
    members = []
    for faction in played:
        member = Member(
            campaign=campaign,
            roles=(Role.PLAYER,),
            faction=faction,
            stage=stage,
            sealed=faction.pk in sealed,
        )
        members.append(member)
    result: dict[int, str] = {}
    for faction, action in zip(played, next_actions_of(members), strict=True):
        if action.battle is not None:
            result[faction.pk] = action.task
    return result


def members_of(*, campaign: Campaign) -> list[Membership]:
    """Return all members: players by faction, then staff, hosts, umpires and observers."""
    roles = tuple(Role)

    def sort_key(member: Membership) -> tuple[int, str, str]:
        faction = "" if member.faction is None else member.faction.key
        return roles.index(member.role), faction, member.user.get_username()

    return sorted(PEOPLE.rows(campaign.pk), key=sort_key)


def factions_of(campaign: Campaign) -> list[Faction]:
    """Return the factions of a campaign by key."""
    return FACTIONS.rows(campaign.pk)


def acts_of(*, campaign: Campaign, umpire: bool = False) -> QuerySet[Act]:
    """Return the acts of hosts and umpires, latest first.

    Args:
        umpire: Include acts that only umpires may know of.
    """
    rows = (
        Act.objects.filter(campaign=campaign)
        .select_related("actor", "stage")
        .order_by("-at", "-pk")
    )
    if umpire:
        return rows
    return rows.exclude(verb__in=UMPIRES_ONLY)
