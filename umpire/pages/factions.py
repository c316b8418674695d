"""A faction's view, for the umpire: exactly what that faction sees, now or then, rendered from its View alone."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.errors import NotThere, NoViewer
from campaign.models.campaign import Faction
from campaign.notices import lines_of
from campaign.pages.starmap import drawn
from campaign.pages.war import war_of
from umpire.pages.desk import show
from umpire.pages.door import page
from umpire.pages.truemap import around, before, chosen_number, moments


@page(umpire=True)
def faction(request: HttpRequest, viewer: Viewer, key: str) -> HttpResponse:
    """What a faction sees."""
    row = Faction.objects.filter(campaign=viewer.campaign, key=key).first()
    if row is None:
        raise NotThere("there is no such faction")
    seq = chosen_number(request, "seq")
    try:
        war = war_of(replace(viewer, faction=row), seq)
    except NoViewer as error:
        raise NotThere("nothing was seen then") from error
    choice = moments(viewer)
    newest = choice[0][0] == war.sight.seq
    chosen = request.GET.get("fleet", "")
    if chosen and chosen not in {fleet.key for fleet in war.sight.view.fleets}:
        raise NotThere("there is no such fleet")
    return show(
        request,
        viewer,
        "faction",
        row.key,
        faction=row,
        war=war,
        told=lines_of(war.scenario, row.key, war.sight.view.notices),
        map=drawn(war, chosen=chosen, then=not newest),
        **around(choice, war.sight.seq),
        moment=before(war.sight.view.week, war.sight.view.stage),
    )
