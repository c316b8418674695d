"""The page of an online battle: the table, the log and the orders of the present phase."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from http import HTTPStatus
from itertools import pairwise
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import path, reverse
from typing_extensions import override

from campaign.access import Viewer
from campaign.drawings.table_picture import table_picture
from campaign.errors import NoViewer
from campaign.forms.battle.auto_defence_form import auto_defence_payload, auto_defence_tick
from campaign.forms.battle.craft_data import craft_data, ids_of_groups
from campaign.forms.battle.fight_form import FormSight, OrderRow, anchor
from campaign.forms.battle.fire_data import FIRE_FIELDS, fires_data, pack_fires, targets_data
from campaign.forms.battle.initiative_form import order_of_others_payload, order_of_others_picks
from campaign.forms.battle.launch_data import launch_data
from campaign.forms.battle.phase_forms import firing_ship_field, form_of
from campaign.forms.battle.plot_data import PLOT_FIELDS, plots_data
from campaign.forms.battle.plot_form import panel_row, plot_from_form
from campaign.forms.battle.set_up_form import FORMATION
from campaign.forms.battle.task_data import tasks_data
from campaign.forms.faults import Faults, faults_about
from campaign.forms.field import Payload, Select
from campaign.forms.set_up_choices import ZONE_RULE
from campaign.kinds import FactionBattleState
from campaign.pages.battle.battle_replay import is_reported
from campaign.pages.battle.fight_rows import ListRow, contact_row, list_row, texts_of
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.pages.battle.set_up_page import (
    formation_field,
    is_by_ship,
    set_up_data,
    set_up_task,
    with_places,
)
from campaign.pages.entry_page import EntryPage, EntryState, PageTexts
from campaign.pages.table.table_data import Colours, table_data
from campaign.rules.queries import class_name, ship_classes
from campaign.rules.skirmish import is_skirmish
from campaign.selectors.envelopes import Document
from campaign.services.phases import (
    Fight,
    PhaseOrders,
    captain_set,
    fight_of,
    newest_sheet,
    set_up_in_formation,
)
from campaign.services.preferences import guide_mark_done
from campaign.sight.reports import phase_outlines, read_phases
from campaign.store.battle_documents import PhaseSheet
from campaign.web.battle_ends import end_words, fates
from campaign.web.battle_film import film_since
from campaign.web.common import data_for_script
from campaign.web.guide import GuidePage, first_battle_guide
from campaign.web.seat_marks import power_names, seats
from campaign.web.ship_drawings import with_hulls
from campaign.web.turn_drawings import turn_drawing
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.bodies import body_names
from campaign.words.battle.log import SideNames, names_of
from campaign.words.common import battle_words, side_words
from campaign.words.design_faults import with_names, without_subject
from campaign.words.plot_text import with_bay_ids
from engine.battle import battle_from
from engine.captains.common.doctrine import FORMATIONS as CAPTAIN_FORMATIONS
from engine.core.errors import Violation
from engine.core.kinds import ShipStatus
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import ENGAGE, OVER, PLOT, SET_UP, BattleState
from engine.core.terms import MOVING_TABLE
from engine.english import system_words
from engine.events.movement import LeftTable
from engine.order_requests.engage import PURSUE
from engine.order_requests.order_of_others import LETS
from engine.pieces.registry import kinds
from engine.sequences import wording
from engine.view.event_reader import read_events_of

# By phase
SCRIPTS = {
    SET_UP: "js/battle_set_up.js",
    PLOT: "js/battle_plot.js",
    ENGAGE: "js/battle_fire.js",
}
SCRIPT_OF_OTHER_PHASES = "js/battle_tasks.js"
SCRIPT_WITHOUT_ORDERS = "js/battle_view.js"
# The tasks of a fire phase ship by ship.
CHOOSE_SHIP = phrase("Choose the next ship to fire, and its targets")
CHOOSE_FOR_FIGHTERS = phrase("Choose the targets of your fighters")
LAYOUTS = {SET_UP: "", PLOT: "", ENGAGE: "fire"}
LAYOUT_OF_OTHER_PHASES = "fire tasks"
MAX_SHIPS_WITH_ALL_FIELDS = 6  # ships for which a page has all order fields at once
MAX_SHIPS_WITH_USUAL_FIELDS = 16  # with more ships, their fields load ship by ship

TEXTS = PageTexts(
    sealed=phrase("Sealed. The orders are carried out when everybody has sealed."),
    unsealed=phrase("Unsealed: your orders are a draft again."),
    other_sealed=phrase(
        "Other orders are already sealed. Unseal them first; yours are kept as the draft."
    ),
    unseal_until=phrase("You can unseal until everybody has sealed."),
    unsaved=phrase("Your captain's orders. They are used if the phase closes before you seal."),
)

# The action of the form that leaves the rest of the battle to the captain
CAPTAIN_FINISHES = "captain"
# What the page says after such an action
CAPTAIN_ACTIONS = {
    CAPTAIN_FINISHES: phrase("Your captain finishes the battle. You can take over in any phase."),
    "take-over": phrase("You are in command again. Your orders are a draft: seal them."),
}
FILM_HEADER = "X-Film"


@player_page
def battle_now(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """Show the battle in progress; save, seal or unseal the orders of its present phase."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    own_fight = fight_of(viewer.campaign, war.faction, str(fight))
    page = FightPage(request, war, own_fight)
    shown_state_key = request.GET.get("at")
    if shown_state_key is not None:  # the script of the page asks this address while it waits
        if shown_state_key == _state_key(own_fight):
            return HttpResponse(status=204)
        return page.film(shown_state_key)
    if own_fight.state == OVER and is_reported(war, own_fight):
        return redirect("battle-result", c=war.id, battle=own_fight.id)
    panel = request.GET.get("panel")
    if panel is None:
        return page.response()
    return page.panel(panel)


class FightPage(EntryPage):
    """The page of an online battle and of the orders for its present phase.

    Its script (`static/js/film/live.js`) sends the form and plays what follows. It asks for JSON
    with the header `FILM_HEADER`, whose value is the state that it shows.
    """

    texts = TEXTS
    announces_drafts = False  # a notice would cover the table, and the state is beside the buttons

    def __init__(self, request: HttpRequest, war: War, fight: Fight) -> None:
        if fight.stage is not None and fight.state != OVER:
            document = PhaseOrders(fight, war.faction)
        else:
            document = None
        super().__init__(request, war, document)
        self.fight = fight

    @cached_property
    def sheet(self) -> PhaseSheet:
        """The sheet that the faction received in the present phase."""
        return newest_sheet(self.war.viewer.campaign, self.war.faction, self.fight)

    @cached_property
    def names(self) -> SideNames:
        """The names of everything on the table."""
        return table_names(self.war, self.fight, self._phase_outlines)

    @cached_property
    def _phase_outlines(self) -> list[dict[str, Any]]:
        """The outline of each phase of the battle so far."""
        return phase_outlines(self.war.viewer.campaign, self.war.faction, self.fight.id)

    @property
    def _has_foe_left(self) -> bool:
        """Whether a hostile ship has left a moving table, so that it can be pursued."""
        if MOVING_TABLE not in self._form_sight.state.terms.options:
            return False
        own_ships = self.sheet["view"]["own"]
        for phase in self._phase_outlines:
            for departure in read_events_of(phase["log"], LeftTable):
                if departure.ship not in own_ships:
                    return True
        return False

    @property
    @override
    def battle_id(self) -> str:
        return self.fight.id

    def redirect_here(self) -> HttpResponse:
        address = reverse("battle-now", kwargs={"c": self.war.id, "fight": self.fight.id})
        ship = self._requested_ship
        if ship:
            address += f"?{urlencode({'more': ship})}#{anchor(ship)}"
        return redirect(address)

    @property
    def _requested_ship(self) -> str:
        """The side's own ship whose rarely used orders the address asks for, or ""."""
        ship = self.request.GET.get("more", "")
        return ship if ship in self.sheet["mine"] else ""

    @override
    def response(self) -> HttpResponse:
        """Return the page, or for its script what followed from sealing the form."""
        shown_state_key = self.request.headers.get(FILM_HEADER)
        response = super().response()
        if shown_state_key is None or response.status_code != HTTPStatus.FOUND:
            return response
        return self.film(shown_state_key)

    def film(self, shown_state_key: str) -> HttpResponse:
        """Return what happened since the state that the page shows.

        Returns:
            JSON with `film` (`campaign.web.battle_film`), None if no phase has ended since then,
            and `said`, what the next page would say at its top.
        """
        number, _, _ = shown_state_key.partition("-")
        fight = fight_of(self.war.viewer.campaign, self.war.faction, self.fight.id)
        film = None
        if number.isdecimal() and int(number) < fight.last.number:
            film = film_since(self.war, fight, table_names(self.war, fight), int(number))
        said = [str(message) for message in messages.get_messages(self.request)]
        return data_for_script({"film": film, "said": said})

    def panel(self, key: str) -> HttpResponse:
        """Return the rarely used plot fields of one ship as a page fragment.

        The query has the ship's order text and the values of its other fields.
        """
        ship = self._ships_by_id.get(key)
        document = self.document
        plots_now = document is not None and self.sheet["kind"] == PLOT
        if document is None or ship is None or not plots_now or key not in self.sheet["mine"]:
            raise Http404(phrase("you cannot give orders to that ship"))
        order_text = plot_from_form(self._form_sight, ship, self.request.GET)
        violations = document.faults({PLOT: {key: order_text}} if order_text else {})
        faults = tuple(fault.message for fault in self._faults_with_names(violations))
        row = panel_row(self._form_sight, ship, order_text, faults)
        context = {"row": row, "order": order_text, "in_panel": True}
        return render(self.request, "campaign/_fight_more_controls.html", context)

    @override
    def other_action(self, document: Document, action: str) -> HttpResponse | None:
        """Leave the rest of the battle to the captain, or take over again."""
        if action not in CAPTAIN_ACTIONS or not isinstance(document, PhaseOrders):
            return None
        user = cast(AbstractBaseUser, self.request.user)
        captain_set(document=document, finishes=action == CAPTAIN_FINISHES, author=user)
        messages.success(self.request, CAPTAIN_ACTIONS[action])
        return self.redirect_here()

    def payload(self, form: QueryDict) -> Payload:
        formation = FORMATION.text(form)
        if self.sheet["kind"] == SET_UP and formation in CAPTAIN_FORMATIONS:
            return set_up_in_formation(self.sheet, formation)
        return _payload(self.sheet, self.names, form)

    @override
    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        names = self._names_by_id

        def name_of(key: str) -> str:
            return names.get(key) or self.names.of(key)

        return faults_about(self._faults_with_names(violations), self._subject, name_of, anchor)

    def _faults_with_names(self, violations: Sequence[Violation]) -> list[Violation]:
        """Return faults with names of ships, groups and systems in place of their ids."""
        names = self._names_by_id
        result: list[Violation] = []
        for fault in violations:
            message = without_subject(fault.message, self._subject(fault.where))
            result.append(replace(fault, message=with_names(message, names)))
        return result

    @property
    def _names_by_id(self) -> dict[str, str]:
        """Names of everything a fault can mention, by id."""
        ships = self._ships_by_id
        names: dict[str, str] = {}
        for ship in ships.values():
            for system in ship.sheet.fits:
                names[system.id] = system_words(system.id)
        piece_ids = [piece.id for piece in self._form_sight.state.pieces]
        for id_ in (*ships, *piece_ids, *self.sheet["mine"]):
            if id_:
                names[id_] = self.names.of(id_)
        return names | _body_names(self._form_sight.state)

    def _subject(self, where: str) -> str:
        """Return the ship or group that a fault is about, or "".

        Args:
            where: The fault's path in the document, such as "plot.red/s1" or "engage.red/s1[0]".
        """
        rest = f"{where.partition('.')[2]}."
        for key in self.sheet["mine"]:
            if rest.startswith((f"{key}.", f"{key}[")):
                return str(key)
        return ""

    def render_entry(self, entry: EntryState) -> HttpResponse:
        kind = self.sheet["kind"]
        advice = self.sheet["advice"]
        rows: Sequence[OrderRow] = ()
        if not entry.sealed:
            faults = self._fault_texts_by_subject(entry.violations)
            rows = form_of(kind).rows(self._form_sight, entry.payload, faults)
        auto_defence = auto_defence_tick(self._form_sight, entry.payload)
        may_pursue = kind == ENGAGE and self._has_foe_left
        has_form = bool(entry.sealed or rows or auto_defence or may_pursue)
        differs_from_advice = self._comparable_orders(entry.payload) != self._comparable_orders(
            advice
        )
        context = {
            "entry": entry,
            "rows": self._list_rows(rows, entry.payload),
            "has_nothing_to_order": not has_form,
            "differs_from_advice": differs_from_advice,
            "pursue": entry.payload.get(PURSUE) is True,
            "may_pursue": may_pursue,
            "auto_defence": auto_defence,
            "order_of_others": self._order_of_others(entry.payload),
            "layout": LAYOUTS.get(kind, LAYOUT_OF_OTHER_PHASES),
        }
        if rows and kind == ENGAGE:
            context["firing_ship"] = firing_ship_field(self._form_sight, rows, entry.payload)
        script_values: dict[str, Any] = {}
        if rows and kind == SET_UP:
            context["formation"] = formation_field()
            script_values = set_up_data(self.sheet, self._form_sight, self.colours)
        elif rows:
            script_values = script_data(kind, self._form_sight, entry.payload, advice)
        return self._page(context, entry.status, script_values, entry.shown_payload)

    def _order_of_others(self, payload: Mapping[str, Any]) -> tuple[Select, ...]:
        """Return the fields for the order of the other sides, if the phase asks for it."""
        sight = self._form_sight
        names = {side: self.names.side(side) for side in sight.state.sides}
        return order_of_others_picks(sight, payload, names)

    def _fault_texts_by_subject(
        self, violations: Sequence[Violation]
    ) -> dict[str, tuple[str, ...]]:
        """Return the texts of faults by the ship or group they are about."""
        texts: dict[str, tuple[str, ...]] = {}
        for fault in self._faults_with_names(violations):
            subject = self._subject(fault.where)
            texts[subject] = (*texts.get(subject, ()), fault.message)
        return texts

    def _comparable_orders(self, payload: Mapping[str, Any]) -> list[object]:
        """Return a document's orders as the form reads them.

        Different wordings of the same orders compare equal.
        """
        orders: list[object] = [bool(payload.get(PURSUE)), payload.get(LETS)]
        ships = self._ships_by_id
        for row in form_of(self.sheet["kind"]).rows(self._form_sight, payload, {}):
            text = "" if row.raw is None else row.raw.value
            ship = ships.get(row.key)
            if ship is not None:
                text = with_bay_ids(ship, text)
            orders.append((row.picks, row.ticks, row.inputs, text))
        return orders

    @cached_property
    def _form_sight(self) -> FormSight:
        """The battle as the forms need it, with fewer fields open if the side has many ships."""
        form_sight = _form_sight(self.sheet, self.names)
        ship_count = len(form_sight.ships)
        if ship_count <= MAX_SHIPS_WITH_ALL_FIELDS:
            return form_sight
        opened_ids = frozenset({self._requested_ship} - {""})
        return replace(
            form_sight,
            opened_ids=opened_ids,
            shows_lists=ship_count <= MAX_SHIPS_WITH_USUAL_FIELDS,
        )

    @property
    def _ships_by_id(self) -> dict[str, ShipState]:
        """The battle's ships as the side knows them, by id; empty if it gives no orders now."""
        if "battle_document" in self.sheet:
            return {ship.id: ship for ship in self._form_sight.state.ships}
        return {}

    def guide(self) -> GuidePage | None:
        """Return the guide of the phase, if this is the first battle that the reader fights."""
        return first_battle_guide(self.request, self.war.viewer, self.sheet["kind"], self.document)

    @override
    def after_seal(self) -> None:
        """Mark the steps of the guide on this page as done."""
        guide = self.guide()
        if guide is not None:
            user = cast(AbstractBaseUser, self.request.user)
            guide_mark_done(user=user, steps=[step.id for step in guide.steps])

    @property
    def _system_types(self) -> list[str]:
        """The types of the systems of all ships on the table, as far as the side knows them."""
        return sorted({fit.type for ship in self._ships_by_id.values() for fit in ship.sheet.fits})

    def _list_rows(self, rows: Sequence[OrderRow], payload: Mapping[str, Any]) -> list[ListRow]:
        """Add to each row of the form what the list of ships shows beside it."""
        order_texts = texts_of(self.sheet["kind"], payload)
        captain_texts = texts_of(self.sheet["kind"], self.sheet["advice"])
        ships = self._ships_by_id
        result: list[ListRow] = []
        for row in rows:
            ship = ships.get(row.key)
            list_entry = list_row(
                row,
                ship,
                seat=self._seat_of(ship),
                side=self.sheet["at"],
                order_texts=order_texts,
                captain_texts=captain_texts,
                is_requested=row.key == self._requested_ship,
                is_listed=self.sheet["kind"] == SET_UP,
            )
            result.append(list_entry)
        return result

    def _seat_of(self, ship: ShipState | None) -> int:
        """Return the seat number of a ship's commander; groups of craft (None) are the reader's."""
        if ship is None or ship.commander == self.sheet["at"]:
            return self.seat
        return self.colours.of(ship.commander)

    @property
    def colours(self) -> Colours:
        """The seat colours of the things on the table."""
        return Colours(seats(self.war.scenario), tuple(self.sheet["sides"]), self.war.faction.key)

    @property
    def seat(self) -> int:
        """The reader's seat number."""
        return self.colours.seats.get(self.war.faction.key, 0)

    def render_idle(self) -> HttpResponse:
        context: Mapping[str, Any] = {}
        if self.fight.state == OVER:
            context = _result_context(self.war, self.fight, self.names, self.colours)
        return self._page(context, status=200, script_values={}, orders={})

    def _page(
        self,
        extra_context: Mapping[str, Any],
        status: int,
        script_values: Mapping[str, Any],
        orders: Mapping[str, Any],
    ) -> HttpResponse:
        """Render the table and the log since the last phase, with what the reader can do now.

        Args:
            script_values: Data for the script of the phase's form; empty without a form.
            orders: The sealed orders or the draft; the table shows the places of a set-up.
        """
        war, fight, sheet = self.war, self.fight, self.sheet
        data = self._table_data(orders)
        powers = power_names(war.scenario)
        context = {
            "war": war,
            "fight": fight,
            "sheet": sheet,
            "battle_name": battle_words(war.scenario, sheet["hex"]),
            "data": data | {"kind": sheet["kind"], **script_values},
            "picture": table_picture({**data, "zones": script_values.get("zones", ())}),
            "contacts": [contact_row(item) for item in data["contacts"]],
            "icons": static("img/battle.svg"),
            "waits": fight.state in (FactionBattleState.SEALED, FactionBattleState.WAITING),
            "victory_conditions": _victory_conditions(war, powers),
            "winner": side_words(sheet["winner"], powers),
            "won": sheet["winner"] == sheet["side"],
            "closes": None if war.is_paused or fight.stage is None else fight.stage.closes,
            "state": fight.state,
            "state_key": _state_key(fight),
            "zone_rule": self._zone_rule,
            "guided": self.guide(),
            "reference_url": war.reference_for(sheet["kind"], self._system_types),
            **self._phase_context(),
            **self._script_context(script_values),
            **extra_context,
        }
        return render(self.request, "campaign/fight.html", context, status=status)

    def _table_data(self, orders: Mapping[str, Any]) -> dict[str, Any]:
        """Return the table as data for the drawing and the scripts."""
        sheet = self.sheet
        if sheet["kind"] == SET_UP:
            sheet = with_places(sheet, orders)
        earlier_ships: Mapping[str, ShipState] = {}
        if "battle_document" not in sheet:
            earlier_ships = foreign_ships(self.war, self.fight, sheet["view"])
        return table_data(
            sheet,
            self.names,
            self.colours,
            ships=self._ships_by_id,
            silhouettes=self._silhouettes,
            earlier_ships=earlier_ships,
        )

    @property
    def _zone_rule(self) -> str:
        """Which situation gives which zone, in a set-up of a war; "" otherwise."""
        is_set_up = self.sheet["kind"] == SET_UP
        return ZONE_RULE if is_set_up and not is_skirmish(self.war.scenario) else ""

    def _phase_context(self) -> dict[str, Any]:
        """Return the present phase in words, and what happened in the turn so far."""
        sheet = self.sheet
        phase_words = wording(sheet["kind"])
        task = phase_words.get("task", "")
        if sheet["kind"] == SET_UP:
            task = set_up_task(sheet) or task
        firing = sheet["view"].get("firing")
        if firing is not None:
            task = CHOOSE_FOR_FIGHTERS if firing["side"] is None else CHOOSE_SHIP
        *earlier_phases, _ = self._phase_outlines
        start = earlier_phases[-1] if earlier_phases else {"own": {}, "contacts": []}
        shown = {**sheet["view"], "turn": sheet["turn"], "log": sheet["log"], "start": start}
        body = {"phases": [shown]}
        return {
            "phase": phrase(phase_words["title"]) if phase_words else phrase("over"),
            "task": task,
            "is_placing_in_turn": sheet["kind"] == SET_UP and is_by_ship(sheet),
            "is_firing_in_turn": firing is not None,
            "turn": turn_drawing(body, self.names, sheet["turn"], sheet["table"][1]),
        }

    def _script_context(self, script_values: Mapping[str, Any]) -> dict[str, Any]:
        """Return which script the page loads, and what it draws besides the table."""
        if script_values:
            script = SCRIPTS.get(self.sheet["kind"], SCRIPT_OF_OTHER_PHASES)
        else:
            script = SCRIPT_WITHOUT_ORDERS
        ships = script_values.get("ships", {}).values()
        return {
            "has_form_script": bool(script_values),
            "has_vector_movement": any("drift" in ship for ship in ships),
            "script": static(script),
        }

    @property
    def _silhouettes(self) -> dict[str, str]:
        """The silhouettes of the faction's own ships, by key."""
        classes = ship_classes(self.war.scenario)
        result: dict[str, str] = {}
        for ship in self.war.sight.view.ships:
            result[ship.key] = classes[ship.cls].classification
        return result


def _victory_conditions(war: War, powers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the conditions that decide a single battle: (name of the winner or "", reason)."""
    conditions = []
    for condition in war.scenario.battle.get("victory", ()):
        conditions.append((powers.get(condition.get("winner", ""), ""), condition["reason"]))
    return conditions


def _state_key(fight: Fight) -> str:
    """Return a text that changes whenever the page has something new."""
    return f"{fight.last.number}-{fight.state}"


def table_names(war: War, fight: Fight, outlines: list[dict[str, Any]] | None = None) -> SideNames:
    """Return the names of everything on the table.

    Own ships keep their names. Other names stay the same for the whole battle.

    Args:
        outlines: The outlines of the phases, if the caller has them already.
    """
    if outlines is None:
        outlines = phase_outlines(war.viewer.campaign, war.faction, fight.id)
    logs = [phase["log"] for phase in outlines[1:]]  # an outline has the log of the phase before
    logs.append([])
    phases = [{**phase, "log": log} for phase, log in zip(outlines, logs, strict=True)]
    return names_of(
        {"phases": phases},
        {ship.key: ship.name for ship in war.sight.view.ships},
        power_names(war.scenario),
    )


def _result_context(war: War, fight: Fight, names: SideNames, colours: Colours) -> dict[str, Any]:
    """Return how the battle ended, ship by ship, as far as the side saw it."""
    sheets = read_phases(war.viewer.campaign, war.faction, fight.id)
    # A sheet has the log of the phase before it
    phases = [{**sheet["view"], "log": after["log"]} for sheet, after in pairwise(sheets)]
    own_ships = war.sight.view.ships
    class_names = {}
    for ship in own_ships:
        class_names[ship.key] = class_name(war.scenario, ship.faction, ship.cls)
    ship_fates = with_hulls(war.scenario, own_ships, fates({"phases": phases}, names, class_names))
    own_fates = []
    foreign_fates = []
    for fate in ship_fates:
        if fate.is_own:
            own_fates.append(replace(fate, seat=colours.seats.get(war.faction.key, 0)))
        else:
            seat = 0 if fate.side is None else colours.of(fate.side)
            foreign_fates.append(replace(fate, seat=seat))
    destroyed = ShipStatus.DESTROYED.label
    return {
        "reason": end_words(sheets[-1]["log"], names),
        "own_fates": own_fates,
        "foreign_fates": foreign_fates,
        "own_destroyed_count": sum(fate.ending == destroyed for fate in own_fates),
        "foreign_destroyed_count": sum(fate.ending == destroyed for fate in foreign_fates),
    }


def _body_names(state: BattleState) -> dict[str, str]:
    """Return the names of the bodies that are still to be placed."""
    if state.set_up is None:
        return {}
    return body_names(state.set_up.bodies, [ship.id for ship in state.ships])


def _form_sight(sheet: Mapping[str, Any], names: SideNames) -> FormSight:
    """Return the battle as the forms of a phase need it."""
    state = battle_from(sheet["battle_document"]).state
    names_by_id = dict(names.name_by_key)
    for kind in kinds():
        if kind.commanded:
            for key in kind.view_keys:
                for piece in sheet["view"][key]:
                    names_by_id[piece["id"]] = names.of(piece["id"])
    for ship in state.ships:
        names_by_id[ship.id] = names.of(ship.id)
        if ship.id in sheet["mine"]:
            for id_ in ids_of_groups(ship):
                names_by_id[id_] = names.of(id_)
    names_by_id |= _body_names(state)
    return FormSight(state, sheet["at"], frozenset(sheet["mine"]), names_by_id)


def script_data(
    phase: str, sight: FormSight, payload: Mapping[str, Any], advice: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the data for the script of a phase, except the table."""
    if phase == ENGAGE:
        return pack_fires(fires_data(sight, advice)) | {
            "targets": targets_data(sight),
            "fields": FIRE_FIELDS,
        }
    if phase == PLOT:
        cards = craft_data(sight, advice) | launch_data(sight, advice)
        return {"ships": plots_data(sight, payload, advice), "fields": PLOT_FIELDS} | cards
    form = form_of(phase)
    rows = form.rows(sight, payload, {})
    advised_rows = form.rows(sight, advice, {})
    return {"tasks": tasks_data(phase, sight, rows, advised_rows)}


def _rows(
    sheet: Mapping[str, Any],
    payload: Mapping[str, Any],
    names: SideNames,
    faults: Mapping[str, tuple[str, ...]],
) -> tuple[OrderRow, ...]:
    """Return the rows of the form for the present phase."""
    return form_of(sheet["kind"]).rows(_form_sight(sheet, names), payload, faults)


def _payload(sheet: Mapping[str, Any], names: SideNames, post: QueryDict) -> dict[str, Any]:
    """Return the orders in the submitted form."""
    kind = sheet["kind"]
    sight = _form_sight(sheet, names)
    form = form_of(kind)
    orders: dict[str, Any] = {kind: form.payload(sight, post)}
    orders |= form.extra_payload(sight, post)
    orders |= auto_defence_payload(sight, post)
    orders |= order_of_others_payload(sight, post)
    if kind == ENGAGE and post.get(PURSUE):
        orders[PURSUE] = True
    return orders


urlpatterns = [path("c/<str:c>/battles/<uuid:fight>/now/", battle_now, name="battle-now")]
