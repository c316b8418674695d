"""Force building and secret deployment: within the budget, or the scenario's own force list by one click."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.drawings import drawings_of, drawn_classes
from campaign.errors import NoViewer
from campaign.models.stage import Stage
from campaign.pages.deployform import deploy_form, deploy_payload
from campaign.pages.dummyform import deploy_dummies, deploy_dummies_payload
from campaign.pages.entries import Entry, elsewhere, entry_of, entry_posted
from campaign.pages.fields import Payload
from campaign.pages.orderparts import items
from campaign.pages.orders import entry_context
from campaign.pages.starmap import drawn
from campaign.pages.war import War, not_begun, player_page, war_of
from campaign.rules.designs import designed
from campaign.rules.lookup import furnished
from campaign.rules.scenario import ShipClass


@player_page
def deploy(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The deployment, while it is open."""
    try:
        war = war_of(viewer)
    except NoViewer:
        return not_begun(viewer)
    stage = war.stage
    if stage is None:
        return render(request, "campaign/war_over.html", {"war": war})
    if stage.kind != "deploy":
        return elsewhere(request, war)
    if request.method == "POST":
        done = entry_posted(request, war, stage, lambda posted: _payload(war, stage, posted))
        return done if isinstance(done, HttpResponse) else _shown(request, war, done)
    return _shown(request, war, entry_of(war, stage))


def _payload(war: War, stage: Stage, posted: QueryDict) -> Payload:
    """The deployment in the form, with the designs of the faction's own classes in it."""
    own = _own_classes(war, entry_of(war, stage).payload)
    dummies = deploy_dummies_payload(war.scenario, war.faction.key, posted)
    payload = deploy_payload(furnished(war.scenario, own), war.faction.key, posted)
    used = {str(ship[0]) for item in payload["deploy"] for ship in item["ships"]}
    designs = [cls.design for cls in own if cls.name in used]
    return payload | ({"designs": designs} if designs else {}) | ({"dummies": dummies} if dummies else {})


def _own_classes(war: War, payload: Payload) -> tuple[ShipClass, ...]:
    """The classes of the faction's own design: its drawings, and what its draft holds besides."""
    rows = drawings_of(war.viewer.campaign, war.faction)
    found = drawn_classes(war.scenario, war.faction.key, rows)
    for cls in designed(war.scenario, war.faction.key, items(payload, "designs")):
        found.setdefault(cls.name, cls)
    return tuple(found[name] for name in sorted(found))


def _shown(request: HttpRequest, war: War, entry: Entry) -> HttpResponse:
    shown = entry.sealed.receipt.payload if entry.sealed else entry.payload
    war = replace(war, scenario=furnished(war.scenario, _own_classes(war, shown)))
    purses, shares = deploy_form(war.scenario, war.faction.key, entry.payload, entry.faults)
    part, whole = war.scenario.classification_limit
    context = entry_context(war, entry) | {
        "map": drawn(war, beside=True),
        "purses": purses,
        "shares": shares,
        "limit": f"{part}/{whole}",
        "fleets": sum(len(purse.fleets) for purse in purses),
        "decoy_points": war.scenario.decoy_points,
        "decoys": war.scenario.decoys,
        "dummies": deploy_dummies(war.scenario, war.faction.key, entry.payload, entry.faults),
    }
    return render(request, "campaign/deploy.html", context, status=entry.status)


urlpatterns = [path("c/<str:c>/deploy/", deploy, name="deploy")]
