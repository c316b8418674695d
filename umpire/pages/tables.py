"""All campaigns of an umpire on one screen, those with problems first.

Each row shows the state of the campaign, who has sealed, and how much time is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.kinds import StageKind, StageStatus
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.clock import Seat
from campaign.selectors.messages import unread_by_umpires
from campaign.selectors.umpired import UmpiredCampaign, umpired_campaigns
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import seats as seat_numbers
from engine.core.phrase import phrase
from umpire.pages.frame import SOON, STAGES
from umpire.services.attention import NO_ATTENTION, attention_of
from umpire.services.health import site_health
from umpire.troubles import Trouble, health_lines, span_text, troubles_of

ALL, TROUBLE, TODAY, MESSAGES = "all", "trouble", "today", "messages"


@dataclass(frozen=True, slots=True)
class SeatPip:
    """A faction as a sign."""

    number: int  # seat number
    state: str  # `sealed`, `awaited`, or `aside` if led by a computer or by nobody
    words: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A campaign as a row."""

    war: UmpiredCampaign
    scenario: str
    week: int
    weeks: tuple[str, ...]  # each week: past, now or to come
    stage: str
    pips: tuple[SeatPip, ...]
    sealed: int  # number of seats that have sealed
    player_seats: int
    time_left: str
    is_due_soon: bool  # less than a day is left
    is_late: bool  # no time is left
    troubles: tuple[Trouble, ...]
    unread: int  # messages to the umpire

    @property
    def is_urgent(self) -> bool:
        """Whether something here needs the umpire."""
        return any(trouble.is_urgent for trouble in self.troubles)

    @property
    def order(self) -> tuple[int, bool, float]:
        """Sort key: urgent rows, then rows with problems, then by deadline."""
        if self.is_urgent:
            rank = 0
        else:
            rank = 1 if self.troubles else 2
        closes = self.war.stage.closes if self.war.stage is not None else None
        return rank, closes is None, 0.0 if closes is None else closes.timestamp()


@never_cache
@login_required
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """Show an umpire's campaigns; 404 for users who umpire none.

    `?show=trouble` or `today` narrows the list.
    """
    user = cast(AbstractBaseUser, request.user)
    wars = umpired_campaigns(user)
    if not wars:
        raise Http404
    now = timezone.now()
    rows = rows_of(wars, user.pk, now)
    running = sorted((row for row in rows if not row.war.is_over), key=attrgetter("order"))
    narrowed = {
        ALL: running,
        TROUBLE: [row for row in running if row.troubles],
        TODAY: [row for row in running if row.is_due_soon],
        MESSAGES: [row for row in running if row.unread],
    }
    selected = request.GET.get("show", ALL)
    health = site_health(now)
    return render(
        request,
        "umpire/tables.html",
        {
            "rows": narrowed.get(selected, running),
            "selected": selected if selected in narrowed else ALL,
            "choices": [
                (ALL, phrase("All"), len(running)),
                (TROUBLE, phrase("Problems"), len(narrowed[TROUBLE])),
                (TODAY, phrase("Closing within a day"), len(narrowed[TODAY])),
                (MESSAGES, phrase("Messages"), len(narrowed[MESSAGES])),
            ],
            "campaign_count": len(running),
            "seat_count": sum(row.player_seats for row in running),
            "finished_rows": [row for row in rows if row.war.is_over],
            "health": health,
            "health_faults": health_lines(health),
        },
    )


def rows_of(wars: Sequence[UmpiredCampaign], user: int, now: datetime) -> list[TableRow]:
    """Return the rows of campaigns for this umpire, in the given order."""
    unread = unread_by_umpires([war.campaign.pk for war in wars], user)
    attention = attention_of(wars, user, now)
    rows = []
    for war in wars:
        pk = war.campaign.pk
        troubles = troubles_of(war, attention.get(pk, NO_ATTENTION), now)
        rows.append(_row(war, now, troubles=troubles, unread=unread.get(pk, 0)))
    return rows


def _row(
    war: UmpiredCampaign, now: datetime, *, troubles: tuple[Trouble, ...], unread: int
) -> TableRow:
    """Return the row of a campaign."""
    scenario = scenario_of(war.campaign)
    numbers = seat_numbers(scenario)
    week = 0 if war.stage is None else war.stage.week
    player_seats = [seat for seat in war.seats if seat.people]
    remaining = _remaining_time(war, now)
    return TableRow(
        war=war,
        scenario=scenario.name,
        week=week,
        weeks=() if is_skirmish(scenario) else _weeks(scenario.weeks, week),
        stage=_stage_words(war),
        pips=tuple(_pip(seat, numbers[seat.key]) for seat in war.seats),
        sealed=len([seat for seat in player_seats if not seat.awaited]),
        player_seats=len(player_seats),
        time_left=_left_words(war, now),
        is_due_soon=remaining is not None and remaining < SOON,
        is_late=remaining is not None and remaining <= timedelta(0),
        troubles=troubles,
        unread=unread,
    )


def _remaining_time(war: UmpiredCampaign, now: datetime) -> timedelta | None:
    """Return the time until the open stage closes; None if no clock is running."""
    stage = war.stage
    if stage is None or stage.closes is None or war.campaign.paused_at is not None:
        return None
    if stage.status != StageStatus.OPEN:
        return None
    return stage.closes - now


def _weeks(weeks: int, now: int) -> tuple[str, ...]:
    """Return each week as past, now or to come."""
    states = dict.fromkeys(range(1, now), "past") | {now: "now"}
    return tuple(states.get(week, "") for week in range(1, weeks + 1))


def _stage_words(war: UmpiredCampaign) -> str:
    """Return the stage of a campaign in words."""
    if war.stage is None:
        if war.has_begun:
            return phrase("Over")
        return phrase("Before the war")
    if war.stage.status == StageStatus.OPEN:
        return STAGES[war.stage.kind]
    return phrase("{}, closed", STAGES[war.stage.kind])


def _left_words(war: UmpiredCampaign, now: datetime) -> str:
    """Return how much time is left in the stage, or why no clock is running."""
    if war.stage is None:
        return ""
    if war.campaign.paused_at is not None:
        return phrase("clock paused")
    if war.stage.status != StageStatus.OPEN:
        return phrase("being resolved")
    if war.stage.closes is None:
        if war.stage.kind != StageKind.BATTLES:
            return phrase("no deadline")
        return phrase("with its battles")
    return span_text(war.stage.closes - now)


def _pip(seat: Seat, number: int) -> SeatPip:
    """Return the sign of a faction: sealed, awaited or neither."""
    if seat.sealed_at is not None:
        return SeatPip(number, "sealed", phrase("{}: sealed", seat.name))
    if seat.awaited:
        return SeatPip(number, "awaited", phrase("{}: awaited", seat.name))
    if seat.people:
        state = "sealed" if seat.battle_task else "aside"
        return SeatPip(number, state, phrase("{}: not waited for", seat.name))
    commander = phrase("computer") if seat.admiral else phrase("nobody")
    return SeatPip(number, "aside", phrase("{}: {}", seat.name, commander))
