"""Forks: wars of their own that begin with the world of another war at the start of a stage.

A fork has its own factions, seats, dice and ledger. It copies the world and what each faction knew,
and names the war it came from (`Campaign.forked_from`). The story and the seed of every war of such
a family stay secret until all of them are over (`campaign.selectors.families`).
`docs/decisions/0156` and `0180` have the reasons.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed
from campaign.kinds import ProposalKind, ProposalState, Role, StageEnding, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import FACTION_ROLES, Campaign, Membership, active_condition
from campaign.models.knowledge import View as ViewRow
from campaign.models.proposal import Proposal
from campaign.models.stage import Stage
from campaign.rules.codec import from_document
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import World
from campaign.selectors.clock import war_is_over
from campaign.selectors.families import family_of
from campaign.selectors.rules import rules_of
from campaign.selectors.truth import world_of
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
from campaign.store.documents import true_scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME
from engine.core.phrase import phrase
from engine.notation.battle_file import BattleFileDocument
from umpire.adjudication.set_ups import views_with_set_ups
from umpire.adjudication.stage_results import battle_files
from umpire.services.history import Place, Power

NO_FORK = phrase("this war cannot be forked")
NOT_BEGUN = phrase("the war has not begun")
NEEDS_END = phrase("while the war runs, only its players and its host can propose a fork")
NEEDS_VOTE = phrase("a running war with other players can be forked if every side agrees")
ONLY_UMPIRE = phrase("while the war runs, only its umpire can propose a fork")
LAID_FIELDS = phrase(
    "the dice of this war have already placed the asteroids of these battles: begin with the "
    "decisions stage"
)
NEEDS_NO_VOTE = phrase("no other side has to agree: create the fork yourself")
PROPOSAL_SCHEMA = 1
FAMILY_RUNS = phrase("another war that shares this history is still running")


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


def fork_power(viewer: Viewer) -> Power:
    """Return whether the viewer can fork the war alone, by a vote of its sides, or not at all.

    After the end, everybody with a seat may. While any war of the family runs, a fork could be
    played to learn what is hidden there. Then only a player without opponents decides alone; in a
    war with others every side with players must agree.
    """
    if _is_unforkable(viewer):
        return Power.NONE
    running = _running_with_others(viewer)
    if not running:
        return Power.ALONE
    is_only_this_war = [war.pk for war in running] == [viewer.campaign.pk]
    return Power.VOTE if is_only_this_war and _may_propose(viewer) else Power.NONE


def fork_refusal(viewer: Viewer) -> str:
    """Return why the viewer may neither fork the war now nor propose it, or an empty text."""
    if fork_power(viewer) is not Power.NONE:
        return ""
    if viewer.campaign.started_at is None and viewer.roles:
        return NOT_BEGUN
    if _is_unforkable(viewer):
        return NO_FORK
    if any(war.pk != viewer.campaign.pk for war in _running_with_others(viewer)):
        return FAMILY_RUNS
    return ONLY_UMPIRE if _has_umpire(viewer.campaign) else NEEDS_END


def fork_stages(campaign: Campaign, now: datetime | None = None) -> list[Stage]:
    """Return the stages from which a fork can begin, newest first.

    These are the stages of the week on the line whose beginning is public, as the last ruling left
    them. Nothing in the ledger covers the world before the first stage, so it is not among them.
    """
    if campaign.head_branch_id is None:
        return []
    stages = Stage.objects.filter(battle__isnull=True, ordinal__gt=0)
    stages = stages.filter(opens__lte=now or timezone.now()).exclude(status=StageStatus.LEFT)
    on_line = played_on_line(stages.exclude(how=StageEnding.RULED), campaign.head_branch_id)
    return list(on_line.select_related("branch").order_by("-ordinal"))


def fork_weeks(campaign: Campaign) -> list[Stage]:
    """Return the orders stages among the stages from which a fork can begin, newest first."""
    return [stage for stage in fork_stages(campaign) if stage.kind == StageKind.ORDERS]


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
    _require_power(viewer, Power.ALONE)
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
    _require_power(viewer, Power.VOTE)
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


# Who may fork


def _is_unforkable(viewer: Viewer) -> bool:
    """Return whether the viewer can never fork this war, or it has not begun."""
    campaign = viewer.campaign
    if campaign.ruleset.get("single") or hasattr(campaign, "tournament_match"):
        return True
    return not viewer.roles or viewer.guest_of is not None or campaign.started_at is None


def _may_propose(viewer: Viewer) -> bool:
    """Return whether the viewer can propose a fork of the running war to its sides."""
    if _has_umpire(viewer.campaign):
        return viewer.umpires
    return viewer.hosts or viewer.plays


def _has_umpire(campaign: Campaign) -> bool:
    """Return whether a war has an umpire."""
    return Membership.objects.filter(campaign=campaign, role=Role.UMPIRE).exists()


def _running_with_others(viewer: Viewer) -> list[Campaign]:
    """Return the running wars of the family in which not only the viewer has a seat."""
    wars = []
    for war in family_of(viewer.campaign):
        is_running = war.started_at is not None and not war_is_over(campaign=war)
        if is_running and _others_are_in(war, viewer):
            wars.append(war)
    return wars


def _others_are_in(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether an umpire or a player other than the viewer has a seat in a war."""
    seats = Membership.objects.filter(active_condition(timezone.now()), campaign=campaign)
    seats = seats.filter(role__in=(Role.UMPIRE, *FACTION_ROLES))
    return seats.exclude(user_id=viewer.user.pk).exists()


def _require_power(viewer: Viewer, power: Power) -> None:
    """Raise NotAllowed if the viewer does not have this power to fork the war."""
    refusal = fork_refusal(viewer)
    if refusal:
        raise NotAllowed(refusal)
    if fork_power(viewer) is not power:
        raise NotAllowed(NEEDS_VOTE if power is Power.ALONE else NEEDS_NO_VOTE)


# Creating a fork


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
    if _has_laid_fields(stage):
        faults.append(Violation("stage", "laid-fields", LAID_FIELDS))
    if faults:
        raise RuleViolations(faults)
    return stage


def _has_laid_fields(stage: Stage) -> bool:
    """Return whether the dice of the war have laid out what players already know of its battles.

    Such as asteroids. A fork has dice of its own, which would lay out others. The sequence of ships
    and the places that captains propose depend on dice too, but bind nobody.
    """
    if stage.kind != StageKind.BATTLES:
        return False
    snapshot = stage.from_snapshot
    world = world_of(snapshot)
    rules = rules_of(stage.branch).version_in(world.week)
    scenario = true_scenario_of(stage.branch.campaign)
    files = dict(_battle_files_by_key(scenario, world, rules))
    rows = ViewRow.objects.filter(snapshot=snapshot).select_related("faction")
    views = {row.faction.key: from_document(View, row.body) for row in rows}
    others = views_with_set_ups(views, world, files)
    return any(_fields_of(view) != _fields_of(others[key]) for key, view in views.items())


def _battle_files_by_key(
    scenario: Scenario, world: World, rules: str
) -> Iterator[tuple[str, BattleFileDocument]]:
    """Yield the files of the battles of a world with other dice than those of its war."""
    for engagement, file in battle_files(scenario, world, lambda _: b"other dice", rules):
        yield engagement.key, file


def _fields_of(view: View) -> list[dict[str, Any]]:
    """Return what a view knows of the tables of its battles before the set-up, without ships."""
    fields = []
    for sheet in view.set_ups:
        file = json.loads(sheet.file)
        file.pop("sides")
        fields.append(file)
    return fields


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
