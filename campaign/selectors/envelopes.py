"""A faction's stages and envelopes: what it is writing and what it has sealed.

Only its own rows are read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, cast

from django.db.models import (
    BigIntegerField,
    CharField,
    DateTimeField,
    PositiveIntegerField,
    PositiveSmallIntegerField,
)
from django.utils import timezone

from campaign.kinds import StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Branch, Campaign, Faction
from campaign.models.stage import IS_LATE, Draft, Stage, Submission
from campaign.store.prepared import PreparedRows, PreparedValues
from campaign.store.publication import public_entries, public_stage, public_stages
from engine.core.cache import Cache
from engine.core.errors import Violation

# Where a row of a battle's stage belongs. The battle's own row is part of the truth.
OF_STAGE = ("from_snapshot__seq", "branch")
OF_BATTLE_STAGE = ("stage__from_snapshot__seq", "stage__branch")
STAGES_OF_BRANCH = PreparedRows(
    lambda branch: played_on_line(Stage.objects.filter(battle__isnull=True), branch).order_by(
        "ordinal"
    ),
    parameters=(BigIntegerField(),),
)
NEWEST_STAGE = PreparedRows(
    lambda branch, now: played_on_line(
        Stage.objects.filter(battle__isnull=True, opens__lte=now), branch
    ).order_by("-ordinal")[:1],
    parameters=(BigIntegerField(), DateTimeField()),
)
STAGES_BEFORE = PreparedValues(
    lambda branch, ordinal: (
        played_on_line(Stage.objects.filter(battle__isnull=True, ordinal__lt=ordinal), branch)
        .order_by("ordinal")
        .values_list("ordinal", "week", "kind")
    ),
    parameters=(BigIntegerField(), PositiveIntegerField()),
    columns=(PositiveIntegerField(), PositiveSmallIntegerField(), CharField()),
)
SEALED_ENTRY = PreparedRows(
    lambda stage, faction, now: public_entries(
        Submission.objects.filter(stage_id=stage, faction_id=faction, withdrawn_at__isnull=True),
        now,
    ),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    related=("author",),
)
SEALED_ENTRY_ID = PreparedValues(
    lambda stage, faction, now: public_entries(
        Submission.objects.filter(stage_id=stage, faction_id=faction, withdrawn_at__isnull=True),
        now,
    ).values_list("pk"),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    columns=(BigIntegerField(),),
)
BATTLE_DRAFTS = PreparedRows(
    lambda branch, faction, now: (
        played_on_line(Draft.objects.filter(faction_id=faction), branch, *OF_BATTLE_STAGE)
        .filter(stage__battle__isnull=False, stage__opens__lte=now)
        .order_by("stage__week", "stage__ordinal", "stage_id")
    ),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    related=("stage",),
)
DRAFT_OF_STAGE = PreparedRows(
    lambda stage, faction: Draft.objects.filter(stage_id=stage, faction_id=faction),
    parameters=(BigIntegerField(), BigIntegerField()),
)


@dataclass(frozen=True, slots=True)
class PastStage:
    """A stage before the newest one, which never changes."""

    ordinal: int
    week: int
    kind: str


# Keys: campaign, branch and ordinal of the newest stage. Saves a query on every page of a war.
_past_stages: Cache[tuple[str, int, int], tuple[PastStage, ...]] = Cache(512)


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """A sealed entry as shown to its own faction.

    Attributes:
        branch_id: The primary key of the branch on which it was sealed.
        stage: The kind of stage in which it was sealed.
        author: Name of the user who sealed it, or empty.
        withdrawn_at: When it was unsealed, so that it does not count; None if it counts.
        withdrawal_word: With which it was unsealed; empty without one.
        battle: The faction's outside id of the battle in whose stage it was sealed; empty for a
            stage of the week.
        is_open: The stage is not resolved.
        is_ready: Its side is ready to go on as soon as all sides are.
        is_late: It was sealed after the deadline (only in `sealed_entries_of`).
    """

    receipt: Receipt
    branch_id: int
    week: int
    stage: str
    ordinal: int
    source: str
    author: str
    withdrawn_at: datetime | None
    battle: str = ""
    is_open: bool = False
    is_ready: bool = False
    is_late: bool = False
    withdrawal_word: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A faction's document in a stage: the draft and the sealed entry.

    Only the faction's own actions change it.
    """

    document: Document
    draft: Draft | None
    sealed: Submission | None

    @property
    def version(self) -> int:
        """Return the draft's version, or 0."""
        if self.draft is None:
            return 0
        return self.draft.version

    @property
    def revision(self) -> int:
        """Return the sealed entry's revision, or 0."""
        if self.sealed is None:
            return 0
        return self.sealed.revision

    @property
    def has_draft(self) -> bool:
        """Return whether a player has saved a draft."""
        return self.version > self.document.first_version

    @property
    def payload(self) -> dict[str, Any] | None:
        """Return the sealed document, or else the draft, or else None."""
        source = self.sealed or self.draft
        if source is None:
            return None
        return cast("dict[str, Any]", source.payload)

    @property
    def draft_or_sealed(self) -> dict[str, Any] | None:
        """Return the document to seal by default: the draft, else what is sealed, else None."""
        source = self.draft or self.sealed
        if source is None:
            return None
        return cast("dict[str, Any]", source.payload)

    @property
    def faults(self) -> tuple[Violation, ...]:
        """Return the faults that keep the draft from being sealed; none if something is sealed."""
        if self.sealed is not None or self.draft is None:
            return ()
        return self.document.faults(self.draft.payload)

    @property
    def sealed_entry(self) -> SealedEntry | None:
        """Return the sealed entry as shown to its own faction."""
        if self.sealed is None:
            return None
        return _sealed_entry(self.sealed, self.document.stage, self.document.faction)


def envelope_of(document: Document) -> Envelope:
    """Return a document's current envelope. Raises StageClosed if no stage asks the faction."""
    stage = document.stage
    faction = document.faction
    draft = DRAFT_OF_STAGE.first(stage.pk, faction.pk)
    sealed = SEALED_ENTRY.first(stage.pk, faction.pk, timezone.now())
    if sealed is not None:
        sealed.stage = stage
        sealed.faction = faction
    return Envelope(document, draft, sealed)


def stages_of(campaign: Campaign) -> list[Stage]:
    """Return the stages of the head branch as they are public now, first to last.

    They are the same for all members. On the head branch, branch and campaign are loaded.
    """
    branch = campaign.head_branch
    if branch is None:
        return []
    rows = public_stages(campaign, STAGES_OF_BRANCH.rows(branch.pk))
    branch.campaign = campaign
    for row in rows:
        _set_branch(row, branch)
    return rows


def newest_stage_of(campaign: Campaign) -> Stage | None:
    """Return the newest stage of the head branch as it is public now; None before the war.

    Its branch and campaign are loaded.
    """
    branch = campaign.head_branch
    if branch is None:
        return None
    now = timezone.now()
    row = NEWEST_STAGE.first(branch.pk, now)
    if row is None:
        return None
    branch.campaign = campaign
    _set_branch(row, branch)
    return public_stage(campaign, row, now)


def _set_branch(stage: Stage, head_branch: Branch) -> None:
    """Give a stage of the head branch its branch, with the campaign, without a query."""
    if stage.branch_id == head_branch.pk:
        stage.branch = head_branch


def stages_before(campaign: Campaign, newest: Stage) -> tuple[PastStage, ...]:
    """Return the stages before the newest one, first to last.

    They never change, so they are cached.
    """
    branch = newest.branch_id
    ordinal = newest.ordinal
    return _past_stages.get_or_make(
        (str(campaign.public_id), branch, ordinal),
        lambda: tuple(PastStage(*row) for row in STAGES_BEFORE.tuples(branch, ordinal)),
    )


def stage_now(campaign: Campaign) -> Stage | None:
    """Return the stage that is not resolved yet; None before and after the war."""
    newest = newest_stage_of(campaign)
    if newest is None or newest.status == StageStatus.RESOLVED:
        return None
    return newest


def draft_of(stage: Stage, faction: Faction) -> Draft | None:
    """Return the faction's draft, or None."""
    return DRAFT_OF_STAGE.first(stage.pk, faction.pk)


def is_sealed(stage: Stage, faction: Faction) -> bool:
    """Return whether the faction has a valid sealed entry."""
    return bool(SEALED_ENTRY_ID.tuples(stage.pk, faction.pk, timezone.now()))


def sealed_of(stage: Stage, faction: Faction) -> SealedEntry | None:
    """Return the faction's valid sealed entry, or None."""
    row = SEALED_ENTRY.first(stage.pk, faction.pk, timezone.now())
    if row is None:
        return None
    return _sealed_entry(row, stage, faction)


def battle_stages_of(campaign: Campaign, faction: Faction) -> list[Stage]:
    """Return the stages of battles in which the faction has something to write, earliest first.

    Such a stage opens with a draft for each faction that it asks, and only these factions have
    access. Their branch and campaign are loaded.
    """
    branch = campaign.head_branch
    if branch is None:
        return []
    stages = [draft.stage for draft in _battle_drafts(campaign, faction).values()]
    branch.campaign = campaign
    for row in stages:
        _set_branch(row, branch)
    return stages


def has_fought_elsewhere(user: Any, stage: Stage) -> bool:
    """Return whether a user has sealed orders in a battle other than that of a stage."""
    sealed = Submission.objects.filter(author_id=user.pk, stage__battle__isnull=False)
    return sealed.exclude(stage__battle=stage.battle_id).exists()


def sealed_entries_of(campaign: Campaign, faction: Faction) -> tuple[SealedEntry, ...]:
    """Return all entries sealed by or for the faction on the head branch, newest first.

    Entries of a week's battles come before those of the stage in which they were fought.
    """
    stages = {stage.pk: stage for stage in stages_of(campaign)}
    return _entries_in(stages, _battle_drafts(campaign, faction), faction)


def abandoned_entries_of(
    campaign: Campaign, branches: Sequence[Branch], faction: Faction
) -> dict[int, list[SealedEntry]]:
    """Return the entries sealed by or for the faction on branches that the war left, newest first.

    Those on the line of the head branch are left out: `sealed_entries_of` has them.

    Returns:
        By the primary key of the branch. The number of queries does not depend on how many there
        are.
    """
    found: dict[int, list[SealedEntry]] = {branch.pk: [] for branch in branches}
    if not branches:
        return found
    of_branches = Stage.objects.filter(branch__in=branches)
    on_line = played_on_line(Stage.objects.all(), campaign.head_branch_id, *OF_STAGE)
    abandoned = of_branches.exclude(pk__in=on_line.values("pk"))
    stages = {stage.pk: stage for stage in abandoned.filter(battle__isnull=True)}
    drafts = Draft.objects.filter(faction=faction, stage__in=abandoned.filter(battle__isnull=False))
    battle_drafts = {}
    for draft in drafts.select_related("stage"):
        battle_drafts[draft.stage_id] = draft
    for entry in _entries_in(stages, battle_drafts, faction):
        found[entry.branch_id].append(entry)
    return found


def _entries_in(
    stages: dict[int, Stage], battle_drafts: Mapping[int, Draft], faction: Faction
) -> tuple[SealedEntry, ...]:
    """Return the public entries of a faction in stages and phases of battles, newest first."""
    stages = stages | {pk: draft.stage for pk, draft in battle_drafts.items()}
    sealed = Submission.objects.filter(stage_id__in=stages, faction=faction)
    rows = public_entries(sealed, timezone.now()).select_related("author")
    rows = rows.annotate(is_late=IS_LATE)

    def sort_key(row: Any) -> tuple[Any, ...]:
        """Sort by the snapshot from which the stage began, so that battles sort with their week."""
        stage = stages[row.stage_id]
        is_of_battle = stage.pk in battle_drafts
        return (stage.from_snapshot_id, is_of_battle, row.sealed_at, stage.ordinal, row.revision)

    entries = []
    for row in sorted(rows, key=sort_key, reverse=True):
        draft = battle_drafts.get(row.stage_id)
        battle = "" if draft is None else str(draft.payload["battle"])
        entry = _sealed_entry(row, stages[row.stage_id], faction, battle)
        entries.append(replace(entry, is_late=bool(row.is_late)))
    return tuple(entries)


def _battle_drafts(campaign: Campaign, faction: Faction) -> dict[int, Draft]:
    """Return the faction's drafts in open or past stages of its battles, by stage.

    Each draft names its battle.
    """
    drafts = BATTLE_DRAFTS.rows(campaign.head_branch_id or 0, faction.pk, timezone.now())
    return {draft.stage_id: draft for draft in drafts}


def _sealed_entry(row: Submission, stage: Stage, faction: Faction, battle: str = "") -> SealedEntry:
    """Return a row as shown to its own faction.

    Args:
        battle: The faction's outside id of the stage's battle; empty for a stage of the week.
    """
    row.faction = faction
    author: Any = row.author
    return SealedEntry(
        receipt=receipt_of(row),
        branch_id=stage.branch_id,
        week=stage.week,
        stage=stage.kind,
        ordinal=stage.ordinal,
        source=row.source,
        author="" if author is None else str(author),
        withdrawn_at=row.withdrawn_at,
        battle=battle,
        is_open=stage.status != StageStatus.RESOLVED,
        is_ready=row.ready_at is not None,
        withdrawal_word=row.withdrawal_word or "",
    )


class Document(ABC):
    """A document that a faction writes in a stage.

    Subclasses define in which stage it is written, its faults, and what sealing it starts.
    """

    noun: ClassVar[str]  # what users and API requests call it
    first_version: ClassVar[int] = 0  # version of the draft that the umpire provides; 0 if none

    def __init__(self, faction: Faction) -> None:
        self.faction = faction

    @property
    def battle_id(self) -> str:
        """Return the faction's outside id of the battle in whose stage it is written; or empty."""
        return ""

    @property
    @abstractmethod
    def stage(self) -> Stage:
        """Return the stage in which the faction writes it.

        Raises:
            StageClosed: No stage asks the faction for this document.
        """

    @abstractmethod
    def faults(self, payload: object) -> tuple[Violation, ...]:
        """Return all faults of a payload, judged by what the faction knows."""

    @abstractmethod
    def canonical(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Return a payload without faults as it is sealed: JSON, the same for equal meanings."""

    @abstractmethod
    def default(self) -> dict[str, Any]:
        """Return the document before any edit. It is used if the faction seals nothing."""

    @abstractmethod
    def after_seal(self, now: datetime) -> None:
        """Do what follows from sealing, in its transaction."""

    def stored_payload(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Return a draft as it is stored."""
        return dict(payload)

    @abstractmethod
    def size_faults(self, payload: Mapping[str, Any]) -> tuple[Violation, ...]:
        """Return faults if the payload is too long even for a draft."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of a sealed entry: from payload and nonce players can recompute the ledger's digest."""

    faction: str
    revision: int
    payload: dict[str, Any]
    nonce: str
    share: str | None
    digest: str
    sealed_at: datetime


def receipt_of(row: Submission) -> Receipt:
    """Return the receipt of a sealed entry."""
    return Receipt(
        faction=row.faction.key,
        revision=row.revision,
        payload=row.payload,
        nonce=row.nonce,
        share=row.share,
        digest=row.digest,
        sealed_at=row.sealed_at,
    )
