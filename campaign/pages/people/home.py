"""The home page with the reader's campaigns, and the page for opening a new one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.access import viewer_of
from campaign.kinds import MessageMode, Role
from campaign.models.campaign import Campaign
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules.message_rules import MODES, MessageRules
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import TIMETABLES, timetable_of
from campaign.selectors.clock import waiting_stage
from campaign.selectors.next_action import (
    Member,
    OwnCampaign,
    campaigns_of,
    next_actions_of,
    scenarios_newest,
)
from campaign.services.campaigns import SCENARIO_MARKERS, Markers, default_battle_mode
from campaign.services.own_scenarios import private_scenario_of
from campaign.services.preferences import preference_of
from campaign.services.seat_ends import seat_end_words, visible_seat_ends
from campaign.services.seats import campaign_begin, campaign_open
from campaign.store.documents import scenario_of, stored_scenario
from campaign.web.common import UNPROCESSABLE, show
from campaign.web.next_action import ActionWords, action_words, current_action
from campaign.web.scenario_cards import ScenarioCard, scenario_card
from campaign.web.seat_marks import seat_in
from campaign.web.timetables import BATTLES, FORMS, zones
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.ruleset import rules_of

SOLO = "solo"
OPEN, HIDDEN = "open", "hidden"  # values of the form field for movement
FIELDS = (
    "scenario",
    "name",
    "timetable",
    "zone",
    "part",
    "battles",
    "markers",
    "dummies",
    "bots",
    "messages",
    "umpire_reads",
)
# Parts that do not include a faction
PARTS_WITHOUT_SEAT = {"", Role.HOST, Role.UMPIRE}


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """A campaign of the reader and the reader's next action in it."""

    own_campaign: OwnCampaign
    next_action: ActionWords
    seat: int = 0  # seat number of the reader's faction; 0 if none
    weeks: int = 0  # length of the war; 0 if its week is not shown

    @property
    def is_over(self) -> bool:
        return self.own_campaign.campaign.started_at is not None and self.own_campaign.stage is None

    @property
    def urgency(self) -> tuple[bool, bool, float]:
        """Sort key: the most urgent campaigns first."""
        closes = self.next_action.closes
        return (
            not self.next_action.is_due,
            closes is None,
            0.0 if closes is None else closes.timestamp(),
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """A scenario that the reader can play."""

    row: ScenarioRow
    card: ScenarioCard


@never_cache
@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the reader's campaigns, those that wait for the reader first."""
    mines = campaigns_of(_reader(request))
    wants = next_actions_of(
        [Member(mine.campaign, mine.roles, mine.faction, mine.stage, mine.sealed) for mine in mines]
    )
    rows = []
    for mine, next_action in zip(mines, wants, strict=True):
        rows.append(
            CampaignRow(
                mine,
                action_words(mine.campaign, mine.stage, next_action),
                seat_in(mine.campaign, mine.faction),
                _weeks_played(mine),
            )
        )
    going = sorted((row for row in rows if not row.is_over), key=lambda row: row.urgency)
    ended = [row for row in rows if row.is_over]
    return show(
        request,
        "home",
        due=[row for row in going if row.next_action.is_due],
        waiting=[row for row in going if not row.next_action.is_due],
        ended=ended,
        lost_seats=[(end, seat_end_words(end)) for end in visible_seat_ends(user=_reader(request))],
        umpires=any(Role.UMPIRE in mine.roles for mine in mines),
    )


def _weeks_played(mine: OwnCampaign) -> int:
    if mine.stage is None or not mine.stage.week or mine.campaign.ruleset.get("single"):
        return 0
    return scenario_of(mine.campaign).weeks


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    """Choose a scenario, then play it against the computer or set up a war for several players."""
    values = {row.slug: (row, stored_scenario(row)) for row in scenarios_newest()}
    if request.method == "POST":
        return _open_campaign(request, values)
    chosen = _asked_for(request, values, request.GET.get("scenario", ""))
    if chosen is None:
        offers = []
        for row, value in values.values():
            offers.append(Offer(row, scenario_card(value, row.sha256)))
        return show(
            request,
            "new",
            wars=[offer for offer in offers if not is_skirmish(offer.card.scenario)],
            battles=[offer for offer in offers if is_skirmish(offer.card.scenario)],
            number=_opened_so_far(request),
        )
    zone = preference_of(_reader(request)).zone
    first = chosen[1].factions[0].id
    values_shown = {
        "name": chosen[1].name,
        "timetable": "evening",
        "zone": zone or "UTC",
        "part": first,
    }
    values_shown["battles"] = default_battle_mode(chosen[1])
    values_shown |= {
        "markers": OPEN if chosen[1].open_play else HIDDEN,
        "dummies": _number_text(chosen[1].dummies),
    }
    values_shown["messages"] = MessageMode.AT_ONCE
    return _render_settings(
        request, chosen[0].slug, scenario_card(chosen[1], chosen[0].sha256), values_shown
    )


def _asked_for(
    request: HttpRequest, values: Mapping[str, tuple[Any, Scenario]], slug: str
) -> tuple[Any, Scenario] | None:
    """Return a scenario by id: a public one, or one of the reader's own."""
    if slug in values or not slug:
        return values.get(slug)
    row = private_scenario_of(_reader(request), slug)
    if row is None:
        return None
    return (row, stored_scenario(row))


def _open_campaign(request: HttpRequest, values: dict[str, tuple[Any, Scenario]]) -> HttpResponse:
    form = {name: request.POST.get(name, "").strip() for name in FIELDS}
    chosen = _asked_for(request, values, form["scenario"])
    if chosen is None:
        return redirect("campaign-new")
    row, scenario = chosen
    solo = "solo" in request.POST
    part = request.POST["solo"] if solo else form["part"]
    try:
        with transaction.atomic():
            # Each form opens one campaign. Sent again, it redirects to that campaign.
            _lock_reader(request)
            if request.POST.get("number") != str(_opened_so_far(request)):
                newest = (
                    Campaign.objects.filter(created_by_id=_reader(request).pk)
                    .order_by("-pk")
                    .first()
                )
                if newest is None:
                    return redirect("campaign-new")
                return redirect("lobby", c=newest.public_id)
            campaign = campaign_open(
                user=_reader(request),
                scenario=row,
                name=form["name"],
                timetable=_timetable(SOLO, "UTC")
                if solo
                else _timetable(form["timetable"], form["zone"]),
                play="" if part in PARTS_WITHOUT_SEAT else part,
                umpire=part == Role.UMPIRE,
                battles=form["battles"],
                markers=SCENARIO_MARKERS if solo else _markers(form),
                options=None if solo else _options(request, scenario),
                bots=form["bots"] == "yes",
                messages=MessageRules(
                    form["messages"] or MessageMode.OFF, form["umpire_reads"] == "yes"
                ),
            )
            if solo:
                campaign_begin(viewer=viewer_of(request.user, campaign.public_id))
    except RuleViolations as error:
        card = scenario_card(scenario, row.sha256)
        return _render_settings(
            request, row.slug, card, form, error.limited_violations, request.POST.getlist("options")
        )
    if not solo:
        return redirect("lobby", c=campaign.public_id)
    viewer = viewer_of(request.user, campaign.public_id)
    return redirect(current_action(viewer, waiting_stage(campaign=viewer.campaign)).href)


def _render_settings(
    request: HttpRequest,
    slug: str,
    card: ScenarioCard,
    form: dict[str, str],
    violations: tuple[Violation, ...] = (),
    options: Sequence[str] | None = None,
) -> HttpResponse:
    scenario = card.scenario
    in_force = scenario.options if options is None else options
    choosable = [row for row in rules_of(scenario.edition).choices if not row.of_designs]
    return show(
        request,
        "new_settings",
        status=UNPROCESSABLE if violations else 200,
        slug=slug,
        scenario=scenario,
        card=card,
        given=form,
        violations=violations,
        timetables=list(FORMS.items()),
        battle_choices=list(BATTLES.items()),
        options=[(row, row.name in in_force) for row in choosable],
        settled=[
            row
            for row in rules_of(scenario.edition).choices
            if row.of_designs and row.name in scenario.options
        ],
        zones=zones(),
        message_modes=list(MODES.items()),
        number=_opened_so_far(request),
    )


def _timetable(name: str, zone: str) -> dict[str, Any]:
    """Return a named timetable in a time zone.

    Raises:
        RuleViolations: If there is no timetable of that name.
    """
    if name not in TIMETABLES:
        raise RuleViolations(
            [Violation("timetable", "unknown-timetable", phrase("choose one of the timetables"))]
        )
    return timetable_of(name, zone)


def _markers(form: Mapping[str, str]) -> Markers:
    """Return the open-marker settings in the form.

    Raises:
        RuleViolations: If the number of dummies is not a whole number.
    """
    if form["markers"] not in (OPEN, HIDDEN):
        return SCENARIO_MARKERS
    is_open, dummies = form["markers"] == OPEN, form["dummies"]
    if not is_open or not dummies:
        return Markers(is_open)
    if not re.fullmatch(r"[0-9]{1,3}", dummies):
        raise RuleViolations(
            [Violation("dummies", "not-a-number", phrase("dummy counters: enter a whole number"))]
        )
    return Markers(True, int(dummies))


def _number_text(number: int | None) -> str:
    if number is None:
        return ""
    return str(number)


def _lock_reader(request: HttpRequest) -> None:
    """Lock the reader's row, so that two requests cannot open a campaign at the same time."""
    list(get_user_model().objects.select_for_update().filter(pk=_reader(request).pk))


def _reader(request: HttpRequest) -> AbstractBaseUser:
    """Return the logged-in user."""
    return cast(AbstractBaseUser, request.user)


def _opened_so_far(request: HttpRequest) -> int:
    return Campaign.objects.filter(created_by_id=_reader(request).pk).count()


urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("campaigns/new", campaign_new, name="campaign-new"),
]


def _options(request: HttpRequest, scenario: Scenario) -> list[str]:
    """Return the ticked options, and those fixed by the scenario's ship designs."""
    settled = []
    for row in rules_of(scenario.edition).choices:
        if row.of_designs and row.name in scenario.options:
            settled.append(row.name)
    return [*settled, *request.POST.getlist("options")]
