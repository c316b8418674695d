"""Record what hosts, umpires and players do to a campaign besides giving orders.

An act belongs to the stage that is open at that moment, and that stage's ledger row covers it.
Nothing can be done between the closing of a stage and the opening of the next one. Before the war
and after it there is no stage and no ledger row.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import AlreadyOver, NotStarted, StageClosed
from campaign.kinds import StageStatus
from campaign.models.campaign import Campaign
from campaign.models.ledger import Act
from campaign.models.stage import Stage
from campaign.store.publication import waiting_condition
from engine.core.canonical import digest
from engine.core.errors import RuleViolations, Violation
from engine.core.names import character_fault
from engine.core.phrase import phrase

ACT_SCHEMA = 1
LONGEST_REASON = 400  # characters
RESOLVING = phrase("the stage is being resolved; try again in a moment")


def reason_violations(reason: str) -> list[Violation]:
    """Return all faults of the reason given for an act."""
    if len(reason) > LONGEST_REASON:
        fault = phrase("must have at most {} characters", LONGEST_REASON)
        return [Violation("reason", "too-long", fault)]
    fault = character_fault(reason)
    if fault:
        return [Violation("reason", "characters", fault)]
    return []


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
    """Record an act.

    Args:
        stage: The stage that `lock_open_stage` returned.
        actor: None for the server.
        facts: What the act changed: JSON without floats, because the body is hashed.

    Raises:
        RuleViolations: The reason is not valid.
    """
    if violations := reason_violations(reason):
        raise RuleViolations(violations)
    body = {
        "schema": ACT_SCHEMA,
        "verb": verb,
        "actor": "" if actor is None else actor.get_username(),
        "at": now.astimezone(UTC).isoformat(),
        "reason": reason,
        "facts": facts,
    }
    branch = campaign.head_branch_id if campaign.started_at is not None else None
    return Act.objects.create(
        campaign=campaign,
        stage=stage,
        branch_id=branch if stage is None else stage.branch_id,
        actor_id=None if actor is None else actor.pk,
        verb=verb,
        body=body,
        sha256=digest(body),
        at=now,
    )


def lock_open_stage(campaign: Campaign) -> Stage | None:
    """Lock the open stage until the transaction ends, so that it cannot close.

    Returns:
        None if there is no open or waiting stage.

    Raises:
        StageClosed: The stage is closed and its outcome is not public yet.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a stage can be locked only within a transaction")
    rows = Stage.objects.filter(waiting_condition(timezone.now()), branch__headed=campaign)
    stage_id = rows.values_list("pk", flat=True).first()
    if stage_id is None:
        return None
    stage = Stage.objects.select_for_update().get(pk=stage_id)
    if stage.status != StageStatus.OPEN:
        raise StageClosed(RESOLVING)
    return stage


def require_open_stage(campaign: Campaign, ordinal: int | None = None) -> Stage:
    """Lock and return the open stage.

    Args:
        ordinal: The stage that the caller means; any other open stage is refused.

    Raises:
        NotStarted: The war has not begun.
        AlreadyOver: The war is over.
        StageClosed: The stage is closed and being computed, or another one is open.
    """
    stage = lock_open_stage(campaign)
    if stage is None:
        if Stage.objects.filter(branch__headed=campaign).exists():
            raise AlreadyOver(phrase("the war is over"))
        raise NotStarted(phrase("the war has not begun"))
    if ordinal is not None and stage.ordinal != ordinal:
        raise StageClosed(phrase("that stage is closed"))
    return stage
