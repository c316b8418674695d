"""A player's own ships: fleets, damage tracks, lost systems, what can be mended, and what is gone."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.http import require_safe

from campaign.access import Viewer, need
from campaign.pages.common import member_page, show
from campaign.pages.reports import tabs
from campaign.pages.shiplines import fleets_of
from campaign.rules.lookup import in_sight, plain_class
from campaign.sight import sight
from campaign.stored import scenario_of

ALL, HURT = "all", "damaged"


@member_page
@require_safe
def ships(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All own ships by fleet; `?show=damaged` only those with something to mend."""
    campaign = need(viewer, play=True).campaign
    view = sight(campaign, viewer.faction).view
    scenario = in_sight(scenario_of(campaign), view)
    fleets = fleets_of(scenario, campaign.scenario.sha256, view)
    hurt = sum(ship.wants for fleet in fleets for ship in fleet.ships)
    only = HURT if request.GET.get("show") == HURT else ALL
    shown = []
    for fleet in fleets:
        crew = [ship for ship in fleet.ships if only == ALL or ship.wants]
        if crew:
            shown.append((fleet, crew))
    places = {system.hex: system.name for system in scenario.systems}
    return show(
        request,
        "ships",
        week=view.week,
        shown=shown,
        only=only,
        hurt=hurt,
        total=sum(len(fleet.ships) for fleet in fleets),
        fleets=len(fleets),
        losses=[(loss, plain_class(loss.cls), places.get(loss.hex, f"hex {loss.hex}")) for loss in view.losses],
        **tabs(viewer, "ships"),
    )


urlpatterns: list[URLPattern | URLResolver] = [path("c/<uuid:c>/ships/", ships, name="ships")]
