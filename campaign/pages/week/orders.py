"""The forms of a week's orders, of doctrines for its battles, and of decisions about encounters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeGuard
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
from campaign.forms.week.conditional_orders import offered
from campaign.forms.week.draft_fields import FleetFields, complete_form, draft_fields
from campaign.forms.week.dummy_form import dummies_form, dummies_payload
from campaign.forms.week.fleet_lines import WeekLines, week_lines
from campaign.forms.week.order_form import (
    fleet_form,
    fleets_fighting,
    is_form_folded,
    ship_lists_data,
    week_form,
)
from campaign.forms.week.order_parts import Place, decisions_by_contact, encounter_choice, items
from campaign.forms.week.plan_fields import ends_of, parse_plans, plan_data, plan_words
from campaign.forms.week.rearming import rearm_payload
from campaign.forms.week.set_up_form import battle_plans, online_set_ups
from campaign.forms.week.stuck_ships import continue_plan, detach_stuck_ships
from campaign.forms.week.week_fields import ORDERS_SCRIPT, PLAN
from campaign.forms.week.week_payload import battles_payload, decisions_payload, week_payload
from campaign.forms.week.yards import yards_form, yards_payload
from campaign.kinds import StageKind
from campaign.models.stage import Draft
from campaign.orders.dummies import DUMMIES
from campaign.orders.move import MOVE
from campaign.orders.refit import REFIT
from campaign.orders.set_up import SET_UP
from campaign.orders.take_command import TAKE_COMMAND
from campaign.pages.entry_page import EntryState, WeekPage, week_page
from campaign.pages.map.starmap import past_weeks
from campaign.pages.week.encounters import (
    DIE_FACES,
    CommandChoice,
    command_choice,
    encounter,
)
from campaign.pages.week.orders_data import moves_of, orders_data
from campaign.rules.own_keys import page_id
from campaign.rules.plans import current_plans
from campaign.rules.scenario import Scenario
from campaign.rules.starmap import FleetMoves
from campaign.rules.view import View
from campaign.selectors.envelopes import Document, envelope_of
from campaign.services.orders import WeekOrders
from campaign.services.phases import fights_of
from campaign.services.plans import plans_of, plans_save
from campaign.services.shown_odds import shown_odds_keep
from campaign.web.map_views import map_view_of
from campaign.web.war import War, player_page, war_of
from campaign.words.design_faults import with_names
from engine.core.cache import Cache
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

PROPOSED = phrase(
    "Nothing saved yet. The moves shown follow your plans; they count only once you seal them."
)
LEAVE = "leave"  # an action: with a fleet's key, ships that cannot jump stay behind
OPEN = "open"  # an action: show a fleet's whole form, if forms are folded
_form_html: Cache[tuple[str | None, ...], tuple[SafeString, dict[str, Any]]] = Cache(128)


class OrdersPage(WeekPage):
    """The page of a week's orders, and of the doctrines for its battles."""

    kinds = ("orders", "battles")

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        super().__init__(request, war, document)
        self._stored_plans = self._plans_written()

    def payload(self, post: QueryDict) -> Payload:
        scenario, view = self.war.scenario, self.war.sight.view
        if self.war.kind == StageKind.BATTLES:
            return battles_payload(view, post)
        post = self._complete_post
        payload = week_payload(view, post)
        optional_parts = {
            DUMMIES.key: dummies_payload(view, post),
            REFIT.key: rearm_payload(scenario, view, post),
            **yards_payload(view, post),
        }
        for part, part_items in optional_parts.items():
            if part_items:
                payload[part] = part_items
        action, _, fleet = post.get("action", "").partition(" ")
        if action != LEAVE:
            return payload
        payload_without_fleet = detach_stuck_ships(scenario, view, payload, fleet)
        goals_by_fleet, _ = parse_plans(scenario, post)
        goals = goals_by_fleet.get(fleet, ())
        return continue_plan(scenario, view, payload_without_fleet, fleet=fleet, goals=goals)

    @cached_property
    def _complete_post(self) -> QueryDict:
        """The submitted form, completed from the draft for fleets whose form was folded."""
        post = self.request.POST
        document = self.document
        if document is None or not is_form_folded(self.war.sight.view):
            return post
        draft = envelope_of(document).draft
        payload = self.initial_payload(document) if draft is None else draft.payload
        plans = self._plans(payload, is_unsaved=draft is None)
        return complete_form(post, self._fields(payload, plans))

    def _fields(self, payload: Payload, plans: Mapping[str, Any]) -> dict[str, FleetFields]:
        """Return the fields of a draft by fleet."""
        goal_texts = {fleet: goals for fleet, (goals, _) in self._plan_texts(plans).items()}
        return draft_fields(self.war.scenario, self.war.sight.view, payload, goal_texts)

    def redirect_here(self) -> HttpResponse:
        """Redirect to this page, with the same fleet's form open as before or as asked."""
        action, _, fleet = self.request.POST.get("action", "").partition(" ")
        if action != OPEN:
            fleet = self._requested_fleet()
        if self.war.kind != StageKind.ORDERS or not fleet:
            return super().redirect_here()
        address = reverse("orders", args=[self.war.id])
        return redirect(f"{address}?{urlencode({'fleet': fleet})}#{page_id('fleet', fleet)}")

    def _requested_fleet(self) -> str:
        """Return the fleet whose form the address asks for."""
        return self.request.GET.get("fleet", "")

    def render_fleet(self, key: str) -> HttpResponse:
        """Return the form of one fleet, for a script that opens it.

        Raises:
            Http404: If nothing can be ordered, or there is no such fleet.
        """
        view, document = self.war.sight.view, self.document
        if document is None or self.war.kind != StageKind.ORDERS:
            raise Http404(phrase("there is no such fleet"))
        entry = self._stored_entry(document)
        if entry.sealed or not entry.is_open:
            raise Http404(phrase("there is nothing to order"))
        plans = self._plans(entry.payload, is_unsaved=not entry.is_saved)
        place = fleet_form(
            self.war.scenario,
            view,
            entry.payload,
            entry.faults,
            plans=self._plan_texts(plans),
            opened=key,
        )
        if place is None:
            raise Http404(phrase("there is no such fleet"))
        context = {"places": [place], **offered(has_set_up=self.war.has_set_up)}
        return render(self.request, "campaign/orders_places.html", context)

    def initial_payload(self, document: Document) -> Payload:
        """Return the default orders, with the moves that continue plans of earlier weeks."""
        payload = document.default()
        if self.war.kind != StageKind.ORDERS:
            return payload
        moves = current_plans(self.war.scenario, self.war.sight.view, self._stored_plans).moves
        if not moves:
            return payload
        self.texts = replace(self.texts, unsaved=PROPOSED)
        all_moves = [move for move in items(payload, MOVE.key) if move.get("fleet") not in moves]
        for fleet, destination in moves.items():
            all_moves.append({"fleet": fleet, "to": destination})
        return {**payload, MOVE.key: all_moves}

    def _plans_written(self) -> dict[str, tuple[tuple[str, ...], int]]:
        """Return the goals of each fleet that has a plan, and the week they were written in."""
        stage = self.war.stage
        if stage is None:
            return {}
        return plans_of(stage=stage, faction=self.war.faction)

    def _save_draft(self, document: Document, payload: Payload) -> Draft:
        """Save draft and plans together, or neither."""
        post = self._complete_post
        if not PLAN.name_suffixes(post):
            return super()._save_draft(document, payload)
        goals, violations = parse_plans(self.war.scenario, post)
        if violations:
            raise RuleViolations(violations)
        with transaction.atomic():
            draft = super()._save_draft(document, payload)
            plans_save(stage=document.stage, faction=document.faction, goals=goals)
        return draft

    def _plans(self, payload: Payload, *, is_unsaved: bool) -> dict[str, dict[str, Any]]:
        """Return the plans as data.

        Args:
            is_unsaved: Whether no draft exists yet, so that moves are proposed.
        """
        scenario = self.war.scenario
        view = self.war.sight.view
        destinations = ends_of(payload)
        ordered_destinations = None if is_unsaved else destinations
        plans = current_plans(scenario, view, self._stored_plans, ordered_destinations)
        return plan_data(scenario, view, destinations, plans.goals)

    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        names = {ship.key: ship.name for ship in self.war.sight.view.ships}
        faults_with_names = []
        for fault in violations:
            if fault.where.startswith(SET_UP.key):
                fault = replace(fault, message=with_names(fault.message, names))
            faults_with_names.append(fault)
        return super().place_faults(payload, faults_with_names)

    def script_extras(self, payload: Payload, faults: Faults) -> dict[str, Any]:
        if self.war.kind != StageKind.ORDERS:
            return {}
        self._stored_plans = self._plans_written()  # just saved
        plans = self._plans(payload, is_unsaved=False)
        return {"plans": plans, **self._lines(payload, faults, plans).for_script()}

    def _lines(self, payload: Payload, faults: Faults, plans: Mapping[str, Any]) -> WeekLines:
        """Return what these orders do, fleet by fleet."""
        return week_lines(
            self.war.scenario,
            self.war.sight.view,
            payload,
            faults,
            plans=plans,
            stays=text(self.request.POST, "stays").split(),
        )

    def render_entry(self, entry: EntryState) -> HttpResponse:
        scenario, view = self.war.scenario, self.war.sight.view
        context = self.context(entry)
        if entry.stage.kind == StageKind.ORDERS:
            context |= self._orders_context(entry)
        elif not entry.sealed:
            context["fighting"] = fleets_fighting(scenario, view, entry.payload, entry.faults)
            online_hexes = self._online_hexes()
            context["battle_plans"] = battle_plans(
                scenario, view, entry.payload, entry.faults, online_hexes
            )
            context["online_set_ups"] = online_set_ups(view, entry.payload, online_hexes)
        return render(
            self.request, f"campaign/orders_{entry.stage.kind}.html", context, status=entry.status
        )

    def _online_hexes(self) -> set[str]:
        """Return the hexes where the faction fights online this week."""
        fights = fights_of(self.war.viewer.campaign, self.war.faction)
        return {fight.last.hex for fight in fights if fight.last.week == self.war.week}

    def _orders_context(self, entry: EntryState) -> dict[str, Any]:
        """Return the map, the fleets' orders in words, and the form unless orders are sealed."""
        scenario, view = self.war.scenario, self.war.sight.view
        faults = Faults() if entry.sealed else entry.faults
        is_unsaved = not entry.is_saved and not entry.sealed
        plans = self._plans(entry.shown_payload, is_unsaved=is_unsaved)
        lines = self._lines(entry.shown_payload, faults, plans)
        map_view = map_view_of(self.war, ways=moves_of(self.war, entry), is_second_map=True)
        data = orders_data(self.war, entry, map_view.chart)
        data |= {"plans": plans, **lines.for_script()}
        context = {
            "map": map_view,
            "past_weeks": [moment.week for moment in past_weeks(self.war)],
            "data": data,
            "example": _example(scenario, view),
            "fleets_without_orders": lines.unordered(),
            "lines": lines,
            "is_folded": is_form_folded(view),
        }
        if not entry.sealed:
            context["form"], data["form"] = self._form(entry, plans, lines)
            context["opened"] = self._requested_fleet()
        return context

    def _plan_texts_in_form(self, plans: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Return the plans as form text and in words: the submitted ones, else the stored ones."""
        post = self.request.POST
        posted_plans = {fleet: (PLAN.text(post, fleet), "") for fleet in PLAN.name_suffixes(post)}
        if posted_plans and not is_form_folded(self.war.sight.view):
            return posted_plans
        return self._plan_texts(plans) | posted_plans

    def _plan_texts(self, plans: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """Return the stored plans as form text and in words."""
        scenario = self.war.scenario
        written_plans = {}
        for fleet, (goals, week) in self._stored_plans.items():
            if week == self.war.week:
                written_plans[fleet] = (" ".join(goals), "")
        present_plans = {}
        for fleet, plan in plans.items():
            present_plans[fleet] = (" ".join(plan["goals"]), plan_words(scenario, plan))
        return written_plans | present_plans

    def _form(
        self,
        entry: EntryState,
        plans: Mapping[str, Any],
        lines: WeekLines,
    ) -> tuple[SafeString, dict[str, Any]]:
        """Return the form of all fleets by hex, and the form data for scripts.

        The result for a draft without faults is cached, since it depends only on draft and view.
        """
        war = self.war
        plan_texts = self._plan_texts_in_form(plans)
        opened = self._requested_fleet()

        def draw() -> tuple[SafeString, dict[str, Any]]:
            form_inputs = war.scenario, war.sight.view, entry.payload, entry.faults
            line_by_fleet = {line.key: (line.words, line.problem) for line in lines.fleets}
            places = week_form(*form_inputs, plan_texts, opened, line_by_fleet)
            forms = {
                "places": places,
                "dummies": dummies_form(*form_inputs),
                "yards": yards_form(*form_inputs),
            }
            context = {**forms, **offered(has_set_up=war.has_set_up)}
            html = render_to_string("campaign/orders_places.html", context)
            return html, self._form_data(places, entry.payload, plan_texts)

        if entry.faults:
            return draw()
        cache_key = (
            get_language(),
            war.id,
            war.viewer.campaign.scenario.sha256,
            war.faction.key,
            war.sight.etag,
            json.dumps([entry.payload, plan_texts, opened], sort_keys=True),
        )
        return _form_html.get_or_make(cache_key, draw)

    def _form_data(
        self,
        places: Sequence[Place],
        payload: Payload,
        plans: Mapping[str, tuple[str, str]],
    ) -> dict[str, Any]:
        """Return the field names for scripts, and the field values of folded fleets."""
        scenario, view = self.war.scenario, self.war.sight.view
        folded_fleets = []
        for place in places:
            for block in (*place.fleets, *place.slots):
                if block.is_folded:
                    folded_fleets.append(block.key)
        form_data: dict[str, Any] = {
            "fields": ORDERS_SCRIPT,
            "folds": is_form_folded(view),
            "fleets": {},
        }
        if not folded_fleets:
            return form_data
        ships_of = ship_lists_data(scenario, view)
        goal_texts = {fleet: goals for fleet, (goals, _) in plans.items()}
        fields = draft_fields(scenario, view, payload, goal_texts)
        for key in folded_fleets:
            ships_field = {"crew": ships_of.get(key, [])}
            form_data["fleets"][key] = ships_field | fields.get(key, FleetFields()).for_script()
        return form_data


@player_page
def orders(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the orders of the open stage."""
    return week_page(request, viewer, OrdersPage)


def _example(scenario: Scenario, view: View) -> tuple[str, str]:
    """Return an example to type: one of the player's fleets that can move, and another system."""
    moves = FleetMoves(scenario, view)
    fleet = next((fleet for fleet in view.fleets if moves.may_move(fleet.key)), None)
    if fleet is None:
        return "", ""
    other_systems = [system.name for system in scenario.systems if system.hex != fleet.hex]
    return fleet.name, other_systems[0] if other_systems else fleet.hex


@player_page
def orders_fleet(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the form of one fleet (`?fleet=`) for the orders page's script."""
    war = war_of(viewer)
    document = None if war.stage is None else WeekOrders(war.stage, war.faction, war.sight.view)
    return OrdersPage(request, war, document).render_fleet(request.GET.get("fleet", ""))


urlpatterns = [
    path("c/<str:c>/orders/", orders, name="orders"),
    path("c/<str:c>/orders/fleet/", orders_fleet, name="orders-fleet"),
]


class DecisionsPage(WeekPage):
    """The page of a week's decisions: fight, stand off or withdraw in each encounter."""

    kinds = ("decisions",)

    def payload(self, post: QueryDict) -> Payload:
        return decisions_payload(self.war.sight.view, post)

    def initial_payload(self, document: Document) -> Payload:
        """Return the default decisions, with the same commander as in the meetings before."""
        payload = document.default()
        hexes = {decision.hex for decision in self.war.sight.view.open_decisions}
        if not hexes or not _offers_command(document):
            return payload
        by = document.last_command()
        commands = [{"hex": label, "by": by} for label in sorted(hexes)]
        return {**payload, TAKE_COMMAND.key: commands}

    def after_seal(self) -> None:
        """Store the odds that the player was shown."""
        stage = self.war.stage
        if stage is not None and self.war.sight.view.open_decisions:
            user: Any = self.request.user
            shown_odds_keep(
                user=user,
                campaign=self.war.viewer.campaign,
                faction=self.war.faction,
                stage=stage,
                sight=self.war.sight,
            )

    def _commands(self, entry: EntryState) -> dict[str, CommandChoice]:
        """Return who commands if there is a battle, by hex; empty if players do not choose."""
        if self.document is None or not _offers_command(self.document):
            return {}
        drafted = {str(item.get("hex")): item for item in items(entry.payload, TAKE_COMMAND.key)}
        choices = {}
        for decision in self.war.sight.view.open_decisions:
            choices[decision.hex] = command_choice(
                self.war.scenario, decision.hex, drafted.get(decision.hex, {}), entry.faults
            )
        return choices

    def render_entry(self, entry: EntryState) -> HttpResponse:
        view = self.war.sight.view
        decisions = decisions_by_contact(entry.payload)
        commands = self._commands(entry)
        choice_rows = []
        for decision in view.open_decisions:
            choice_row = encounter_choice(
                self.war.scenario,
                view,
                label=decision.hex,
                toward=decision.toward,
                state=phrase("met this week"),
                fixed=decision.fixed or "",
                decisions=decisions,
                faults=entry.faults,
                default=decision.default,
            )
            choice_rows.append(choice_row)
        pending = [row for row in choice_rows if not row.fixed]
        docked = commands.pop(pending[0].hex, None) if len(pending) == 1 else None
        encounters = []
        for row in pending:
            encounters.append(encounter(self.war, row, commands.pop(row.hex, None)))
        context = self.context(entry) | {
            "encounters": encounters,
            "fixed_choices": [row for row in choice_rows if row.fixed],
            "fixed_commands": list(commands.values()),
            "docked_command": docked,
            "faces": DIE_FACES,
        }
        return render(self.request, "campaign/decisions.html", context, status=entry.status)


def _offers_command(document: Document) -> TypeGuard[WeekOrders]:
    """Return whether the faction chooses who commands its battles in this document."""
    return isinstance(document, WeekOrders) and document.offers_command


@player_page
def decisions(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the decisions of the open stage."""
    return week_page(request, viewer, DecisionsPage)


urlpatterns += [path("c/<str:c>/decisions/", decisions, name="decisions")]
