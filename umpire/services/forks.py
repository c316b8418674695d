"""Forks: wars of their own that begin with the world of another war at the start of a stage.

A fork has its own factions, seats, dice and ledger. It copies the world and what each faction knew,
and names the war it came from (`Campaign.forked_from`). The story and the seed of every war of such
a family stay secret until all of them are over (`campaign.selectors.families`).
`docs/decisions/0156` and `0180` have the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.kinds import ProposalKind, ProposalState, Role, StageKind
from campaign.models.campaign import Campaign
from campaign.models.proposal import Proposal
from campaign.models.stage import Stage
from campaign.services.acts import require_open_stage
from campaign.services.bots import is_bot
from campaign.services.campaigns import (
    admiral_violations,
    campaign_create,
    membership_add,
    name_violations,
)
from campaign.services.outbox import fork_announce, vote_announce
from campaign.services.proposals import proposal_open, require_no_refusal
from campaign.services.seats import COMPUTER, OTHER_SIDE_OF_FAMILY, lock_campaign, seat_give
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME
from engine.core.phrase import phrase
from umpire.services.fork_rights import fork_power, require_fork_power
from umpire.services.fork_starts import fork_stages
from umpire.services.history import Place, Power
from umpire.services.placed_asteroids import has_placed_asteroids

PLACED_ASTEROIDS = phrase(
    "the dice of this war have already placed the asteroids of these battles: begin with the "
    "decisions stage"
)
PROPOSAL_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class ForkSettings:
    """How a fork begins.

    Attributes:
        name: Empty: that of the war, with the week.
        play: Key of the faction that its host leads; empty for none.
        admirals: Character of the computer admiral by faction key, for factions without players.
    """

    name: str = ""
    play: str = ""
    admirals: Mapping[str, str] | None = None


def history_fork(
    *,
    viewer: Viewer,
    week: int,
    stage: str = StageKind.ORDERS,
    settings: ForkSettings | None = None,
    now: datetime | None = None,
) -> Campaign:
    """Create a war that begins with a stage of this one, hosted by the viewer.

    It waits in its lobby, like every new war.

    Args:
        stage: The kind of the stage of the week: orders, decisions or battles.

    Raises:
        NotAllowed: The viewer may not decide this alone.
        RuleViolations: All faults of week, stage and settings.
    """
    moment = now or timezone.now()
    chosen = settings or ForkSettings()
    require_fork_power(viewer, Power.ALONE)
    start = _checked_start(viewer, week, stage, chosen, moment)
    with transaction.atomic():
        lock_campaign(viewer.campaign)
        return _create(viewer, start, chosen, moment)


def fork_propose(
    *,
    viewer: Viewer,
    week: int,
    stage: str = StageKind.ORDERS,
    settings: ForkSettings | None = None,
    now: datetime | None = None,
) -> Proposal:
    """Propose a fork to the sides with players. A player's side consents by proposing.

    Raises:
        NotAllowed: The viewer may not propose one, another proposal is open, or the viewer's last
            one was refused less than a day ago.
        RuleViolations: All faults of week, stage and settings.
        StageClosed: The open stage is being resolved.
    """
    moment = now or timezone.now()
    chosen = settings or ForkSettings()
    require_fork_power(viewer, Power.VOTE)
    start = _checked_start(viewer, week, stage, chosen, moment)
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        require_open_stage(campaign)
        require_no_refusal(viewer, ProposalKind.FORK, moment)
        body = {
            "schema": PROPOSAL_SCHEMA,
            "from": str(Place(start.branch.number, start.ordinal)),
            "week": start.week,
            "stage": start.kind,
            "name": chosen.name or fork_name(campaign, start.week),
            "play": chosen.play,
            "admirals": dict(chosen.admirals or {}),
        }
        proposal = proposal_open(viewer=viewer, kind=ProposalKind.FORK, body=body, now=moment)
        vote_announce(proposal=proposal, stage=start, now=moment)
    return proposal


def fork_carry_out(proposal: Proposal, now: datetime) -> ProposalState:
    """Create the proposed fork, now that all sides have agreed; return the proposal's new state.

    It fails if the stage is no longer part of the war, or its host lost the right to propose it.
    """
    body = proposal.body
    campaign = proposal.campaign
    if proposal.by is None:
        return ProposalState.FAILED
    host = viewer_of(proposal.by, campaign.public_id)
    settings = ForkSettings(body["name"], body["play"], body["admirals"])
    starts = {}
    for stage in fork_stages(campaign, now):
        starts[str(Place(stage.branch.number, stage.ordinal))] = stage
    start = starts.get(body["from"])
    if start is None or fork_power(host) is Power.NONE:
        return ProposalState.FAILED
    try:
        with transaction.atomic():
            fork = _create(host, start, settings, now)
    except (NotAllowed, RuleViolations):
        return ProposalState.FAILED
    proposal.body = {**body, "war": str(fork.public_id)}
    proposal.save(update_fields=["body"])
    name = proposal.by.get_username()
    fork_announce(campaign=campaign, proposal=proposal, fork=fork, host=name, now=now)
    return ProposalState.DONE


def fork_name(campaign: Campaign, week: int) -> str:
    """Return the default name of a fork."""
    return phrase("{}, week {}", campaign.name, week)[:LONGEST_NAME]


def _checked_start(
    viewer: Viewer, week: int, kind: str, settings: ForkSettings, now: datetime
) -> Stage:
    """Return the stage with which a fork shall begin. Raises RuleViolations with all faults."""
    campaign = viewer.campaign
    keys = list(campaign.factions.order_by("key").values_list("key", flat=True))
    faults = _faults(viewer, settings, keys)
    for stage in fork_stages(campaign, now):
        if stage.week == week and stage.kind == kind:
            break
    else:
        faults.append(Violation("week", "no-such-week", phrase("choose one of the stages")))
        raise RuleViolations(faults)
    if has_placed_asteroids(stage):
        faults.append(Violation("stage", "laid-fields", PLACED_ASTEROIDS))
    if faults:
        raise RuleViolations(faults)
    return stage


def _create(viewer: Viewer, stage: Stage, settings: ForkSettings, now: datetime) -> Campaign:
    """Create a fork that begins with a stage, hosted by the viewer, in the caller's transaction."""
    parent = viewer.campaign
    keys = parent.factions.order_by("key").values_list("key", flat=True)
    admirals = {key: COMPUTER for key in keys if key != settings.play}
    admirals.update(settings.admirals or {})
    fork = campaign_create(
        scenario=parent.scenario,
        name=settings.name or fork_name(parent, stage.week),
        timetable=parent.timetable,
        admirals=admirals,
        forked_from=stage.from_snapshot,
    )
    _give_seats(fork, viewer, settings.play, now)
    return fork


def _give_seats(fork: Campaign, viewer: Viewer, play: str, now: datetime) -> None:
    """Make the viewer the host of a fork, and the player of a faction unless `play` is empty."""
    Campaign.objects.filter(pk=fork.pk).update(created_by=viewer.user.pk)
    membership_add(campaign=fork, user=viewer.user, role=Role.HOST)
    if play:
        faction = fork.factions.get(key=play)
        seat_give(campaign=fork, user=viewer.user, role=Role.PLAYER, faction=faction, now=now)


def _faults(viewer: Viewer, settings: ForkSettings, keys: list[str]) -> list[Violation]:
    """Return all faults of the settings of a fork."""
    faults = [*name_violations(settings.name), *admiral_violations(settings.admirals or {}, keys)]
    if settings.play and settings.play not in keys:
        words = phrase("no faction '{}'", settings.play)
        faults.append(Violation("play", "unknown-faction", words))
    own = "" if viewer.faction is None else viewer.faction.key
    is_elsewhere = viewer.umpires or own not in ("", settings.play)
    if settings.play and is_elsewhere and fork_power(viewer) is Power.VOTE:
        faults.append(Violation("play", "other-side", OTHER_SIDE_OF_FAMILY))
    if settings.play and is_bot(viewer.user) and not viewer.campaign.ruleset.get("bots"):
        words = phrase("this account is a bot: allow bots, or take no seat")
        faults.append(Violation("play", "no-bots", words))
    return faults
