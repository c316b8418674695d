"""A week's orders, the doctrine for its battles, and decisions about whom fleets met: forms, with
the map beside.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from campaign.access import Viewer
from campaign.forms.faults import Faults
from campaign.forms.field import Payload, text
from campaign.forms.week.conditional_orders import OFFERED
from campaign.forms.week.draft_fields import FleetFields, completed, draft_fields
from campaign.forms.week.dummy_form import dummies_form, dummies_payload
from campaign.forms.week.fleet_lines import WeekLines, week_lines
from campaign.forms.week.order_form import (
    crews_told,
    fleet_form,
    fleets_fighting,
    folds,
    week_form,
)
from campaign.forms.week.order_parts import Place, choosing, decided, items
from campaign.forms.week.plan_fields import ends_of, plan_words, plans_read, plans_told
from campaign.forms.week.rearming import rearm_payload
from campaign.forms.week.staying import gone_on, left_behind
from campaign.forms.week.week_fields import ORDERS_SCRIPT, PLAN
from campaign.forms.week.week_payload import battles_payload, decisions_payload, week_payload
from campaign.forms.week.yards import yards_form, yards_payload
from campaign.kinds import StageKind
from campaign.models.stage import Draft
from campaign.orders.dummies import DUMMIES
from campaign.orders.move import MOVE
from campaign.orders.refit import REFIT
from campaign.pages.drafts import EntryShown, WeekPage, week_page
from campaign.pages.map.starmap import past_weeks
from campaign.pages.week.desk_data import desk_data, moves_of
from campaign.pages.week.encounters import FACES, encounter
from campaign.rules.own_keys import page_id
from campaign.rules.plans import plans_now
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import FleetMoves
from campaign.rules.view import View
from campaign.selectors.envelopes import Document, envelope_of
from campaign.services.orders import WeekOrders
from campaign.services.plans import plans_of, plans_save
from campaign.web.drawn_map import drawn
from campaign.web.war import War, player_page, war_of
from engine.core.cache import Cache
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase

PROPOSED = phrase(
    "Nothing saved yet. The moves below go on with your plans; they count only once they are sealed."
)
LEAVE = "leave"  # an action: with a fleet's key, ships that cannot jump stay behind
OPEN = "open"  # another: its whole form is shown, where forms are folded
_drawn: Cache[tuple[str | None, ...], tuple[SafeString, dict[str, Any]]] = Cache(128)


class OrdersPage(WeekPage):
    """The orders of a week, and its battles' doctrines; other stages have pages of their own."""

    kinds = ("orders", "battles")

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        super().__init__(request, war, document)
        self._written = self._plans_written()

    def payload(self, posted: QueryDict) -> Payload:
        scenario, view = self.war.scenario, self.war.sight.view
        if self.war.kind == StageKind.BATTLES:
            return battles_payload(view, posted)
        posted = self._posted_whole
        verb, _, fleet = posted.get("action", "").partition(" ")
        more = {
            DUMMIES.key: dummies_payload(view, posted),
            REFIT.key: rearm_payload(scenario, view, posted),
        }
        more |= yards_payload(view, posted)
        payload = week_payload(view, posted) | {
            part: found for part, found in more.items() if found
        }
        if verb != LEAVE:
            return payload
        left = left_behind(scenario, view, payload, fleet)
        goals, _ = plans_read(scenario, posted)
        return gone_on(scenario, view, left, fleet, goals.get(fleet, ()))

    @cached_property
    def _posted_whole(self) -> QueryDict:
        """What was sent, with what the draft says of fleets whose form was not there."""
        posted = self.request.POST
        document = self.document
        if document is None or not folds(self.war.sight.view):
            return posted
        envelope = envelope_of(document)
        begun = envelope.draft is None
        payload = self.begun(document) if envelope.draft is None else envelope.draft.payload
        return completed(posted, self._fields(payload, self._plans(payload, begun=begun)))

    def _fields(self, payload: Payload, plans: Mapping[str, Any]) -> dict[str, FleetFields]:
        """The fields of a draft by fleet."""
        texts = {fleet: goals for fleet, (goals, _) in self._plans_kept(plans).items()}
        return draft_fields(self.war.scenario, self.war.sight.view, payload, texts)

    def here(self) -> HttpResponse:
        verb, _, fleet = self.request.POST.get("action", "").partition(" ")
        if self.war.kind != StageKind.ORDERS:
            return super().here()
        if verb != OPEN:
            fleet = self._asked()
        if not fleet:
            return super().here()
        there = reverse("orders", args=[self.war.id])
        return redirect(f"{there}?{urlencode({'fleet': fleet})}#{page_id('fleet', fleet)}")

    def _asked(self) -> str:
        """The fleet whose form the address asks for."""
        return self.request.GET.get("fleet", "")

    def fleet(self, key: str) -> HttpResponse:
        """Return the form of one fleet, for a script that opens it.

        Raises:
            Http404: Nothing can be ordered, or there is no such fleet.
        """
        view, document = self.war.sight.view, self.document
        if document is None or self.war.kind != StageKind.ORDERS:
            raise Http404(phrase("there is no such fleet"))
        entry = self._stored(document)
        if entry.sealed or not entry.open:
            raise Http404(phrase("there is nothing to order"))
        plans = self._plans_kept(self._plans(entry.payload, begun=not entry.saved))
        given = (self.war.scenario, view, entry.payload, entry.faults)
        place = fleet_form(*given, plans, key)
        if place is None:
            raise Http404(phrase("there is no such fleet"))
        return render(self.request, "campaign/orders_places.html", {"places": [place], **OFFERED})

    def begun(self, document: Document) -> Payload:
        """What is done where nothing is sealed; in the form also the moves by which plans of
        earlier weeks go on.
        """
        payload = document.default()
        if self.war.kind != StageKind.ORDERS:
            return payload
        moves = plans_now(self.war.scenario, self.war.sight.view, self._written).moves
        if not moves:
            return payload
        self.says = replace(self.says, unsaved=PROPOSED)
        kept = [move for move in items(payload, MOVE.key) if move.get("fleet") not in moves]
        return {
            **payload,
            MOVE.key: [*kept, *({"fleet": fleet, "to": to} for fleet, to in moves.items())],
        }

    def _plans_written(self) -> dict[str, tuple[tuple[str, ...], int]]:
        """Return the goals of each fleet that has a plan, and the week they were written in."""
        stage = self.war.stage
        return {} if stage is None else plans_of(stage=stage, faction=self.war.faction)

    def _draft(self, document: Document, payload: Payload) -> Draft:
        """Keep draft and plans together, or neither."""
        posted = self._posted_whole
        if not PLAN.rests(posted):
            return super()._draft(document, payload)
        goals, wrong = plans_read(self.war.scenario, posted)
        if wrong:
            raise RuleViolations(wrong)
        with transaction.atomic():
            draft = super()._draft(document, payload)
            plans_save(stage=document.stage, faction=document.faction, goals=goals)
        return draft

    def _plans(self, payload: Payload, *, begun: bool) -> dict[str, dict[str, Any]]:
        """The plans as data. `begun`: no draft is saved yet, and moves are proposed."""
        scenario, view, ends = self.war.scenario, self.war.sight.view, ends_of(payload)
        goals = plans_now(scenario, view, self._written, None if begun else ends).goals
        return plans_told(scenario, view, ends, goals)

    def told_beside(self, payload: Payload, faults: Faults) -> dict[str, Any]:
        if self.war.kind != StageKind.ORDERS:
            return {}
        self._written = self._plans_written()  # it was just saved
        plans = self._plans(payload, begun=False)
        return {"plans": plans, **self._lines(payload, faults, plans).told()}

    def _lines(self, payload: Payload, faults: Faults, plans: Mapping[str, Any]) -> WeekLines:
        """What these orders do, fleet by fleet."""
        stays = text(self.request.POST, "stays").split()
        return week_lines(self.war.scenario, self.war.sight.view, payload, faults, plans, stays)

    def drawn(self, entry: EntryShown) -> HttpResponse:
        scenario, view = self.war.scenario, self.war.sight.view
        context = self.context(entry)
        if entry.stage.kind == StageKind.ORDERS:
            ways = moves_of(self.war, entry)
            context["map"] = drawn(self.war, ways=ways, beside=True)
            context["past"] = [one.week for one in past_weeks(self.war)]
            plans = self._plans(entry.shown, begun=not (entry.saved or entry.sealed))
            lines = self._lines(entry.shown, Faults() if entry.sealed else entry.faults, plans)
            beside = {"plans": plans, **lines.told()}
            context["data"] = desk_data(self.war, entry, context["map"].chart) | beside
            context["example"] = _example(scenario, view)
            context["unmoved"] = lines.unordered()
            context["lines"] = lines
            context["folds"] = folds(view)
            if not entry.sealed:
                context["places"], form = self._places(entry, plans, lines)
                context["data"] |= {"form": form}
                context["opened"] = self._asked()
        elif not entry.sealed:
            context["fighting"] = fleets_fighting(scenario, view, entry.payload, entry.faults)
        return render(
            self.request, f"campaign/orders_{entry.stage.kind}.html", context, status=entry.status
        )

    def _plans_shown(self, told: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """The plans as they are written in the form, and in words: what was just sent, or what is
        kept.
        """
        posted = self.request.POST
        sent = {fleet: (PLAN.text(posted, fleet), "") for fleet in PLAN.rests(posted)}
        if sent and not folds(self.war.sight.view):
            return sent
        return self._plans_kept(told) | sent

    def _plans_kept(self, told: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """The plans that are kept, as their fields have them and in words."""
        scenario = self.war.scenario
        kept = {
            fleet: (" ".join(goals), "")
            for fleet, (goals, week) in self._written.items()
            if week == self.war.week
        }
        now = {
            fleet: (" ".join(plan["goals"]), plan_words(scenario, plan))
            for fleet, plan in told.items()
        }
        return kept | now

    def _places(
        self,
        entry: EntryShown,
        told: Mapping[str, Any],
        lines: WeekLines,
    ) -> tuple[SafeString, dict[str, Any]]:
        """The form of all fleets, hex by hex, and what scripts are told of it.

        Of a draft without faults it is kept: draft and view make all of it.
        """
        war = self.war
        view = war.sight.view
        sha256 = war.viewer.campaign.scenario.sha256
        plans = self._plans_shown(told)
        opened = self._asked()

        def draw() -> tuple[SafeString, dict[str, Any]]:
            given = war.scenario, view, entry.payload, entry.faults
            says = {line.key: (line.words, line.trouble) for line in lines.fleets}
            places = week_form(*given, plans, opened, says)
            forms = {
                "places": places,
                "dummies": dummies_form(*given),
                "yards": yards_form(war.scenario, view, entry.payload, entry.faults),
            }
            html = render_to_string("campaign/orders_places.html", {**forms, **OFFERED})
            return html, self._form_told(places, entry.payload, plans)

        if entry.faults:
            return draw()
        draft = json.dumps([entry.payload, plans, opened], sort_keys=True)
        return _drawn.made(
            (get_language(), war.id, sha256, war.faction.key, war.sight.etag, draft), draw
        )

    def _form_told(
        self,
        places: Sequence[Place],
        payload: Payload,
        plans: Mapping[str, tuple[str, str]],
    ) -> dict[str, Any]:
        """The fields that scripts write, and of fleets whose form is not on the page what it would
        hold.
        """
        scenario, view = self.war.scenario, self.war.sight.view
        blocks = [block for place in places for block in (*place.fleets, *place.slots)]
        folded = [block.key for block in blocks if block.folded]
        told: dict[str, Any] = {"fields": ORDERS_SCRIPT, "folds": folds(view), "fleets": {}}
        if not folded:
            return told
        crews = crews_told(scenario, view)
        goals = {fleet: written for fleet, (written, _) in plans.items()}
        fields = draft_fields(scenario, view, payload, goals)
        for key in folded:
            crew = {"crew": crews.get(key, [])}
            told["fleets"][key] = crew | fields.get(key, FleetFields()).told()
        return told


@player_page
def orders(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The orders of the open stage."""
    return week_page(request, viewer, OrdersPage)


def _example(scenario: Scenario, view: View) -> tuple[str, str]:
    """What could be typed: one of the player's fleets that can move, and a system elsewhere."""
    moves = FleetMoves(scenario, view)
    fleet = next((fleet for fleet in view.fleets if moves.may_move(fleet.key)), None)
    if fleet is None:
        return "", ""
    return fleet.name, next(
        (system.name for system in scenario.systems if system.hex != fleet.hex), fleet.hex
    )


@player_page
def orders_fleet(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The form of one fleet (`?fleet=`), for the desk's script."""
    war = war_of(viewer)
    document = None if war.stage is None else WeekOrders(war.stage, war.faction, war.sight.view)
    return OrdersPage(request, war, document).fleet(request.GET.get("fleet", ""))


urlpatterns = [
    path("c/<str:c>/orders/", orders, name="orders"),
    path("c/<str:c>/orders/fleet/", orders_fleet, name="orders-fleet"),
]


class DecisionsPage(WeekPage):
    """The decisions of a week."""

    kinds = ("decisions",)

    def payload(self, posted: QueryDict) -> Payload:
        return decisions_payload(self.war.sight.view, posted)

    def drawn(self, entry: EntryShown) -> HttpResponse:
        view, given = self.war.sight.view, decided(entry.payload)
        asked = [
            choosing(
                self.war.scenario,
                view,
                a.hex,
                a.toward,
                phrase("met this week"),
                a.fixed or "",
                given,
                entry.faults,
                a.default,
            )
            for a in view.asked
        ]
        context = self.context(entry) | {
            "asked": [encounter(self.war, row) for row in asked if not row.fixed],
            "fixed": [row for row in asked if row.fixed],
            "faces": FACES,
        }
        return render(self.request, "campaign/decisions.html", context, status=entry.status)


@player_page
def decisions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The decisions of the open stage."""
    return week_page(request, viewer, DecisionsPage)


urlpatterns += [path("c/<str:c>/decisions/", decisions, name="decisions")]
