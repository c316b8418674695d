"""Save, seal and unseal what a faction writes in a stage, until the stage closes.

A `Document` is what a faction writes: orders of a week (`orders.WeekOrders`), orders in a phase of
an online battle (`phases.PhaseOrders`), or the result of a battle at a table
(`tables.TableResult`).
Everything they share is defined here.

Saving, sealing and unsealing lock the stage, so that it cannot close meanwhile, and two devices of
one player take turns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from campaign.errors import AlreadySealed, EditConflict, NothingSealed, StageClosed
from campaign.kinds import Source, StageStatus
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Draft, Stage, Submission
from campaign.selectors.envelopes import Document
from campaign.services.sealed_mails import sealed_mail_write
from campaign.store.publication import public_entries
from campaign.store.war_dice import place_of, war_dice
from engine.core import fair
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

# Entries above the limit that are read all the same, so that one named twice is reported as such
SLACK = 100
NONCE = re.compile(r"[0-9a-f]{32}")
SHARE = re.compile(r"[0-9a-f]{64}")
BAD_NONCE, BAD_SHARE = "bad-nonce", "bad-share"  # codes of faults


@dataclass(frozen=True, slots=True)
class Seal:
    """A sealed entry.

    Attributes:
        is_repeat: The same text was sealed before.
    """

    row: Submission
    is_repeat: bool = False


def oversized_part_faults(
    payload: Mapping[str, Any], part: str, most: int
) -> tuple[Violation, ...]:
    """Return a fault if a part names more than `most` ships and groups, plus some slack."""
    items = payload.get(part)
    limit = most + SLACK
    if not isinstance(items, (Mapping, list)) or len(items) <= limit:
        return ()
    return (
        Violation(part, "too-many", phrase("at most {} can be listed, not {}", limit, len(items))),
    )


def draft_save(
    *,
    document: Document,
    payload: object,
    version: int,
    despite_seal: bool = False,
    now: datetime | None = None,
) -> Draft:
    """Save what a faction has written so far, faults included.

    Args:
        version: Version of the draft that was edited; 0 if there was none.
        despite_seal: Save also when an entry is sealed; the sealed entry does not change.

    Raises:
        RuleViolations: The payload is not a document, or too large.
        StageClosed: The stage is closed.
        AlreadySealed: An entry is sealed, without `despite_seal`.
        EditConflict: The stored draft has another version.
    """
    if not isinstance(payload, Mapping):
        words = phrase("{} must be an object (keys and values)", document.noun)
        raise RuleViolations([Violation("", "not-a-table", words)])
    if violations := document.size_faults(payload):
        raise RuleViolations(violations)
    stage = document.stage
    moment = now or timezone.now()
    stored_payload = document.stored_payload(payload)
    with transaction.atomic():
        lock_stage(stage, moment)
        if not despite_seal and live_entry(document, moment) is not None:
            raise AlreadySealed(phrase("sealed orders cannot be overwritten; unseal them first"))
        if version == 0:
            return _create_draft(document, stored_payload)
        drafts = Draft.objects.filter(stage=stage, faction=document.faction)
        edited_draft = drafts.filter(version=version)
        if not edited_draft.update(payload=stored_payload, version=F("version") + 1):
            raise EditConflict(phrase("somebody else has saved the draft in the meantime"))
        return drafts.get()


def _create_draft(document: Document, payload: dict[str, Any]) -> Draft:
    """Store the first draft of a document. Raises EditConflict if there is one already."""
    try:
        with transaction.atomic():
            return Draft.objects.create(
                stage=document.stage, faction=document.faction, payload=payload, version=1
            )
    except IntegrityError as error:
        raise EditConflict(phrase("there is already a draft")) from error


def envelope_seal(
    *,
    document: Document,
    payload: object,
    nonce: str = "",
    share: str = "",
    author: AbstractBaseUser | None = None,
    version: int | None = None,
    ready: bool | None = None,
    now: datetime | None = None,
) -> Seal:
    """Seal what a faction has written.

    Sealing the same text again, with the same nonce if one is given, returns the existing entry.

    Args:
        nonce: 16 bytes in hexadecimal from the client; without it, derived from the seed.
        share: 32 random bytes in hexadecimal from the client, which enter the dice; without it, the
            server derives them from the seed when the stage has closed.
        version: Version of the draft that is sealed; it must still be the newest.
        ready: Whether the side is ready to go on as soon as all sides are (see `envelope_ready`).
            None keeps what the side said of the sealed entry, or means not ready.

    Raises:
        RuleViolations: All faults of the document, the nonce and the share.
        StageClosed: The stage is closed.
        AlreadySealed: Something else is sealed.
        EditConflict: `version` is not the newest.
    """
    stage = document.stage
    violations = (*document.faults(payload), *_randomness_violations(nonce, share))
    if violations or not isinstance(payload, Mapping):
        raise RuleViolations(violations)
    moment = now or timezone.now()
    canonical_payload = document.canonical(payload)
    sealed_entry = _identical_entry(document, canonical_payload, nonce, moment)
    if sealed_entry is not None and ready in (None, sealed_entry.ready_at is not None):
        return Seal(sealed_entry, is_repeat=True)
    with transaction.atomic():
        lock_stage(stage, moment)
        sealed_entry = _identical_entry(document, canonical_payload, nonce, moment)
        if sealed_entry is not None:
            if ready is not None:
                _ready_write(document, sealed_entry, ready, moment)
            return Seal(sealed_entry, is_repeat=True)
        if version is not None and _version(document) != version:
            raise EditConflict(phrase("somebody else has saved the draft in the meantime"))
        row = envelope_write(
            stage=stage,
            faction=document.faction,
            payload=canonical_payload,
            source=Source.PLAYER,
            nonce=nonce,
            share=share,
            author=author,
            ready=bool(ready),
            now=moment,
        )
        document.after_seal(moment)
        if author is not None:
            sealed_mail_write(document=document, entry=row, author=author, now=moment)
    return Seal(row)


def _randomness_violations(nonce: str, share: str) -> tuple[Violation, ...]:
    """Return the faults of a client's nonce and share, which may be empty."""
    violations = []
    if nonce and not NONCE.fullmatch(nonce):
        words = phrase("must be {} hexadecimal digits in lower case", 32)
        violations.append(Violation("nonce", BAD_NONCE, words))
    if share and not SHARE.fullmatch(share):
        words = phrase("must be {} hexadecimal digits in lower case", 64)
        violations.append(Violation("share", BAD_SHARE, words))
    return tuple(violations)


def envelope_ready(*, document: Document, ready: bool, now: datetime | None = None) -> None:
    """Set whether the side is ready to go on as soon as all sides are.

    A stage that keeps its deadline although all sides have sealed closes at the next instant of the
    grid once all sides with players have sealed and are ready. Until then other sides do not learn
    which sides are ready. Setting the same value again does nothing.

    Raises:
        StageClosed: The stage is closed.
        NothingSealed: The side has not sealed.
    """
    stage = document.stage
    moment = now or timezone.now()
    with transaction.atomic():
        lock_stage(stage, moment)
        entries = Submission.objects.filter(
            stage=stage, faction=document.faction, withdrawn_at__isnull=True
        )
        entry = entries.first()
        if entry is None:
            raise NothingSealed(phrase("nothing is sealed"))
        _ready_write(document, entry, ready, moment)


def _ready_write(document: Document, entry: Submission, ready: bool, now: datetime) -> None:
    """Store whether the side is ready. The caller has locked the stage."""
    if ready == (entry.ready_at is not None):
        return
    entry.ready_at = now if ready else None
    entry.save(update_fields=["ready_at"])
    document.after_seal(now)


def envelope_unseal(
    *, document: Document, word: str = "", revision: int | None = None, now: datetime | None = None
) -> None:
    """Withdraw the sealed entry; its row is kept.

    Args:
        word: The withdrawal word of the client that sealed it: 32 bytes in hexadecimal, of which
            the nonce is a hash. It proves to others that the side itself unsealed it.
        revision: The revision that must be the sealed one.

    Raises:
        RuleViolations: The word is not that of the entry.
        StageClosed: The stage is closed.
        NothingSealed: Nothing is sealed.
        EditConflict: Another revision is sealed.
    """
    stage = document.stage
    moment = now or timezone.now()
    with transaction.atomic():
        lock_stage(stage, moment)
        entries = Submission.objects.filter(
            stage=stage, faction=document.faction, withdrawn_at__isnull=True
        )
        if revision is not None and entries.exclude(revision=revision).exists():
            raise EditConflict(phrase("somebody else has sealed again in the meantime"))
        if word and not entries.filter(nonce=_nonce_of(word)).exists():
            words = phrase("this is not the withdrawal word of the sealed orders")
            raise RuleViolations([Violation("word", "bad-word", words)])
        if not entries.update(withdrawn_at=moment, withdrawal_word=word or None):
            raise NothingSealed(phrase("nothing is sealed"))


def _nonce_of(word: str) -> str:
    """Return the nonce that belongs to a withdrawal word; empty if it is not one."""
    return fair.nonce_of_word(word) if SHARE.fullmatch(word) else ""


def is_word_of(entry: Submission | None, word: str) -> bool:
    """Return whether a text is the withdrawal word of a sealed entry."""
    return entry is not None and bool(word) and entry.nonce == _nonce_of(word)


def envelope_write(  # noqa: PLR0913 -- the columns of an entry
    *,
    stage: Stage,
    faction: Faction,
    payload: dict[str, Any],
    source: str,
    nonce: str = "",
    share: str = "",
    author: AbstractBaseUser | None = None,
    ready: bool = False,
    now: datetime,
) -> Submission:
    """Store a sealed entry, also for what the server or umpire seals on behalf of a faction.

    The payload is JSON and already checked. The caller has locked the stage.

    Args:
        source: Who seals it, a `Source`.
        ready: Whether the side is ready to go on as soon as all sides are (see `envelope_ready`).

    Raises:
        AlreadySealed: Another entry is sealed.
    """
    entries = Submission.objects.filter(stage=stage, faction=faction)
    earlier_entries = list(entries.values_list("revision", "withdrawn_at"))
    if any(withdrawn_at is None for _, withdrawn_at in earlier_entries):
        raise AlreadySealed(phrase("other orders are already sealed; unseal them first"))
    entry = new_entry(
        stage=stage,
        faction=faction,
        payload=payload,
        source=source,
        revision=max((revision for revision, _ in earlier_entries), default=0) + 1,
        nonce=nonce,
        share=share,
        author=author,
        ready=ready,
        now=now,
    )
    entry.save(force_insert=True)
    return entry


def new_entry(  # noqa: PLR0913 -- the columns of an entry
    *,
    stage: Stage,
    faction: Faction,
    payload: dict[str, Any],
    source: str,
    revision: int,
    nonce: str = "",
    share: str = "",
    author: AbstractBaseUser | None = None,
    ready: bool = False,
    now: datetime,
) -> Submission:
    """Return a sealed entry that is not stored; the arguments are those of `envelope_write`."""
    if not nonce:
        nonce = war_dice(stage.branch).nonce(place_of(stage), faction.key, revision)
    return Submission(
        stage=stage,
        faction=faction,
        revision=revision,
        payload=payload,
        nonce=nonce,
        share=share or None,
        digest=fair.orders_digest(payload, nonce, share),
        source=source,
        author_id=None if author is None else author.pk,
        sealed_at=now,
        ready_at=now if ready else None,
    )


def live_entry(document: Document, now: datetime) -> Submission | None:
    """Return the faction's valid sealed entry, as far as it is public now."""
    entries = Submission.objects.filter(
        stage=document.stage, faction=document.faction, withdrawn_at__isnull=True
    )
    return public_entries(entries, now).order_by("pk").first()


def lock_stage(stage: Stage, now: datetime | None = None) -> None:
    """Lock the stage's row, so that it cannot close. Deadlines do not count during a pause.

    Raises:
        StageClosed: The stage is closed.
    """
    row = (
        Stage.objects.select_for_update()
        .only("status", "opens", "closes", "grace_until")
        .get(pk=stage.pk)
    )
    moment = now or timezone.now()
    is_open = row.status == StageStatus.OPEN and row.opens <= moment
    is_past_deadline = row.last_moment is not None and row.last_moment <= moment
    if is_open and is_past_deadline:
        paused = Campaign.objects.filter(branches=stage.branch_id, paused_at__isnull=False)
        is_open = paused.exists()
    if not is_open:
        raise StageClosed(phrase("the stage is closed"))


def _identical_entry(
    document: Document, payload: dict[str, Any], nonce: str, now: datetime
) -> Submission | None:
    """Return the valid sealed entry if it has exactly this payload and, if given, this nonce."""
    row = live_entry(document, now)
    if row is not None and row.payload == payload and nonce in ("", row.nonce):
        return row
    return None


def _version(document: Document) -> int:
    """Return the version of the stored draft, or 0."""
    drafts = Draft.objects.filter(stage=document.stage, faction=document.faction)
    return drafts.values_list("version", flat=True).first() or 0
