"""Rolling a war back to an earlier stage, by one person or by a vote of its sides.

A rollback opens a new branch at an old snapshot. Nothing is deleted: what came later stays readable
for whom it was written, as an abandoned timeline. Undoing a rollback is another rollback, to the
snapshot at which the abandoned timeline ended. `docs/decisions/0147` has the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import AlreadyOver, HistoryChanged, NotAllowed, NotFound
from campaign.kinds import (
    BranchDice,
    BranchKind,
    ProposalKind,
    ProposalState,
    Role,
    Source,
    StageKind,
    StageStatus,
)
from campaign.lineage import branch_create, played_on_line
from campaign.models.campaign import Branch, Campaign, Membership
from campaign.models.ledger import TAKE_BACK
from campaign.models.proposal import Proposal
from campaign.models.stage import Draft, Stage, Submission
from campaign.models.truth import Snapshot
from campaign.rules.beacon import has_beacon
from campaign.rules.rollback_rules import rollback_rules_of
from campaign.selectors.clock import war_is_over
from campaign.selectors.entropy import entropy_at
from campaign.selectors.rules import rules_of
from campaign.selectors.truth import world_of
from campaign.services.acts import act_write, reason_violations, require_open_stage
from campaign.services.outbox import rollback_announce, vote_announce
from campaign.services.proposals import proposal_open, require_no_refusal
from campaign.services.seats import lock_campaign
from campaign.store.documents import true_scenario_of
from campaign.store.publication import played_factions
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.adjudication.stage_results import battle_files
from umpire.services.battle_phases import phases_begin
from umpire.services.computing import set_up_salts
from umpire.services.ledger import closing_row_of, ledger_append
from umpire.services.placed_asteroids import has_placed_asteroids
from umpire.services.projection import projection_clear, projection_rebuild
from umpire.services.stages import stage_open
from umpire.services.tables import tables_open
from umpire.services.writing import battles_open

PROPOSAL_SCHEMA = 1
PLACE = re.compile(r"(\d{1,9})-(\d{1,9})")
MOVED = phrase("the war has moved on since this page was opened")
NEEDS_VOTE = phrase("other sides must agree to a rollback of this war: propose it")
PLACED_ASTEROIDS = phrase(
    "new dice would place other asteroids than players have already seen: choose the decisions "
    "stage before these battles, or the same dice"
)
NO_RIGHT = phrase("only the umpire can roll this war back")


class Power(Enum):
    """What somebody may do about a rollback."""

    NONE = "none"
    ALONE = "alone"
    VOTE = "vote"


@dataclass(frozen=True, slots=True)
class Place:
    """A snapshot of a campaign: the number of its branch and its own. Text: "<branch>-<seq>"."""

    branch: int
    seq: int

    def __str__(self) -> str:
        return f"{self.branch}-{self.seq}"


@dataclass(frozen=True, slots=True)
class Target:
    """A snapshot to which the war can be rolled back.

    Attributes:
        place: Its name.
        stage: The stage that began from it.
        abandoned: The branch that ended there; None if the snapshot is on the present line.
    """

    place: Place
    stage: Stage
    abandoned: Branch | None = None


def read_place(text: str) -> Place:
    """Return the place that a text names. Raises RuleViolations for any other text."""
    match = PLACE.fullmatch(text)
    if match is None:
        raise RuleViolations([Violation("to", "bad-place", phrase("choose a stage"))])
    return Place(int(match[1]), int(match[2]))


def rollback_power(viewer: Viewer) -> Power:
    """Return whether the viewer can roll the war back alone, by a vote, or not at all.

    An umpire, who never plays, decides alone, unless the war was opened so that the sides vote.
    Without an umpire they always vote; a player without opponents decides alone. After the end
    nobody can.
    """
    campaign = viewer.campaign
    is_match = campaign.ruleset.get("single") or hasattr(campaign, "tournament_match")
    if is_match or not (viewer.umpires or viewer.hosts or viewer.plays):
        return Power.NONE
    if war_is_over(campaign=campaign):
        return Power.NONE
    if viewer.umpires:
        if not rollback_rules_of(campaign.ruleset).umpire_needs_vote:
            return Power.ALONE
    elif Membership.objects.filter(campaign=campaign, role=Role.UMPIRE).exists():
        return Power.NONE
    played = set(played_factions(campaign).values_list("pk", flat=True))
    own = set() if viewer.faction is None else {viewer.faction.pk}
    return Power.ALONE if played <= own else Power.VOTE


def head_place(campaign: Campaign, now: datetime | None = None) -> Place:
    """Return the newest snapshot that is public. Raises NotFound before the war begins."""
    branch = campaign.head_branch
    if branch is None or branch.head_id is None:
        raise NotFound(phrase("the war has not begun"))
    ordinals = _public_stages(branch, now or timezone.now()).values_list("ordinal", flat=True)
    newest = ordinals.order_by("-ordinal").first()
    return Place(branch.number, 0 if newest is None else newest + 1)


def targets_of(campaign: Campaign, now: datetime | None = None) -> list[Target]:
    """Return the snapshots to which the war can be rolled back, newest first.

    These are the beginnings of the stages on the line whose outcome is public, and the ends of
    abandoned timelines.
    """
    branch = campaign.head_branch
    if branch is None:
        return []
    targets = []
    public = _public_stages(branch, now or timezone.now()).select_related("branch")
    for stage in public.order_by("-ordinal"):
        targets.append(Target(Place(branch.number, stage.ordinal), stage))
    weekly = Stage.objects.filter(battle__isnull=True).select_related("branch")
    left = weekly.filter(branch__campaign=campaign, status=StageStatus.LEFT)
    for stage in left.order_by("-branch__number"):
        place = Place(stage.branch.number, stage.ordinal)
        targets.append(Target(place, stage, abandoned=stage.branch))
    return targets


def _public_stages(branch: Branch, now: datetime) -> QuerySet[Stage]:
    """Return the stages of the week on the line of a branch whose outcome is public."""
    resolved = Stage.objects.filter(battle__isnull=True, status=StageStatus.RESOLVED)
    return played_on_line(resolved.filter(publishes_at__lte=now), branch.pk)


def history_take_back(
    *,
    viewer: Viewer,
    to: Place,
    head: Place,
    reason: str,
    dice: BranchDice = BranchDice.FRESH,
    now: datetime | None = None,
) -> Branch:
    """Roll the war back, for somebody who may decide that alone, and return the new branch.

    Args:
        to: The snapshot from which the war goes on.
        head: The newest snapshot that the viewer saw; if the war has moved on, nothing is done.

    Raises:
        AlreadyOver: The war is over.
        NotAllowed: The viewer may not decide this alone.
        HistoryChanged: The war has moved on.
        RuleViolations: There is no reason, the place is not one of `targets_of`, or new dice would
            place other asteroids than players have seen.
        StageClosed: The open stage is being resolved.
    """
    moment = now or timezone.now()
    _require_power(viewer, Power.ALONE)
    _check_reason(reason)
    _check_dice(viewer.campaign, dice)
    with transaction.atomic():
        return _take_back(viewer, to=to, head=head, reason=reason, dice=dice, now=moment)


def rollback_propose(
    *,
    viewer: Viewer,
    to: Place,
    head: Place,
    reason: str,
    dice: BranchDice = BranchDice.FRESH,
    now: datetime | None = None,
) -> Proposal:
    """Propose a rollback to the sides with players. A player's side consents by proposing.

    Raises:
        AlreadyOver: The war is over.
        NotAllowed: The viewer may not propose one, another proposal is open, or the last one of
            the viewer or the viewer's side was refused less than a day ago.
        HistoryChanged: The war has moved on.
        RuleViolations: There is no reason, the place is not one of `targets_of`, or new dice would
            place other asteroids than players have seen.
    """
    moment = now or timezone.now()
    _require_power(viewer, Power.VOTE)
    _check_reason(reason)
    _check_dice(viewer.campaign, dice)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        require_open_stage(campaign)
        if head_place(campaign, moment) != head:
            raise HistoryChanged(MOVED)
        target = _target(campaign, to, moment)
        _check_asteroids(target, dice)
        require_no_refusal(viewer, ProposalKind.ROLLBACK, moment)
        body = {"schema": PROPOSAL_SCHEMA, "head": str(head), "to": str(to), "dice": str(dice)}
        proposal = proposal_open(
            viewer=viewer,
            kind=ProposalKind.ROLLBACK,
            body={**body, "reason": reason},
            now=moment,
        )
        vote_announce(proposal=proposal, stage=target.stage, now=moment)
    return proposal


def proposed_target(proposal: Proposal) -> Target:
    """Return the snapshot to which a proposal would roll the war back."""
    place = read_place(proposal.body["to"])
    return _target(proposal.campaign, place, timezone.now())


def _require_power(viewer: Viewer, power: Power) -> None:
    """Raise AlreadyOver or NotAllowed if the viewer does not have this power over the history."""
    owned = rollback_power(viewer)
    if owned is power:
        return
    if owned is Power.VOTE:
        raise NotAllowed(NEEDS_VOTE)
    if war_is_over(campaign=viewer.campaign):
        raise AlreadyOver(phrase("the war is over"))
    raise NotAllowed(NO_RIGHT)


def _check_dice(campaign: Campaign, dice: BranchDice) -> None:
    """Raise RuleViolations for the same dice in a war with public dice, whose values are new."""
    if dice == BranchDice.SAME and has_beacon(campaign.ruleset):
        words = phrase("a war with public dice always gets new dice")
        raise RuleViolations([Violation("dice", "public-dice", words)])


def _check_asteroids(target: Target, dice: BranchDice) -> None:
    """Raise RuleViolations for new dice where the old ones have placed asteroids."""
    if dice == BranchDice.FRESH and has_placed_asteroids(target.stage):
        raise RuleViolations([Violation("dice", "laid-fields", PLACED_ASTEROIDS)])


def _check_reason(reason: str) -> None:
    """Raise RuleViolations without a reason, or if it is not valid."""
    faults = list(reason_violations(reason))
    if not reason:
        words = phrase("give a reason: everybody in the war reads it")
        faults.append(Violation("reason", "missing", words))
    if faults:
        raise RuleViolations(faults)


def rollback_carry_out(*, viewer: Viewer, proposal: Proposal, now: datetime) -> ProposalState:
    """Roll the war back as proposed, unless it has moved on; return the proposal's new state."""
    body = proposal.body
    head = read_place(body["head"])
    if head_place(proposal.campaign, now) != head:
        return ProposalState.FAILED
    _take_back(
        viewer,
        to=read_place(body["to"]),
        head=head,
        reason=body["reason"],
        dice=BranchDice(body["dice"]),
        now=now,
    )
    return ProposalState.DONE


def _take_back(
    viewer: Viewer, *, to: Place, head: Place, reason: str, dice: BranchDice, now: datetime
) -> Branch:
    """Roll the war back, in the caller's transaction."""
    campaign = lock_campaign(viewer.campaign)
    open_stage = require_open_stage(campaign)
    if head_place(campaign, now) != head:
        raise HistoryChanged(MOVED)
    target = _target(campaign, to, now)
    _check_asteroids(target, dice)
    snapshot = target.stage.from_snapshot
    _abandon(open_stage, now)
    branch = branch_create(
        campaign=campaign,
        parent=snapshot,
        kind=BranchKind.ROLLBACK,
        dice=dice,
        reason=reason,
        opened_by=viewer.user.pk,
        now=now,
    )
    branch.campaign = campaign
    campaign.head_branch = branch
    campaign.save(update_fields=["head_branch"])
    _open_battles(branch, snapshot)
    tables_open(branch=branch, snapshot=snapshot, now=now)
    stage = stage_open(branch=branch, snapshot=snapshot, ordinal=snapshot.seq, now=now)
    if stage is None:
        raise ValueError("a stage began from this snapshot")
    phases_begin(branch=branch, snapshot=snapshot, now=now)
    _return_orders(target.stage, stage, dice, now)
    projection_rebuild(branch=branch)
    act_write(
        campaign=campaign,
        stage=stage,
        actor=viewer.user,
        verb=TAKE_BACK,
        facts={
            "from": str(head),
            "to": str(to),
            "dice": str(dice),
            "week": stage.week,
            "stage": stage.kind,
        },
        reason=reason,
        now=now,
    )
    rollback_announce(campaign=campaign, branch=branch, stage=stage, reason=reason, now=now)
    return branch


def _target(campaign: Campaign, place: Place, now: datetime) -> Target:
    """Return a snapshot to which the war can be rolled back. Raises RuleViolations."""
    for target in targets_of(campaign, now):
        if target.place == place:
            return target
    raise RuleViolations([Violation("to", "bad-place", phrase("choose a stage"))])


def _abandon(open_stage: Stage, now: datetime) -> None:
    """Leave the head branch with a last ledger row; its open stage and battles never resolve."""
    branch = open_stage.branch
    open_stage.status = StageStatus.LEFT
    open_stage.closed_at = now
    open_stage.publishes_at = now
    open_stage.save(update_fields=["status", "closed_at", "publishes_at"])
    battle_stages = Stage.objects.filter(branch=branch, battle__isnull=False)
    battle_stages.exclude(status=StageStatus.RESOLVED).update(status=StageStatus.LEFT)
    Branch.objects.filter(pk=branch.pk).update(left_at=now)
    ledger_append(stage=open_stage, row=closing_row_of(open_stage))
    projection_clear(branch=branch)


def _open_battles(branch: Branch, snapshot: Snapshot) -> None:
    """Write the battles that are fought from a snapshot anew, with ids of their own."""
    if snapshot.stage != StageKind.BATTLES:
        return
    world = world_of(snapshot)
    rules = rules_of(branch).version_in(world.week)
    salt = set_up_salts(branch, snapshot.seq, entropy_at(branch, snapshot.seq))
    waiting = battle_files(true_scenario_of(branch.campaign), world, salt, rules)
    battles_open(branch=branch, snapshot=snapshot, waiting=waiting)


def _return_orders(past: Stage, stage: Stage, dice: BranchDice, now: datetime) -> None:
    """Give players the orders back that they had sealed in the stage when it was played.

    They come back as drafts. With the same dice they come back sealed, with their nonces, so that
    the stage has the same outcome if nobody unseals.
    """
    sealed = Submission.objects.filter(
        stage=past, withdrawn_at__isnull=True, source__in=(Source.PLAYER, Source.UMPIRE)
    )
    entries: Sequence[Submission] = list(sealed.order_by("faction__key"))
    Draft.objects.bulk_create(
        Draft(stage=stage, faction_id=entry.faction_id, payload=entry.payload, version=1)
        for entry in entries
    )
    if dice != BranchDice.SAME:
        return
    Submission.objects.bulk_create(
        Submission(
            stage=stage,
            faction_id=entry.faction_id,
            revision=1,
            payload=entry.payload,
            nonce=entry.nonce,
            share=entry.share,
            digest=entry.digest,
            source=entry.source,
            author_id=entry.author_id,
            sealed_at=now,
        )
        for entry in entries
    )
