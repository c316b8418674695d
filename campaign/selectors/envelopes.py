"""A faction's envelopes: where its war stands, what it is writing, what it has sealed.

Only its own rows are read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
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
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Draft, Stage, Submission
from campaign.store.prepared import PreparedRows, PreparedValues
from campaign.store.publication import public_entries, public_stage, public_stages
from engine.core.cache import Cache
from engine.core.errors import Violation

STAGES = PreparedRows(
    lambda branch: Stage.objects.filter(branch_id=branch, battle__isnull=True).order_by("ordinal"),
    parameters=(BigIntegerField(),),
)
NEWEST = PreparedRows(
    lambda branch, now: Stage.objects.filter(
        branch_id=branch, battle__isnull=True, opens__lte=now
    ).order_by("-ordinal")[:1],
    parameters=(BigIntegerField(), DateTimeField()),
)
BEFORE = PreparedValues(
    lambda branch, ordinal: (
        Stage.objects.filter(branch_id=branch, battle__isnull=True, ordinal__lt=ordinal)
        .order_by("ordinal")
        .values_list("ordinal", "week", "kind")
    ),
    parameters=(BigIntegerField(), PositiveIntegerField()),
    columns=(PositiveIntegerField(), PositiveSmallIntegerField(), CharField()),
)
SEALED = PreparedRows(
    lambda stage, faction, now: public_entries(
        Submission.objects.filter(stage_id=stage, faction_id=faction, withdrawn_at__isnull=True),
        now,
    ),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    related=("author",),
)
IS_SEALED = PreparedValues(
    lambda stage, faction, now: public_entries(
        Submission.objects.filter(stage_id=stage, faction_id=faction, withdrawn_at__isnull=True),
        now,
    ).values_list("pk"),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    columns=(BigIntegerField(),),
)
IN_BATTLES = PreparedRows(
    lambda branch, faction, now: (
        Draft.objects.filter(faction_id=faction, stage__branch_id=branch)
        .filter(stage__battle__isnull=False, stage__opens__lte=now)
        .order_by("stage__week", "stage__ordinal", "stage_id")
    ),
    parameters=(BigIntegerField(), BigIntegerField(), DateTimeField()),
    related=("stage",),
)
DRAFT = PreparedRows(
    lambda stage, faction: Draft.objects.filter(stage_id=stage, faction_id=faction),
    parameters=(BigIntegerField(), BigIntegerField()),
)


@dataclass(frozen=True, slots=True)
class PastStage:
    """A stage that lies behind another: nothing of it changes any more."""

    ordinal: int
    week: int
    kind: str


# By campaign, branch and ordinal of the newest stage. Saves a query on every page of a war.
_past: Cache[tuple[str, int, int], tuple[PastStage, ...]] = Cache(512)


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """A sealed entry as its own faction keeps it.

    `withdrawn`: it was unsealed and does not count. `battle`: its own id of the battle in whose
    stage it was sealed, empty for a stage of the week. `open`: the stage is not resolved. `ready`:
    its side is ready to go on as soon as everybody is.
    """

    receipt: Receipt
    week: int
    stage: str
    ordinal: int
    source: str
    author: str
    withdrawn: datetime | None
    battle: str = ""
    open: bool = False
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Envelope:
    """A document on its faction's desk: the draft, what is sealed, and by whom.

    Only its own doing changes it.
    """

    document: Document
    draft: Draft | None
    sealed: Submission | None

    @property
    def version(self) -> int:
        """Of the draft; 0 where there is none."""
        return 0 if self.draft is None else self.draft.version

    @property
    def revision(self) -> int:
        """Of what is sealed; 0 where nothing is."""
        return 0 if self.sealed is None else self.sealed.revision

    @property
    def has_draft(self) -> bool:
        """Whether somebody has saved a draft."""
        return self.version > self.document.first_version

    @property
    def payload(self) -> dict[str, Any] | None:
        """The sealed document, else the draft, else None."""
        source = self.sealed or self.draft
        return None if source is None else cast("dict[str, Any]", source.payload)

    @property
    def draft_or_sealed(self) -> dict[str, Any] | None:
        """The document that is sealed where none is named: the draft, else what is sealed already,
        else None.
        """
        source = self.draft or self.sealed
        return None if source is None else cast("dict[str, Any]", source.payload)

    @property
    def faults(self) -> tuple[Violation, ...]:
        """The faults that keep the draft from being sealed. What is sealed had no faults."""
        return (
            ()
            if self.sealed is not None or self.draft is None
            else self.document.faults(self.draft.payload)
        )

    @property
    def sealed_entry(self) -> SealedEntry | None:
        """The sealed entry, as its own faction keeps it."""
        return (
            None
            if self.sealed is None
            else _sealed_entry(self.sealed, self.document.stage, self.document.faction)
        )


def envelope_of(document: Document) -> Envelope:
    """The envelope as it lies there now. Raises StageIsClosed where no stage asks the faction."""
    stage, faction = document.stage, document.faction
    draft, sealed = (
        DRAFT.first(stage.pk, faction.pk),
        SEALED.first(stage.pk, faction.pk, timezone.now()),
    )
    if sealed is not None:
        sealed.stage, sealed.faction = stage, faction
    return Envelope(document, draft, sealed)


def stages_of(campaign: Campaign) -> list[Stage]:
    """The stages of the head branch as they are seen now, first to last, ready for services: the
    same for everybody.
    """
    branch = campaign.head_branch
    if branch is None:
        return []
    rows = public_stages(campaign, STAGES.rows(branch.pk))
    branch.campaign = campaign
    for row in rows:
        row.branch = branch
    return rows


def newest_stage_of(campaign: Campaign) -> Stage | None:
    """The newest stage of the head branch as it is seen now, ready for services; None before the
    war.
    """
    branch = campaign.head_branch
    if branch is None:
        return None
    now = timezone.now()
    row = NEWEST.first(branch.pk, now)
    if row is None:
        return None
    branch.campaign = campaign
    row.branch = branch
    return public_stage(campaign, row, now)


def stages_before(campaign: Campaign, newest: Stage) -> tuple[PastStage, ...]:
    """Return the stages before the newest one, first to last.

    They never change, so they are read once.
    """
    key = str(campaign.public_id), newest.branch_id, newest.ordinal
    return _past.get_or_make(
        key,
        lambda: tuple(PastStage(*row) for row in BEFORE.tuples(newest.branch_id, newest.ordinal)),
    )


def stage_now(campaign: Campaign) -> Stage | None:
    """The stage that is not resolved yet; None before the war and after it."""
    newest = newest_stage_of(campaign)
    return None if newest is None or newest.status == StageStatus.RESOLVED else newest


def draft_of(stage: Stage, faction: Faction) -> Draft | None:
    """The draft of the faction so far."""
    return DRAFT.first(stage.pk, faction.pk)


def is_sealed(stage: Stage, faction: Faction) -> bool:
    """Whether an entry of the faction counts."""
    return bool(IS_SEALED.tuples(stage.pk, faction.pk, timezone.now()))


def sealed_of(stage: Stage, faction: Faction) -> SealedEntry | None:
    """The faction's entry that counts now."""
    row = SEALED.first(stage.pk, faction.pk, timezone.now())
    return None if row is None else _sealed_entry(row, stage, faction)


def battle_stages_of(campaign: Campaign, faction: Faction) -> list[Stage]:
    """The stages within battles in which the faction has something to write, the earliest first,
    ready for services.

    Such a stage is opened with a draft for everybody whom it asks; there is no other way to it.
    """
    branch = campaign.head_branch
    if branch is None:
        return []
    stages = [draft.stage for draft in _battle_drafts(campaign, faction).values()]
    branch.campaign = campaign
    for row in stages:
        row.branch = branch
    return stages


def sealed_entries_of(campaign: Campaign, faction: Faction) -> tuple[SealedEntry, ...]:
    """Everything the faction ever sealed on the head branch, or that was sealed for it, the newest
    first: in stages of the week, and before them what was sealed in the battles that were fought in
    them.
    """
    stages = {stage.pk: stage for stage in stages_of(campaign)}
    battle_drafts = _battle_drafts(campaign, faction)
    stages |= {pk: draft.stage for pk, draft in battle_drafts.items()}
    sealed = Submission.objects.filter(stage_id__in=stages, faction=faction)
    rows = public_entries(sealed, timezone.now()).select_related("author")
    order = {
        row.pk: (
            stage.from_snapshot_id,
            stage.pk in battle_drafts,
            row.sealed_at,
            stage.ordinal,
            row.revision,
        )
        for row in rows
        for stage in (stages[row.stage_id],)
    }
    return tuple(
        _sealed_entry(
            row, stages[row.stage_id], faction, str(battle_drafts[row.stage_id].payload["battle"])
        )
        if row.stage_id in battle_drafts
        else _sealed_entry(row, stages[row.stage_id], faction)
        for row in sorted(rows, key=lambda row: order[row.pk], reverse=True)
    )


def _battle_drafts(campaign: Campaign, faction: Faction) -> dict[int, Draft]:
    """The faction's drafts in the stages of its battles that have opened, by stage.

    Each names the battle.
    """
    drafts = IN_BATTLES.rows(campaign.head_branch_id or 0, faction.pk, timezone.now())
    return {draft.stage_id: draft for draft in drafts}


def _sealed_entry(row: Submission, stage: Stage, faction: Faction, battle: str = "") -> SealedEntry:
    row.faction = faction
    author: Any = row.author
    return SealedEntry(
        receipt=receipt_of(row),
        week=stage.week,
        stage=stage.kind,
        ordinal=stage.ordinal,
        source=row.source,
        author="" if author is None else str(author),
        withdrawn=row.withdrawn_at,
        battle=battle,
        open=stage.status != StageStatus.RESOLVED,
        ready=row.ready_at is not None,
    )


class Document(ABC):
    """A document that a faction writes in a stage: who may write it, how it is judged, what its
    seal sets going.
    """

    noun: ClassVar[str]  # what it is called, and its name in a request that brings it
    first_version: ClassVar[int] = (
        0  # the version of the draft that the umpire lays out; 0 where there is none
    )

    def __init__(self, faction: Faction) -> None:
        self.faction = faction

    @property
    @abstractmethod
    def stage(self) -> Stage:
        """The stage in which the faction writes it.

        Raises StageIsClosed where none asks the faction.
        """

    @abstractmethod
    def faults(self, payload: object) -> tuple[Violation, ...]:
        """Everything the faction can be told to be wrong with it, by what the faction knows."""

    @abstractmethod
    def canonical(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """A document without faults as it is sealed: JSON, the same for all that say the same."""

    @abstractmethod
    def default(self) -> dict[str, Any]:
        """The document before anybody has written: done, or begun with, where nothing is sealed."""

    @abstractmethod
    def after_seal(self, now: datetime) -> None:
        """Do what follows from a seal, in its transaction."""

    def stored_payload(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """A draft as it is stored."""
        return dict(payload)

    @abstractmethod
    def size_faults(self, payload: Mapping[str, Any]) -> tuple[Violation, ...]:
        """The faults of a document that is longer than any the faction can have to write: so much
        is not even kept as a draft.
        """


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt that a player keeps: with his orders and the nonce he can recompute the digest
    the ledger will show.
    """

    faction: str
    revision: int
    payload: dict[str, Any]
    nonce: str
    digest: str
    sealed_at: datetime


def receipt_of(row: Submission) -> Receipt:
    """The receipt of a sealed entry."""
    return Receipt(row.faction.key, row.revision, row.payload, row.nonce, row.digest, row.sealed_at)
