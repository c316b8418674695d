"""Forks: wars of their own that begin with the world of another war at the start of a week.

A fork has its own factions, seats, dice and ledger. It copies the world and what each faction knew,
and names the war it came from (`Campaign.forked_from`). The story and the seed of every war of such
a family stay secret until all of them are over (`campaign.selectors.families`).
`docs/decisions/0156` has the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaign.access import Viewer
from campaign.errors import NotAllowed
from campaign.kinds import Role, StageKind, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import FACTION_ROLES, Campaign, Membership, active_condition
from campaign.models.stage import Stage
from campaign.selectors.clock import war_is_over
from campaign.selectors.families import family_of
from campaign.services.bots import is_bot
from campaign.services.campaigns import (
    admiral_violations,
    campaign_create,
    membership_add,
    name_violations,
)
from campaign.services.seats import COMPUTER, seat_give
from engine.core.errors import RuleViolations, Violation
from engine.core.names import LONGEST_NAME
from engine.core.phrase import phrase

NO_FORK = phrase("this war cannot be forked")
NOT_BEGUN = phrase("the war has not begun")
NEEDS_END = phrase("a war with other players can be forked when it is over")
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


def fork_refusal(viewer: Viewer) -> str:
    """Return why the viewer may not fork the war now, or an empty text.

    After the end, everybody with a seat may. While any war of the family runs, a fork could be
    played to learn what is hidden there: then only its single player may, without an umpire.
    """
    campaign = viewer.campaign
    if campaign.ruleset.get("single") or hasattr(campaign, "tournament_match"):
        return NO_FORK
    if not viewer.roles or viewer.guest_of is not None:
        return NO_FORK
    if campaign.started_at is None:
        return NOT_BEGUN
    return _refusal_of_running_wars(viewer)


def _refusal_of_running_wars(viewer: Viewer) -> str:
    """Return why a running war of the family forbids a fork, or an empty text."""
    campaign = viewer.campaign
    for war in family_of(campaign):
        if war.started_at is None or war_is_over(campaign=war):
            continue
        if _others_are_in(war, viewer):
            return NEEDS_END if war.pk == campaign.pk else FAMILY_RUNS
    return ""


def fork_weeks(campaign: Campaign, now: datetime | None = None) -> list[Stage]:
    """Return the stages from which a fork can begin, newest first.

    These are the orders of each week on the line whose beginning is public.
    """
    if campaign.head_branch_id is None:
        return []
    return list(_orders_stages(campaign, now or timezone.now()).order_by("-ordinal"))


def history_fork(
    *,
    viewer: Viewer,
    week: int,
    settings: ForkSettings | None = None,
    now: datetime | None = None,
) -> Campaign:
    """Create a war that begins with the orders of a week of this one, hosted by the viewer.

    It waits in its lobby, like every new war.

    Raises:
        NotAllowed: The viewer may not fork the war now.
        RuleViolations: All faults of week and settings.
    """
    moment = now or timezone.now()
    chosen = settings or ForkSettings()
    refusal = fork_refusal(viewer)
    if refusal:
        raise NotAllowed(refusal)
    parent = viewer.campaign
    stage = _orders_stages(parent, moment).filter(week=week).first()
    keys = list(parent.factions.order_by("key").values_list("key", flat=True))
    faults = _faults(viewer, chosen, keys)
    if stage is None:
        faults.append(Violation("week", "no-such-week", phrase("choose one of the weeks")))
    if faults or stage is None:
        raise RuleViolations(faults)
    admirals = {key: COMPUTER for key in keys if key != chosen.play}
    admirals.update(chosen.admirals or {})
    with transaction.atomic():
        fork = campaign_create(
            scenario=parent.scenario,
            name=chosen.name or fork_name(parent, week),
            timetable=parent.timetable,
            admirals=admirals,
            forked_from=stage.from_snapshot,
        )
        _give_seats(fork, viewer, chosen.play, moment)
    return fork


def _give_seats(fork: Campaign, viewer: Viewer, play: str, now: datetime) -> None:
    """Make the viewer the host of a fork, and the player of a faction unless `play` is empty."""
    Campaign.objects.filter(pk=fork.pk).update(created_by=viewer.user.pk)
    membership_add(campaign=fork, user=viewer.user, role=Role.HOST)
    if play:
        faction = fork.factions.get(key=play)
        seat_give(campaign=fork, user=viewer.user, role=Role.PLAYER, faction=faction, now=now)


def fork_name(campaign: Campaign, week: int) -> str:
    """Return the default name of a fork."""
    return phrase("{}, week {}", campaign.name, week)[:LONGEST_NAME]


def _faults(viewer: Viewer, settings: ForkSettings, keys: list[str]) -> list[Violation]:
    """Return all faults of the settings of a fork."""
    faults = [*name_violations(settings.name), *admiral_violations(settings.admirals or {}, keys)]
    if settings.play and settings.play not in keys:
        words = phrase("no faction '{}'", settings.play)
        faults.append(Violation("play", "unknown-faction", words))
    if settings.play and is_bot(viewer.user) and not viewer.campaign.ruleset.get("bots"):
        words = phrase("this account is a bot: allow bots, or take no seat")
        faults.append(Violation("play", "no-bots", words))
    return faults


def _orders_stages(campaign: Campaign, now: datetime) -> QuerySet[Stage]:
    """Return the orders stages on the line of a war that have opened in public."""
    branch = campaign.head_branch_id
    stages = Stage.objects.filter(battle__isnull=True, kind=StageKind.ORDERS, opens__lte=now)
    return played_on_line(stages.exclude(status=StageStatus.LEFT), branch)


def _others_are_in(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether an umpire, or a player other than the viewer, has a seat in a war."""
    seats = Membership.objects.filter(active_condition(timezone.now()), campaign=campaign)
    if seats.filter(role=Role.UMPIRE).exists():
        return True
    players = set(seats.filter(role__in=FACTION_ROLES).values_list("user_id", flat=True))
    return not players <= {viewer.user.pk}
