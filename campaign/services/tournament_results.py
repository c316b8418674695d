"""The result of a pair's battle: stored once, with what follows from it for the round."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from campaign.models.tournament import (
    Tournament,
    TournamentMatch,
    TournamentPlayer,
    TournamentRound,
)
from campaign.selectors.tournaments import tournament_sheet
from campaign.services.tournament_notices import end_announce, round_over_announce

MAX_SCORE = 1_000_000


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a pair's battle.

    Attributes:
        winner: None for a draw.
        scored: The points that the first and the second player scored.
        by_organiser: The organiser entered it.
    """

    winner: TournamentPlayer | None
    scored: tuple[int, int]
    by_organiser: bool = False


def match_result_write(*, match: TournamentMatch, result: MatchResult, now: datetime) -> None:
    """Store the result of a pair, and end its round and tournament if they are over.

    The caller's transaction has locked the tournament.
    """
    match.winner = result.winner
    match.first_scored, match.second_scored = (min(score, MAX_SCORE) for score in result.scored)
    match.by_organiser = result.by_organiser
    match.ended_at = match.ended_at or now
    match.save()
    round_end(row=match.round, now=now)


def round_end(*, row: TournamentRound, now: datetime) -> None:
    """End a round whose battles are all over, and the tournament after its last round."""
    if row.ended_at is not None or row.matches.filter(ended_at__isnull=True).exists():
        return
    row.ended_at = now
    row.save(update_fields=["ended_at"])
    tournament = row.tournament
    coming = tournament_sheet(tournament).coming
    if coming is None or not coming.is_over:
        round_over_announce(tournament=tournament, number=row.number, now=now)
    else:
        tournament_end(tournament=tournament, now=now)


def tournament_end(*, tournament: Tournament, now: datetime) -> None:
    """End a tournament, and notify everybody who takes part."""
    tournament.ended_at = now
    tournament.save(update_fields=["ended_at"])
    end_announce(tournament=tournament, now=now)


def lock_tournament(tournament: Tournament) -> Tournament:
    """Return the current tournament, locked until the transaction ends."""
    locked = Tournament.objects.select_for_update(no_key=True, of=("self",))
    return locked.select_related("scenario", "organiser").get(pk=tournament.pk)
