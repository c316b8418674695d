"""API resources for rolling a war back, votes on that, and its abandoned timelines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response
from campaign.api.schema import documented
from campaign.kinds import BranchDice
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.services.history import (
    Power,
    head_place,
    history_take_back,
    read_place,
    rollback_power,
    rollback_propose,
    targets_of,
)
from umpire.services.proposals import newest_proposal, proposal_answer, proposal_withdraw
from umpire.services.reveal import reveal_propose

TAG = "timelines"
AGREE, DISAGREE, WITHDRAW = "agree", "disagree", "withdraw"


@dataclass(frozen=True, slots=True)
class RollingBack:
    """A rollback to carry out or to propose, whichever the caller may do.

    Attributes:
        to: The place of one of the stages in the list of timelines.
        head: The head in that list; 409 if the war has moved on since.
        reason: Everybody in the war reads it.
        dice: fresh, or same.
    """

    to: str
    head: str
    reason: str
    dice: str = "fresh"


@dataclass(frozen=True, slots=True)
class Answering:
    """An answer to a proposal.

    Attributes:
        proposal: Its number.
        answer: agree or disagree, for the caller's side; withdraw, for the caller's own proposal.
    """

    proposal: int
    answer: str


@dataclass(frozen=True, slots=True)
class RollbackTarget:
    """A stage to whose beginning the war can be rolled back.

    Attributes:
        place: "<timeline>-<snapshot>".
        abandoned: Whether it is the end of an abandoned timeline.
    """

    place: str
    week: int
    stage: str
    abandoned: bool


@dataclass(frozen=True, slots=True)
class ProposalSheet:
    """The newest proposal.

    Attributes:
        kind: rollback, umpire, fork, reveal, or no-beacon: to go on without public dice.
        name: For an umpire, the user name of the person; for a fork, the name of the new war;
            for a reveal, of the war whose story is published.
        week: For a fork, the week with which it begins; otherwise null.
        stage: For a fork, the stage of that week; otherwise empty.
        war: The id of the new war when the fork has been created, or of the war whose story is
            published; otherwise empty.
        to: For a rollback, the place to which the war would go back; otherwise empty.
        dice: For a rollback, fresh or same; otherwise empty.
        reason: Empty for an umpire.
        state: open, done, failed, refused, expired or withdrawn.
        answers: Whether a side agrees, by faction key; sides that have not answered are missing.
    """

    proposal: int
    kind: str
    by: str
    name: str
    to: str
    dice: str
    week: int | None
    stage: str
    war: str
    reason: str
    closes: datetime
    state: str
    answers: dict[str, bool]


@dataclass(frozen=True, slots=True)
class TimelinesSheet:
    """The timelines of a war.

    Attributes:
        head: The place of the newest snapshot; null before the war.
        power: What the caller may do: alone, vote or none.
        targets: Newest first.
        abandoned: The numbers of the abandoned timelines, newest first.
    """

    head: str | None
    power: str
    targets: list[RollbackTarget]
    abandoned: list[int]
    proposal: ProposalSheet | None


class TimelinesResource(Resource):
    """The timelines of a war."""

    @documented(
        "timelines",
        "The timelines of a war, and what the caller may do about them",
        {200: TimelinesSheet},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return the stages to which the war can be rolled back, and the newest proposal."""
        return json_response(timelines_sheet(self.viewer(campaign)))

    @documented(
        "rollback",
        "Roll the war back, or propose it if every side must agree",
        {200: TimelinesSheet},
        body_type=RollingBack,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the timelines afterwards."""
        viewer = self.viewer(campaign)
        body = body_of(request, RollingBack)
        dice = _dice_of(body.dice)
        to = read_place(body.to)
        head = read_place(body.head)
        reason = body.reason.strip()
        if rollback_power(viewer) is Power.VOTE:
            rollback_propose(viewer=viewer, to=to, head=head, reason=reason, dice=dice)
        else:
            history_take_back(viewer=viewer, to=to, head=head, reason=reason, dice=dice)
        return json_response(timelines_sheet(self.viewer(campaign)))


class ProposalAnswerResource(Resource):
    """The answer to a proposal."""

    @documented(
        "proposal_answer",
        "Answer a proposal for your side, or withdraw your own proposal",
        {200: TimelinesSheet},
        body_type=Answering,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the timelines afterwards. With the last consent the proposal is carried out."""
        viewer = self.viewer(campaign)
        body = body_of(request, Answering)
        if body.answer not in (AGREE, DISAGREE, WITHDRAW):
            words = phrase("must be agree, disagree or withdraw")
            raise RuleViolations([Violation("answer", "unknown-answer", words)])
        if body.answer == WITHDRAW:
            proposal_withdraw(viewer=viewer, proposal=body.proposal)
        else:
            agrees = body.answer == AGREE
            proposal_answer(viewer=viewer, proposal=body.proposal, agree=agrees)
        return json_response(timelines_sheet(self.viewer(campaign)))


class RevealResource(Resource):
    """Publishing the story of a finished war while a fork of it goes on."""

    @documented(
        "reveal",
        "Propose to publish the story and the seed of a finished war now",
        {200: TimelinesSheet},
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str) -> HttpResponse:
        """Return the timelines with the proposal.

        Every side with players, in every war that shares the past, must agree. 403 if the war is
        not over, or its story is public already.
        """
        viewer = self.viewer(campaign)
        reveal_propose(viewer=viewer)
        return json_response(timelines_sheet(self.viewer(campaign)))


def timelines_sheet(viewer: Viewer) -> TimelinesSheet:
    """Return the timelines of a war as its members may know them."""
    campaign = viewer.campaign
    targets = []
    for target in targets_of(campaign):
        targets.append(
            RollbackTarget(
                place=str(target.place),
                week=target.stage.week,
                stage=target.stage.kind,
                abandoned=target.abandoned is not None,
            )
        )
    abandoned = campaign.branches.filter(left_at__isnull=False).order_by("-number")
    return TimelinesSheet(
        head=str(head_place(campaign)) if campaign.started_at else None,
        power=rollback_power(viewer).value,
        targets=targets,
        abandoned=list(abandoned.values_list("number", flat=True)),
        proposal=_proposal_sheet(viewer),
    )


def _proposal_sheet(viewer: Viewer) -> ProposalSheet | None:
    """Return the newest proposal, or None."""
    row = newest_proposal(viewer.campaign)
    if row is None:
        return None
    answers = {}
    for consent in row.consents.all():
        answers[consent.faction.key] = consent.answer
    return ProposalSheet(
        proposal=row.pk,
        kind=row.kind,
        by=row.by.get_username() if row.by else "",
        name=row.body.get("name", ""),
        to=row.body.get("to", ""),
        dice=row.body.get("dice", ""),
        week=row.body.get("week"),
        stage=row.body.get("stage", ""),
        war=row.body.get("war", ""),
        reason=row.body.get("reason", ""),
        closes=row.closes,
        state=row.state,
        answers=answers,
    )


def _dice_of(text: str) -> BranchDice:
    """Return the dice that a request names. Raises RuleViolations."""
    if text not in tuple(BranchDice):
        raise RuleViolations([Violation("dice", "unknown-dice", phrase("must be fresh or same"))])
    return BranchDice(text)
