"""Let a stage go on without its public random value, after the relays were silent for hours.

A host or umpire may do that for one stage. If a player has an administrator's account, the other
sides with players must consent: an administrator could otherwise block the relays, and choose
between two sets of dice.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.kinds import ProposalKind, ProposalState, StageStatus
from campaign.models.campaign import Campaign, Faction
from campaign.models.ledger import NO_BEACON
from campaign.models.proposal import Proposal
from campaign.models.stage import Stage
from campaign.selectors.beacon import operators_in, waits_since, went_on_without
from campaign.selectors.due import STAGE_RESOLVE, task_enqueue
from campaign.services.acts import act_write, reason_violations
from campaign.services.outbox import vote_announce
from campaign.services.proposals import proposal_open, require_no_refusal
from campaign.services.seats import lock_campaign
from campaign.store.publication import played_factions
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from umpire.services.control import require_clock_keeper

WAIVER_AFTER = timedelta(hours=6)  # from the closing of the stage
PROPOSAL_SCHEMA = 1


def waiver_instant(campaign: Campaign, stage: Stage | None) -> datetime | None:
    """Return from when on a stage may go on without its value; None if it does not wait for it."""
    since = waits_since(campaign, stage)
    return None if since is None else since + WAIVER_AFTER


def beacon_voters(campaign: Campaign) -> QuerySet[Faction]:
    """Return the factions that must consent: those with players, but without an operator."""
    operated = operators_in(campaign).values("faction")
    return played_factions(campaign).exclude(pk__in=operated)


def needs_beacon_vote(campaign: Campaign) -> bool:
    """Return whether other sides must consent, because an administrator of the site plays."""
    return operators_in(campaign).exists() and beacon_voters(campaign).exists()


def beacon_waive(
    *,
    viewer: Viewer,
    stage: int | None = None,
    reason: str = "",
    now: datetime | None = None,
) -> Stage:
    """Let the closed stage go on without its value, or propose that where the sides must consent.

    Args:
        stage: The ordinal of the stage that the viewer means.

    Raises:
        NotFound: The viewer is neither host nor umpire.
        NotAllowed: No stage waits for a value, six hours have not passed, another proposal is
            open, or the side's last one was not accepted lately.
        RuleViolations: The reason is not valid.
    """
    moment = require_clock_keeper(viewer, now)
    if faults := reason_violations(reason):
        raise RuleViolations(faults)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        locked = _waiting_stage(campaign, stage)
        allowed = waiver_instant(campaign, locked)
        if allowed is None or moment < allowed:
            raise NotAllowed(
                phrase("a stage can go on without public dice six hours after it closed")
            )
        if needs_beacon_vote(campaign):
            require_no_refusal(viewer, ProposalKind.NO_BEACON, moment)
            _propose(viewer, locked, reason, moment)
        else:
            _waive(locked, viewer.user, reason, moment)
    return locked


def beacon_carry_out(*, viewer: Viewer, proposal: Proposal, now: datetime) -> ProposalState:
    """Let the proposed stage go on, unless it has its value; return the proposal's new state."""
    body = proposal.body
    rows = Stage.objects.filter(
        branch__campaign=proposal.campaign_id,
        branch__number=body["branch"],
        ordinal=body["ordinal"],
        battle__isnull=True,
    )
    locked = rows.select_related("branch__campaign").select_for_update(of=("self",)).first()
    if locked is None or waits_since(proposal.campaign, locked) is None:
        return ProposalState.FAILED
    _waive(locked, viewer.user, body["reason"], now)
    return ProposalState.DONE


def _waiting_stage(campaign: Campaign, ordinal: int | None) -> Stage:
    """Lock and return the closed stage of the week that is not resolved. Raises NotAllowed."""
    rows = Stage.objects.filter(
        branch__headed=campaign, battle__isnull=True, status=StageStatus.CLOSED
    )
    locked = rows.select_related("branch__campaign").select_for_update(of=("self",)).first()
    if locked is None or (ordinal is not None and locked.ordinal != ordinal):
        raise NotAllowed(phrase("no stage waits for public dice"))
    return locked


def _propose(viewer: Viewer, stage: Stage, reason: str, now: datetime) -> None:
    """Ask the other sides for their consent."""
    body = {
        "schema": PROPOSAL_SCHEMA,
        "branch": stage.branch.number,
        "ordinal": stage.ordinal,
        "reason": reason,
    }
    proposal = proposal_open(viewer=viewer, kind=ProposalKind.NO_BEACON, body=body, now=now)
    vote_announce(proposal=proposal, stage=stage, now=now)


def _waive(stage: Stage, actor: AbstractBaseUser | None, reason: str, now: datetime) -> None:
    """Write the act, and let the stage be resolved."""
    if not went_on_without(stage):
        act_write(
            campaign=stage.branch.campaign,
            stage=stage,
            actor=actor,
            verb=NO_BEACON,
            facts={"week": stage.week, "stage": stage.kind},
            reason=reason,
            now=now,
        )
    task_enqueue(name=STAGE_RESOLVE, row=stage.pk)
