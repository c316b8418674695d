"""The page of a day's battle: the position, a button to play it, and the table of scores."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.access import viewer_of
from campaign.drawings.moment import Moment, MomentSize, draw_moment
from campaign.models.daily import DailyTry
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.pages.people.front import line_up_side
from campaign.selectors.clock import waiting_stage
from campaign.selectors.daily import (
    counts_until,
    daily_battle,
    day_of,
    days_before,
    own_try,
    standings,
)
from campaign.services.daily import position_of
from campaign.services.guests import guest_scenario
from campaign.store.documents import stored_scenario
from campaign.web.common import show
from campaign.web.next_action import current_action
from campaign.web.scenario_cards import ScenarioCard, scenario_card
from engine.core.phrase import phrase
from engine.english import counted_noun, short_name


@never_cache
@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    """Show today's battle."""
    return _day_page(request, day_of(timezone.now()))


@never_cache
@require_safe
def daily_day(request: HttpRequest, day: str) -> HttpResponse:
    """Show the battle of an earlier day, given as 2026-12-01."""
    try:
        wanted = date.fromisoformat(day)
    except ValueError as error:
        raise Http404 from error
    if wanted == day_of(timezone.now()):
        return redirect("daily")
    if daily_battle(wanted) is None:
        raise Http404
    return _day_page(request, wanted)


def _day_page(request: HttpRequest, day: date) -> HttpResponse:
    """Show the battle of a day, with what the reader can do about it.

    Strangers see it only where they may play, because the table names players.
    """
    if not request.user.is_authenticated and guest_scenario() is None:
        return redirect("account_login")
    now = timezone.now()
    row = daily_battle(day)
    position = position_of(day) if row is None else (row.scenario, row.side)
    user = request.user.pk if request.user.is_authenticated else None
    mine = own_try(row, user)
    context: dict[str, Any] = {
        "day": day,
        "is_today": day == day_of(now),
        "closes": counts_until(day),
        "is_closed": now >= counts_until(day),
        "table": [] if row is None else standings(row, user),
        "mine": mine,
        "my_action": None if mine is None else _action_of(request, mine),
        "earlier": days_before(day_of(now)),
    }
    if position is not None:
        context |= _position(*position)
    return show(request, "daily", **context)


def _action_of(request: HttpRequest, mine: DailyTry) -> Any:
    """Return what the reader's try asks of them now."""
    viewer = viewer_of(request.user, mine.campaign.public_id)
    return current_action(viewer, waiting_stage(campaign=viewer.campaign))


def _position(row: ScenarioRow, side: str) -> dict[str, Any]:
    """Return the words and the picture of a position."""
    card = scenario_card(stored_scenario(row), row.sha256)
    own = next(power for power, _ in card.powers if power.id == side)
    return {"card": card, "own": own, "moment": _moment(card, side)}


def _moment(card: ScenarioCard, side: str) -> Moment:
    """Draw both fleets, the player's on the left."""
    line_ups = {line_up.seat: line_up for line_up in card.thumb.line_ups}
    sides = []
    for power, seat in sorted(card.powers, key=lambda item: item[0].id != side):
        line_up = line_ups[seat]
        figures = counted_noun(len(line_up.classifications), "ship")
        is_own = power.id == side
        sides.append(
            line_up_side(
                line_up,
                is_own=is_own,
                name=power.name,
                short_name=short_name(power.id),
                figures=figures,
            )
        )
    left, right, *_ = sides
    alt = phrase("{}: {}. {}: {}.", left.name, left.figures, right.name, right.figures)
    return draw_moment(MomentSize.CARD, left, right, place=card.scenario.name, alt=alt)


urlpatterns: list[URLPattern | URLResolver] = [
    path("daily/", daily, name="daily"),
    path("daily/<str:day>/", daily_day, name="daily-day"),
]
