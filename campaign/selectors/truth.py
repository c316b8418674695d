"""The truth, for the umpire: snapshots, sealed orders and battles of the head branch.

Player pages must not use this. The lists come from the projection of the head branch. The clock
uses only `stages_to_resolve`.
"""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.utils import timezone

from campaign.errors import NotFound
from campaign.kinds import StageStatus
from campaign.lineage import of_line, played_on_line
from campaign.models.battle import Battle, BattlePhase
from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import LedgerRow
from campaign.models.stage import IS_LATE, Stage, Submission
from campaign.models.truth import FacilityState, Fleet, Repair, Ship, Snapshot
from campaign.rules.codec import from_document
from campaign.rules.upgrades import BATTLE_PHASE
from campaign.rules.world import World
from campaign.selectors.due import stages_due
from campaign.store.publication import public_ledger
from engine.core.phrase import phrase

STAGES_PER_QUERY = 500
# Filters for lists of fleets and ships.
CONDITIONS: dict[str, str] = {
    "damaged": phrase("damaged"),
    "docked": phrase("docked"),
    "short": phrase("short of stores"),
    "towed": phrase("in tow"),
    "laid-up": phrase("laid up"),
    "ftl": phrase("in FTL space"),
    "leaving": phrase("must leave"),
}
# Filters that depend only on the ship's own row.
CONDITIONS_OF_SHIP_ROW: dict[str, Q] = {
    "docked": Q(docked=True),
    "short": ~Q(stock=[]),  # `stock` has only the stores that are not full
    "towed": ~Q(tug=""),
    "laid-up": Q(laid_up=True),
}


def world_of(row: Snapshot) -> World:
    """Return the world of a snapshot."""
    return from_document(World, row.world)


def snapshots_of(*, branch: Branch) -> QuerySet[Snapshot]:
    """Return the snapshots of a line in order, without their worlds."""
    rows = of_line(Snapshot.objects.all(), branch.pk)
    return rows.defer("world", "events").order_by("seq")


def snapshot_at(*, branch: Branch, seq: int | None = None) -> Snapshot:
    """Return one complete snapshot, the newest without `seq`. Raises NotFound."""
    rows = of_line(Snapshot.objects.all(), branch.pk)
    if seq is None:
        row = rows.order_by("-seq").first()
    else:
        row = rows.filter(seq=seq).first()
    if row is None:
        raise NotFound(phrase("there is no such week"))
    return row


def stages_of(*, branch: Branch) -> QuerySet[Stage]:
    """Return the stages of the weeks in order, each with its ledger row."""
    return (
        played_on_line(Stage.objects.filter(battle__isnull=True), branch.pk)
        .select_related("ledger_row")
        .order_by("ordinal")
    )


def stage_at(*, branch: Branch, ordinal: int) -> Stage:
    """Return a stage with its worlds, as far as they exist. Raises NotFound."""
    row = (
        stages_of(branch=branch)
        .filter(ordinal=ordinal)
        .select_related("from_snapshot", "to_snapshot")
        .first()
    )
    if row is None:
        raise NotFound(phrase("there is no such stage"))
    return row


def resolved_stages_of(*, branch: Branch) -> QuerySet[Stage]:
    """Return the resolved stages in order, with their worlds and ledger rows."""
    return (
        stages_of(branch=branch)
        .filter(status=StageStatus.RESOLVED)
        .select_related("from_snapshot", "to_snapshot")
    )


def entries_of(*, stage: Stage) -> QuerySet[Submission]:
    """Return all entries of a stage, withdrawn ones included: by faction, newest first.

    `is_late` of a row: whether it was sealed after the deadline.
    """
    return (
        Submission.objects.filter(stage=stage)
        .annotate(is_late=IS_LATE)
        .select_related("faction", "author")
        .order_by("faction__key", "-revision")
    )


def battles_of(*, branch: Branch, week: int | None = None) -> QuerySet[Battle]:
    """Return the battles of one or all weeks; of their documents only the result is loaded."""
    rows = (
        _with_progress(played_on_line(Battle.objects.all(), branch.pk, "seq"))
        .defer("start", "state")
        .order_by("week", "key")
    )
    if week is None:
        return rows
    return rows.filter(week=week)


def battle_of(*, branch: Branch, public_id: uuid.UUID) -> Battle:
    """Return one complete battle. Raises NotFound."""
    rows = played_on_line(Battle.objects.filter(public_id=public_id), branch.pk, "seq")
    row = _with_progress(rows).first()
    if row is None:
        raise NotFound(phrase("there is no such battle"))
    return row


def _with_progress(rows: QuerySet[Battle]) -> QuerySet[Battle]:
    """Add the progress of online battles from the engine's state: `phase`, `turn`, `winner`."""
    return rows.annotate(
        phase=KT("state__stop"), turn=KT("state__turn"), winner=KT("state__winner")
    )


def phases_of(*, battle: Battle) -> QuerySet[BattlePhase]:
    """Return the phases of a battle in order, as stored; `upgraded_phases` upgrades them."""
    return BattlePhase.objects.filter(battle=battle).order_by("seq")


def upgraded_phases(rows: QuerySet[BattlePhase]) -> tuple[BattlePhase, ...]:
    """Return these phases upgraded to the current schema, without changing the rows.

    Raises:
        RuleViolations: A phase cannot be upgraded.
    """
    phases = tuple(rows)
    for row in phases:
        body = BATTLE_PHASE.upgrade_body(
            row.schema, {"inputs": row.inputs, "events": row.events, "views": row.views}
        )
        row.inputs = body["inputs"]
        row.events = body["events"]
        row.views = body["views"]
    return phases


def snapshot_before_battles(*, battle: Battle) -> Snapshot:
    """Return the snapshot from which a battle's stage begins. Raises NotFound."""
    row = of_line(Snapshot.objects.filter(seq=battle.seq), battle.branch_id).first()
    if row is None:
        raise NotFound(phrase("there is no such battle"))
    return row


def fleets_of(
    *, branch: Branch, hex: str = "", faction: str = "", text: str = "", condition: str = ""
) -> QuerySet[Fleet]:
    """Return the present fleets by key, filtered.

    Args:
        hex: Hex of the fleets.
        faction: Faction of the fleets.
        text: Part of a name, key or hex.
        condition: One of `CONDITIONS`.
    """
    rows = Fleet.objects.filter(branch=branch, **_given_filters(hex=hex, faction=faction))
    if text:
        rows = rows.filter(
            Q(name__icontains=text) | Q(key__icontains=text) | Q(hex__icontains=text)
        )
    if condition:
        rows = rows.filter(_fleet_condition(branch, condition))
    return rows.order_by("key")


def ships_of(
    *,
    branch: Branch,
    fleet: str = "",
    cls: str = "",
    hex: str = "",
    faction: str = "",
    text: str = "",
    condition: str = "",
) -> QuerySet[Ship]:
    """Return the present ships by key, filtered.

    Args:
        fleet: Key of a fleet.
        cls: Name of a class.
        hex: Hex of the ships.
        faction: Faction of the ships.
        text: Part of a name, key, class or hex.
        condition: One of `CONDITIONS`.
    """
    rows = Ship.objects.filter(
        branch=branch, **_given_filters(fleet=fleet, cls=cls, hex=hex, faction=faction)
    )
    if text:
        rows = rows.filter(
            Q(name__icontains=text)
            | Q(key__icontains=text)
            | Q(cls__icontains=text)
            | Q(hex__icontains=text)
        )
    if condition:
        rows = rows.filter(_ship_condition(branch, condition))
    return rows.order_by("key")


def _given_filters(**filters: str) -> dict[str, str]:
    """Return the filters that are not empty."""
    return {name: value for name, value in filters.items() if value}


def _ship_condition(branch: Branch, condition: str) -> Q:
    """Match the ships in a condition; none in an unknown one."""
    if condition == "damaged":
        return Q(damage__gt=0) | ~Q(lost=[])
    if condition in CONDITIONS_OF_SHIP_ROW:
        return CONDITIONS_OF_SHIP_ROW[condition]
    if condition in ("ftl", "leaving"):
        fleets = Fleet.objects.filter(_fleet_condition(branch, condition), branch=branch)
        return Q(fleet__in=fleets.values("key"))
    return Q(pk__in=())


def _fleet_condition(branch: Branch, condition: str) -> Q:
    """Match the fleets in a condition; none in an unknown one."""
    if condition == "damaged" or condition in CONDITIONS_OF_SHIP_ROW:
        return Q(
            key__in=Ship.objects.filter(_ship_condition(branch, condition), branch=branch).values(
                "fleet"
            )
        )
    if condition == "ftl":
        return Q(in_ftl=True)
    if condition == "leaving":
        return Q(must_leave=True)
    return Q(pk__in=())


def systems_of(*, branch: Branch) -> QuerySet[FacilityState]:
    """Return the present holders of systems, by key."""
    return FacilityState.objects.filter(branch=branch).order_by("key")


def repairs_of(*, branch: Branch) -> QuerySet[Repair]:
    """Return the docked ships that need repairs, by key."""
    return Repair.objects.filter(branch=branch).order_by("key")


def ledger_of(*, campaign: Campaign) -> QuerySet[LedgerRow]:
    """Return the public ledger of the head branch as known now, first row first."""
    return public_ledger(
        played_on_line(LedgerRow.objects.all(), campaign.head_branch_id or 0, "seq"),
        timezone.now(),
    ).order_by("seq")


def stages_to_resolve(*, now: datetime, attended: bool = False) -> list[Stage]:
    """Return the stages of all campaigns that a tick has to resolve: closed or due to close.

    Args:
        attended: Only stages of campaigns with players.
    """
    due_ids = stages_due(now=now, attended=attended)
    stages: list[Stage] = []
    for start in range(0, len(due_ids), STAGES_PER_QUERY):
        ids = due_ids[start : start + STAGES_PER_QUERY]
        stages += Stage.objects.filter(pk__in=ids).order_by("pk")
    return stages
