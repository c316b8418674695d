"""A week's orders, the doctrine for its battles, and decisions about whom fleets met: forms, with the map beside."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.safestring import SafeString

from campaign.access import Viewer
from campaign.kinds import StageKind
from campaign.pages.chart import routed
from campaign.pages.dummy_form import dummies_form, dummies_payload
from campaign.pages.entries import EntryShown, WeekPage, week_page
from campaign.pages.fields import Payload, battles_payload, decisions_payload, week_payload
from campaign.pages.order_form import fleets_fighting, left_behind, unmoved, week_form
from campaign.pages.order_parts import CHOICES, TARGETS, choosing, decided, items, listed
from campaign.pages.rearming import rearm_payload
from campaign.pages.starmap import drawn
from campaign.pages.war import player_page
from campaign.pages.yards import yards_form, yards_payload
from campaign.process_cache import ProcessCache

LEAVE = "leave"  # an action: with a fleet's key, its cripples stay behind
_drawn: ProcessCache[tuple[str, ...], SafeString] = ProcessCache(128)

# What the two choices lead to, as the table of the rulebook has it: rows are ours, columns theirs.
OUTCOMES = (
    ("Fight", "Battle.", "Battle.", "They get away; on a roll of 6 there is a battle."),
    ("Stand off", "Battle.", "Stand-off: both stay.", "They leave."),
    (
        "Withdraw",
        "You get away; on a roll of 6 there is a battle.",
        "You leave.",
        "Both leave; nobody holds the system this week.",
    ),
)


class OrdersPage(WeekPage):
    """The orders of a week, and its battles' doctrines; other stages have pages of their own."""

    kinds = ("orders", "battles")

    def payload(self, posted: QueryDict) -> Payload:
        scenario, view = self.war.scenario, self.war.sight.view
        if self.war.kind == StageKind.BATTLES:
            return battles_payload(view, posted)
        verb, _, fleet = posted.get("action", "").partition(" ")
        more = {"dummies": dummies_payload(view, posted), "refit": rearm_payload(scenario, view, posted)}
        more |= yards_payload(view, posted)
        payload = week_payload(view, posted) | {part: found for part, found in more.items() if found}
        return left_behind(scenario, view, payload, fleet) if verb == LEAVE else payload

    def drawn(self, entry: EntryShown) -> HttpResponse:
        scenario, view = self.war.scenario, self.war.sight.view
        context = self.context(entry)
        if entry.stage.kind == StageKind.ORDERS:
            moves = (
                (str(move.get("fleet")), tuple(map(str, listed(move.get("path")))), str(move.get("to") or ""))
                for move in items(entry.shown, "moves")
            )
            context["map"] = drawn(self.war, ways=routed(scenario, view, moves), beside=True)
            context["unmoved"] = unmoved(scenario, view, entry.shown)
            if not entry.sealed:
                context["places"] = self._places(entry)
        elif not entry.sealed:
            context["fighting"] = fleets_fighting(scenario, view, entry.payload, entry.faults)
        return render(self.request, f"campaign/orders_{entry.stage.kind}.html", context, status=entry.status)

    def _places(self, entry: EntryShown) -> SafeString:
        """The form of all fleets, hex by hex. Of a draft without faults it is kept: draft and view make all of it."""
        war, sha256 = self.war, self.war.viewer.campaign.scenario.sha256

        def draw() -> SafeString:
            given = war.scenario, sha256, war.sight.view, entry.payload, entry.faults
            forms = {
                "places": week_form(*given),
                "dummies": dummies_form(*given),
                "yards": yards_form(war.scenario, war.sight.view, entry.payload, entry.faults),
            }
            return render_to_string("campaign/orders_places.html", {**forms, "choices": CHOICES, "targets": TARGETS})

        if entry.faults:
            return draw()
        draft = json.dumps(entry.payload, sort_keys=True)
        return _drawn.made((war.id, sha256, war.faction.key, war.sight.etag, draft), draw)


@player_page
def orders(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The orders of the open stage."""
    return week_page(request, viewer, OrdersPage)


urlpatterns = [path("c/<str:c>/orders/", orders, name="orders")]


class DecisionsPage(WeekPage):
    """The decisions of a week."""

    kinds = ("decisions",)

    def payload(self, posted: QueryDict) -> Payload:
        return decisions_payload(self.war.sight.view, posted)

    def drawn(self, entry: EntryShown) -> HttpResponse:
        view, given = self.war.sight.view, decided(entry.payload)
        asked = [
            choosing(
                self.war.scenario, view, a.hex, a.toward, "met this week", a.fixed or "", given, entry.faults, a.default
            )
            for a in view.asked
        ]
        context = self.context(entry) | {
            "asked": [row for row in asked if not row.fixed],
            "fixed": [row for row in asked if row.fixed],
            "outcomes": OUTCOMES,
        }
        return render(self.request, "campaign/decisions.html", context, status=entry.status)


@player_page
def decisions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The decisions of the open stage."""
    return week_page(request, viewer, DecisionsPage)


urlpatterns += [path("c/<str:c>/decisions/", decisions, name="decisions")]
