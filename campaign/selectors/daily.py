"""Battles of the day: until when tries at them count, and who played them best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import F

from campaign.models.campaign import Campaign
from campaign.models.daily import DailyBattle, DailyTry

COUNTS_FOR = timedelta(days=2)  # from the beginning of the day; a try begins in its first half
DICE_KEY = "battle-of-the-day/"  # and the day: the key of the dice of its tries
LONGEST_TABLE = 100  # tries; the reader's own is always shown
DAYS_LISTED = 30


@dataclass(frozen=True, slots=True)
class Standing:
    """A try in the table of a day.

    Attributes:
        place: From 1; equal tries have the same place.
        name: Empty for guests and deleted accounts.
    """

    place: int
    name: str
    result: int
    score: int
    turns: int
    is_own: bool


def day_of(moment: datetime) -> date:
    """Return the day, in UTC, whose battle is played at a moment."""
    return moment.astimezone(UTC).date()


def counts_until(day: date) -> datetime:
    """Return when the table of a day is closed, and its stories and seed may be public."""
    return datetime.combine(day, time.min, tzinfo=UTC) + COUNTS_FOR


def dice_key_of(day: date) -> str:
    """Return the key of the dice of all tries at the battle of a day."""
    return f"{DICE_KEY}{day.isoformat()}"


def open_until(campaign: Campaign, now: datetime) -> datetime | None:
    """Return until when the table is open for a try at a battle of the day.

    Returns:
        None for other campaigns, and when the table is closed.
    """
    if not campaign.dice_key.startswith(DICE_KEY):
        return None
    closes = counts_until(date.fromisoformat(campaign.dice_key.removeprefix(DICE_KEY)))
    return closes if now < closes else None


def daily_battle(day: date) -> DailyBattle | None:
    """Return the battle of a day, or None if no one has played it."""
    return DailyBattle.objects.select_related("scenario").filter(day=day).first()


def days_before(day: date) -> Sequence[date]:
    """Return the last days before a day whose battle was played, newest first."""
    rows = DailyBattle.objects.filter(day__lt=day).order_by("-day")
    return list(rows.values_list("day", flat=True)[:DAYS_LISTED])


def own_try(daily: DailyBattle | None, user: int | None) -> DailyTry | None:
    """Return a user's try at the battle of a day."""
    if daily is None or user is None:
        return None
    return daily.tries.select_related("campaign").filter(user=user).first()


def standings(daily: DailyBattle, user: int | None) -> list[Standing]:
    """Return the table of a day: battles won first, then by score, then by fewer turns.

    Args:
        user: The primary key of the reader's account.
    """
    tries = daily.tries.filter(result__isnull=False).order_by(
        "-result", "-score", "turns", "ended_at", "pk"
    )
    rows = tries.values_list("user_id", "user__username", "result", "score", "turns").annotate(
        guest=F("user__guest_account__pk")
    )
    table: list[Standing] = []
    last: tuple[int, int, int] | None = None
    place = 0
    for number, (pk, name, result, score, turns, guest) in enumerate(rows, start=1):
        if (result, score, turns) != last:
            place, last = number, (result, score, turns)
        is_own = user is not None and pk == user
        if number <= LONGEST_TABLE or is_own:
            shown_name = name if name and guest is None else ""
            table.append(Standing(place, shown_name, result, score, turns, is_own))
    return table
