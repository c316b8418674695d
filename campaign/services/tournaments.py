"""What organisers and players do with a tournament: open it, join, open and close rounds, settle.

The rules of pairing and of the table are in `campaign.rules.tournament` alone.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from campaign.errors import NotAllowed, NotFound
from campaign.kinds import MAX_ROUNDS, PAIRINGS, BattleMode
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.models.tournament import (
    Tournament,
    TournamentMatch,
    TournamentPlayer,
    TournamentRound,
)
from campaign.rules.codec import from_document
from campaign.rules.costs import cost_violations
from campaign.rules.fire_by_ship import setting_faults
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import timetable_violations
from campaign.rules.tournament import (
    DEFAULT_DRAW,
    DEFAULT_WIN,
    MAX_PLAYERS,
    MIN_PLAYERS,
    SWISS,
    NextRound,
)
from campaign.selectors.tournaments import (
    NO_TOURNAMENT,
    TournamentSheet,
    key_of,
    tournament_of,
    tournament_of_link,
    tournament_sheet,
)
from campaign.services.bots import is_bot
from campaign.services.campaigns import battles_violations, name_violations
from campaign.services.tournament_battles import match_battle_open, match_player_leave
from campaign.services.tournament_notices import no_opponent_announce
from campaign.services.tournament_results import (
    MAX_SCORE,
    MatchResult,
    lock_tournament,
    match_result_write,
    round_end,
    tournament_end,
)
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

MAX_TOURNAMENTS = 20  # of one organiser that are not over
MAX_POINTS = 100  # for a win or a draw
MAX_ROUND_HOURS = 24 * 90
SIDES = 2
COMPUTER_NAME = "Computer"
DRAW = "draw"
HAS_BEGUN = phrase("the tournament has begun")
IS_OVER = phrase("the tournament is over")
LINK = "tournament"  # begins what the session keeps as `INVITED` for a tournament's link


@dataclass(frozen=True, slots=True)
class TournamentLink:
    """The link of a tournament that a reader without an account has opened."""

    tournament: str
    token: str

    def __str__(self) -> str:
        return f"{LINK}/{self.tournament}/{self.token}"


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of a new tournament; see `campaign.models.tournament.Tournament`."""

    name: str
    timetable: Mapping[str, Any]
    battles: str = BattleMode.ONLINE
    pairing: str = SWISS
    rounds: int = 3
    win: int = DEFAULT_WIN
    draw: int = DEFAULT_DRAW
    round_hours: int | None = None
    keeps_forces: bool = False
    fills_up: bool = False
    bots: bool = False


@transaction.atomic
def tournament_create(
    *,
    user: AbstractBaseUser,
    scenario: ScenarioRow,
    settings: TournamentSettings,
    plays: bool = False,
    now: datetime | None = None,
) -> Tournament:
    """Open a tournament for players to join.

    Args:
        plays: The organiser plays, too.

    Raises:
        RuleViolations: All faults of the settings.
        NotAllowed: The user is a bot, and the tournament has none.
    """
    document = from_document(Scenario, scenario.body)
    violations = [
        *_scenario_violations(document),
        *_settings_violations(settings),
        *setting_faults(document.options, settings.battles, settings.timetable),
    ]
    running = Tournament.objects.filter(organiser_id=user.pk, ended_at__isnull=True)
    if running.count() >= MAX_TOURNAMENTS:
        words = phrase("you can organise at most {} tournaments at a time", MAX_TOURNAMENTS)
        violations.append(Violation("", "too-many", words))
    if violations:
        raise RuleViolations(violations)
    tournament = Tournament.objects.create(
        public_id=uuid.UUID(bytes=secrets.token_bytes(16), version=4),
        name=settings.name.strip(),
        organiser_id=user.pk,
        scenario=scenario,
        battles=settings.battles,
        timetable=dict(settings.timetable),
        pairing=settings.pairing,
        rounds=settings.rounds,
        win=settings.win,
        draw=settings.draw,
        round_hours=settings.round_hours,
        keeps_forces=settings.keeps_forces,
        fills_up=settings.fills_up,
        bots=settings.bots,
        created_at=now or timezone.now(),
    )
    if plays:
        _player_add(tournament, user)
    return tournament


def _scenario_violations(scenario: Scenario) -> list[Violation]:
    if not is_skirmish(scenario) or len(scenario.factions) != SIDES:
        words = phrase("a tournament needs a single battle with two sides")
        return [Violation("scenario", "not-a-battle", words)]
    return list(cost_violations(scenario))


def _settings_violations(settings: TournamentSettings) -> list[Violation]:
    name = settings.name.strip()
    violations = name_violations(name)
    if not name:
        violations.append(Violation("name", "missing", phrase("a tournament needs a name")))
    violations += timetable_violations(settings.timetable, SIDES)
    violations += battles_violations(settings.battles, is_single_battle=True)
    if settings.pairing not in PAIRINGS:
        words = phrase("must be one of {}", ", ".join(PAIRINGS))
        violations.append(Violation("pairing", "unknown-pairing", words))
    numbers: list[tuple[str, int, int, int]] = [
        ("rounds", settings.rounds, 1, MAX_ROUNDS),
        ("win", settings.win, 0, MAX_POINTS),
        ("draw", settings.draw, 0, MAX_POINTS),
    ]
    if settings.round_hours is not None:
        numbers.append(("round_hours", settings.round_hours, 1, MAX_ROUND_HOURS))
    for key, value, least, most in numbers:
        if not least <= value <= most:
            words = phrase("must be from {} to {}", least, most)
            violations.append(Violation(key, "out-of-range", words))
    return violations


@transaction.atomic
def tournament_join(
    *, user: AbstractBaseUser, public_id: uuid.UUID | str, token: str
) -> TournamentPlayer:
    """Take part in a tournament by its link; joining again changes nothing.

    Raises:
        NotFound: The link is not valid.
        NotAllowed: The tournament has begun or is full, or takes no bots.
    """
    tournament = lock_tournament(tournament_of_link(public_id, token))
    player = tournament.players.filter(user_id=user.pk).first()
    if player is not None:
        return player
    if refusal := join_refusal(tournament):
        raise NotAllowed(refusal)
    return _player_add(tournament, user)


def join_refusal(tournament: Tournament) -> str:
    """Return why a tournament takes no more players; "" if it takes some."""
    if tournament.started_at is not None or tournament.ended_at is not None:
        return HAS_BEGUN
    if tournament.players.count() >= MAX_PLAYERS:
        return phrase("a tournament has at most {} players", MAX_PLAYERS)
    return ""


def tournament_allows_sign_up(*, public_id: uuid.UUID | str, token: str) -> bool:
    """Return whether the link of a tournament allows creating an account: it has a place left.

    The new account takes that place (`tournament_join`), so that a link creates no more accounts
    than the tournament has places.
    """
    try:
        return not join_refusal(tournament_of_link(public_id, token))
    except NotFound:
        return False


def tournament_invitation(invited: str) -> TournamentLink | None:
    """Return the link of a tournament from what the session keeps as `INVITED`; None for others."""
    kind, _, rest = invited.partition("/")
    tournament, _, token = rest.partition("/")
    return TournamentLink(tournament, token) if kind == LINK else None


def _player_add(tournament: Tournament, user: AbstractBaseUser) -> TournamentPlayer:
    if not tournament.bots and is_bot(user):
        raise NotAllowed(phrase("this account is a bot, and this tournament allows none"))
    numbers = list(tournament.players.values_list("number", flat=True))
    return TournamentPlayer.objects.create(
        tournament=tournament,
        user_id=user.pk,
        name=user.get_username(),
        number=max(numbers, default=0) + 1,
    )


@transaction.atomic
def tournament_leave(
    *, user: AbstractBaseUser, public_id: uuid.UUID | str, now: datetime | None = None
) -> None:
    """Drop out of a tournament, as a player.

    Before the first round the player is removed. Later the player stays in the table and is not
    paired any more; the computer plays on in an unfinished battle.

    Raises:
        NotFound: The user does not play in it.
        NotAllowed: The tournament is over.
    """
    tournament = lock_tournament(tournament_of(user, public_id))
    player = tournament.players.filter(user_id=user.pk, dropped_at__isnull=True).first()
    if player is None:
        raise NotFound(NO_TOURNAMENT)
    _player_drop(tournament, player, now or timezone.now())


@transaction.atomic
def player_remove(
    *,
    user: AbstractBaseUser,
    public_id: uuid.UUID | str,
    number: int,
    now: datetime | None = None,
) -> None:
    """Remove a player as the organiser; see `tournament_leave`.

    Args:
        number: The player's place in the list of players.

    Raises:
        NotFound: The user does not organise it, or there is no such player.
        NotAllowed: The tournament is over.
    """
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    player = tournament.players.filter(number=number, dropped_at__isnull=True).first()
    if player is None:
        raise NotFound(phrase("there is no such player"))
    _player_drop(tournament, player, now or timezone.now())


def _player_drop(tournament: Tournament, player: TournamentPlayer, now: datetime) -> None:
    if tournament.ended_at is not None:
        raise NotAllowed(IS_OVER)
    if tournament.started_at is None:
        player.delete()
        return
    player.dropped_at = now
    player.save(update_fields=["dropped_at"])
    sheet = tournament_sheet(tournament)
    for match in sheet.newest_round.matches if sheet.newest_round else ():
        if player.user is not None and player.pk in (match.first_id, match.second_id):
            match_player_leave(match=match, user=player.user, now=now)
    if sheet.coming is not None and sheet.coming.is_over:
        tournament_end(tournament=tournament, now=now)


@transaction.atomic
def link_renew(*, user: AbstractBaseUser, public_id: uuid.UUID | str) -> Tournament:
    """Make a new invitation link; the old one is not valid any more. Raises NotFound."""
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    tournament.link_number += 1
    tournament.save(update_fields=["link_number"])
    return tournament


@transaction.atomic
def round_open(
    *,
    user: AbstractBaseUser,
    public_id: uuid.UUID | str,
    number: int | None = None,
    now: datetime | None = None,
) -> TournamentRound:
    """Draw the pairs of the next round and open their battles, as the organiser.

    Args:
        number: The round that is meant; if it is open already, nothing happens.

    Raises:
        NotFound: The user does not organise the tournament.
        NotAllowed: A round is open, too few players take part, or the tournament is over.
    """
    moment = now or timezone.now()
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    sheet = tournament_sheet(tournament)
    newest = sheet.newest_round
    if newest is not None and newest.row.number == number:
        return newest.row
    coming = _require_next_round(sheet, number)
    if tournament.started_at is None:
        tournament.started_at = moment
        tournament.save(update_fields=["started_at"])
        if tournament.fills_up and len(sheet.players) % 2:
            _computer_add(tournament, sheet)
            coming = _require_next_round(tournament_sheet(tournament), number)
    hours = tournament.round_hours
    row = TournamentRound.objects.create(
        tournament=tournament,
        number=coming.number,
        opened_at=moment,
        closes=None if hours is None else moment + timedelta(hours=hours),
    )
    _matches_open(tournament, row, coming, moment)
    return row


def _require_next_round(sheet: TournamentSheet, number: int | None) -> NextRound:
    """Return the round that can be opened. Raises NotAllowed."""
    if sheet.tournament.ended_at is not None:
        raise NotAllowed(IS_OVER)
    if len(sheet.active_players) < MIN_PLAYERS:
        raise NotAllowed(phrase("a tournament needs at least {} players", MIN_PLAYERS))
    coming = sheet.coming
    if coming is None or number not in (None, coming.number):
        raise NotAllowed(phrase("the battles of this round are not over"))
    return coming


def _computer_add(tournament: Tournament, sheet: TournamentSheet) -> None:
    """Let the computer take part as the last player."""
    TournamentPlayer.objects.create(
        tournament=tournament,
        name=COMPUTER_NAME,
        number=sheet.players[-1].number + 1,
        is_computer=True,
    )


def _matches_open(
    tournament: Tournament, row: TournamentRound, coming: NextRound, now: datetime
) -> None:
    """Store the pairs of a round, and open their battles."""
    player_of = {}
    for player in tournament.players.select_related("user"):
        player_of[key_of(player)] = player
    for first, second in coming.pairs:
        match = TournamentMatch.objects.create(
            round=row, first=player_of[first], second=player_of[second]
        )
        match_battle_open(tournament=tournament, match=match, number=row.number, now=now)
    for key in coming.byes:
        player = player_of[key]
        TournamentMatch.objects.create(round=row, first=player, winner=player, ended_at=now)
        if player.user_id is not None:
            no_opponent_announce(
                tournament=tournament, users=[player.user_id], number=row.number, now=now
            )
    round_end(row=row, now=now)


@transaction.atomic
def round_close(
    *, user: AbstractBaseUser, public_id: uuid.UUID | str, now: datetime | None = None
) -> TournamentRound:
    """Close the open round now, as the organiser: captains fight its battles to their end.

    Raises:
        NotFound: The user does not organise the tournament.
        NotAllowed: No round is open, or the organiser's own battle is not over.
    """
    moment = now or timezone.now()
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    sheet = tournament_sheet(tournament)
    row = _require_open_round(sheet)
    if _has_open_battle(sheet, user):
        raise NotAllowed(
            phrase("your own battle is not over: only the deadline of the round can close it")
        )
    if row.closes is None or row.closes > moment:
        row.closes = moment
        row.save(update_fields=["closes"])
    return row


@transaction.atomic
def round_extend(
    *,
    user: AbstractBaseUser,
    public_id: uuid.UUID | str,
    hours: int,
    now: datetime | None = None,
) -> TournamentRound:
    """Let the open round close so many hours from now, as the organiser, and not earlier than set.

    Raises:
        NotFound: The user does not organise the tournament.
        NotAllowed: No round is open, or it is closing.
        RuleViolations: The number of hours is not possible.
    """
    moment = now or timezone.now()
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    row = _require_open_round(tournament_sheet(tournament))
    if not 1 <= hours <= MAX_ROUND_HOURS:
        words = phrase("must be from {} to {}", 1, MAX_ROUND_HOURS)
        raise RuleViolations([Violation("hours", "out-of-range", words)])
    closes = moment + timedelta(hours=hours)
    if row.closes is not None and row.closes <= moment:
        raise NotAllowed(phrase("this round is being closed"))
    if row.closes is not None and closes < row.closes:
        words = phrase("a deadline can only be moved to a later time")
        raise RuleViolations([Violation("hours", "too-early", words)])
    row.closes = closes
    row.save(update_fields=["closes"])
    return row


def _require_open_round(sheet: TournamentSheet) -> TournamentRound:
    """Return the round whose battles are being fought. Raises NotAllowed."""
    newest = sheet.newest_round
    if newest is None or newest.is_over:
        raise NotAllowed(phrase("no round is open"))
    return newest.row


def _has_open_battle(sheet: TournamentSheet, user: AbstractBaseUser) -> bool:
    """Return whether a user fights in an unfinished battle of the newest round."""
    for match in sheet.newest_round.matches if sheet.newest_round else ():
        if match.ended_at is None and match.has_player(user.pk):
            return True
    return False


@transaction.atomic
def match_settle(
    *,
    user: AbstractBaseUser,
    public_id: uuid.UUID | str,
    number: int,
    winner: str,
    scored: tuple[int, int],
    now: datetime | None = None,
) -> TournamentMatch:
    """Enter or correct the result of a battle of the newest round, as the organiser.

    Args:
        number: Of the pair in the round, from 1.
        winner: `first`, `second` or `draw`.
        scored: The points that the first and the second player scored.

    Raises:
        NotFound: The user does not organise the tournament, or there is no such pair.
        NotAllowed: The organiser plays in it, or the tournament is over.
        RuleViolations: The result has faults.
    """
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    match = tournament_sheet(tournament).newest_match(number)
    if match is None or match.second is None:
        raise NotFound(phrase("there is no such pair"))
    if tournament.ended_at is not None:
        raise NotAllowed(IS_OVER)
    if match.has_player(user.pk):
        raise NotAllowed(phrase("you cannot enter the result of your own battle"))
    winners = {"first": match.first, "second": match.second, DRAW: None}
    violations = []
    if winner not in winners:
        words = phrase("must be one of {}", ", ".join(winners))
        violations.append(Violation("winner", "winner", words))
    if not all(0 <= points <= MAX_SCORE for points in scored):
        words = phrase("must be from {} to {}", 0, MAX_SCORE)
        violations.append(Violation("scored", "scored", words))
    if violations:
        raise RuleViolations(violations)
    result = MatchResult(winners[winner], scored, by_organiser=True)
    match.round.tournament = tournament
    match_result_write(match=match, result=result, now=now or timezone.now())
    return match


@transaction.atomic
def tournament_finish(
    *, user: AbstractBaseUser, public_id: uuid.UUID | str, now: datetime | None = None
) -> Tournament:
    """End a tournament between two rounds, as the organiser; the table then is final.

    Raises:
        NotFound: The user does not organise it.
        NotAllowed: A round is open.
    """
    tournament = lock_tournament(tournament_of(user, public_id, organises=True))
    if tournament.ended_at is not None:
        return tournament
    if tournament_sheet(tournament).coming is None:
        raise NotAllowed(phrase("the battles of this round are not over"))
    moment = now or timezone.now()
    if tournament.started_at is None:
        tournament.started_at = moment
        tournament.save(update_fields=["started_at"])
    tournament_end(tournament=tournament, now=moment)
    return tournament
