"""API resources for tournaments: open one, join by its link, rounds, results and the table.

They are visible only to the organiser and the players. Each battle is a campaign of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from campaign.api.campaigns import scenario_row
from campaign.api.requests import body_of, user_of
from campaign.api.resource import Resource, heavy, idempotent, json_response
from campaign.api.schema import documented
from campaign.api.shapes import Nothing
from campaign.errors import NotFound
from campaign.kinds import BattleMode
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.models.tournament import Tournament, TournamentMatch
from campaign.rules.timetable import TIMETABLES, timetable_of
from campaign.rules.tournament import DEFAULT_DRAW, DEFAULT_WIN, SWISS
from campaign.selectors.tournaments import (
    RoundSheet,
    TournamentSheet,
    link_token,
    tournament_of,
    tournament_sheet,
    tournaments_of,
)
from campaign.services.own_scenarios import private_scenario_of
from campaign.services.tournaments import (
    TournamentSettings,
    link_renew,
    match_settle,
    player_remove,
    round_close,
    round_extend,
    round_open,
    tournament_create,
    tournament_finish,
    tournament_join,
    tournament_leave,
)
from engine.core.errors import RuleViolations, Violation

TAG = "tournaments"
# Describes an act that changes a tournament.
_documented_act = partial(documented, problems=(404,), writes=True, tag=TAG)


@dataclass(frozen=True, slots=True)
class TournamentNew:
    """A tournament to open.

    Attributes:
        scenario: A single battle with two sides, as for `POST /api/campaigns/`.
        timetable: Of each battle: solo, live, evening, daily, or a table.
        battles: How battles are fought: captains, online or table.
        pairing: swiss or all.
        round_hours: Hours after which captains fight unfinished battles to their end.
        keeps_forces: The ships that a player chooses for the first battle count for all.
        fills_up: The computer plays if the number of players is odd.
        plays: The caller plays, too.
    """

    name: str
    scenario: str
    timetable: str | dict[str, Any] = "solo"
    zone: str = "UTC"
    battles: str = BattleMode.ONLINE
    pairing: str = SWISS
    rounds: int = 3
    win: int = DEFAULT_WIN
    draw: int = DEFAULT_DRAW
    round_hours: int | None = None
    keeps_forces: bool = False
    fills_up: bool = False
    bots: bool = False
    plays: bool = False


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament of the caller.

    Attributes:
        organises: The caller is its organiser.
        players: How many take part.
        round: The newest round; 0 before the first.
        needs_caller: The caller can open a round.
    """

    id: str
    name: str
    organises: bool
    players: int
    round: int
    is_over: bool
    needs_caller: bool


@dataclass(frozen=True, slots=True)
class TournamentList:
    """The caller's tournaments, newest first."""

    tournaments: list[TournamentRow]


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """A player's line in the table, best first.

    Attributes:
        number: The place in the list of players.
        points: For wins, draws and rounds without an opponent.
        scored: Points scored in battles.
        lost: Points that opponents scored in these battles.
        played: Number of battles.
    """

    number: int
    name: str
    is_computer: bool
    has_dropped_out: bool
    points: int
    scored: int
    lost: int
    played: int


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """A pair of a round.

    Attributes:
        a: The number of the first player.
        b: The number of the second; null: `a` has no opponent.
        winner: The number of the winner; null for a draw, and while the battle is fought.
        scored: The points of both players.
        campaign: The battle, for its players and the organiser.
    """

    a: int
    b: int | None
    is_over: bool
    winner: int | None
    scored: list[int]
    by_organiser: bool
    campaign: str | None


@dataclass(frozen=True, slots=True)
class RoundOfTournament:
    """A round.

    Attributes:
        closes: When captains fight its unfinished battles to their end.
    """

    round: int
    is_over: bool
    closes: datetime | None
    matches: list[MatchSheet]


@dataclass(frozen=True, slots=True)
class TournamentDetails:
    """A tournament.

    Attributes:
        rounds: The number of rounds.
        next_round: The round that the organiser can open; null while one is open.
        token: Of the link for players; only for the organiser, until the first round opens.
    """

    id: str
    name: str
    scenario: str
    organises: bool
    battles: str
    pairing: str
    rounds: int
    win: int
    draw: int
    round_hours: int | None
    keeps_forces: bool
    fills_up: bool
    bots: bool
    is_over: bool
    next_round: int | None
    token: str | None
    table: list[TablePlayer]
    played: list[RoundOfTournament]


@dataclass(frozen=True, slots=True)
class TournamentLink:
    """The token of a tournament's link."""

    token: str


@dataclass(frozen=True, slots=True)
class RoundToOpen:
    """The round to open: `next_round`. A round that is open already is not opened again."""

    number: int


@dataclass(frozen=True, slots=True)
class RoundDeadline:
    """When the open round closes.

    Attributes:
        hours: From now; 0: at once.
    """

    hours: int


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A result that the organiser enters.

    Attributes:
        match: The pair of the newest round, from 1.
        winner: first, second or draw.
        scored: The points of the first and the second player.
    """

    match: int
    winner: str
    scored: list[int]


@dataclass(frozen=True, slots=True)
class PlayerToRemove:
    """A player, by the number in the list of players."""

    number: int


class TournamentListResource(Resource):
    """The caller's tournaments."""

    @documented("tournaments", "The caller's tournaments", {200: TournamentList}, tag=TAG)
    def get(self, request: Request) -> HttpResponse:
        """Return the tournaments that the caller organises or plays in, newest first."""
        rows = []
        for own in tournaments_of(user_of(request)):
            row = TournamentRow(
                id=str(own.tournament.public_id),
                name=own.tournament.name,
                organises=own.organises,
                players=own.players,
                round=own.round,
                is_over=own.tournament.ended_at is not None,
                needs_caller=own.needs_organiser,
            )
            rows.append(row)
        return json_response(TournamentList(rows))

    @documented(
        "tournament_create",
        "Open a tournament",
        {201: TournamentDetails},
        body_type=TournamentNew,
        writes=True,
        tag=TAG,
    )
    @heavy
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Open a tournament with the caller as its organiser.

        422 lists all faults.
        """
        body = body_of(request, TournamentNew)
        user = user_of(request)
        settings = TournamentSettings(
            name=body.name,
            timetable=_timetable(body),
            battles=body.battles,
            pairing=body.pairing,
            rounds=body.rounds,
            win=body.win,
            draw=body.draw,
            round_hours=body.round_hours,
            keeps_forces=body.keeps_forces,
            fills_up=body.fills_up,
            bots=body.bots,
        )
        row = tournament_create(
            user=user, scenario=_scenario(request, body), settings=settings, plays=body.plays
        )
        where = reverse("api-tournament", args=[str(row.public_id)])
        return json_response(_details(request, row), 201, location=where)


def _timetable(body: TournamentNew) -> dict[str, Any]:
    """Return the requested timetable. Raises RuleViolations for an unknown name."""
    if not isinstance(body.timetable, str):
        return {"schema": 1, "zone": body.zone, **body.timetable}
    if body.timetable not in TIMETABLES:
        words = f"must be one of {', '.join(TIMETABLES)}, or a table"
        raise RuleViolations([Violation("timetable", "unknown-timetable", words)])
    return timetable_of(body.timetable, body.zone)


def _scenario(request: Request, body: TournamentNew) -> ScenarioRow:
    """Return the caller's own scenario or a public one. Raises RuleViolations."""
    try:
        return private_scenario_of(user_of(request), body.scenario) or scenario_row(body.scenario)
    except NotFound as error:
        words = "there is no such scenario"
        raise RuleViolations([Violation("scenario", "unknown-scenario", words)]) from error


class TournamentResource(Resource):
    """A tournament of the caller."""

    @documented(
        "tournament",
        "A tournament: table and rounds",
        {200: TournamentDetails},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, tournament: str) -> HttpResponse:
        """Return its settings, its table, and all rounds; results of ended battles alone."""
        return _details_response(request, tournament)


class TournamentJoinResource(Resource):
    """Taking part in a tournament."""

    @_documented_act(
        "tournament_join",
        "Take part by the token of the link",
        {200: TournamentDetails},
        body_type=TournamentLink,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Join a tournament whose first round is not open; joining again changes nothing."""
        token = body_of(request, TournamentLink).token
        tournament_join(user=user_of(request), public_id=tournament, token=token)
        return _details_response(request, tournament)


class TournamentLeaveResource(Resource):
    """Dropping out of a tournament."""

    @_documented_act(
        "tournament_leave",
        "Drop out of a tournament",
        {204: None},
        body_type=Nothing,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Drop out. Once it has begun, the caller stays in the table; the computer plays on."""
        tournament_leave(user=user_of(request), public_id=tournament)
        return HttpResponse(status=204)


class TournamentRoundsResource(Resource):
    """The next round of a tournament."""

    @_documented_act(
        "tournament_round_open",
        "Organiser: draw the pairs of the next round and begin their battles",
        {200: TournamentDetails},
        body_type=RoundToOpen,
    )
    @heavy
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Open the next round. 403 while battles of the round before are fought."""
        number = body_of(request, RoundToOpen).number
        round_open(user=user_of(request), public_id=tournament, number=number)
        return _details_response(request, tournament)


class TournamentDeadlineResource(Resource):
    """The deadline of the open round."""

    @_documented_act(
        "tournament_round_deadline",
        "Organiser: set when the open round closes, or close it",
        {200: TournamentDetails},
        body_type=RoundDeadline,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Set the deadline; a deadline can only be moved to a later time, or the round closed."""
        hours = body_of(request, RoundDeadline).hours
        user = user_of(request)
        if hours == 0:
            round_close(user=user, public_id=tournament)
        else:
            round_extend(user=user, public_id=tournament, hours=hours)
        return _details_response(request, tournament)


class TournamentResultResource(Resource):
    """A result that the organiser enters."""

    @_documented_act(
        "tournament_result",
        "Organiser: enter or correct a result of the newest round",
        {200: TournamentDetails},
        body_type=ResultEntered,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Enter a result. 403 for a battle of the organiser."""
        body = body_of(request, ResultEntered)
        if len(body.scored) != 2:
            words = "expected the points of both players"
            raise RuleViolations([Violation("scored", "scored", words)])
        match_settle(
            user=user_of(request),
            public_id=tournament,
            number=body.match,
            winner=body.winner,
            scored=(body.scored[0], body.scored[1]),
        )
        return _details_response(request, tournament)


class TournamentRemoveResource(Resource):
    """Removing a player from a tournament."""

    @_documented_act(
        "tournament_remove",
        "Organiser: remove a player",
        {200: TournamentDetails},
        body_type=PlayerToRemove,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Remove a player, as if the player had dropped out."""
        number = body_of(request, PlayerToRemove).number
        player_remove(user=user_of(request), public_id=tournament, number=number)
        return _details_response(request, tournament)


class TournamentLinkResource(Resource):
    """A new link to a tournament."""

    @_documented_act(
        "tournament_link",
        "Organiser: replace the link with a new one",
        {200: TournamentLink},
        body_type=Nothing,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """Return the token of a new link; the old one is not valid any more."""
        row = link_renew(user=user_of(request), public_id=tournament)
        return json_response(TournamentLink(link_token(row)))


class TournamentFinishResource(Resource):
    """The early end of a tournament."""

    @_documented_act(
        "tournament_finish",
        "Organiser: end the tournament between two rounds",
        {200: TournamentDetails},
        body_type=Nothing,
    )
    @idempotent
    def post(self, request: Request, tournament: str) -> HttpResponse:
        """End the tournament; its table is final."""
        tournament_finish(user=user_of(request), public_id=tournament)
        return _details_response(request, tournament)


def _details_response(request: Request, public_id: str) -> HttpResponse:
    """Return the response with one of the caller's tournaments."""
    row = tournament_of(user_of(request), public_id)
    return json_response(_details(request, row))


def _details(request: Request, row: Tournament) -> TournamentDetails:
    sheet = tournament_sheet(row)
    organises = row.organiser_id == user_of(request).pk
    return TournamentDetails(
        id=str(row.public_id),
        name=row.name,
        scenario=row.scenario.name,
        organises=organises,
        battles=row.battles,
        pairing=row.pairing,
        rounds=sheet.round_count,
        win=row.win,
        draw=row.draw,
        round_hours=row.round_hours,
        keeps_forces=row.keeps_forces,
        fills_up=row.fills_up,
        bots=row.bots,
        is_over=sheet.has_ended,
        next_round=None if sheet.coming is None else sheet.coming.number,
        token=link_token(row) if organises and sheet.is_joinable else None,
        table=_table(sheet),
        played=[_round(request, round_sheet, organises=organises) for round_sheet in sheet.rounds],
    )


def _table(sheet: TournamentSheet) -> list[TablePlayer]:
    lines = []
    for line in sheet.table:
        player = line.player
        row = line.row
        lines.append(
            TablePlayer(
                number=player.number,
                name=player.name,
                is_computer=player.is_computer,
                has_dropped_out=player.dropped_at is not None,
                points=row.points,
                scored=row.scored,
                lost=row.lost,
                played=row.played,
            )
        )
    return lines


def _round(request: Request, sheet: RoundSheet, *, organises: bool) -> RoundOfTournament:
    matches = [_match(request, match, organises=organises) for match in sheet.matches]
    return RoundOfTournament(sheet.row.number, sheet.is_over, sheet.row.closes, matches)


def _match(request: Request, match: TournamentMatch, *, organises: bool) -> MatchSheet:
    winner = None
    for player in match.players:
        if player.pk == match.winner_id:
            winner = player.number
    campaign = None
    if match.campaign is not None and (organises or match.has_player(user_of(request).pk)):
        campaign = str(match.campaign.public_id)
    return MatchSheet(
        a=match.first.number,
        b=None if match.second is None else match.second.number,
        is_over=match.ended_at is not None,
        winner=winner,
        scored=[match.first_scored, match.second_scored],
        by_organiser=match.by_organiser,
        campaign=campaign,
    )
