"""Tournaments: open one, join by its link, and the page with the table, the rounds and the acts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaign.errors import NotAllowed, NotFound, StageClosed
from campaign.forms.field import number as read_number
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.models.tournament import Tournament, TournamentMatch, TournamentPlayer
from campaign.rules.agreements import barred_titles
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import timetable_of
from campaign.rules.tournament import ALL, SWISS
from campaign.selectors.next_action import scenarios_newest
from campaign.selectors.tournaments import (
    RoundSheet,
    TournamentSheet,
    link_token,
    tournament_of,
    tournament_of_link,
    tournament_sheet,
)
from campaign.services.invites import INVITED
from campaign.services.own_scenarios import private_scenario_of
from campaign.services.preferences import preference_of
from campaign.services.tournaments import (
    DRAW,
    SIDES,
    TournamentLink,
    TournamentSettings,
    join_refusal,
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
from campaign.store.documents import stored_scenario
from campaign.web.battle_facts import battle_facts
from campaign.web.common import UNPROCESSABLE, absolute, heavy_request, show
from campaign.web.timetables import BATTLES, FORMS, battle_choices, name_of
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.ruleset import rules_of

CONFLICT = 409
DEFAULT_CLOCK = "evening"
PAIRINGS = {
    SWISS: phrase("Swiss: neighbours in the standings who have not met"),
    ALL: phrase("round robin: all play each other once"),
}
NUMBERS = {"rounds": 3, "win": 3, "draw": 1}  # number fields with their defaults
TICKS = ("plays", "keeps_forces", "fills_up", "bots")
Act = Callable[[HttpRequest, Tournament], object]


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A pair of a round as a reader sees it.

    Attributes:
        number: In the round, from 1.
        href: The reader's own battle, or one that the reader hosts.
        may_settle: The reader may enter its result.
    """

    number: int
    match: TournamentMatch
    href: str
    is_own: bool
    may_settle: bool

    @property
    def result(self) -> str:
        """Return the result in words; empty while the battle is fought."""
        match = self.match
        if match.second is None:
            return phrase("no opponent: counts as a win")
        if match.ended_at is None:
            return ""
        if match.winner_id is None:
            return phrase("draw")
        winner = match.first if match.winner_id == match.first_id else match.second
        return phrase("{} won", winner.name)


@dataclass(frozen=True, slots=True)
class RoundLines:
    """A round with its pairs, for a reader."""

    sheet: RoundSheet
    lines: tuple[MatchLine, ...]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Choose a single battle and the settings of a new tournament."""
    if request.method != "POST":
        return _render_form(request, request.GET.get("scenario", ""), _default_form())
    form = {key: request.POST.get(key, "").strip() for key in _default_form()}
    slug = form["scenario"]
    try:
        with heavy_request(request):
            tournament = tournament_create(
                user=_user(request),
                scenario=_scenario_row(request, slug),
                settings=_settings(request, form),
                plays=form["plays"] == "yes",
            )
    except RuleViolations as error:
        return _render_form(request, slug, form, error.limited_violations)
    except NotAllowed as error:
        return _render_form(request, slug, form, [Violation("", "refused", error.words)])
    return redirect("tournament", tournament=tournament.public_id)


def _default_form() -> dict[str, str]:
    numbers = {key: str(value) for key, value in NUMBERS.items()}
    ticks = dict.fromkeys(TICKS, "")
    return {
        "scenario": "",
        "name": "",
        "pairing": SWISS,
        "battles": "online",
        "clock": DEFAULT_CLOCK,
        "round_hours": "",
        **numbers,
        **ticks,
    }


def _settings(request: HttpRequest, form: Mapping[str, str]) -> TournamentSettings:
    """Return the settings of the form. Raises RuleViolations for numbers that are none."""
    numbers = {}
    faults = []
    for key in (*NUMBERS, "round_hours"):
        value = read_number(form[key]) if form[key] else None
        if isinstance(value, str) or (value is None and key != "round_hours"):
            words = phrase("{}: enter a whole number", NUMBER_LABELS[key])
            faults.append(Violation(key, "not-a-number", words))
        numbers[key] = value
    if form["clock"] not in FORMS:
        words = phrase("choose one of the timetables")
        faults.append(Violation("clock", "unknown-timetable", words))
    if faults:
        raise RuleViolations(faults)
    return TournamentSettings(
        name=form["name"],
        timetable=timetable_of(form["clock"], preference_of(_user(request)).zone or "UTC"),
        battles=form["battles"],
        pairing=form["pairing"],
        keeps_forces=form["keeps_forces"] == "yes",
        fills_up=form["fills_up"] == "yes",
        bots=form["bots"] == "yes",
        **cast(dict[str, Any], numbers),
    )


NUMBER_LABELS = {
    "rounds": phrase("Number of rounds"),
    "win": phrase("Points for a win"),
    "draw": phrase("Points for a draw"),
    "round_hours": phrase("Hours per round"),
}


def _scenario_row(request: HttpRequest, slug: str) -> ScenarioRow:
    """Return a public single battle, or one of the reader's own. Raises RuleViolations."""
    for row in scenarios_newest():
        if row.slug == slug:
            return row
    row_or_none = private_scenario_of(_user(request), slug)
    if row_or_none is None:
        words = phrase("choose a battle")
        raise RuleViolations([Violation("scenario", "unknown-scenario", words)])
    return row_or_none


def _render_form(
    request: HttpRequest,
    slug: str,
    form: Mapping[str, str],
    violations: Sequence[Violation] = (),
) -> HttpResponse:
    rows = [*scenarios_newest()]
    own = private_scenario_of(_user(request), slug) if slug else None
    choices = []
    for row in rows if own is None else [own, *rows]:
        scenario = stored_scenario(row)
        if is_skirmish(scenario) and len(scenario.factions) == SIDES:
            choices.append((row.slug, scenario.name))
    return show(
        request,
        "tournament_new",
        status=UNPROCESSABLE if violations else 200,
        violations=violations,
        chosen=slug,
        choices=choices,
        form_data=form,
        pairings=list(PAIRINGS.items()),
        battle_choices=battle_choices(is_single_battle=True),
        clocks=[(value, title) for value, (title, _) in FORMS.items()],
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def tournament_page(request: HttpRequest, tournament: uuid.UUID) -> HttpResponse:
    """Show a tournament to its organiser and players."""
    return _render(request, _own_tournament(request, tournament))


def _own_tournament(request: HttpRequest, public_id: uuid.UUID) -> Tournament:
    try:
        return tournament_of(_user(request), public_id)
    except NotFound as error:
        raise Http404 from error


def _render(
    request: HttpRequest,
    tournament: Tournament,
    violations: Sequence[Violation] = (),
    status: int = 200,
) -> HttpResponse:
    sheet = tournament_sheet(tournament)
    user = _user(request)
    organises = tournament.organiser_id == user.pk
    own_player = _own_player(sheet, user)
    rounds = []
    for number, round_sheet in enumerate(sheet.rounds, start=1):
        is_newest = number == len(sheet.rounds)
        lines = _match_lines(
            sheet, round_sheet, user, may_settle=organises and is_newest and not sheet.has_ended
        )
        rounds.append(RoundLines(round_sheet, lines))
    newest = rounds[-1] if rounds else None
    own_lines = [line for line in newest.lines if line.is_own] if newest else []
    return show(
        request,
        "tournament",
        status=status,
        violations=violations,
        tournament=tournament,
        sheet=sheet,
        rounds=rounds[::-1],
        newest=newest,
        own_player=own_player,
        own_line=own_lines[0] if own_lines else None,
        organises=organises,
        link=_link(request, tournament) if organises and sheet.is_joinable else "",
        draw=DRAW,
        **_rules_context(tournament, sheet),
    )


def _own_player(sheet: TournamentSheet, user: AbstractBaseUser) -> TournamentPlayer | None:
    for player in sheet.players:
        if player.user_id == user.pk:
            return player
    return None


def _match_lines(
    sheet: TournamentSheet, round_sheet: RoundSheet, user: AbstractBaseUser, *, may_settle: bool
) -> tuple[MatchLine, ...]:
    lines = []
    organises = sheet.tournament.organiser_id == user.pk
    for number, match in enumerate(round_sheet.matches, start=1):
        is_own = match.has_player(user.pk)
        href = ""
        if match.campaign is not None and (is_own or organises):
            href = reverse("lobby", kwargs={"c": match.campaign.public_id})
        line = MatchLine(
            number=number,
            match=match,
            href=href,
            is_own=is_own,
            may_settle=may_settle and not is_own and match.second is not None,
        )
        lines.append(line)
    return tuple(lines)


def _link(request: HttpRequest, tournament: Tournament) -> str:
    parts = {"tournament": tournament.public_id, "token": link_token(tournament)}
    return absolute(request, reverse("tournament-join", kwargs=parts))


def _rules_context(tournament: Tournament, sheet: TournamentSheet) -> dict[str, Any]:
    """Return what the template `_tournament_facts.html` shows."""
    scenario = stored_scenario(tournament.scenario)
    return {
        "facts": [*_settings_facts(tournament, sheet), *battle_facts(scenario)],
        "options": rules_of(scenario.edition).titles(scenario.options),
        "barred": barred_titles(scenario),
        "scenario": scenario,
    }


def _settings_facts(tournament: Tournament, sheet: TournamentSheet) -> list[tuple[str, str]]:
    """Return the settings of a tournament as labels and words."""
    facts = [
        (phrase("Pairing"), PAIRINGS[tournament.pairing]),
        (phrase("Number of rounds"), str(sheet.round_count)),
        (
            phrase("Points"),
            phrase("{} for a win, {} for a draw", tournament.win, tournament.draw),
        ),
        (phrase("Battles"), BATTLES[tournament.battles][0]),
    ]
    clock = name_of(tournament.timetable)
    if clock in FORMS:
        facts.append((phrase("Clock"), FORMS[clock][0]))
    if tournament.round_hours is not None:
        words = phrase("{} hours; then captains fight battles to their end", tournament.round_hours)
        facts.append((phrase("Time per round"), words))
    if tournament.keeps_forces:
        words = phrase("the ships of the first battle, in all rounds")
        facts.append((phrase("Forces"), words))
    if tournament.fills_up:
        words = phrase("the computer plays if the number of players is odd")
        facts.append((phrase("Odd number of players"), words))
    return facts


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_join_page(request: HttpRequest, tournament: uuid.UUID, token: str) -> HttpResponse:
    """Show the invitation to a tournament; a button joins it."""
    try:
        row = tournament_of_link(tournament, token)
    except NotFound:
        return show(request, "invitation_not_found", status=404)
    if request.user.is_authenticated and _plays_in(row, _user(request)):
        return redirect("tournament", tournament=tournament)
    refusal = ""
    if request.method == "POST" and request.user.is_authenticated:
        try:
            tournament_join(user=_user(request), public_id=tournament, token=token)
        except NotAllowed as error:
            refusal = error.words
        else:
            messages.success(request, phrase("You have joined: {}.", row.name))
            return redirect("tournament", tournament=tournament)
    if not request.user.is_authenticated:
        request.session[INVITED] = str(TournamentLink(str(tournament), token))
    here = urlencode({"next": request.path})
    return show(
        request,
        "tournament_join",
        status=CONFLICT if refusal else 200,
        tournament=row,
        refusal=refusal or join_refusal(row),
        sign_up=f"{reverse('account_signup')}?{here}",
        log_in=f"{reverse('account_login')}?{here}",
        **_rules_context(row, tournament_sheet(row)),
    )


def _plays_in(tournament: Tournament, user: AbstractBaseUser) -> bool:
    return tournament.players.filter(user_id=user.pk).exists()


@never_cache
@login_required
@require_POST
def tournament_act(request: HttpRequest, tournament: uuid.UUID, verb: str) -> HttpResponse:
    """Do one act of an organiser or player, then show the tournament again."""
    row = _own_tournament(request, tournament)
    act = ACTS.get(verb)
    if act is None:
        raise Http404
    try:
        with transaction.atomic():
            act(request, row)
    except NotFound as error:
        raise Http404 from error
    except RuleViolations as error:
        return _render(request, row, error.limited_violations, UNPROCESSABLE)
    except (NotAllowed, StageClosed) as error:
        return _render(request, row, [Violation("", "refused", error.words)], CONFLICT)
    if verb == "leave" and row.started_at is None and row.organiser_id != _user(request).pk:
        messages.success(request, phrase("You have left: {}.", row.name))
        return redirect("home")
    return redirect("tournament", tournament=tournament)


def _open_round(request: HttpRequest, row: Tournament) -> None:
    with heavy_request(request):
        round_open(user=_user(request), public_id=row.public_id, number=_number(request, "number"))


def _extend_round(request: HttpRequest, row: Tournament) -> None:
    round_extend(user=_user(request), public_id=row.public_id, hours=_number(request, "hours"))


def _settle(request: HttpRequest, row: Tournament) -> None:
    match_settle(
        user=_user(request),
        public_id=row.public_id,
        number=_number(request, "match"),
        winner=request.POST.get("winner", ""),
        scored=(_number(request, "first_scored"), _number(request, "second_scored")),
    )


def _remove(request: HttpRequest, row: Tournament) -> None:
    player_remove(user=_user(request), public_id=row.public_id, number=_number(request, "player"))


def _call_service(service: Callable[..., object], request: HttpRequest, row: Tournament) -> None:
    service(user=_user(request), public_id=row.public_id)


ACTS: dict[str, Act] = {
    "open": _open_round,
    "close": partial(_call_service, round_close),
    "extend": _extend_round,
    "settle": _settle,
    "remove": _remove,
    "leave": partial(_call_service, tournament_leave),
    "link": partial(_call_service, link_renew),
    "finish": partial(_call_service, tournament_finish),
}


def _number(request: HttpRequest, key: str) -> int:
    """Return a number of the form. Raises RuleViolations."""
    value = read_number(request.POST.get(key, "").strip())
    if isinstance(value, str):
        raise RuleViolations([Violation(key, "not-a-number", phrase("enter a whole number"))])
    return value


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


urlpatterns: list[URLPattern | URLResolver] = [
    path("tournaments/new", tournament_new, name="tournament-new"),
    path("tournaments/<uuid:tournament>/", tournament_page, name="tournament"),
    path(
        "tournaments/<uuid:tournament>/join/<str:token>/",
        tournament_join_page,
        name="tournament-join",
    ),
    path("tournaments/<uuid:tournament>/<slug:verb>/", tournament_act, name="tournament-act"),
]
