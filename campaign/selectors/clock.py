"""What a host may know to keep the clock: stages, which sides have sealed, and acts.

Nothing here is hidden information.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, DateTimeField, QuerySet
from django.utils import timezone

from campaign.kinds import Role
from campaign.models.campaign import FACTION_ROLES, Campaign, Excuse, Faction, Membership
from campaign.models.ledger import UMPIRES_ONLY, Act
from campaign.models.stage import Stage, Submission
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


@dataclass(frozen=True, slots=True)
class Seat:
    """A faction at a stage.

    Attributes:
        people: User names of those who play it.
        sealed_at: None while its envelope is missing.
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

    @property
    def awaited(self) -> bool:
        """Return whether the stage waits for this faction's players to seal.

        A faction without players is led by its admiral or its default orders.
        """
        if self.battle_task:
            return self.battle_task != WAIT and not self.excused
        return bool(self.people) and self.sealed_at is None and not self.excused and not self.hidden


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
    people: dict[int, list[str]] = {}
    members = [
        (row.role, row.user.get_username(), row.faction_id) for row in PEOPLE.rows(campaign.pk)
    ]
    for role, name, faction in sorted(members, key=lambda part: part[:2]):
        if faction is not None and role in FACTION_ROLES:
            people.setdefault(faction, []).append(name)
    rows = factions_of(campaign)
    played = [row for row in rows if row.pk in people]
    result = []
    for stage in stages:
        sealed_at = sealed.get(stage.pk, {}) if stage is not None else {}
        tasks = _battle_tasks(campaign, stage, played, set(sealed_at)) if umpire else {}
        seats = []
        for row in rows:
            names = tuple(people.get(row.pk, ()))
            is_other = player is not None and row.pk != player.pk
            seats.append(
                Seat(
                    key=row.key,
                    name=row.name,
                    people=names,
                    admiral=row.admiral,
                    sealed_at=None if is_other else sealed_at.get(row.pk),
                    excused=stage is not None and (row.pk, stage.week) in excused,
                    hidden=is_other and bool(names),
                    battle_task=tasks.get(row.pk, ""),
                )
            )
        result.append(tuple(seats))
    return result


def _sealed_and_excused(
    campaign: Campaign, stages: Sequence[Stage]
) -> tuple[dict[int, dict[int, datetime]], set[tuple[int, int]]]:
    """Return when factions sealed, by stage and faction, and who is excused: (faction, week)."""
    sealed: dict[int, dict[int, datetime]] = {}
    if not stages:
        return sealed, set()
    standing = Submission.objects.filter(stage__in=stages, withdrawn_at__isnull=True)
    entries = public_entries(standing, timezone.now())
    for stage, faction, sealed_at in entries.values_list("stage_id", "faction_id", "sealed_at"):
        sealed.setdefault(stage, {})[faction] = sealed_at
    weeks = {stage.week for stage in stages}
    excuses = Excuse.objects.filter(faction__campaign=campaign, week__in=weeks)
    return sealed, set(excuses.values_list("faction_id", "week"))


def _battle_tasks(
    campaign: Campaign, stage: Stage | None, played: list[Faction], sealed: set[int]
) -> dict[int, str]:
    """Return what their own battles require of factions now, by primary key."""
    if stage is None:
        return {}
    actions = next_actions_of(
        [Member(campaign, (Role.PLAYER,), row, stage, row.pk in sealed) for row in played]
    )
    result: dict[int, str] = {}
    for row, action in zip(played, actions, strict=True):
        if action.battle is not None:
            result[row.pk] = action.task
    return result


def members_of(*, campaign: Campaign) -> list[Membership]:
    """Return all members: players by faction, then staff, hosts, umpires and observers."""
    parts = tuple(Role)
    return sorted(
        PEOPLE.rows(campaign.pk),
        key=lambda row: (
            parts.index(row.role),
            row.faction.key if row.faction else "",
            row.user.get_username(),
        ),
    )


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
