"""The repair of damaged wars: results are computed again from what was sealed.

A stage is computed as it was when it closed. Only if everything then is what its ledger row covers,
the damaged rows are replaced. Ledger rows, sealed orders, phases of battles and scenarios are never
written: they come back from a backup only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import ProgrammingError, transaction
from django.utils import timezone

from campaign.errors import NotAllowed, Refused
from campaign.kinds import StageEnding, StageStatus
from campaign.lineage import own_parent
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign
from campaign.models.knowledge import Report, View
from campaign.models.ledger import REBUILD, LedgerRow
from campaign.models.stage import Stage
from campaign.models.truth import Snapshot
from campaign.rules.outcome_leaves import report_digest
from campaign.selectors.clock import war_is_over
from campaign.services.acts import act_write, lock_open_stage
from campaign.services.seats import lock_campaign
from campaign.store.documents import LEDGER_SCHEMA
from campaign.store.rewriting import history_rewritable
from engine.core.canonical import digest, encode_floats
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from engine.core.versions import UnknownRules
from umpire.adjudication.fighting import fight_by_captains
from umpire.adjudication.outcome import result_document
from umpire.services.checking import HEAD, PROJECTION, Fault, campaign_faults
from umpire.services.computing import StageResult, stage_compute
from umpire.services.ledger_checks import first_root
from umpire.services.projection import projection_rebuild
from umpire.services.ruling_results import ruling_compute_again
from umpire.services.writing import sheets_write

NO_PRIVILEGE = "42501"  # PostgreSQL's code of an error
NO_ROLE = phrase(
    "the site's database role cannot change history: ask the operator to run "
    "verify_campaign --repair as the owner of the tables"
)
COMPUTED = ("snapshot", "happenings", "view", "told", "battle")  # leaves that computing gives


@dataclass(frozen=True, slots=True)
class Rebuilding:
    """What a repair did.

    Attributes:
        rebuilt: What was replaced, with the digests before and after.
        faults: What is left.
    """

    rebuilt: tuple[dict[str, Any], ...]
    faults: tuple[Fault, ...]


def campaign_rebuild(
    *,
    campaign: Campaign,
    actor: AbstractBaseUser | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Rebuilding:
    """Repair what can be computed again, and record it as an act that umpires may read.

    Args:
        actor: None for the server.

    Raises:
        StageClosed: A stage is being resolved; nothing was changed.
        NotAllowed: The site's role of PostgreSQL may not change history (`manage.py grants`).
    """
    rebuilt: list[dict[str, Any]] = []
    with _role_error_as_refusal(), transaction.atomic():
        locked = lock_campaign(campaign)
        stage = None if war_is_over(campaign=locked) else lock_open_stage(locked)
        mendable = [fault for fault in campaign_faults(locked) if fault.is_mendable]
        for fault in mendable:
            if fault.subject == HEAD:
                rebuilt += _head_replace(locked, fault.branch)
        for ordinal, branch in sorted({(f.seq, f.branch) for f in mendable if f.seq is not None}):
            rebuilt += _stage_rebuild(locked, branch, ordinal)
        is_listed = not any(fault.subject == PROJECTION for fault in mendable)
        if locked.head_branch is not None and (rebuilt or not is_listed):
            projection_rebuild(branch=locked.head_branch)
        if not is_listed:
            rebuilt.append({"what": PROJECTION, "before": "", "after": ""})
        if rebuilt:
            act_write(
                campaign=locked,
                stage=stage,
                actor=actor,
                verb=REBUILD,
                facts={"rebuilt": rebuilt},
                reason=reason,
                now=now or timezone.now(),
            )
        return Rebuilding(tuple(rebuilt), tuple(campaign_faults(locked)))


@contextmanager
def _role_error_as_refusal() -> Iterator[None]:
    """Raise NotAllowed in place of the database's error if its role may not change history."""
    try:
        yield
    except ProgrammingError as error:
        if getattr(error.__cause__, "sqlstate", "") != NO_PRIVILEGE:
            raise
        raise NotAllowed(NO_ROLE) from error


def _head_replace(campaign: Campaign, number: int) -> list[dict[str, Any]]:
    """Let a branch end with the world of its last stage again."""
    branch = Branch.objects.get(campaign=campaign, number=number)
    stages = Stage.objects.filter(branch=branch, battle__isnull=True, to_snapshot__isnull=False)
    last = stages.select_related("to_snapshot").order_by("-ordinal").first()
    head = own_parent(branch) if last is None else last.to_snapshot
    before = "" if branch.head is None else branch.head.sha256
    Branch.objects.filter(pk=branch.pk).update(head=head)
    campaign.refresh_from_db()
    return [{"what": HEAD, "before": before, "after": "" if head is None else head.sha256}]


def _stage_rebuild(campaign: Campaign, branch: int, ordinal: int) -> list[dict[str, Any]]:
    """Compute a stage again and replace what differs; return nothing if it is not what its row has.

    Args:
        branch: The number of the branch.
    """
    related = ("branch__campaign__scenario", "from_snapshot", "to_snapshot")
    stage = Stage.objects.select_related(*related).get(
        branch__campaign=campaign, branch__number=branch, ordinal=ordinal, battle__isnull=True
    )
    if stage.status == StageStatus.LEFT:
        return []
    row = LedgerRow.objects.filter(stage=stage).first()
    computed = None if row is None else _compute_again(stage)
    if row is None or computed is None or not _is_covered(row, stage, computed):
        return []
    with history_rewritable():
        return [
            *_snapshot_replace(stage, computed),
            *_sheets_replace(stage, computed),
            *_battles_replace(computed),
        ]


class _Undo(Exception):
    """Raised to undo what computing a stage again needed."""


def _compute_again(stage: Stage) -> StageResult | None:
    """Compute a resolved stage as it was when it closed; None if this is not possible."""
    found = []
    try:
        with history_rewritable():
            # Battles that captains fought alone had no state before.
            alone = Battle.objects.filter(branch=stage.branch, week=stage.week, stages__isnull=True)
            alone.update(state=None)
            if stage.how == StageEnding.RULED:
                found.append(ruling_compute_again(stage))
            else:
                found.append(stage_compute(stage=stage, fighter=fight_by_captains))
            raise _Undo
    except _Undo:
        return found[0]
    except (Refused, RuleViolations, UnknownRules, KeyError, TypeError, ValueError):
        return None  # what is left does not suffice, or is for another release


def _is_covered(row: LedgerRow, stage: Stage, computed: StageResult) -> bool:
    """Return whether computed results are those that a ledger row covers."""
    if row.schema < LEDGER_SCHEMA:
        chains = {}
        for battle in computed.battles:
            chains[battle.row.key] = battle.chain[-1] if battle.chain else ""
        outcome: bool = row.body.get("outcome") == first_root(stage, computed.digests, chains)
        return outcome
    return _computed_leaves(row.leaves or {}) == _computed_leaves(computed.row.leaves)


def _computed_leaves(leaves: Mapping[str, str]) -> dict[str, str]:
    """Return the leaves that follow from computing a stage."""
    return {name: leaf for name, leaf in leaves.items() if name.partition("/")[0] in COMPUTED}


def _snapshot_replace(stage: Stage, computed: StageResult) -> list[dict[str, Any]]:
    """Replace a snapshot that differs."""
    snapshot = stage.to_snapshot
    if snapshot is None:
        return []
    before = digest([snapshot.world, snapshot.events, snapshot.sha256])
    after = digest([computed.document, computed.event_documents, computed.sha256])
    if before == after:
        return []
    Snapshot.objects.filter(pk=snapshot.pk).update(
        world=computed.document,
        events=computed.event_documents,
        sha256=computed.sha256,
        schema=computed.document["schema"],
    )
    return [{"what": f"snapshot {snapshot.seq}", "before": before, "after": after}]


def _sheets_replace(stage: Stage, computed: StageResult) -> list[dict[str, Any]]:
    """Replace the views and reports of a stage if one of them differs."""
    snapshot = stage.to_snapshot
    if snapshot is None:
        return []
    kinds = ("stage", "battle")
    views = View.objects.filter(snapshot=snapshot)
    reports = Report.objects.filter(branch=stage.branch, seq=snapshot.seq, kind__in=kinds)
    before = []
    for view in views.select_related("faction"):
        before.append(["view", view.faction.key, digest(view.body), view.sha256])
    for report in reports.select_related("faction"):
        before.append([report.kind, report.faction.key, report.subject, report_digest(report.body)])
    after = []
    for sheet in computed.sheets:
        after.append(["view", sheet.faction.key, sheet.sha256, sheet.sha256])
        for told in sheet.reports:
            after.append([told.kind, sheet.faction.key, told.subject, told.sha256])
    if sorted(before) == sorted(after):
        return []
    views.delete()
    reports.delete()
    sheets_write(
        branch=stage.branch,
        snapshot=snapshot,
        week=stage.week,
        stage=stage.kind,
        sheets=computed.sheets,
    )
    what = f"views and reports {snapshot.seq}"
    return [{"what": what, "before": digest(sorted(before)), "after": digest(sorted(after))}]


def _battles_replace(computed: StageResult) -> list[dict[str, Any]]:
    """Replace the results and end states of battles that differ."""
    rebuilt = []
    for battle in computed.battles:
        row = Battle.objects.get(pk=battle.row.pk)
        result = result_document(battle.outcome.result)
        before = digest(encode_floats([row.result, row.state]))
        after = digest(encode_floats([result, battle.outcome.state]))
        if before != after:
            Battle.objects.filter(pk=row.pk).update(
                result=result, state=battle.outcome.state, status="fought"
            )
            what = f"result of battle {row.key}"
            rebuilt.append({"what": what, "before": before, "after": after})
    return rebuilt
