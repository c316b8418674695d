"""The star map as this faction sees it now, or saw it then."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django_htmx.http import HttpResponseClientRefresh

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.kinds import StageKind, StageStatus
from campaign.rules.queries import in_sight
from campaign.selectors.clock import stage_waiting
from campaign.selectors.messages import unread_count
from campaign.sight.views import sight_then
from campaign.web import chart_data
from campaign.web.chart_data import arrivals_of
from campaign.web.common import data_for_script, if_changed, if_same, stage_key
from campaign.web.drawn_map import drawn, hex_asked, map_data
from campaign.web.next_action import action_shown
from campaign.web.war import (
    KINDS,
    Moment,
    War,
    not_begun,
    player_page,
    pulse_of,
    sight_page,
    war_of,
)
from campaign.words.sayings import place_words
from engine.core.phrase import phrase

MOST_ASKED = 64  # fleets whose arrivals one request is told


@sight_page
def starmap(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The map now; `?seq=` (or `?week=&stage=`) as it was seen then; `?fleet=` with that fleet's
    reach, `?hex=` with a hex chosen and all that is known of it.
    """
    try:
        seq = _seq(request)
        war = war_of(viewer, seq)
        if seq is None and "week" in request.GET:
            war = war_of(viewer, _moment(war, request))
    except NoViewer as error:
        if request.GET:
            raise Http404(phrase("nothing was seen then")) from error
        return not_begun(viewer)
    now = war.sight.seq == war.moments[-1].seq
    chosen = request.GET.get("fleet", "")
    if chosen and chosen not in {
        fleet.key for fleet in (*war.sight.view.fleets, *war.sight.view.dummies)
    }:
        raise Http404(phrase("there is no such fleet"))
    hex_ = hex_asked(request, war.scenario)
    return if_changed(
        request, (*_key(war, chosen, now), hex_), lambda: _page(request, war, chosen, now, hex_)
    )


def _key(war: War, chosen: str, now: bool) -> tuple[object, ...]:
    """All that the page is made of, besides what every page is."""
    roles = tuple(sorted(war.viewer.roles))
    seen = (war.id, war.name, war.faction.key, roles, war.sight.etag, war.sight.seq, chosen, now)
    waits = (unread_count(war.viewer), war.pulse, war.want, *stage_key(war.stage))
    return (*seen, *waits, timezone.get_current_timezone_name())


def _page(request: HttpRequest, war: War, chosen: str, now: bool, hex_: str) -> HttpResponse:
    picture = drawn(war, chosen=chosen, then=not now)
    context = {
        "war": war,
        "map": picture,
        "place": picture.place(hex_, place_words(war.scenario, hex_)) if hex_ else None,
        "hex": hex_,
        "keeps": [
            *([] if now else [("seq", war.sight.seq)]),
            *([("fleet", chosen)] if chosen else []),
        ],
        "data": map_data(war, chosen, picture.chart),
        "now": now,
        "when": phrase("the end")
        if war.sight.view.stage == StageKind.OVER
        else phrase("week {}, {}", war.week, KINDS[war.sight.view.stage]),
        "before": next((m for m in reversed(war.moments) if m.seq < war.sight.seq), None),
        "after": next((m for m in war.moments if m.seq > war.sight.seq), None),
    }
    return render(request, "campaign/map.html", {**context, **war.tabs("map")})


def _seq(request: HttpRequest) -> int | None:
    given = request.GET.get("seq", "")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 7):
        raise Http404(phrase("nothing was seen then"))
    return int(given)


def _moment(war: War, request: HttpRequest) -> int:
    """The moment of a week and a stage; the week's first stage where none is named."""
    week, kind = request.GET.get("week", ""), request.GET.get("stage", "")
    for moment in war.moments:
        if str(moment.week) == week and kind in ("", moment.kind):
            return moment.seq
    raise Http404(phrase("nothing was seen then"))


@sight_page
def past(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The weeks before this one, each as it was seen when its orders were due, as data for the
    map's script.
    """
    war = war_of(viewer)
    key = ("past", war.id, war.faction.key, war.sight.etag, *stage_key(war.stage))
    return if_same(request, key, lambda: data_for_script({"moments": _past(war)}))


@player_page
def arrivals(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """When fleets are where that leave the reader's hexes in some ways (`?of=`), as data for the
    desk.
    """
    war = war_of(viewer)
    asked = request.GET.getlist("of")[:MOST_ASKED]
    key = ("arrivals", war.id, war.faction.key, war.sight.etag, *asked)
    return if_same(
        request,
        key,
        lambda: data_for_script({"texts": arrivals_of(war.scenario, war.sight.view, asked)}),
    )


def past_weeks(war: War) -> tuple[Moment, ...]:
    """The moments of the orders of the weeks before this one."""
    return tuple(one for one in war.moments if one.kind == StageKind.ORDERS and one.week < war.week)


def _past(war: War) -> list[chart_data.Data]:
    campaign, faction = war.viewer.campaign, war.faction
    found = []
    for one in past_weeks(war):
        view = sight_then(campaign, faction, one.seq).view
        found.append(chart_data.moment(in_sight(war.scenario, view), view))
    return found


@sight_page
def pulse(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Nothing while the war stands at `?at=`.

    Then a notice with a link, or (`?go=`) the word to load the page anew.

    The text holds what everybody sees of the stage, and of the reader's own battle what the war
    room says of it too.
    """
    stage = stage_waiting(campaign=viewer.campaign)
    fighting = stage is not None and stage.kind == StageKind.BATTLES
    want = action_shown(viewer, stage) if fighting else None
    if request.GET.get("at", "") == pulse_of(stage, want):
        return HttpResponse(status=204)
    if "go" in request.GET:
        return HttpResponseClientRefresh()
    war = war_of(viewer)
    if war.stage is not None and war.stage.status != StageStatus.OPEN:
        return HttpResponse(status=204)
    return render(request, "campaign/war_moved.html", {"war": war})


urlpatterns = [
    path("c/<str:c>/map/", starmap, name="map"),
    path("c/<str:c>/map/past/", past, name="map-past"),
    path("c/<str:c>/map/arrivals/", arrivals, name="map-arrivals"),
    path("c/<str:c>/pulse/", pulse, name="pulse"),
]
