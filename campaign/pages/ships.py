"""A player's own ships: fleets, damage tracks, lost systems, what can be mended, and what is gone."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, path
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from campaign.access import Viewer, need
from campaign.kept import Kept
from campaign.pages.common import member_page, show
from campaign.pages.reports import tabs, tabs_key
from campaign.pages.shiplines import fleets_of
from campaign.pages.unchanged import if_changed
from campaign.rules.queries import in_sight, plain_class
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.sight import sight
from campaign.stored import scenario_of

ALL, HURT = "all", "damaged"


@dataclass(frozen=True, slots=True)
class Ships:
    """A faction's ships ready for the page. `hurt`: how many a base could do something for."""

    total: int
    fleets: int
    hurt: int
    afloat: SafeString
    lost: SafeString


_drawn: Kept[tuple[str, ...], Ships] = Kept(128)


@member_page
@require_safe
def ships(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All own ships by fleet; `?show=damaged` only those with something to mend."""
    campaign, faction = need(viewer, play=True).campaign, viewer.faction
    seen = sight(campaign, faction)
    only = HURT if request.GET.get("show") == HURT else ALL
    sha256 = campaign.scenario.sha256
    of_whom = "" if faction is None else faction.key
    key = (str(campaign.public_id), sha256, of_whom, seen.etag, only)
    shared = tabs(viewer, "ships")

    def page() -> HttpResponse:
        fleet = _drawn.made(key, lambda: _fleet(in_sight(scenario_of(campaign), seen.view), sha256, seen.view, only))
        return show(request, "ships", fleet=fleet, only=only, **shared)

    return if_changed(request, (*key, *tabs_key(shared)), page)


def _fleet(scenario: Scenario, sha256: str, view: View, only: str) -> Ships:
    """What a view says of its faction's ships."""
    fleets = fleets_of(scenario, sha256, view)
    crews = [(fleet, [ship for ship in fleet.ships if only == ALL or ship.wants]) for fleet in fleets]
    places = {system.hex: system.name for system in scenario.systems}
    losses = [(loss, plain_class(loss.cls), places.get(loss.hex, f"hex {loss.hex}")) for loss in view.losses]
    return Ships(
        total=sum(len(fleet.ships) for fleet in fleets),
        fleets=len(fleets),
        hurt=sum(ship.wants for fleet in fleets for ship in fleet.ships),
        afloat=render_to_string("campaign/ships_afloat.html", {"shown": [part for part in crews if part[1]]}),
        lost=render_to_string("campaign/ships_lost.html", {"losses": losses}),
    )


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/ships/", ships, name="ships")]
