"""Force building and secret deployment: within the budget, or the scenario's own force list by one click."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import path

from campaign.access import Viewer
from campaign.design_drafts import design_drafts_of, draft_classes
from campaign.envelopes import draft_of
from campaign.pages.deployform import deploy_form, deploy_payload
from campaign.pages.dummyform import deploy_dummies, deploy_dummies_payload
from campaign.pages.entries import Entry, WeekPage, week_page
from campaign.pages.fields import Payload
from campaign.pages.orderparts import items
from campaign.pages.starmap import drawn
from campaign.pages.war import player_page
from campaign.rules.designs import designed
from campaign.rules.queries import furnished
from campaign.rules.scenario import ShipClass


class DeployPage(WeekPage):
    """The deployment."""

    kinds = ("deploy",)

    def payload(self, posted: QueryDict) -> Payload:
        """The deployment in the form, with the designs of the faction's own classes in it."""
        stage, scenario, key = self.war.stage, self.war.scenario, self.war.faction.key
        draft = None if stage is None else draft_of(stage, self.war.faction)
        own = self._own_classes({} if draft is None else draft.payload)
        dummies = deploy_dummies_payload(scenario, key, posted)
        payload = deploy_payload(furnished(scenario, own), key, posted)
        used = {str(ship[0]) for item in payload["deploy"] for ship in item["ships"]}
        designs = [cls.design for cls in own if cls.name in used]
        return payload | ({"designs": designs} if designs else {}) | ({"dummies": dummies} if dummies else {})

    def drawn(self, entry: Entry) -> HttpResponse:
        key = self.war.faction.key
        self.war = replace(self.war, scenario=furnished(self.war.scenario, self._own_classes(entry.shown)))
        scenario = self.war.scenario
        purses, shares = deploy_form(scenario, key, entry.payload, entry.faults)
        part, whole = scenario.classification_limit
        context = self.context(entry) | {
            "map": drawn(self.war, beside=True),
            "purses": purses,
            "shares": shares,
            "limit": f"{part}/{whole}",
            "fleets": sum(len(purse.fleets) for purse in purses),
            "decoy_points": scenario.decoy_points,
            "decoys": scenario.decoys,
            "dummies": deploy_dummies(scenario, key, entry.payload, entry.faults),
        }
        return render(self.request, "campaign/deploy.html", context, status=entry.status)

    def _own_classes(self, payload: Payload) -> tuple[ShipClass, ...]:
        """The classes of the faction's own design: its drawings, and what its draft holds besides."""
        scenario, key = self.war.scenario, self.war.faction.key
        found = draft_classes(scenario, key, design_drafts_of(self.war.viewer.campaign, self.war.faction))
        for cls in designed(scenario, key, items(payload, "designs")):
            found.setdefault(cls.name, cls)
        return tuple(found[name] for name in sorted(found))


@player_page
def deploy(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The deployment, while it is open."""
    return week_page(request, viewer, DeployPage)


urlpatterns = [path("c/<str:c>/deploy/", deploy, name="deploy")]
