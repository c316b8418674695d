"""What umpires write into a war: reports, rumours, reported contacts, reinforcements, bulletins.

Each is an act that only umpires read until the war is over. The ledger row of the stage in which
it was written covers it, so nobody can change or withdraw it. It is delivered when the stage that
it names opens (`umpire.adjudication.umpire_events`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from campaign.access import Viewer, require
from campaign.errors import NotAllowed
from campaign.kinds import StageKind
from campaign.lineage import played_on_line
from campaign.models.campaign import Branch, Campaign
from campaign.models.ledger import UMPIRE_EVENT, Act
from campaign.models.stage import Stage
from campaign.rules.plain_text import tidy_text
from campaign.rules.skirmish import is_skirmish
from campaign.services.acts import act_write, require_open_stage
from campaign.services.seats import lock_campaign
from campaign.store.documents import scenario_of, true_scenario_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from umpire.adjudication.umpire_events import UmpireEvent, event_violations

WEEK = (StageKind.ORDERS, StageKind.DECISIONS, StageKind.BATTLES)
SINGLE_BATTLE = phrase("a single battle has no weeks in which news could arrive")

Moment = tuple[int, str]  # a week, and the kind of its stage


@dataclass(frozen=True, slots=True)
class WrittenEvent:
    """An event of an umpire with its act.

    Attributes:
        is_delivered: Whether the stage for which it was written has opened.
    """

    event: UmpireEvent
    author: str
    at: datetime
    sha256: str
    is_delivered: bool


def umpire_event_write(
    *,
    viewer: Viewer,
    event: UmpireEvent,
    stage: int | None = None,
    now: datetime | None = None,
) -> Act:
    """Seal an event as an act of the open stage.

    Args:
        stage: The ordinal of the intended stage.

    Raises:
        NotFound: The viewer is not an umpire.
        NotAllowed: The campaign is a single battle.
        RuleViolations: All faults.
        StageClosed: The stage is closed.
    """
    campaign = require(viewer, umpire=True).campaign
    if is_skirmish(scenario_of(campaign)):
        raise NotAllowed(SINGLE_BATTLE)
    event = replace(
        event,
        factions=tuple(sorted(set(event.factions))),
        text=tidy_text(event.text),
        headline=event.headline.strip(),
        name=event.name.strip(),
    )
    with transaction.atomic():
        locked = require_open_stage(lock_campaign(campaign), stage)
        faults = event_violations(true_scenario_of(campaign), event)
        if (event.week, event.stage) not in moments_ahead(campaign, locked):
            words = phrase("choose a stage of this war that has not opened yet")
            faults.append(Violation("when", "bad-time", words))
        if faults:
            raise RuleViolations(faults)
        return act_write(
            campaign=campaign,
            stage=locked,
            actor=viewer.user,
            verb=UMPIRE_EVENT,
            facts=event.to_facts(),
            now=now or timezone.now(),
        )


def moments_ahead(campaign: Campaign, stage: Stage) -> tuple[Moment, ...]:
    """Return the stages that open after a stage of a war, the next one first."""
    weeks = scenario_of(campaign).weeks
    moments: list[Moment] = []
    for week in range(max(stage.week, 1), weeks + 1):
        for kind in WEEK:
            moments.append((week, str(kind)))
    if stage.kind == StageKind.DEPLOY:
        return tuple(moments)
    return tuple(moments[WEEK.index(StageKind(stage.kind)) + 1 :])


def umpire_events_of(branch: Branch) -> tuple[UmpireEvent, ...]:
    """Return all events that umpires wrote on a branch, in order."""
    return tuple(UmpireEvent.from_facts(act.body["facts"]) for act in _acts_of(branch))


def written_events(viewer: Viewer, moment: Moment) -> list[WrittenEvent]:
    """Return the events of a war for its umpires, newest first.

    Args:
        moment: The newest stage that has opened; what was written for it and before is delivered.

    Raises:
        NotFound: The viewer is not an umpire.
    """
    branch = require(viewer, umpire=True).campaign.head_branch
    return [] if branch is None else events_on(branch, moment)


def events_on(branch: Branch, moment: Moment) -> list[WrittenEvent]:
    """Return the events that umpires wrote on a branch, newest first.

    The caller has checked that the reader may know them.

    Args:
        moment: As in `written_events`.
    """
    result = []
    for act in reversed(_acts_of(branch)):
        event = UmpireEvent.from_facts(act.body["facts"])
        result.append(
            WrittenEvent(
                event=event,
                author=act.body["actor"],
                at=act.at,
                sha256=act.sha256,
                is_delivered=_rank((event.week, event.stage)) <= _rank(moment),
            )
        )
    return result


def _acts_of(branch: Branch) -> Sequence[Act]:
    """Return the acts on the line of a branch that wrote events, in order."""
    acts = Act.objects.filter(verb=UMPIRE_EVENT).order_by("pk")
    return list(played_on_line(acts, branch.pk, "stage__ordinal"))


def _rank(moment: Moment) -> tuple[int, int]:
    """Return the sort key of a moment; the end of the war comes after all its stages."""
    week, kind = moment
    order = (StageKind.DEPLOY, *WEEK, StageKind.OVER)
    return week, order.index(StageKind(kind))
