"""Notices about tournaments: a round is over, a round without an opponent, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from campaign.models.tournament import Tournament
from campaign.services.outbox import notifications_write
from engine.core.phrase import phrase

TOURNAMENT = "tournament"  # kind of these messages
ROUND_OVER = phrase("{tournament}: round {round} is over. You can open the next round.")
NO_OPPONENT = phrase(
    "{tournament}: you have no opponent in round {round}. The round counts as a win."
)
ENDED = phrase("{tournament}: the tournament is over.")


def round_over_announce(*, tournament: Tournament, number: int, now: datetime) -> int:
    """Notify the organiser that a round is over; return the number of messages."""
    if tournament.organiser_id is None:
        return 0
    return _write(
        tournament,
        [tournament.organiser_id],
        lambda: ROUND_OVER.format(tournament=tournament.name, round=number),
        key=f"round-over/{number}",
        now=now,
    )


def no_opponent_announce(
    *, tournament: Tournament, users: Iterable[int], number: int, now: datetime
) -> int:
    """Notify players who have no opponent in a round; return the number of messages."""
    return _write(
        tournament,
        users,
        lambda: NO_OPPONENT.format(tournament=tournament.name, round=number),
        key=f"no-opponent/{number}",
        now=now,
    )


def end_announce(*, tournament: Tournament, now: datetime) -> int:
    """Notify the organiser and all players of the end; return the number of messages."""
    users = set()
    for user in (tournament.organiser_id, *tournament.players.values_list("user_id", flat=True)):
        if user is not None:
            users.add(user)
    return _write(
        tournament,
        sorted(users),
        lambda: ENDED.format(tournament=tournament.name),
        key="end",
        now=now,
    )


def _write(
    tournament: Tournament,
    users: Iterable[int],
    words: Callable[[], str],
    *,
    key: str,
    now: datetime,
) -> int:
    return notifications_write(
        list(users),
        words,
        key_prefix=f"{TOURNAMENT}/{tournament.public_id}/{key}/",
        path=f"/tournaments/{tournament.public_id}/",
        due_at=now,
    )
