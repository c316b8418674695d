"""The battle builder: a single battle in one form, opened at once, saved, or shown as YAML.

Nothing is stored until the reader opens or saves the battle. Each request sends the whole form. A
hidden field has the file, so that keys without a field are kept.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.access import viewer_of
from campaign.models.campaign import Campaign
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules.battle_builder import (
    BATTLE_SECTION,
    LEAST_SIDES,
    MOST_SIDES,
    STARTS,
    can_be_edited,
    finish,
    form_document,
    new_battle,
)
from campaign.rules.costs import seconds_of
from campaign.rules.muster import example_battle
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import Document, apply_form, read_file, write_file
from campaign.rules.timetable import timetable_of
from campaign.services.invites import invite_create
from campaign.services.own_scenarios import (
    private_scenario_store,
    scenario_draft_create,
    scenario_draft_delete,
    scenario_draft_save,
)
from campaign.services.preferences import preference_of
from campaign.services.seats import campaign_open
from campaign.web.common import UNPROCESSABLE, heavy_request, show
from campaign.web.invitation_links import keep_link
from campaign.web.scenario_editor import requested_draft
from campaign.web.scenario_forms import FormGroup, form_groups
from campaign.web.timetables import FORMS
from campaign.words.scenario_faults import faults_in_form, names_in
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import join_phrases, localize, phrase
from engine.notation.battles import read_battle
from engine.odds import fight_runs, summary

ME, LINK, COMPUTER = "me", "link", "computer"
PLAYERS = {ME: phrase("you"), LINK: phrase("a person, by a link"), COMPUTER: phrase("the computer")}
ADMIRAL = "steady"
OPEN, SAVE, FILE, ODDS, TOURNAMENT = "open", "save", "yaml", "odds", "tournament"
LOAD = "load"  # shows a battle whose file the reader pastes
TEST_BATTLES = 20
MAX_TEST_SECONDS = 10.0
DEFAULT_CLOCK = "solo"


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A side's ships, or the ships that are proposed to it."""

    name: str
    points: int
    ships: str
    is_chosen_later: bool


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """Who plays a side."""

    name: str  # of the field
    side: str
    chosen: str


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def battle_new(request: HttpRequest) -> HttpResponse:
    """Build a new battle, which begins with the settings that `?start=` names."""
    start = request.GET.get("start", "")
    if start not in STARTS:
        start = ""
    names = (STARTS[start].title, phrase("Ember Cooperative"), phrase("Frost Assembly"))
    return _build(request, new_battle([str(localize(name)) for name in names], start), None)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def battle_edit(request: HttpRequest, scenario: uuid.UUID) -> HttpResponse:
    """Change a saved battle."""
    row = requested_draft(request, scenario)
    try:
        document = read_file(row.text)
    except RuleViolations:
        document = {}
    if not can_be_edited(document):
        return redirect("scenario-text", scenario=scenario)
    return _build(request, finish(document), scenario)


def _build(request: HttpRequest, stored: Document, scenario: uuid.UUID | None) -> HttpResponse:
    """Answer a request of the form.

    Args:
        scenario: The id of the saved battle that is changed; None for a new one.
    """
    if request.method != "POST":
        return _render(request, stored, scenario)
    act = request.POST.get("act", "")
    try:
        document = _posted_document(request, act)
    except RuleViolations as error:
        return _render(request, stored, scenario, refusal=error.limited_violations)
    if act == FILE:
        return _as_file(document)
    if act not in (OPEN, SAVE, TOURNAMENT):
        return _render(request, document, scenario, odds=act == ODDS)
    try:
        with heavy_request(request), transaction.atomic():
            if act == SAVE:
                return _save(request, document, scenario)
            if act == TOURNAMENT:
                row = _store(request, document)
                return redirect(f"{reverse('tournament-new')}?{urlencode({'scenario': row.slug})}")
            return _open(request, document)
    except RuleViolations as error:
        return _render(request, document, scenario, refusal=error.limited_violations)


def _posted_document(request: HttpRequest, act: str) -> Document:
    """Return the file that the form makes.

    Raises:
        RuleViolations: The file is no battle that a form can show.
    """
    document = read_file(request.POST.get("shared" if act == LOAD else "file", ""))
    if not can_be_edited(document):
        words = phrase("this is not a single battle")
        raise RuleViolations([Violation("battle", "not-a-battle", words)])
    if act == LOAD:
        return finish(document)
    form = form_document(document)
    return finish(apply_form(form, BATTLE_SECTION, dict(request.POST.lists()), act))


def _as_file(document: Document) -> HttpResponse:
    response = HttpResponse(write_file(document), content_type="application/yaml; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="battle.yaml"'
    return response


def _save(request: HttpRequest, document: Document, scenario: uuid.UUID | None) -> HttpResponse:
    user = _user(request)
    text = write_file(document)
    if scenario is None:
        row = scenario_draft_create(user=user, text=text)
    else:
        row = scenario_draft_save(user=user, public_id=scenario, text=text)
    messages.success(request, phrase("Saved: {}.", row.name))
    return redirect("battle-edit", scenario=row.public_id)


def _store(request: HttpRequest, document: Document) -> ScenarioRow:
    """Store the battle for campaigns and tournaments of the reader.

    Raises:
        RuleViolations: The battle has faults.
    """
    user = _user(request)
    _, faults = check_draft(document)
    if faults:
        raise RuleViolations(faults)
    draft = scenario_draft_create(user=user, text=write_file(document))
    row = private_scenario_store(user=user, public_id=draft.public_id)
    scenario_draft_delete(user=user, public_id=str(draft.public_id))
    return row


def _open(request: HttpRequest, document: Document) -> HttpResponse:
    """Open the battle and show the lobby, with the links of all invitations.

    Raises:
        RuleViolations: The battle has faults, or more than one side is the reader's.
    """
    user = _user(request)
    row = _store(request, document)
    players = {}
    for choice in _seat_choices(request, document):
        players[choice.side] = choice.chosen
    own = [side for side, player in players.items() if player == ME]
    if len(own) > 1:
        words = phrase("you can play only one side")
        raise RuleViolations([Violation("", "seats", words)])
    admirals = {side: ADMIRAL for side, player in players.items() if player == COMPUTER}
    clock = request.POST.get("clock", DEFAULT_CLOCK)
    if clock not in FORMS:
        words = phrase("choose one of the timetables")
        raise RuleViolations([Violation("", "unknown-timetable", words)])
    campaign = campaign_open(
        user=user,
        scenario=row,
        play=own[0] if own else "",
        admirals=admirals,
        timetable=timetable_of(clock, preference_of(user).zone or "UTC"),
    )
    _invite(request, campaign, [side for side, player in players.items() if player == LINK])
    return redirect("lobby", c=campaign.public_id)


def _invite(request: HttpRequest, campaign: Campaign, sides: Sequence[str]) -> None:
    """Make an invitation for each side; the next page shows the links."""
    viewer = viewer_of(request.user, campaign.public_id)
    for side in sides:
        invite = invite_create(viewer=viewer, faction=side)
        keep_link(request, invite.invite.public_id, invite.token)


def _seat_choices(request: HttpRequest, document: Document) -> list[SeatChoice]:
    """Return who plays each side; by default the reader plays the first and a friend the second."""
    choices = []
    for number, faction in enumerate(document.get("factions") or ()):
        name = f"player-{number}"
        default = (ME, LINK)[number] if number < LEAST_SIDES else COMPUTER
        chosen = request.POST.get(name, default)
        if chosen not in PLAYERS:
            chosen = default
        choices.append(SeatChoice(name, str(faction.get("id")), chosen))
    return choices


def _render(
    request: HttpRequest,
    document: Document,
    scenario_id: uuid.UUID | None,
    *,
    refusal: Sequence[Violation] = (),
    odds: bool = False,
) -> HttpResponse:
    scenario, faults = check_draft(document)
    groups, unplaced = form_groups(form_document(document), BATTLE_SECTION, faults, {})
    names = {str(row.get("id")): row.get("name") for row in document.get("factions") or ()}
    seats = [
        (choice, names.get(choice.side, choice.side)) for choice in _seat_choices(request, document)
    ]
    return show(
        request,
        "battle_new",
        status=UNPROCESSABLE if refusal else 200,
        groups=groups,
        file=write_file(document),
        saved_id=scenario_id,
        starts=() if scenario_id else list(STARTS.items()),
        start=request.GET.get("start", ""),
        refusal=faults_in_form(refusal, names_in(document)),
        shared=request.POST.get("shared", "") if refusal else "",
        faults=[*_fault_lines(groups), *unplaced],
        seats=seats,
        players=list(PLAYERS.items()),
        clocks=[(value, title) for value, (title, _) in FORMS.items()],
        clock=request.POST.get("clock", DEFAULT_CLOCK),
        may_add=len(names) < MOST_SIDES,
        fleets=() if faults else _fleet_lines(scenario),
        odds=_odds(request, scenario) if odds and not faults else None,
    )


def _fault_lines(groups: Iterable[FormGroup]) -> list[str]:
    """Return the faults of all fields and rows, with what they are about."""
    lines = []
    for group in groups:
        for row in group.rows:
            lines += [phrase("{}: {}", row.title, words) for words in row.faults]
            for field in row.fields:
                label = phrase(field.field.label)
                lines += [phrase("{}: {}", label, words) for words in field.faults]
    return lines


def _fleet_lines(scenario: Scenario) -> list[FleetLine]:
    """Return the ships of each side, those proposed to sides that choose their own."""
    points = {cls.name: cls.points for cls in scenario.catalogue}
    names = {faction.id: faction.name for faction in scenario.factions}
    proposed = {faction for faction, fleets in scenario.defaults if fleets}
    lines = []
    for side in example_battle(scenario)["sides"]:
        counts: dict[str, int] = {}
        for ship in side["ships"]:
            if not ship.get("dummy"):
                cls = str(ship["design"]["class"])
                counts[cls] = counts.get(cls, 0) + 1
        ships = [phrase("{} × {}", count, phrase(cls)) for cls, count in counts.items()]
        total = sum(points.get(cls, 0) * count for cls, count in counts.items())
        line = FleetLine(
            name=names[side["name"]],
            points=total,
            ships=join_phrases(", ", ships),
            is_chosen_later=side["name"] in proposed,
        )
        lines.append(line)
    return lines


def _odds(request: HttpRequest, scenario: Scenario) -> Mapping[str, Any] | None:
    """Return the shares of test battles that each side won; None if they would take too long."""
    battle = example_battle(scenario)
    ships = sum(len(side["ships"]) for side in battle["sides"])
    if seconds_of(scenario.edition, ships) * TEST_BATTLES > MAX_TEST_SECONDS:
        return None
    file = read_battle({**battle, "seed": 1}, {})
    with heavy_request(request):
        runs = list(fight_runs(file, range(TEST_BATTLES)))
    shares = summary(file.state.sides, runs)
    names = {faction.id: faction.name for faction in scenario.factions}
    wins = [(names[side], round(100 * share)) for side, share in shares["wins"].items()]
    return {"wins": wins, "draws": round(100 * shares["draws"]), "battles": TEST_BATTLES}


def _user(request: HttpRequest) -> AbstractBaseUser:
    return cast(AbstractBaseUser, request.user)


urlpatterns: list[URLPattern | URLResolver] = [
    path("battles/new", battle_new, name="battle-new"),
    path("battles/<uuid:scenario>/", battle_edit, name="battle-edit"),
]
