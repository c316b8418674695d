"""API resources for the battle of the day: its position, the caller's try and the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from campaign.api.requests import user_of
from campaign.api.resource import Resource, heavy, idempotent, json_response
from campaign.api.schema import documented
from campaign.errors import NotFound
from campaign.selectors.daily import counts_until, daily_battle, day_of, own_try, standings
from campaign.services.daily import daily_open, position_of
from engine.core.phrase import phrase

TAG = "battle of the day"
NO_BATTLE = phrase("there is no battle of that day")


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """A try in the table, best first.

    Attributes:
        player: A user name; empty for guests and deleted accounts.
        result: 1 for a battle won, 0 for a draw, -1 for a defeat.
        score: The points scored less those that the enemy scored.
    """

    place: int
    player: str
    result: int
    score: int
    turns: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class DailySheet:
    """The battle of a day.

    Attributes:
        day: In UTC.
        scenario: The slug of the position.
        side: The faction that every player leads.
        closes: Until then tries count, and no story of them is published.
        campaign: The caller's try.
    """

    day: date
    scenario: str
    side: str
    closes: datetime
    campaign: str | None
    table: list[DailyStanding]


class DailyResource(Resource):
    """Today's battle."""

    @documented("daily", "The battle of the day", {200: DailySheet}, problems=(404,), tag=TAG)
    def get(self, request: Request) -> HttpResponse:
        """Return its position, the caller's try and the table."""
        return json_response(_sheet(request, day_of(timezone.now())))

    @documented(
        "daily_play",
        "Play the battle of the day",
        {200: DailySheet},
        problems=(403, 404),
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Begin the caller's try, a campaign of its own; a second call finds the same one."""
        daily_open(user=user_of(request))
        return json_response(_sheet(request, day_of(timezone.now())))


class DailyDayResource(Resource):
    """The battle of an earlier day, if anyone has played it."""

    @documented("daily_day", "The battle of a day", {200: DailySheet}, problems=(404,), tag=TAG)
    def get(self, request: Request, day: str) -> HttpResponse:
        """Return the same as for today. `day` is written as 2026-12-01."""
        try:
            wanted = date.fromisoformat(day)
        except ValueError as error:
            raise NotFound(NO_BATTLE) from error
        if daily_battle(wanted) is None:
            raise NotFound(NO_BATTLE)
        return json_response(_sheet(request, wanted))


def _sheet(request: Request, day: date) -> DailySheet:
    """Return the battle of a day.

    Raises:
        NotFound: The site lacks the scenario of a day that no one has played.
    """
    user = user_of(request)
    row = daily_battle(day)
    position = position_of(day) if row is None else (row.scenario, row.side)
    if position is None:
        raise NotFound(NO_BATTLE)
    scenario, side = position
    table = []
    for line in () if row is None else standings(row, user.pk):
        table.append(
            DailyStanding(line.place, line.name, line.result, line.score, line.turns, line.is_own)
        )
    mine = own_try(row, user.pk)
    return DailySheet(
        day=day,
        scenario=scenario.slug,
        side=side,
        closes=counts_until(day),
        campaign=None if mine is None else str(mine.campaign.public_id),
        table=table,
    )
