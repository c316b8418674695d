"""A stage from open to resolved, in four steps that can each be repeated after a failure.

(a) `stage_close`: a short transaction closes the stage, at a moment that all may know. (b)
`entries_complete`: each faction without an entry is given one; admirals think before its short
transaction. (c) `stage_compute`: no transaction, only computing. (d) `stage_write`: a short
transaction writes the result if the stage is still closed and the head unchanged.

The result is public from a moment that depends only on the closing (`campaign.store.publication`),
and so are the next stage, its battles and its messages: their rows exist earlier, but are not
shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import BigIntegerField, QuerySet
from django.utils import timezone

from campaign.errors import HistoryChanged
from campaign.kinds import BattleStatus, StageEnding, StageKind, StageStatus
from campaign.models.battle import Battle, BattlePhase, BattleSlice
from campaign.models.campaign import Branch, Faction
from campaign.models.ledger import LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.models.truth import Snapshot
from campaign.rules.timetable import BATTLES_LAST, closes_at, grace_of
from campaign.rules.upgrades import BATTLE_PHASE
from campaign.selectors.beacon import beacon_waits
from campaign.selectors.due import (
    closing_instant,
    reveals_battles,
    stage_due,
    unfinished_battle_stages,
)
from campaign.selectors.stuck import is_held
from campaign.services.messages import messages_deliver
from campaign.services.orders import submission_write
from campaign.services.outbox import stage_announce
from campaign.store.prepared import PreparedRows
from campaign.store.publication import decided_instant
from engine.core.phrase import phrase
from umpire.adjudication.fighting import Fighter, fight_by_captains
from umpire.adjudication.outcome import result_document
from umpire.services.battle_phases import phases_begin, phases_close
from umpire.services.closing import close_stage
from umpire.services.computing import StageResult, stage_compute
from umpire.services.ledger import ledger_append
from umpire.services.projection import projection_write
from umpire.services.rulings import held_rulings_make
from umpire.services.stand_ins import Admiral, computer_admiral, empty_sheet_seal, entry_for
from umpire.services.tables import tables_open
from umpire.services.writing import battles_open, sheets_write, snapshot_write

LONG_COLUMNS = ("world", "events")  # large columns of a snapshot
STAGE = PreparedRows(
    lambda stage: Stage.objects.filter(pk=stage),
    parameters=(BigIntegerField(),),
    related=("branch", "branch__campaign", "branch__campaign__scenario", "from_snapshot"),
    without=(
        "branch__campaign__scenario__body",
        *(f"from_snapshot__{name}" for name in LONG_COLUMNS),
    ),
)
WITHOUT_ENTRY = PreparedRows(
    lambda campaign, stage: (
        Faction.objects.filter(campaign_id=campaign)
        .exclude(pk__in=_sealed(stage).values("faction_id"))
        .order_by("key")
    ),
    parameters=(BigIntegerField(), BigIntegerField()),
)


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolved stage.

    Attributes:
        here: This call resolved it; another one may have been first.
    """

    stage: Stage
    row: LedgerRow
    here: bool

    @property
    def next(self) -> Stage | None:
        """Return the stage that opened, or None after the war."""
        return Stage.objects.filter(
            branch_id=self.stage.branch_id,
            from_snapshot_id=self.stage.to_snapshot_id,
            battle__isnull=True,
        ).first()


def stage_resolve(
    *,
    stage: int,
    force: bool = False,
    now: datetime | None = None,
    fighter: Fighter = fight_by_captains,
    admiral: Admiral = computer_admiral,
    ready: Callable[[Stage], bool] | None = None,
) -> Resolution | None:
    """Resolve a stage (by its primary key), from any step it has reached.

    Any number of calls may run at once: exactly one writes, the others find it resolved.

    Args:
        force: Close it even if it is not due.
        ready: Called before a closed stage is computed; while it returns False, the stage stays
            closed.

    Returns:
        None while the stage is open and not due, held by an umpire, without its public random
        value, or not ready, and if the war was rolled back while it was open.

    Raises:
        HistoryMoved: The branch's head is not what the stage began from.
    """
    stage_close(stage=stage, force=force, now=now)
    row = _row(stage)
    if row.status in (StageStatus.OPEN, StageStatus.LEFT):
        return None
    here = False
    if row.status == StageStatus.CLOSED:
        entries_complete(stage=stage, admiral=admiral)
        if is_held(row) or beacon_waits(row) or (ready is not None and not ready(row)):
            return None
        computed = stage_compute(stage=row, fighter=fighter)
        here = stage_write(stage=row, computed=computed, now=now)
    row = _row(stage)
    return Resolution(row, LedgerRow.objects.get(stage=row), here)


def stage_close(*, stage: int, force: bool = False, now: datetime | None = None) -> bool:
    """Close a stage that is due, and return whether this call closed it.

    Args:
        force: Close it even if it is not due.
    """
    row = _row(stage)
    moment = now or timezone.now()
    return close_stage(
        stage=row,
        due=lambda: force or stage_due(stage=row, now=moment),
        now=moment,
        early=None if force else lambda: closing_instant(stage=row, now=moment),
    )


def entries_complete(*, stage: int, admiral: Admiral = computer_admiral) -> None:
    """Seal an entry for each faction without one in a closed stage, as of its closing.

    Open stages of its battles are closed as well. Repeating this changes nothing.
    """
    row = _row(stage)
    prepared = {}
    for faction in _without_entry(row):
        prepared[faction.pk] = entry_for(row, faction, admiral)
    with transaction.atomic():
        locked = Stage.objects.select_for_update().get(pk=stage)
        if locked.status != StageStatus.CLOSED or locked.closed_at is None:
            return
        for faction in _without_entry(row):
            entry = prepared[faction.pk]
            submission_write(
                stage=row,
                faction=faction,
                orders=entry.orders,
                source=entry.source,
                now=locked.closed_at,
            )
        if row.kind == StageKind.BATTLES:
            phases_close(weekly=row, now=locked.closed_at)
            unfinished_battle_stages(row).filter(status=StageStatus.OPEN).update(
                status=StageStatus.CLOSED
            )


def stage_write(*, stage: Stage, computed: StageResult, now: datetime | None = None) -> bool:
    """Write the result of a closed stage, and the next stage, in one transaction.

    All of it becomes public, and the next stage opens, at a moment that does not depend on how long
    computing took.

    Returns:
        Whether this call wrote it.
    """
    branch = stage.branch
    with transaction.atomic():
        locked = Stage.objects.select_for_update().get(pk=stage.pk)
        if locked.status != StageStatus.CLOSED or locked.closed_at is None:
            return False
        public = decided_instant(branch.campaign, locked.closed_at, now or timezone.now())
        snapshot = snapshot_write(
            branch=branch,
            parent=stage.from_snapshot,
            world=computed.world,
            document=computed.document,
            sha256=computed.sha256,
            event_documents=computed.event_documents,
            rules=computed.rules,
        )
        head_rows = Branch.objects.filter(pk=branch.pk, head_id=stage.from_snapshot_id).update(
            head=snapshot
        )
        closed_rows = Stage.objects.filter(pk=stage.pk, status=StageStatus.CLOSED).update(
            status=StageStatus.RESOLVED,
            how=StageEnding.PLAYED,
            to_snapshot=snapshot,
            publishes_at=public,
        )
        if head_rows != 1 or closed_rows != 1:
            raise HistoryChanged(phrase("the branch has moved on since this stage began"))
        sheets_write(
            branch=branch,
            snapshot=snapshot,
            week=stage.week,
            stage=stage.kind,
            sheets=computed.sheets,
        )
        _battles_write(computed)
        if stage.kind == StageKind.BATTLES:
            unfinished_battle_stages(stage).update(status=StageStatus.RESOLVED)
        battles_open(branch=branch, snapshot=snapshot, waiting=computed.waiting)
        tables_open(branch=branch, snapshot=snapshot, now=public)
        ledger_append(stage=stage, row=computed.row)
        projection_write(branch=branch, before=computed.before, after=computed.after)
        opened = stage_open(branch=branch, snapshot=snapshot, ordinal=stage.ordinal + 1, now=public)
        phases_begin(branch=branch, snapshot=snapshot, now=public)
        messages_deliver(stage=stage, over=opened is None, public=public)
        if opened is not None:
            opened = held_rulings_make(stage=opened)
            empty_sheet_seal(stage=opened, now=public)
        stage_announce(
            campaign=branch.campaign,
            branch=branch,
            ordinal=stage.ordinal + 1 if opened is None else opened.ordinal,
            stage=opened,
            now=public,
        )
    return True


def stage_open(*, branch: Branch, snapshot: Snapshot, ordinal: int, now: datetime) -> Stage | None:
    """Open the stage that a snapshot waits for, from `now` on; None after the war."""
    if snapshot.stage == StageKind.OVER:
        return None
    stage = Stage.objects.create(
        branch=branch,
        week=snapshot.week,
        kind=snapshot.stage,
        ordinal=ordinal,
        opens=now,
        closes=closes_at(branch.campaign.timetable, snapshot.stage, now),
        from_snapshot=snapshot,
    )
    closes = stage_deadline(stage, now)
    grace = grace_of(branch.campaign.timetable)
    if closes != stage.closes or (grace and closes is not None):
        stage.closes = closes
        stage.grace_until = closes + grace if grace and closes is not None else None
        stage.save(update_fields=["closes", "grace_until"])
    return stage


def stage_deadline(stage: Stage, opens: datetime) -> datetime | None:
    """Return when a stage of the week closes by its timetable; None if it waits for the orders."""
    closes = closes_at(stage.branch.campaign.timetable, stage.kind, opens)
    if closes is None and reveals_battles(stage):
        return opens + BATTLES_LAST
    return closes


def _battles_write(computed: StageResult) -> None:
    """Store the fought battles of a stage and their phases, and delete their slices."""
    for battle in computed.battles:
        phases = zip(battle.outcome.phases, battle.chain, strict=True)
        BattlePhase.objects.bulk_create(
            BattlePhase(
                battle=battle.row,
                seq=seq,
                schema=BATTLE_PHASE.schema,
                inputs=phase.inputs,
                events=phase.events,
                views=phase.views,
                chain=link,
            )
            for seq, (phase, link) in enumerate(phases)
            if seq >= battle.outcome.stored_phases
        )
        Battle.objects.filter(pk=battle.row.pk).update(
            status=BattleStatus.FOUGHT,
            state=battle.outcome.state,
            result=result_document(battle.outcome.result),
            dice_context=battle.dice_context,
        )
    BattleSlice.objects.filter(battle__in=[battle.row.pk for battle in computed.battles]).delete()


def _without_entry(stage: Stage) -> list[Faction]:
    """Return the factions without a valid entry, in faction order."""
    return WITHOUT_ENTRY.rows(stage.branch.campaign_id, stage.pk)


def _sealed(stage: int) -> QuerySet[Submission]:
    """Return the valid entries of a stage."""
    return Submission.objects.filter(stage_id=stage, withdrawn_at__isnull=True)


def _row(stage: int) -> Stage:
    """Return a stage with its related rows; large documents are loaded on access."""
    row = STAGE.first(stage)
    if row is None:
        raise Stage.DoesNotExist(phrase("there is no stage {}", stage))
    return row
