"""What people do to a campaign besides giving orders, written down: the ledger row of the open
stage covers it.

An act belongs to the stage that is open when it is done, so nothing is done between its closing and
the opening of the next one. Before the war and after it there is no stage, and no ledger row to
come.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import AlreadyOver, NotStarted, StageIsClosed
from campaign.kinds import StageStatus
from campaign.models.campaign import Campaign
from campaign.models.ledger import Act
from campaign.models.stage import Stage
from campaign.store.publication import waiting
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation
from engine.core.names import character_fault
from engine.core.phrase import phrase

ACT_SCHEMA = 1
LONGEST_REASON = 400  # characters
RESOLVING = phrase("the stage is being resolved; try again in a moment")


def reason_violations(reason: str) -> list[Violation]:
    """Every fault of the reason of an act."""
    if len(reason) > LONGEST_REASON:
        return [
            Violation(
                "reason", "too-long", phrase("must have at most {} characters", LONGEST_REASON)
            )
        ]
    words = character_fault(reason)
    return [Violation("reason", "characters", words)] if words else []


def act_write(
    *,
    campaign: Campaign,
    stage: Stage | None,
    actor: AbstractBaseUser | None,
    verb: str,
    facts: dict[str, Any],
    reason: str = "",
    now: datetime,
) -> Act:
    """Write an act down.

    `stage`: what `stage_held` gave. `actor`: None, the server. `facts`: JSON without floats.

    Raises RuleViolations.
    """
    if found := reason_violations(reason):
        raise RuleViolations(found)
    body = {
        "schema": ACT_SCHEMA,
        "verb": verb,
        "actor": "" if actor is None else actor.get_username(),
        "at": now.astimezone(UTC).isoformat(),
        "reason": reason,
        "facts": facts,
    }
    return Act.objects.create(
        campaign=campaign,
        stage=stage,
        actor_id=None if actor is None else actor.pk,
        verb=verb,
        body=body,
        sha256=digest(body),
        at=now,
    )


def stage_held(campaign: Campaign) -> Stage | None:
    """The open stage, held until the transaction ends, so that it does not close meanwhile; None
    where there is none.

    Raises StageIsClosed until the outcome of a closed stage is public.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a stage is held within a transaction")
    rows = Stage.objects.filter(waiting(timezone.now()), branch__headed=campaign)
    known = rows.values_list("pk", flat=True).first()
    if known is None:
        return None
    held = Stage.objects.select_for_update().get(pk=known)
    if held.status != StageStatus.OPEN:
        raise StageIsClosed(RESOLVING)
    return held


def stage_needed(campaign: Campaign, ordinal: int | None = None) -> Stage:
    """The open stage, held; `ordinal`: the one that is meant.

    Raises NotStarted, AlreadyOver, StageIsClosed.
    """
    held = stage_held(campaign)
    if held is None:
        begun = Stage.objects.filter(branch__headed=campaign).exists()
        raise (
            AlreadyOver(phrase("the war is over"))
            if begun
            else NotStarted(phrase("the war has not begun"))
        )
    if ordinal is not None and held.ordinal != ordinal:
        raise StageIsClosed(phrase("that stage is closed"))
    return held
