"""The timelines of a war: rolling it back, votes on that, and the abandoned timelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.errors import NotFound, Refused
from campaign.kinds import BranchDice, ProposalKind, ProposalState, Role
from campaign.models.campaign import Branch, Campaign
from campaign.models.proposal import Consent, Proposal
from campaign.rules.rollback_rules import rollback_rules_of
from campaign.rules.scenario import Scenario
from campaign.selectors.clock import members_of, war_is_over
from campaign.services.umpire_access import access_record
from campaign.store.documents import scenario_of
from campaign.words.common import place_words
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.english import short_name
from umpire.adjudication.spoils import Spoil, SpoilKind
from umpire.pages.frame import ASK_METHODS, page, show, stage_title, title_of
from umpire.services.history import (
    Power,
    Target,
    head_place,
    history_take_back,
    proposed_target,
    read_place,
    rollback_power,
    rollback_propose,
    targets_of,
)
from umpire.services.proposals import newest_proposal, proposal_answer, proposal_withdraw, voters_of
from umpire.services.spoil_reports import spoil_report

UNPROCESSABLE = 422
MAX_DIGITS = 9
NO_PROPOSAL = phrase("there is no such proposal")

# What a faction has learnt, by kind.
SPOILS: Mapping[SpoilKind, str] = {
    "fleet": phrase("a fleet of {faction} at {place} (week {week})"),
    "system": phrase("{place} is held by {faction} (week {week})"),
    "mine": phrase("mines of {faction} at {place} (week {week})"),
    "battle": phrase("the battle at {place} (week {week})"),
    "identified": phrase("{name} of {faction} was identified (week {week})"),
    "scanned": phrase("{name} of {faction} was scanned (week {week})"),
    "sheet": phrase("the record sheet of {name} of {faction} (week {week})"),
    "class": phrase("the class {name}"),
}

# What the last consent to a proposal has done, by kind.
DONE: Mapping[str, str] = {
    ProposalKind.ROLLBACK: phrase("Your side agrees. The war was rolled back."),
    ProposalKind.UMPIRE: phrase("Your side agrees. {name} is now the umpire of this war."),
    ProposalKind.FORK: phrase("Your side agrees. The new war is created."),
    ProposalKind.NO_BEACON: phrase("Your side agrees. The stage goes on without public dice."),
    ProposalKind.REVEAL: phrase("Your side agrees, and so do all sides of this war."),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A stage to which the war can be rolled back."""

    place: str
    title: str


@dataclass(frozen=True, slots=True)
class SpoilCard:
    """What a faction has learnt, in words."""

    name: str
    still_true: tuple[str, ...]
    no_longer_true: tuple[str, ...]  # it results from moves that are undone
    seen_to: int | None


@dataclass(frozen=True, slots=True)
class Vote:
    """A proposal with what its reader can do.

    Attributes:
        waiting: Names of the sides that have not answered.
        may_answer: The reader's side has not answered yet.
        may_withdraw: The reader made the proposal.
    """

    proposal: Proposal
    title: str
    is_open: bool
    answers: tuple[Consent, ...]
    waiting: tuple[str, ...]
    may_answer: bool
    may_withdraw: bool


@page(methods=ASK_METHODS)
def rollback(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the timelines of a war; a POST rolls it back, proposes that, or answers a proposal."""
    if request.method != "POST":
        return _render(request, viewer)
    try:
        messages.success(request, _act(request, viewer))
    except RuleViolations as error:
        return _render(request, viewer, error.limited_violations)
    except NotFound:
        raise
    except Refused as error:
        messages.warning(request, phrase("Nothing was changed: {}.", error.words))
    return redirect("rollback", c=viewer.campaign.public_id)


def _act(request: HttpRequest, viewer: Viewer) -> str:
    """Do what the form asks for, and return that in words."""
    posted = request.POST
    verb = posted.get("act", "")
    if verb in ("agree", "disagree"):
        return _answer(viewer, _number(posted), agree=verb == "agree")
    if verb == "withdraw":
        proposal_withdraw(viewer=viewer, proposal=_number(posted))
        return phrase("The proposal is withdrawn.")
    return _roll_back(viewer, posted)


def _answer(viewer: Viewer, proposal: int, *, agree: bool) -> str:
    """Answer a proposal for the viewer's side, and return the result in words."""
    row = proposal_answer(viewer=viewer, proposal=proposal, agree=agree)
    if row.state != ProposalState.DONE:
        return phrase("Your side has answered.")
    return phrase(DONE[row.kind], name=row.body.get("name", ""))


def _roll_back(viewer: Viewer, posted: Mapping[str, str]) -> str:
    """Roll the war back or propose it, and return that in words."""
    dice = BranchDice.SAME if posted.get("dice") == BranchDice.SAME else BranchDice.FRESH
    to = read_place(posted.get("to", ""))
    head = read_place(posted.get("head", ""))
    reason = posted.get("reason", "").strip()
    if rollback_power(viewer) is Power.VOTE:
        rollback_propose(viewer=viewer, to=to, head=head, reason=reason, dice=dice)
        return phrase("Proposed. The war is rolled back as soon as enough sides have agreed.")
    history_take_back(viewer=viewer, to=to, head=head, reason=reason, dice=dice)
    return phrase("The war was rolled back. Everybody is notified.")


def _number(posted: Mapping[str, str]) -> int:
    """Return the number of the proposal that a form names. Raises NotFound."""
    text = posted.get("proposal", "")
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise NotFound(NO_PROPOSAL)
    return int(text)


def _render(request: HttpRequest, viewer: Viewer, faults: Sequence[Violation] = ()) -> HttpResponse:
    """Show the page, with the faults of a form that was refused."""
    campaign = viewer.campaign
    power = rollback_power(viewer)
    targets = targets_of(campaign)
    data = request.POST if request.method == "POST" else request.GET
    chosen = next((row for row in targets if str(row.place) == data.get("to")), None)
    may_act = power is not Power.NONE and bool(targets)
    response = show(
        request,
        viewer,
        "rollback",
        "",
        here="desk" if viewer.umpires else "timelines",
        power=power.value if may_act else "",
        choices=[_choice(campaign, target) for target in targets],
        chosen=None if chosen is None else _choice(campaign, chosen),
        head=str(head_place(campaign)) if campaign.started_at else "",
        spoils=_spoil_cards(viewer, chosen),
        vote=_vote(viewer),
        rules=rollback_rules_of(campaign.ruleset),
        is_umpired=any(member.role == Role.UMPIRE for member in members_of(campaign=campaign)),
        is_over=war_is_over(campaign=campaign),
        abandoned=_abandoned(campaign),
        form_data=data,
        faults=faults,
    )
    response.status_code = UNPROCESSABLE if faults else 200
    return response


def _choice(campaign: Campaign, target: Target) -> Choice:
    """Return a target with its title."""
    title = title_of(campaign, target.stage)
    if target.abandoned is not None:
        title = phrase("Timeline {}, where it was left: {}", target.abandoned.number, title)
    return Choice(str(target.place), title)


def _abandoned(campaign: Campaign) -> list[Branch]:
    """Return the timelines that were left, newest first."""
    rows = campaign.branches.filter(left_at__isnull=False)
    return list(rows.order_by("-number"))


def _vote(viewer: Viewer) -> Vote | None:
    """Return the newest proposal; None without one, or if it is done and no fork."""
    proposal = newest_proposal(viewer.campaign)
    if proposal is None:
        return None
    if proposal.state == ProposalState.DONE and proposal.kind != ProposalKind.FORK:
        return None
    answers = tuple(proposal.consents.all())
    answered = {answer.faction_id for answer in answers}
    waiting = []
    for faction in voters_of(proposal):
        if faction.pk not in answered:
            waiting.append(faction.name)
    is_open = proposal.state == ProposalState.OPEN
    is_fork = proposal.kind == ProposalKind.FORK
    has_voice = viewer.plays and viewer.faction is not None
    return Vote(
        proposal=proposal,
        title=_proposed_title(proposal) if is_open or is_fork else "",
        is_open=is_open,
        answers=answers,
        waiting=tuple(waiting) if is_open else (),
        may_answer=is_open
        and has_voice
        and viewer.faction is not None
        and viewer.faction.pk not in answered,
        may_withdraw=is_open and proposal.by_id == viewer.user.pk,
    )


def _proposed_title(proposal: Proposal) -> str:
    """Return the stage of a rollback or a fork; empty for other proposals."""
    if proposal.kind == ProposalKind.FORK:
        return stage_title(proposal.body["week"], proposal.body["stage"])
    if proposal.kind != ProposalKind.ROLLBACK:
        return ""
    return title_of(proposal.campaign, proposed_target(proposal).stage)


def _spoil_cards(viewer: Viewer, chosen: Target | None) -> list[SpoilCard]:
    """Return what the chosen rollback would reveal, for an umpire; empty for all others."""
    if chosen is None or not viewer.umpires:
        return []
    scenario = scenario_of(viewer.campaign)
    stage = chosen.stage
    access_record(viewer=viewer, page="rollback", subject=f"week {stage.week}, {stage.kind}")
    cards = []
    for row in spoil_report(viewer=viewer, target=chosen):
        still_true = []
        no_longer_true = []
        for spoil in row.spoils:
            words = _spoil_words(scenario, spoil)
            if spoil.is_still_true:
                still_true.append(words)
            else:
                no_longer_true.append(words)
        card = SpoilCard(row.faction.name, tuple(still_true), tuple(no_longer_true), row.seen_to)
        cards.append(card)
    return cards


def _spoil_words(scenario: Scenario, spoil: Spoil) -> str:
    """Return in words what a faction has learnt."""
    hexes = {system.id: system.hex for system in scenario.systems}
    place = place_words(scenario, hexes.get(spoil.place, spoil.place)) if spoil.place else ""
    faction = short_name(spoil.faction) if spoil.faction else phrase("no faction")
    return phrase(
        SPOILS[spoil.kind], name=spoil.name, faction=faction, place=place, week=spoil.week
    )
