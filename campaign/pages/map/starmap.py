"""The star map as the faction sees it now or saw it at an earlier moment."""

from __future__ import annotations

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django_htmx.http import HttpResponseClientRefresh

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.kinds import StageKind, StageStatus
from campaign.rules.queries import with_known_designs
from campaign.selectors.clock import waiting_stage
from campaign.selectors.messages import unread_count
from campaign.selectors.timelines import abandoned_timeline
from campaign.sight.views import sight_after
from campaign.web import chart_data
from campaign.web.chart_data import arrivals_of
from campaign.web.common import data_for_script, if_changed, if_same, stage_key
from campaign.web.map_views import hex_fault, map_data, map_view_of, requested_hex
from campaign.web.next_action import current_action
from campaign.web.tabs import tabs
from campaign.web.war import (
    KINDS,
    Moment,
    War,
    abandoned_war_of,
    player_page,
    redirect_to_lobby,
    sight_page,
    state_key_of,
    war_of,
)
from campaign.words.common import place_words
from engine.core.phrase import phrase

MAX_ARRIVALS = 64  # most routes per request
MAX_DIGITS = 6  # of a view's number


@sight_page
def starmap(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Show the map.

    Query parameters: `seq` (or `week` and `stage`) selects a past moment, `fleet` shows that
    fleet's reach, `hex` shows everything known about that hex.
    """
    try:
        seq = _requested_seq(request)
        war = war_of(viewer, seq)
        if seq is None and "week" in request.GET:
            war = war_of(viewer, _seq_of_requested_week(war, request))
    except NoViewer as error:
        if request.GET:
            raise Http404(phrase("there is no view of that moment")) from error
        return redirect_to_lobby(viewer)
    fleet = request.GET.get("fleet", "")
    view = war.sight.view
    if fleet and all(own_fleet.key != fleet for own_fleet in (*view.fleets, *view.dummies)):
        raise Http404(phrase("there is no such fleet"))
    fault = hex_fault(request, war.scenario)
    if fault:
        return _page(request, war, fleet=fleet, fault=fault)
    hex_ = requested_hex(request, war.scenario)
    cache_key = (*_cache_key(war), fleet, hex_)
    return if_changed(request, cache_key, lambda: _page(request, war, fleet=fleet, hex_=hex_))


@sight_page
def timeline_map(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponseBase:
    """Show the map as the faction saw it on an abandoned timeline, at its end or at `?seq=`."""
    branch, shared = abandoned_timeline(viewer.campaign, number)
    tabs_above = tabs(viewer, "map")
    try:
        war = abandoned_war_of(viewer, branch, shared, _requested_seq(request))
    except NoViewer as error:
        raise Http404(phrase("there is no view of that moment")) from error
    fault = hex_fault(request, war.scenario)
    hex_ = "" if fault else requested_hex(request, war.scenario)
    context = _context(war, is_present=False, hex_=hex_, fault=fault)
    status = HTTPStatus.NOT_FOUND if fault else HTTPStatus.OK
    return render(
        request, "campaign/map.html", {**context, **tabs_above, "branch": branch}, status=status
    )


def _is_present(war: War) -> bool:
    """Return whether the war is shown as it is now, not at an earlier moment."""
    return war.sight.seq == war.moments[-1].seq


def _cache_key(war: War) -> tuple[object, ...]:
    """Return everything about the war that the page depends on."""
    return (
        war.id,
        war.name,
        war.faction.key,
        tuple(sorted(war.viewer.roles)),
        war.sight.etag,
        war.sight.seq,
        _is_present(war),
        unread_count(war.viewer),
        war.state_key,
        war.next_action,
        *stage_key(war.stage),
        timezone.get_current_timezone_name(),
    )


def _page(
    request: HttpRequest, war: War, *, fleet: str, hex_: str = "", fault: str = ""
) -> HttpResponse:
    """Render the map."""
    context = _context(war, is_present=_is_present(war), fleet=fleet, hex_=hex_, fault=fault)
    status = HTTPStatus.NOT_FOUND if fault else HTTPStatus.OK
    return render(request, "campaign/map.html", {**context, **war.tabs("map")}, status=status)


def _context(
    war: War, *, is_present: bool, fleet: str = "", hex_: str = "", fault: str = ""
) -> dict[str, object]:
    """Return the context of the map.

    Args:
        fleet: The fleet whose reach is shown, or "".
        hex_: The hex about which everything is listed, or "".
        fault: Why the hex that was asked for does not exist, or "".
    """
    picture = map_view_of(war, chosen=fleet, is_past=not is_present)
    if war.sight.view.stage == StageKind.OVER:
        moment_text = phrase("the end")
    elif war.sight.view.stage == StageKind.DEPLOY:
        moment_text = phrase("before the deployment")
    else:
        moment_text = phrase("week {}, {}", war.week, KINDS[war.sight.view.stage])
    kept_parameters: list[tuple[str, object]] = []
    if not is_present:
        kept_parameters.append(("seq", war.sight.seq))
    if fleet:
        kept_parameters.append(("fleet", fleet))
    earlier_moments = [moment for moment in war.moments if moment.seq < war.sight.seq]
    later_moments = [moment for moment in war.moments if moment.seq > war.sight.seq]
    return {
        "war": war,
        "map": picture,
        "place": picture.place(hex_, place_words(war.scenario, hex_)) if hex_ else None,
        "hex": hex_,
        "hex_fault": fault,
        "kept_parameters": kept_parameters,
        "data": map_data(war, fleet, picture.chart),
        "is_present": is_present,
        "moment_text": moment_text,
        "previous_moment": earlier_moments[-1] if earlier_moments else None,
        "next_moment": later_moments[0] if later_moments else None,
    }


def _requested_seq(request: HttpRequest) -> int | None:
    """Return the number of the view in the address, or None without one.

    Raises:
        Http404: If it is no number of up to `MAX_DIGITS` digits.
    """
    text = request.GET.get("seq", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise Http404(phrase("there is no view of that moment"))
    return int(text)


def _seq_of_requested_week(war: War, request: HttpRequest) -> int:
    """Return the moment of the week and stage in the query, or of the week's first stage."""
    week = request.GET.get("week", "")
    kind = request.GET.get("stage", "")
    for moment in war.moments:
        if str(moment.week) == week and kind in ("", moment.kind):
            return moment.seq
    raise Http404(phrase("there is no view of that moment"))


@sight_page
def past_sights(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Return the past weeks for the map's script, each as seen when its orders were due."""
    war = war_of(viewer)
    cache_key = ("past", war.id, war.faction.key, war.sight.etag, *stage_key(war.stage))
    return if_same(request, cache_key, lambda: data_for_script({"moments": _past_data(war)}))


@player_page
def arrivals(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """Return arrival times of fleets for the orders page, by the routes in `?of=`."""
    war = war_of(viewer)
    routes = request.GET.getlist("of")[:MAX_ARRIVALS]
    cache_key = ("arrivals", war.id, war.faction.key, war.sight.etag, *routes)
    return if_same(
        request,
        cache_key,
        lambda: data_for_script({"texts": arrivals_of(war.scenario, war.sight.view, routes)}),
    )


def past_weeks(war: War) -> tuple[Moment, ...]:
    """Return the orders moments of the weeks before this one."""
    weeks: list[Moment] = []
    for moment in war.moments:
        if moment.kind == StageKind.ORDERS and moment.week < war.week:
            weeks.append(moment)
    return tuple(weeks)


def _past_data(war: War) -> list[chart_data.Data]:
    """Return the map of each past week as data."""
    campaign, faction = war.viewer.campaign, war.faction
    weeks = []
    for moment in past_weeks(war):
        view = sight_after(campaign, faction, moment.seq).view
        weeks.append(chart_data.moment_data(with_known_designs(war.scenario, view), view))
    return weeks


@sight_page
def pulse(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return an empty response while the war is unchanged since `?at=`.

    Afterwards return a notice with a link, or with `?go=` a refresh header. The text covers what
    everybody sees of the stage and, for the reader's own battle, the reader's next action in the
    war room.
    """
    stage = waiting_stage(campaign=viewer.campaign)
    fighting = stage is not None and stage.kind == StageKind.BATTLES
    next_action = current_action(viewer, stage) if fighting else None
    if request.GET.get("at", "") == state_key_of(stage, next_action):
        return HttpResponse(status=204)
    if "go" in request.GET:
        return HttpResponseClientRefresh()
    war = war_of(viewer)
    if war.stage is not None and war.stage.status != StageStatus.OPEN:
        return HttpResponse(status=204)
    return render(request, "campaign/war_moved.html", {"war": war})


urlpatterns = [
    path("c/<str:c>/map/", starmap, name="map"),
    path("c/<str:c>/map/past/", past_sights, name="map-past"),
    path("c/<str:c>/map/arrivals/", arrivals, name="map-arrivals"),
    path("c/<uuid:c>/timelines/<int:number>/map/", timeline_map, name="timeline-map"),
    path("c/<str:c>/pulse/", pulse, name="pulse"),
]
