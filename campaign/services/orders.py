"""Drafts, sealing and unsealing: one envelope a stage and faction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone

from campaign import fairness, models
from campaign.errors import AlreadySealed, LostUpdate, NothingSealed, StageIsClosed
from campaign.models.stage import OPEN
from campaign.models.submission import PLAYER
from campaign.rules.codec import orders_payload, parse_orders
from campaign.rules.orders import Orders
from campaign.rules.violations import order_violations
from campaign.services.due import STAGE_RESOLVE, stage_due, task_enqueue
from campaign.sight import sight_at
from campaign.stored import scenario_of
from engine.errors import RuleViolations, Violation

NONCE = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a player keeps: with his orders and the nonce he can recompute the digest the ledger will show."""

    faction: str
    revision: int
    payload: dict[str, Any]
    nonce: str
    digest: str
    sealed_at: datetime


def draft_save(*, stage: models.Stage, faction: models.Faction, payload: dict[str, Any], version: int) -> models.Draft:
    """Keep what a faction has written so far. `version`: that of the draft it was written over (0: none).

    Raises LostUpdate where that is not the version stored now, StageIsClosed where it is too late.
    """
    with transaction.atomic():
        stage_hold_open(stage)
        if version == 0:
            try:
                with transaction.atomic():
                    return models.Draft.objects.create(stage=stage, faction=faction, payload=payload, version=1)
            except IntegrityError as error:
                raise LostUpdate("there is already a draft") from error
        drafts = models.Draft.objects.filter(stage=stage, faction=faction)
        if not drafts.filter(version=version).update(payload=payload, version=F("version") + 1):
            raise LostUpdate("somebody else has saved the draft in the meantime")
        return drafts.get()


def submission_seal(
    *,
    stage: models.Stage,
    faction: models.Faction,
    payload: object,
    nonce: str = "",
    author: AbstractBaseUser | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Seal a player's orders. `nonce`: 16 bytes in hexadecimal from the client; without it the seed gives one.

    Faults of form and faults against what the faction knows come together in one RuleViolations. Raises StageIsClosed,
    AlreadySealed.
    """
    orders, found = parse_orders(payload)
    if nonce and not NONCE.fullmatch(nonce):
        found = (*found, Violation("nonce", "bad-nonce", "must be 32 hexadecimal digits in lower case"))
    if orders is not None:
        found = (
            *order_violations(scenario_of(stage.branch.campaign), sight_at(stage, faction).view, orders, "orders"),
            *found,
        )
    if found or orders is None:
        raise RuleViolations(found)
    moment = now or timezone.now()
    with transaction.atomic():
        stage_hold_open(stage, moment)
        row = submission_write(
            stage=stage, faction=faction, orders=orders, source=PLAYER, nonce=nonce, author=author, now=moment
        )
        if stage_due(stage=stage, now=moment):
            task_enqueue(name=STAGE_RESOLVE, row=stage.pk)
    return receipt_of(row)


def submission_write(
    *,
    stage: models.Stage,
    faction: models.Faction,
    orders: Orders,
    source: str,
    nonce: str = "",
    author: AbstractBaseUser | None = None,
    now: datetime,
) -> models.Submission:
    """Write a sealed entry whose orders are known to be in order. The caller holds the stage. Raises AlreadySealed."""
    payload = orders_payload(orders)
    return envelope_write(
        stage=stage, faction=faction, payload=payload, source=source, nonce=nonce, author=author, now=now
    )


def envelope_write(
    *,
    stage: models.Stage,
    faction: models.Faction,
    payload: dict[str, Any],
    source: str,
    nonce: str = "",
    author: AbstractBaseUser | None = None,
    now: datetime,
) -> models.Submission:
    """Write a sealed entry: JSON without floats, known to be in order. The caller holds the stage.

    Raises AlreadySealed.
    """
    branch, entries = stage.branch, models.Submission.objects.filter(stage=stage, faction=faction)
    if entries.filter(withdrawn_at__isnull=True).exists():
        raise AlreadySealed("these orders are sealed; unseal them first")
    revision = (entries.aggregate(last=Max("revision"))["last"] or 0) + 1
    if not nonce:
        seed, dice_key = branch.campaign.seed, branch.campaign.dice_key
        nonce = fairness.server_nonce(seed, dice_key, branch.number, _place(stage), faction.key, revision)
    return models.Submission.objects.create(
        stage=stage,
        faction=faction,
        revision=revision,
        payload=payload,
        nonce=nonce,
        digest=fairness.orders_digest(payload, nonce),
        source=source,
        author_id=None if author is None else author.pk,
        sealed_at=now,
    )


def _place(stage: models.Stage) -> int | str:
    """Where a stage stands in its branch: its ordinal; within a battle the battle's key, its kind and its ordinal."""
    if stage.battle_id is None:
        return stage.ordinal
    key = models.Battle.objects.values_list("key", flat=True).get(pk=stage.battle_id)
    return f"{key}/{stage.kind}/{stage.ordinal}"


def submission_unseal(*, stage: models.Stage, faction: models.Faction, now: datetime | None = None) -> None:
    """Take the sealed orders back; the row stays, withdrawn. Raises StageIsClosed, NothingSealed."""
    moment = now or timezone.now()
    with transaction.atomic():
        stage_hold_open(stage, moment)
        entries = models.Submission.objects.filter(stage=stage, faction=faction, withdrawn_at__isnull=True)
        if not entries.update(withdrawn_at=moment):
            raise NothingSealed("nothing is sealed")


def receipt_of(row: models.Submission) -> Receipt:
    """The receipt of a sealed entry."""
    return Receipt(row.faction.key, row.revision, row.payload, row.nonce, row.digest, row.sealed_at)


def stage_hold_open(stage: models.Stage, now: datetime | None = None) -> None:
    """Hold the stage's row, so that it does not close meanwhile. Raises StageIsClosed. A pause stops the clock."""
    row = models.Stage.objects.select_for_update().only("status", "opens", "closes").get(pk=stage.pk)
    moment = now or timezone.now()
    late = row.closes is not None and row.closes <= moment
    if late and models.Campaign.objects.filter(branches=stage.branch_id, paused_at__isnull=False).exists():
        late = False
    if row.status != OPEN or row.opens > moment or late:
        raise StageIsClosed("the stage is closed")
