"""Checks of a war's rows in the database: whether they follow from each other.

`ledger_checks` compares what the ledger covers. Here are the rows that it does not cover, or that a
fault in the ledger would not name: missing stages and views, hashes beside documents, chains of
battles, and the lists for search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from campaign.kinds import BattleStatus, StageEnding, StageKind, StageStatus
from campaign.lineage import own_parent
from campaign.models.battle import Battle
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.knowledge import STAGE_REPORT, Report, View
from campaign.models.ledger import Act, LedgerRow
from campaign.models.stage import Stage, Submission
from campaign.models.truth import Ruling, Snapshot
from campaign.rules.outcome_leaves import report_digest
from campaign.selectors.truth import phases_of, world_of
from campaign.store.documents import scenario_of
from campaign.store.table_chains import record_begin, record_chain
from engine.core import fair
from engine.core.canonical import digest
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from umpire.services.fighting import chain_begin
from umpire.services.ledger_checks import first_parent, is_digest_right, row_faults
from umpire.services.projection import TABLES, projection_rows

ROW, ORDERS, ACTS, SCENARIO = "row", "orders", "acts", "scenario"
SNAPSHOT, EVENTS, VIEW, TOLD = "snapshot", "happenings", "view", "told"
BATTLE, PHASES, PROJECTION, STAGE = "battle", "phases", "projection", "stage"
HEAD = "head"
# What can be computed again from what is left.
MENDABLE = frozenset({SNAPSHOT, EVENTS, VIEW, TOLD, BATTLE, PROJECTION, HEAD})
# What a database role that may not change history can still compute again.
UNPROTECTED = frozenset({PROJECTION, HEAD})
# What a war cannot go on without: its clock stops.
SERIOUS = frozenset({ROW, ORDERS, SNAPSHOT, SCENARIO, STAGE, HEAD})


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the rows of a war.

    Attributes:
        subject: What is wrong: one of the words above, or the first part of a leaf's name.
        branch: The number of the branch.
        seq: The number of the ledger row or the ordinal of the stage; None if it is of no stage.
        week: None as above.
        stage: The kind of the stage; empty as above.
    """

    subject: str
    words: str
    branch: int = 1
    seq: int | None = None
    week: int | None = None
    stage: str = ""

    @property
    def is_mendable(self) -> bool:
        """Return whether it may be possible to compute again what is wrong."""
        return self.subject in MENDABLE

    @property
    def is_serious(self) -> bool:
        """Return whether the war should not go on with it."""
        return self.subject in SERIOUS

    @property
    def text(self) -> str:
        """Return place and fault in words."""
        if self.seq is None:
            return self.words
        return phrase("row {} (week {}, {}): {}", self.seq, self.week, self.stage, self.words)

    def to_json(self) -> dict[str, Any]:
        """Return the fault for programs."""
        return {
            "subject": self.subject,
            "branch": self.branch,
            "row": self.seq,
            "week": self.week,
            "stage": self.stage,
            "words": str(self.text),
            "mendable": self.is_mendable,
        }


def campaign_faults(campaign: Campaign) -> list[Fault]:
    """Return all faults of a war, branch by branch in the order of weeks."""
    faults = list(_opening_faults(campaign))
    for branch in Branch.objects.filter(campaign=campaign).order_by("number"):
        faults.extend(_readable(_branch_faults(branch), branch))
        if branch.pk == campaign.head_branch_id:
            faults.extend(_projection_faults(branch))
    return faults


def _readable(faults: Iterator[Fault], branch: Branch) -> Iterator[Fault]:
    """Yield faults; records that cannot be read at all are one more."""
    try:
        yield from faults
    except (RuleViolations, LookupError, TypeError, ValueError, AttributeError) as error:
        words = phrase("the records cannot be read ({})", type(error).__name__)
        yield Fault(STAGE, words, branch.number)


def _opening_faults(campaign: Campaign) -> Iterator[Fault]:
    """Yield the faults of what all branches have in common."""
    if fair.commitment(campaign.seed) != campaign.seed_sha256:
        yield Fault(ROW, phrase("the seed is not the one whose hash was published"))
    if digest(campaign.scenario.body) != campaign.scenario.sha256:
        yield Fault(SCENARIO, phrase("the scenario was changed"))
    if campaign.forked_from_id is not None and _begins_elsewhere(campaign):
        yield Fault(SNAPSHOT, phrase("the war does not begin with the world it was forked from"))
    for act in Act.objects.filter(campaign=campaign, stage__isnull=True).order_by("pk"):
        if digest(act.body) != act.sha256:
            yield Fault(ACTS, phrase("an act outside the war was changed"))


def _begins_elsewhere(campaign: Campaign) -> bool:
    """Return whether the first world of a fork that has begun is not the one it was forked from."""
    first = Snapshot.objects.filter(branch__campaign=campaign, branch__number=1, seq=0)
    parent = Snapshot.objects.filter(forks=campaign).values("sha256")
    return first.exclude(sha256__in=parent).exists()


def _branch_faults(branch: Branch) -> Iterator[Fault]:
    """Yield the faults of a branch: its rows, and stage by stage what they cover."""
    rows = {row.stage_id: row for row in _rows(branch)}
    last = first_parent(branch)
    stages = Stage.objects.filter(branch=branch, battle__isnull=True).order_by("ordinal")
    related = stages.select_related("branch__campaign__scenario", "from_snapshot", "to_snapshot")
    parent = own_parent(branch)
    expected = 0 if parent is None else parent.seq
    newest = None if parent is None else parent.pk
    for stage in related:
        if stage.ordinal != expected:
            words = phrase("stage {} is missing before this one", expected)
            yield _fault(stage, STAGE, words)
        expected = stage.ordinal + 1
        if stage.status not in (StageStatus.RESOLVED, StageStatus.LEFT):
            yield from _open_faults(stage)
            continue
        row = rows.get(stage.pk)
        if row is None:
            yield _fault(stage, ROW, phrase("the stage has no row"))
        else:
            for fault in row_faults(row, last):
                yield _fault(stage, fault.subject, fault.words)
            last = row
        if stage.status == StageStatus.LEFT:
            yield from _open_faults(stage)
        else:
            newest = stage.to_snapshot_id
            yield from _stage_faults(stage)
    if newest is not None and branch.head_id != newest:
        words = phrase("the newest world is not that of the last stage")
        yield Fault(HEAD, words, branch.number)


def _rows(branch: Branch) -> list[LedgerRow]:
    """Return the ledger rows of a branch with their stages."""
    related = ("stage__branch__campaign__scenario", "stage__from_snapshot", "stage__to_snapshot")
    return list(LedgerRow.objects.filter(branch=branch).select_related(*related))


def _fault(stage: Stage, subject: str, words: str) -> Fault:
    """Return a fault of a stage."""
    return Fault(subject, words, stage.branch.number, stage.ordinal, stage.week, stage.kind)


def _open_faults(stage: Stage) -> Iterator[Fault]:
    """Yield the faults of what was sealed in a stage without an outcome, or in its battles."""
    battles = Q(stage__battle__isnull=False, stage__branch=stage.branch_id, stage__week=stage.week)
    entries = Submission.objects.filter(Q(stage=stage) | battles)
    if not all(is_digest_right(row) for row in entries):
        yield _fault(stage, ORDERS, phrase("orders do not match their digests"))
    yield from _battle_faults(stage)


def _stage_faults(stage: Stage) -> Iterator[Fault]:
    """Yield the faults of a resolved stage that its row does not show."""
    snapshot = stage.to_snapshot
    if snapshot is None:
        yield _fault(stage, SNAPSHOT, phrase("the world is missing"))
        return
    if stage.ordinal == 0:
        yield from _world_faults(stage, stage.from_snapshot)
    yield from _world_faults(stage, snapshot)
    factions = _faction_keys(stage)
    reports = Report.objects.filter(branch=stage.branch_id, seq=snapshot.seq)
    told = set(reports.filter(kind=STAGE_REPORT).values_list("faction__key", flat=True))
    if stage.how == StageEnding.RULED:
        factions = set(Ruling.objects.get(stage=stage).audience)
    for key in sorted(factions - told):
        yield _fault(stage, TOLD, phrase("the report to {} is missing", key))
    for report in reports.filter(sha256__isnull=False).select_related("faction"):
        if report_digest(report.body) != report.sha256:
            yield _fault(stage, TOLD, phrase("a report to {} has another hash", report.faction.key))
    yield from _battle_faults(stage)


def _world_faults(stage: Stage, snapshot: Snapshot) -> Iterator[Fault]:
    """Yield the faults of a snapshot and its views."""
    if digest(snapshot.world) != snapshot.sha256:
        yield _fault(stage, SNAPSHOT, phrase("the world has another hash"))
    factions = _faction_keys(stage)
    for view in View.objects.filter(snapshot=snapshot).select_related("faction"):
        factions.discard(view.faction.key)
        if digest(view.body) != view.sha256:
            yield _fault(stage, VIEW, phrase("the view of {} has another hash", view.faction.key))
    for key in sorted(factions):
        yield _fault(stage, VIEW, phrase("the view of {} is missing", key))


def _faction_keys(stage: Stage) -> set[str]:
    """Return the keys of all factions of a war."""
    factions = Faction.objects.filter(campaign=stage.branch.campaign_id)
    return set(factions.values_list("key", flat=True))


def _battle_faults(stage: Stage) -> Iterator[Fault]:
    """Yield the faults of the phases and table records of a stage's battles."""
    if stage.kind != StageKind.BATTLES:
        return
    battles = Battle.objects.filter(branch=stage.branch_id, week=stage.week)
    for battle in battles.select_related("branch__campaign").order_by("key"):
        last = chain_begin(battle)
        for number, phase in enumerate(phases_of(battle=battle)):
            document = {"inputs": phase.inputs, "events": phase.events, "views": phase.views}
            last = fair.chain_link(last, document)
            if phase.seq != number or phase.chain != last:
                words = phrase("phase {} of the battle {} was changed", number, battle.key)
                yield _fault(stage, PHASES, words)
                break
        begin = record_begin(stage.branch, battle.week, battle.key)
        for entry, link in record_chain(battle.pk, begin):
            if entry.chain not in (None, link):
                words = phrase("the record of the battle {} was changed", battle.key)
                yield _fault(stage, PHASES, words)
                break
        if stage.status == StageStatus.RESOLVED and battle.status != BattleStatus.FOUGHT:
            yield _fault(stage, BATTLE, phrase("the battle {} has no result", battle.key))


def _projection_faults(branch: Branch) -> Iterator[Fault]:
    """Yield a fault if the lists for search are not those of the newest world."""
    if branch.head is None:
        return
    words = phrase("the lists for search are not those of the newest world")
    try:
        expected = projection_rows(scenario_of(branch.campaign), world_of(branch.head))
    except (RuleViolations, KeyError, TypeError, ValueError):
        yield Fault(STAGE, phrase("the newest world cannot be read"), branch.number)
        return
    for table in TABLES:
        names = [field.name for field in table._meta.concrete_fields]
        columns = [name for name in names if name not in ("id", "branch", "key")]
        stored = {}
        for row in table._default_manager.filter(branch=branch):
            stored[row.key] = {name: getattr(row, name) for name in columns}
        if stored != expected[table]:
            yield Fault(PROJECTION, words, branch.number)
            return
