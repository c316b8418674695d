"""The home page with the reader's campaigns, and the page for opening a new one."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.access import viewer_of
from campaign.drawings.moment import Moment
from campaign.kinds import MessageMode, Role, RollbackConsent, RollbackPower
from campaign.models.campaign import Campaign
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.pages.people.front import front_page
from campaign.rules.agreements import Agreements
from campaign.rules.files import fixture_class_names, fixture_presets
from campaign.rules.message_rules import MODES, MessageRules
from campaign.rules.navies import chosen_class_names
from campaign.rules.queries import with_known_designs
from campaign.rules.rollback_rules import RollbackRules
from campaign.rules.scenario import FactionNames, Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.timetable import TIMETABLES, timetable_of
from campaign.selectors.beacon import is_beacon_proposed, may_offer_beacon
from campaign.selectors.clock import waiting_stage
from campaign.selectors.finished import finished_wars
from campaign.selectors.next_action import (
    Member,
    OwnCampaign,
    campaigns_of,
    next_actions_of,
    scenarios_newest,
)
from campaign.selectors.tournaments import match_campaigns_of, tournaments_of
from campaign.services.campaigns import SCENARIO_MARKERS, Markers, default_battle_setting
from campaign.services.own_scenarios import private_scenario_of
from campaign.services.preferences import preference_of
from campaign.services.put_away import war_bring_back, war_put_away
from campaign.services.seat_ends import seat_end_words, visible_seat_ends
from campaign.services.seats import campaign_begin, campaign_open
from campaign.sight.reports import list_battles
from campaign.sight.views import sight_at_stage
from campaign.store.documents import scenario_of, stored_scenario
from campaign.web.agreement_forms import (
    host_sections,
    navy_menus,
    preset_agreements,
    preset_choices,
    restriction_choices,
    settled_options,
)
from campaign.web.battle_moments import battle_moment
from campaign.web.common import UNPROCESSABLE, show
from campaign.web.guests import is_guest
from campaign.web.hexmap import Thumb, thumb_of
from campaign.web.next_action import ActionWords, action_words, current_action
from campaign.web.scenario_cards import ScenarioCard, scenario_card
from campaign.web.seat_marks import seat_in
from campaign.web.timetables import FORMS, battle_choices, grace_choices, grace_in, zones
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.design.restrictions import NO_RESTRICTIONS, Restrictions

SOLO = "solo"  # the timetable of a war against the computer, and the button that opens one
OPEN, HIDDEN = "open", "hidden"  # values of the form field for movement
FIELDS = (
    "scenario",
    "name",
    "timetable",
    "zone",
    "grace",
    "part",
    "battles",
    "markers",
    "dummies",
    "bots",
    "beacon",
    "messages",
    "umpire_reads",
    "rollback",
    "rollback_consent",
)
FRIENDS = "friends"  # the value of `how` for a war of several players
# The wars that the page of all scenarios shows as cards, the one to begin with first
FEATURED = ("first-steps", "lafayette", "three-powers")
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
    def thumb(self) -> Thumb:
        """The small map of its scenario."""
        campaign = self.own_campaign.campaign
        return thumb_of(scenario_of(campaign), campaign.scenario.sha256, bare=True)

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
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the reader's campaigns, those that wait for the reader first.

    Strangers see the front page, and guests are sent to their battle.
    """
    if not request.user.is_authenticated:
        return front_page(request)
    if is_guest(request):
        return _guest_home(request)
    tournaments = tournaments_of(_reader(request))
    own_campaigns = campaigns_of(_reader(request))
    if any(own.organises for own in tournaments):
        own_campaigns = _without_hosted_matches(_reader(request), own_campaigns)
    running = _campaign_rows([own for own in own_campaigns if not own.is_over])
    running.sort(key=lambda row: row.urgency)
    over = [own for own in own_campaigns if own.is_over]
    first = running[0] if running and running[0].next_action.is_due else None
    starter = {} if own_campaigns else _starter_context(request)
    return show(
        request,
        "home",
        first=first,
        battle=None if first is None else _newest_battle(first.own_campaign),
        running=running,
        due_count=sum(row.next_action.is_due for row in running),
        finished=finished_wars([own for own in over if not own.is_put_away]),
        put_away=[own for own in over if own.is_put_away],
        tournaments=[own for own in tournaments if own.tournament.ended_at is None],
        ended_tournaments=[own for own in tournaments if own.tournament.ended_at is not None],
        lost_seats=[(end, seat_end_words(end)) for end in visible_seat_ends(user=_reader(request))],
        umpires=any(Role.UMPIRE in own.roles for own in own_campaigns),
        **starter,
    )


def _starter_context(request: HttpRequest) -> dict[str, Any]:
    """Return the war to begin with for a reader without a campaign, if it is loaded."""
    for row in scenarios_newest():
        if row.slug == FEATURED[0]:
            card = scenario_card(stored_scenario(row), row.sha256)
            return {"starter": Offer(row, card), "number": _opened_so_far(request)}
    return {}


def _newest_battle(own: OwnCampaign) -> Moment | None:
    """Return the newest battle of the reader's faction, if it was fought this week or the last."""
    if own.faction is None or own.stage is None or own.campaign.ruleset.get("single"):
        return None
    battles = list_battles(own.campaign, own.faction)
    if not battles or battles[-1].week < own.stage.week - 1:
        return None
    view = sight_at_stage(own.stage, own.faction).view
    scenario = with_known_designs(scenario_of(own.campaign), view)
    return battle_moment(own.campaign, own.faction, scenario, battles[-1])


def _guest_home(request: HttpRequest) -> HttpResponse:
    """Send a guest to their battle, or to the front page after it."""
    for own in campaigns_of(_reader(request)):
        if not own.is_over:
            viewer = viewer_of(request.user, own.campaign.public_id)
            return redirect(current_action(viewer, own.stage).href)
    return front_page(request)


def _without_hosted_matches(
    user: AbstractBaseUser, own_campaigns: Sequence[OwnCampaign]
) -> tuple[OwnCampaign, ...]:
    """Leave out the battles of the user's tournaments in which others play.

    The page of the tournament lists them.
    """
    matches = match_campaigns_of(user)
    result = []
    for own in own_campaigns:
        if own.roles != (Role.HOST,) or own.campaign.pk not in matches:
            result.append(own)
    return tuple(result)


def _campaign_rows(own_campaigns: Sequence[OwnCampaign]) -> list[CampaignRow]:
    """Return campaigns with what each wants of the reader next."""
    members = []
    for own in own_campaigns:
        member = Member(
            campaign=own.campaign,
            roles=own.roles,
            faction=own.faction,
            stage=own.stage,
            sealed=own.sealed,
        )
        members.append(member)
    rows = []
    for own, next_action in zip(own_campaigns, next_actions_of(members), strict=True):
        row = CampaignRow(
            own_campaign=own,
            next_action=action_words(own.campaign, own.stage, next_action),
            seat=seat_in(own.campaign, own.faction),
            weeks=_shown_length(own),
        )
        rows.append(row)
    return rows


def _shown_length(own: OwnCampaign) -> int:
    """Return the length of a war in weeks, or 0 if its week is not shown."""
    if own.stage is None or not own.stage.week or own.campaign.ruleset.get("single"):
        return 0
    return scenario_of(own.campaign).weeks


@login_required
@require_POST
def put_away(request: HttpRequest, war: uuid.UUID, *, back: bool) -> HttpResponse:
    """Put a finished war away from the reader's list, or bring it back."""
    if back:
        war_bring_back(user=_reader(request), campaign=war)
    else:
        war_put_away(user=_reader(request), campaign=war)
    return redirect("home")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: HttpRequest) -> HttpResponse:
    """Choose a scenario, then play it against the computer or set up a war for several players."""
    public_scenarios = {row.slug: (row, stored_scenario(row)) for row in scenarios_newest()}
    if request.method == "POST":
        return _open_campaign(request, public_scenarios)
    chosen = _find_scenario(request, public_scenarios, request.GET.get("scenario", ""))
    if chosen is None:
        return _render_choice(request, public_scenarios)
    row, scenario = chosen
    form = {
        "name": scenario.name,
        "timetable": "evening",
        "zone": preference_of(_reader(request)).zone or "UTC",
        "part": request.GET.get("part", scenario.factions[0].id),
        "battles": default_battle_setting(scenario, is_chosen_by_person=True),
        "markers": OPEN if scenario.open_play else HIDDEN,
        "dummies": _number_text(scenario.dummies),
        "messages": MessageMode.AT_ONCE,
        "beacon": "yes" if is_beacon_proposed(_reader(request)) else "",
    }
    return _render_settings(request, row.slug, scenario_card(scenario, row.sha256), form)


def _render_choice(
    request: HttpRequest, public_scenarios: Mapping[str, tuple[ScenarioRow, Scenario]]
) -> HttpResponse:
    """Render all scenarios: some wars as cards, the others and single battles as lists."""
    offers = []
    for row, scenario in public_scenarios.values():
        offers.append(Offer(row, scenario_card(scenario, row.sha256)))
    wars = [offer for offer in offers if not is_skirmish(offer.card.scenario)]
    wars.sort(key=_choice_rank)
    return show(
        request,
        "new",
        featured=wars[: len(FEATURED)],
        wars=wars[len(FEATURED) :],
        battles=[offer for offer in offers if is_skirmish(offer.card.scenario)],
        number=_opened_so_far(request),
        friends=request.GET.get("how") == FRIENDS,
    )


def _choice_rank(offer: Offer) -> tuple[int, int]:
    """Sort key: the featured wars, then the shortest."""
    slug = offer.card.scenario.slug
    rank = FEATURED.index(slug) if slug in FEATURED else len(FEATURED)
    return rank, offer.card.scenario.weeks


def _find_scenario(
    request: HttpRequest, public_scenarios: Mapping[str, tuple[Any, Scenario]], slug: str
) -> tuple[Any, Scenario] | None:
    """Return a scenario by its slug, a public one or one of the reader's own, or None."""
    if slug in public_scenarios or not slug:
        return public_scenarios.get(slug)
    row = private_scenario_of(_reader(request), slug)
    if row is None:
        return None
    return (row, stored_scenario(row))


def _open_campaign(
    request: HttpRequest, public_scenarios: Mapping[str, tuple[Any, Scenario]]
) -> HttpResponse:
    """Open a campaign by form: a war for several players, or at once a war against the computer."""
    form = {name: request.POST.get(name, "").strip() for name in FIELDS}
    chosen = _find_scenario(request, public_scenarios, form["scenario"])
    if chosen is None:
        return redirect("campaign-new")
    row, scenario = chosen
    if "preset" in request.POST:
        return _render_preset(request, row, scenario, form)
    is_solo = SOLO in request.POST
    try:
        with transaction.atomic():
            # Each form opens one campaign. Sent again, it redirects to that campaign.
            _lock_reader(request)
            if request.POST.get("number") != str(_opened_so_far(request)):
                return _redirect_to_newest_campaign(request)
            campaign = campaign_open(
                user=_reader(request),
                scenario=row,
                name=form["name"],
                battles=form["battles"],
                bots=form["bots"] == "yes",
                messages=MessageRules(
                    form["messages"] or MessageMode.OFF, form["umpire_reads"] == "yes"
                ),
                rollbacks=RollbackRules(
                    form["rollback"] or RollbackPower.UMPIRE,
                    form["rollback_consent"] or RollbackConsent.ALL,
                ),
                **_solo_settings(request) if is_solo else _war_settings(request, form, scenario),
            )
            if is_solo:
                campaign_begin(viewer=viewer_of(request.user, campaign.public_id))
    except RuleViolations as error:
        return _render_settings(
            request,
            row.slug,
            scenario_card(scenario, row.sha256),
            form,
            violations=error.limited_violations,
            agreements=_agreements(request, scenario),
        )
    if not is_solo:
        return redirect("lobby", c=campaign.public_id)
    viewer = viewer_of(request.user, campaign.public_id)
    return redirect(current_action(viewer, waiting_stage(campaign=viewer.campaign)).href)


def _render_preset(
    request: HttpRequest, row: ScenarioRow, scenario: Scenario, form: Mapping[str, str]
) -> HttpResponse:
    """Render the settings again, with the rules of the preset whose button was pressed."""
    agreements = _agreements(request, scenario)
    for preset in fixture_presets(scenario.edition):
        if preset.slug == request.POST["preset"]:
            agreements = preset_agreements(scenario, preset)
    card = scenario_card(scenario, row.sha256)
    return _render_settings(request, row.slug, card, form, agreements=agreements)


def _solo_settings(request: HttpRequest) -> dict[str, Any]:
    """Return the settings of a war against the computer, in which the reader plays a faction."""
    return {"timetable": _timetable(SOLO, "UTC"), **_part_settings(request.POST[SOLO])}


def _war_settings(
    request: HttpRequest, form: Mapping[str, str], scenario: Scenario
) -> dict[str, Any]:
    """Return the settings that only the form of a war for several players has.

    Raises:
        RuleViolations: If one of them is not a possible value.
    """
    return {
        "timetable": {
            **_timetable(form["timetable"], form["zone"]),
            **grace_in(form["grace"]),
        },
        "markers": _markers(form),
        "agreements": replace(
            _agreements(request, scenario), class_names=_class_names(request, scenario)
        ),
        "beacon": form["beacon"] == "yes",
        **_part_settings(form["part"]),
    }


def _class_names(request: HttpRequest, scenario: Scenario) -> tuple[FactionNames, ...]:
    """Return the names of classes of the factions for which a list is chosen.

    Raises:
        RuleViolations: If there is no such list.
    """
    chosen = {menu.faction: menu.chosen for menu in navy_menus(scenario, request.POST)}
    return chosen_class_names(scenario, chosen, fixture_class_names())


def _part_settings(part: str) -> dict[str, Any]:
    """Return the reader's own seat: a faction, the umpire's, or none."""
    return {
        "play": "" if part in PARTS_WITHOUT_SEAT else part,
        "umpire": part == Role.UMPIRE,
    }


def _redirect_to_newest_campaign(request: HttpRequest) -> HttpResponse:
    """Redirect to the campaign that the reader opened last."""
    campaigns = Campaign.objects.filter(created_by_id=_reader(request).pk)
    newest = campaigns.order_by("-pk").first()
    if newest is None:
        return redirect("campaign-new")
    return redirect("lobby", c=newest.public_id)


def _render_settings(
    request: HttpRequest,
    slug: str,
    card: ScenarioCard,
    form: Mapping[str, str],
    *,
    violations: tuple[Violation, ...] = (),
    agreements: Agreements | None = None,
) -> HttpResponse:
    """Render the settings of a new war.

    Args:
        slug: Of the scenario.
        agreements: What the form agrees on; None for what the scenario says.
    """
    scenario = card.scenario
    chosen = agreements or Agreements(scenario.options, scenario.restrictions)
    restrictions = chosen.restrictions or NO_RESTRICTIONS
    return show(
        request,
        "new_settings",
        status=UNPROCESSABLE if violations else 200,
        slug=slug,
        scenario=scenario,
        card=card,
        form_data=form,
        violations=violations,
        timetables=list(FORMS.items()),
        battle_choices=battle_choices(is_single_battle=is_skirmish(scenario)),
        presets=preset_choices(scenario, chosen),
        sections=host_sections(scenario, chosen.options or ()),
        restriction_choices=restriction_choices(scenario.edition),
        barred=restrictions.barred,
        allowed=restrictions.allowed or (),
        opens_rules=bool(violations) or agreements is not None,
        zones=zones(),
        graces=grace_choices(request.POST.get("grace")),
        message_modes=list(MODES.items()),
        number=_opened_so_far(request),
        navies=navy_menus(scenario, request.POST),
        beacon_offered=may_offer_beacon(),
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
    is_open = form["markers"] == OPEN
    dummies = form["dummies"]
    if not is_open or not dummies:
        return Markers(is_open)
    if not re.fullmatch(r"[0-9]{1,3}", dummies):
        raise RuleViolations(
            [Violation("dummies", "not-a-number", phrase("dummy counters: enter a whole number"))]
        )
    return Markers(True, int(dummies))


def _number_text(number: int | None) -> str:
    """Return a number as a form value, "" for None."""
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
    """Return how many campaigns the reader has opened."""
    return Campaign.objects.filter(created_by_id=_reader(request).pk).count()


def _agreements(request: HttpRequest, scenario: Scenario) -> Agreements:
    """Return the ticked options, with those that only the scenario decides, and the ticked lists.

    No tick in the list of what is allowed means that there is no such list.
    """
    options = (*settled_options(scenario), *request.POST.getlist("options"))
    allowed = tuple(request.POST.getlist("allowed")) or None
    return Agreements(options, Restrictions(tuple(request.POST.getlist("barred")), allowed))


urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("campaigns/new", campaign_new, name="campaign-new"),
    path("me/wars/<uuid:war>/put-away/", put_away, {"back": False}, name="put-away"),
    path("me/wars/<uuid:war>/bring-back/", put_away, {"back": True}, name="bring-back"),
]
