"""Read tournaments: who takes part, the rounds so far, the table and the next round.

Only the organiser and the players may read one; for others it does not exist.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from campaign.errors import NotFound
from campaign.models.tournament import (
    Tournament,
    TournamentMatch,
    TournamentPlayer,
    TournamentRound,
)
from campaign.rules import tournament as rules
from engine.core.phrase import phrase

NO_TOURNAMENT = phrase("there is no such tournament")
LINK_SALT = "tournament-link"


@dataclass(frozen=True, slots=True)
class TableLine:
    """A player's line in the table.

    Attributes:
        place: From 1.
    """

    place: int
    player: TournamentPlayer
    row: rules.TableRow


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round with its pairs."""

    row: TournamentRound
    matches: tuple[TournamentMatch, ...]

    @property
    def is_over(self) -> bool:
        """Whether all of its battles have ended."""
        return self.row.ended_at is not None


@dataclass(frozen=True, slots=True)
class TournamentSheet:
    """A tournament as its members read it.

    Attributes:
        rounds: The rounds so far, oldest first.
        round_count: How many rounds it has.
        coming: The round that the organiser can open next; None while one is open.
    """

    tournament: Tournament
    players: tuple[TournamentPlayer, ...]
    rounds: tuple[RoundSheet, ...]
    table: tuple[TableLine, ...]
    round_count: int
    coming: rules.NextRound | None

    @property
    def newest_round(self) -> RoundSheet | None:
        """The last round that was opened."""
        return self.rounds[-1] if self.rounds else None

    @property
    def has_ended(self) -> bool:
        """Whether the tournament is over."""
        return self.tournament.ended_at is not None

    @property
    def is_joinable(self) -> bool:
        """Whether players can still join."""
        return self.tournament.started_at is None and not self.has_ended

    @property
    def active_players(self) -> list[TournamentPlayer]:
        """The players who have not dropped out."""
        return [player for player in self.players if player.dropped_at is None]

    def newest_match(self, number: int) -> TournamentMatch | None:
        """Return a pair of the newest round by its number from 1, or None."""
        matches = self.newest_round.matches if self.newest_round else ()
        if 1 <= number <= len(matches):
            return matches[number - 1]
        return None


@dataclass(frozen=True, slots=True)
class OwnTournament:
    """A tournament of a user, for lists.

    Attributes:
        organises: The user is its organiser.
        players: How many take part.
        round: The number of the newest round; 0 before the first.
        needs_organiser: The user can open a round.
    """

    tournament: Tournament
    organises: bool
    players: int
    round: int
    needs_organiser: bool


def tournament_of(
    user: AbstractBaseUser | AnonymousUser, public_id: uuid.UUID | str, *, organises: bool = False
) -> Tournament:
    """Return a tournament that a user may read.

    Args:
        organises: The user must be its organiser.

    Raises:
        NotFound: There is no such tournament, or it is not the user's.
    """
    row = _rows().filter(public_id=_parsed_id(public_id)).first()
    if row is None or user.pk is None:
        raise NotFound(NO_TOURNAMENT)
    if row.organiser_id == user.pk:
        return row
    if organises or not TournamentPlayer.objects.filter(tournament=row, user_id=user.pk).exists():
        raise NotFound(NO_TOURNAMENT)
    return row


def tournament_of_link(public_id: uuid.UUID | str, token: str) -> Tournament:
    """Return the tournament of an invitation link. Raises NotFound."""
    row = _rows().filter(public_id=_parsed_id(public_id)).first()
    if row is None or not constant_time_compare(link_token(row), token):
        raise NotFound(NO_TOURNAMENT)
    return row


def link_token(tournament: Tournament) -> str:
    """Return the secret of a tournament's invitation link; many people may use it."""
    value = f"{tournament.public_id}/{tournament.link_number}"
    return salted_hmac(LINK_SALT, value, algorithm="sha256").hexdigest()[:32]


def tournament_sheet(tournament: Tournament) -> TournamentSheet:
    """Return a tournament with its players, rounds and table, with three queries."""
    players = tuple(tournament.players.order_by("number"))
    rounds = list(tournament.round_rows.order_by("number"))
    matches = TournamentMatch.objects.filter(round__tournament=tournament)
    matches = matches.select_related("first", "second", "campaign").order_by("pk")
    by_round: dict[int, list[TournamentMatch]] = {row.pk: [] for row in rounds}
    for match in matches:
        by_round[match.round_id].append(match)
    sheets = tuple(RoundSheet(row, tuple(by_round[row.pk])) for row in rounds)
    pure = pure_tournament(tournament, players, sheets)
    player_of = {key_of(player): player for player in players}
    table = []
    for place, line in enumerate(rules.table_of(pure), start=1):
        table.append(TableLine(place, player_of[line.player], line))
    is_between_rounds = tournament.ended_at is None and all(sheet.is_over for sheet in sheets)
    return TournamentSheet(
        tournament=tournament,
        players=players,
        rounds=sheets,
        table=tuple(table),
        round_count=rules.round_count(pure),
        coming=rules.next_round(pure) if is_between_rounds else None,
    )


def pure_tournament(
    tournament: Tournament, players: Sequence[TournamentPlayer], rounds: Sequence[RoundSheet]
) -> rules.Tournament:
    """Return a tournament with its ended battles as a value of the rules."""
    results = []
    byes = []
    for sheet in rounds:
        for match in sheet.matches:
            first = key_of(match.first)
            if match.second is None:
                byes.append(rules.Bye(sheet.row.number, first))
            elif match.ended_at is not None:
                result = rules.Result(
                    round=sheet.row.number,
                    pair=(first, key_of(match.second)),
                    winner=_winner_key(match),
                    scored=(match.first_scored, match.second_scored),
                )
                results.append(result)
    return rules.Tournament(
        players=tuple(key_of(player) for player in players),
        rounds=tournament.rounds,
        pairing=tournament.pairing,
        win=tournament.win,
        draw=tournament.draw,
        results=tuple(results),
        byes=tuple(byes),
        dropped=frozenset(key_of(row) for row in players if row.dropped_at is not None),
    )


def key_of(player: TournamentPlayer) -> str:
    """Return the key of a player in the rules: the number in the list of players."""
    return str(player.number)


def _winner_key(match: TournamentMatch) -> str | None:
    if match.winner_id is None:
        return None
    if match.winner_id == match.first_id or match.second is None:
        return key_of(match.first)
    return key_of(match.second)


def tournaments_of(user: AbstractBaseUser) -> list[OwnTournament]:
    """Return the tournaments that a user organises or plays in, newest first, with one query."""
    plays = TournamentPlayer.objects.filter(tournament=OuterRef("pk"), user_id=user.pk)
    open_rounds = TournamentRound.objects.filter(tournament=OuterRef("pk"), ended_at__isnull=True)
    rows = Tournament.objects.annotate(
        player_count=Count("players", filter=Q(players__dropped_at__isnull=True), distinct=True),
        newest_round=Max("round_rows__number"),
        has_open_round=Exists(open_rounds),
    ).filter(Q(organiser_id=user.pk) | Exists(plays))
    result = []
    for row in rows.order_by("-pk"):
        is_organiser = row.organiser_id == user.pk
        can_open = row.ended_at is None and not row.has_open_round
        own = OwnTournament(
            tournament=row,
            organises=is_organiser,
            players=row.player_count,
            round=row.newest_round or 0,
            needs_organiser=is_organiser and can_open and row.player_count >= rules.MIN_PLAYERS,
        )
        result.append(own)
    return result


def match_campaigns_of(user: AbstractBaseUser) -> set[int]:
    """Return the battles of the tournaments that a user organises, by primary key of campaign."""
    matches = TournamentMatch.objects.filter(
        round__tournament__organiser_id=user.pk, campaign__isnull=False
    )
    return set(matches.values_list("campaign_id", flat=True))


def _rows() -> QuerySet[Tournament]:
    return Tournament.objects.select_related("scenario", "organiser").defer("scenario__body")


def _parsed_id(public_id: uuid.UUID | str) -> uuid.UUID:
    """Return a public id. Raises NotFound for a malformed one."""
    try:
        return uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(NO_TOURNAMENT) from error
