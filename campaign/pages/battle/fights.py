"""The page of an online battle: the table, the log and the orders of the present phase."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import path, reverse
from django_htmx.http import HttpResponseClientRefresh
from typing_extensions import override

from campaign.access import Viewer
from campaign.drawings.table_picture import table_picture
from campaign.errors import NoViewer
from campaign.forms.battle.auto_defence_form import auto_defence_payload, auto_defence_tick
from campaign.forms.battle.craft_data import craft_data
from campaign.forms.battle.fight_form import FormSight, OrderRow, anchor
from campaign.forms.battle.fire_data import FIRE_FIELDS, fires_data, pack_fires, targets_data
from campaign.forms.battle.launch_data import launch_data
from campaign.forms.battle.phase_forms import form_of
from campaign.forms.battle.plot_data import PLOT_FIELDS, plots_data
from campaign.forms.battle.plot_form import panel_row, plot_from_form
from campaign.forms.battle.task_data import tasks_data
from campaign.forms.faults import Faults, faults_about
from campaign.forms.field import Payload
from campaign.kinds import FactionBattleState
from campaign.pages.battle.fight_rows import ListRow, contact_row, list_row, texts_of
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.pages.entry_page import EntryPage, EntryState, PageTexts
from campaign.pages.table.table_data import Colours, table_data, table_objects
from campaign.rules.queries import class_name, ship_classes
from campaign.selectors.envelopes import Document
from campaign.services.phases import Fight, PhaseOrders, fight_of, newest_sheet
from campaign.sight.reports import list_battles, phase_outlines, read_phases
from campaign.store.battle_documents import PhaseSheet
from campaign.web.battle_ends import fates
from campaign.web.seat_marks import power_names, seats
from campaign.web.ship_drawings import with_hulls
from campaign.web.turn_drawings import turn_drawing, units
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames, names_of
from campaign.words.common import battle_words
from campaign.words.design_faults import with_names, without_subject
from campaign.words.plot_text import with_bay_ids
from engine.battle import battle_from
from engine.core.errors import Violation
from engine.core.kinds import ShipStatus
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.core.state import ENGAGE, OVER, PLOT
from engine.core.terms import MOVING_TABLE
from engine.english import system_words
from engine.events.movement import LeftTable
from engine.order_requests.engage import PURSUE
from engine.pieces.registry import kinds
from engine.sequences import wording
from engine.view.event_reader import read_events_of

TABLE_ALONE = "js/battle_view.js"  # a page with a table but no orders
SCRIPTS = {PLOT: "js/battle_plot.js", ENGAGE: "js/battle_fire.js"}  # by phase
# Up to so many ships a page has all their order fields, and up to so many the usual ones. With more
# ships the fields load ship by ship.
MOST_ROWS_SHOWN, MOST_ROWS_LISTED = 6, 16
CHOICES = "js/battle_tasks.js"  # for the other phases
LAYOUTS = {PLOT: "", ENGAGE: "fire"}  # layout classes while scripts run, by phase
MARK, ARROW = 5, 6  # size of a small marker and of an arrow, in drawing units

TEXTS = PageTexts(
    sealed=phrase("Sealed. The orders are carried out when everybody has sealed."),
    unsealed=phrase("Unsealed: your orders are a draft again."),
    other_sealed=phrase(
        "Other orders are already sealed. Unseal them first; yours are kept as the draft."
    ),
    unseal_until=phrase("You can unseal until everybody has sealed."),
    unsaved=phrase("Your captain's orders. Used automatically if you don't seal."),
)


@dataclass(frozen=True, slots=True)
class TableMarker:
    """A marker on the drawing of the table."""

    kind: str
    x: int
    y: int
    r: int  # radius in drawing units
    turn: int  # degrees
    words: str
    label: str = ""  # text beside the marker
    arrow: bool = False


def table_markers(
    view: Mapping[str, Any], names: SideNames, height: float
) -> tuple[TableMarker, ...]:
    """Return the markers of a side's view, large ones below small ones.

    A view stored before a kind of object existed lacks the list of that kind.

    Args:
        height: Height of the table in MU.
    """
    markers: list[TableMarker] = []
    for marker in table_objects(view, names):
        markers.append(
            TableMarker(
                kind=marker["kind"],
                x=units(marker["x"]),
                y=units(height - marker["y"]),
                r=ARROW if marker["course"] else units(marker["r"]) or MARK,
                turn=marker["course"] % 12 * 30,
                words=marker["words"],
                label=marker["label"],
                arrow=bool(marker["course"]),
            )
        )
    return tuple(markers)


@player_page
def battle_now(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """Show the battle in progress; save, seal or unseal the orders of its present phase."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    mine = fight_of(viewer.campaign, war.faction, str(fight))
    at = request.GET.get("at")
    if at is not None:  # the page polls this address while it waits
        if at == _state_key(mine):
            return HttpResponse(status=204)
        return HttpResponseClientRefresh()
    if mine.state == OVER and any(
        battle.id == mine.id for battle in list_battles(viewer.campaign, war.faction)
    ):
        return redirect("battle", c=war.id, battle=mine.id)
    page = FightPage(request, war, mine)
    panel = request.GET.get("panel")
    if panel is None:
        return page.response()
    return page.panel(panel)


class FightPage(EntryPage):
    """The page of an online battle and of the orders for its present phase."""

    texts = TEXTS

    def __init__(self, request: HttpRequest, war: War, fight: Fight) -> None:
        takes_orders = fight.stage is not None and fight.state != OVER
        super().__init__(request, war, PhaseOrders(fight, war.faction) if takes_orders else None)
        self.fight = fight

    @cached_property
    def sheet(self) -> PhaseSheet:
        """The sheet that the faction received in the present phase."""
        return newest_sheet(self.war.viewer.campaign, self.war.faction, self.fight)

    @cached_property
    def names(self) -> SideNames:
        """The names of everything on the table."""
        return table_names(self.war, self.fight, self._phase_outlines)

    @property
    def _phase_outlines(self) -> list[dict[str, Any]]:
        """The outline of each phase of the battle so far."""
        return phase_outlines(self.war.viewer.campaign, self.war.faction, self.fight.id)

    @property
    def _has_foe_left(self) -> bool:
        """Whether a hostile ship has left a moving table, so that it can be pursued."""
        if MOVING_TABLE not in self._form_sight.state.terms.options:
            return False
        own_ships = self.sheet["view"]["own"]
        departed_ships = (
            event.ship
            for phase in self._phase_outlines
            for event in read_events_of(phase["log"], LeftTable)
        )
        return any(ship not in own_ships for ship in departed_ships)

    def key(self, document: Document) -> str:
        return f"{self.war.id}/{self.fight.id}/{document.stage.ordinal}"

    def redirect_here(self) -> HttpResponse:
        address = reverse("battle-now", kwargs={"c": self.war.id, "fight": self.fight.id})
        ship = next(iter(self._requested_ships), "")
        return redirect(
            f"{address}?{urlencode({'more': ship})}#{anchor(ship)}" if ship else address
        )

    @property
    def _requested_ships(self) -> frozenset[str]:
        """The side's own ship whose rarely used orders the address asks for, if any."""
        return frozenset({self.request.GET.get("more", "")}) & frozenset(self.sheet["mine"])

    def panel(self, key: str) -> HttpResponse:
        """Return the rarely used plot fields of one ship as a page fragment.

        The query has the ship's order text and the values of its other fields.
        """
        ship = self._ships_by_id.get(key)
        document = self.document
        if (
            document is None
            or self.sheet["kind"] != PLOT
            or ship is None
            or key not in self.sheet["mine"]
        ):
            raise Http404(phrase("you cannot give orders to that ship"))
        words = plot_from_form(self._form_sight, ship, self.request.GET)
        violations = document.faults({PLOT: {key: words}} if words else {})
        row = panel_row(
            self._form_sight,
            ship,
            words,
            tuple(fault.message for fault in self._faults_with_names(violations)),
        )
        return render(
            self.request,
            "campaign/_fight_more_controls.html",
            {"row": row, "order": words, "in_panel": True},
        )

    def payload(self, form: QueryDict) -> Payload:
        return _payload(self.sheet, self.names, form)

    @override
    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        return faults_about(self._faults_with_names(violations), self._about, self.names.of, anchor)

    def _faults_with_names(self, violations: Sequence[Violation]) -> list[Violation]:
        """Return faults with names of ships, groups and systems in place of their ids."""
        names = self._names_by_id
        result: list[Violation] = []
        for fault in violations:
            result.append(
                replace(
                    fault,
                    message=with_names(
                        without_subject(fault.message, self._about(fault.where)), names
                    ),
                )
            )
        return result

    @property
    def _names_by_id(self) -> dict[str, str]:
        """Names of everything a fault can mention, by id."""
        ships = self._ships_by_id
        systems = dict.fromkeys(fit.id for ship in ships.values() for fit in ship.sheet.fits)
        system_names: dict[str, str] = {system: system_words(system) for system in systems}
        units = [
            *ships,
            *(piece.id for piece in self._form_sight.state.pieces),
            *self.sheet["mine"],
        ]
        return system_names | {unit: self.names.of(unit) for unit in units if unit}

    def _about(self, where: str) -> str:
        """Return the ship or group that a fault's path refers to."""
        rest = f"{where.partition('.')[2]}."
        return next(
            (key for key in self.sheet["mine"] if rest.startswith((f"{key}.", f"{key}["))), ""
        )

    def render_entry(self, entry: EntryState) -> HttpResponse:
        faults_by_ship: dict[str, tuple[str, ...]] = {}
        for fault in self._faults_with_names(entry.violations):
            faults_by_ship[self._about(fault.where)] = (
                *faults_by_ship.get(self._about(fault.where), ()),
                fault.message,
            )
        kind = self.sheet["kind"]
        rows = (
            form_of(kind).rows(self._form_sight, entry.payload, faults_by_ship)
            if not entry.sealed
            else ()
        )
        auto_defence = auto_defence_tick(self._form_sight, entry.payload)
        may_pursue = kind == ENGAGE and self._has_foe_left
        context = {
            "entry": entry,
            "rows": self._list_rows(rows, entry.payload),
            "idle": not (entry.sealed or rows or auto_defence or may_pursue),
            "changed": self._orders_as_read(entry.payload)
            != self._orders_as_read(self.sheet["advice"]),
            "pursue": entry.payload.get(PURSUE) is True,
            "may_pursue": may_pursue,
            "officers": auto_defence,
            "live": LAYOUTS.get(kind, "fire tasks"),
        }
        script_values = (
            script_data(kind, self._form_sight, entry.payload, self.sheet["advice"]) if rows else {}
        )
        return self._page(context, entry.status, script_values)

    def _orders_as_read(self, payload: Mapping[str, Any]) -> list[object]:
        """Return a document's orders as the form reads them.

        Different wordings of the same orders compare equal.
        """
        orders: list[object] = [bool(payload.get(PURSUE))]
        ships = self._ships_by_id
        for row in form_of(self.sheet["kind"]).rows(self._form_sight, payload, {}):
            text = "" if row.raw is None else row.raw.value
            ship = ships.get(row.key)
            orders.append(
                (
                    row.picks,
                    row.ticks,
                    row.inputs,
                    text if ship is None else with_bay_ids(ship, text),
                )
            )
        return orders

    @cached_property
    def _form_sight(self) -> FormSight:
        form_sight = _form_sight(self.sheet, self.names)
        ship_count = len(form_sight.ships)
        if ship_count <= MOST_ROWS_SHOWN:
            return form_sight
        return replace(
            form_sight,
            opened_ids=self._requested_ships,
            shows_lists=ship_count <= MOST_ROWS_LISTED,
        )

    @property
    def _ships_by_id(self) -> dict[str, ShipState]:
        """The battle's ships as the side knows them, by id; empty if it gives no orders now."""
        if "battle_document" in self.sheet:
            return {ship.id: ship for ship in self._form_sight.state.ships}
        return {}

    def _list_rows(self, rows: Sequence[OrderRow], payload: Mapping[str, Any]) -> list[ListRow]:
        order_texts, advised = (
            texts_of(self.sheet["kind"], document) for document in (payload, self.sheet["advice"])
        )
        ships = self._ships_by_id
        result: list[ListRow] = []
        for row in rows:
            result.append(self._list_row(row, ships.get(row.key), order_texts, advised))
        return result

    def _list_row(
        self,
        row: OrderRow,
        ship: ShipState | None,
        order_texts: Mapping[str, str] | None,
        advised: Mapping[str, str] | None,
    ) -> ListRow:
        foreign = ship is not None and ship.commander != self.sheet["at"]
        if ship is not None and foreign:
            seat = self.colours.of(ship.commander)
        else:
            seat = self.seat
        return list_row(
            row,
            ship,
            seat,
            self.sheet["at"],
            order_texts,
            advised,
            is_asked=row.key in self._requested_ships,
        )

    @property
    def colours(self) -> Colours:
        """The seat colours of the things on the table."""
        return Colours(seats(self.war.scenario), tuple(self.sheet["sides"]), self.war.faction.key)

    @property
    def seat(self) -> int:
        """The reader's seat number."""
        return self.colours.seats.get(self.war.faction.key, 0)

    def render_idle(self) -> HttpResponse:
        return self._page(
            _ended(self.war, self.fight, self.names) if self.fight.state == OVER else {}, 200, {}
        )

    def _page(
        self, extra_context: Mapping[str, Any], status: int, scripted: Mapping[str, Any]
    ) -> HttpResponse:
        """Render the table and the log since the last phase, with what the reader can do now."""
        war, mine, sheet, names = self.war, self.fight, self.sheet, self.names
        words = wording(sheet["kind"])
        before = {} if "battle_document" in sheet else foreign_ships(war, mine, sheet["view"])
        data = table_data(sheet, names, self.colours, self._ships_by_id, self._sizes, before)
        body = {"phases": [{**sheet["view"], "turn": sheet["turn"], "log": sheet["log"]}]}
        powers = power_names(war.scenario)
        winner = sheet["winner"]
        context = {
            "war": war,
            "mine": mine,
            "sheet": sheet,
            "called": battle_words(war.scenario, sheet["hex"]),
            "phase": phrase(words["title"]) if words else phrase("over"),
            "verb": words.get("task", ""),
            "turn": turn_drawing(body, names, sheet["turn"], sheet["table"][1]),
            "data": data | {"kind": sheet["kind"], **scripted},
            "picture": table_picture(data),
            "contacts": [contact_row(item) for item in data["contacts"]],
            "icons": static("img/battle.svg"),
            "scripted": bool(scripted),
            "vector": any("drift" in ship for ship in scripted.get("ships", {}).values()),
            "script": static(SCRIPTS.get(sheet["kind"], CHOICES) if scripted else TABLE_ALONE),
            "waits": mine.state in (FactionBattleState.SEALED, FactionBattleState.WAITING),
            "decided_by": [
                (powers.get(item.get("winner", ""), ""), item["reason"])
                for item in war.scenario.battle.get("victory", ())
            ],
            "winner": winner
            and join_phrases(" and ", (powers.get(part, part) for part in winner.split("+"))),
            "won": winner == sheet["side"],
            "closes": mine.stage.closes if mine.stage is not None else None,
            "state": mine.state,
            "state_key": _state_key(mine),
        }
        return render(
            self.request, "campaign/fight.html", {**context, **extra_context}, status=status
        )

    @property
    def _sizes(self) -> dict[str, str]:
        """The silhouettes of the faction's own ships, by key."""
        classes = ship_classes(self.war.scenario)
        result: dict[str, str] = {}
        for ship in self.war.sight.view.ships:
            result[ship.key] = classes[ship.cls].classification
        return result


def _state_key(mine: Fight) -> str:
    """Return a text that changes whenever the page has something new."""
    return f"{mine.last.number}-{mine.state}"


def table_names(war: War, fight: Fight, outlines: list[dict[str, Any]] | None = None) -> SideNames:
    """Return the names of everything on the table.

    Own ships keep their names. Other names stay the same for the whole battle.

    Args:
        outlines: The outlines of the phases, if the caller has them already.
    """
    if outlines is None:
        outlines = phase_outlines(war.viewer.campaign, war.faction, fight.id)
    logs = [*(phase["log"] for phase in outlines[1:]), []]
    phases = [{**phase, "log": log} for phase, log in zip(outlines, logs, strict=True)]
    return names_of(
        {"phases": phases},
        {ship.key: ship.name for ship in war.sight.view.ships},
        power_names(war.scenario),
    )


def _ended(war: War, fight: Fight, names: SideNames) -> dict[str, Any]:
    """Return how the battle ended, ship by ship, as far as the side saw it."""
    sheets = read_phases(war.viewer.campaign, war.faction, fight.id)
    phases = [{**now["view"], "log": after["log"]} for now, after in pairwise(sheets)]
    ships = {}
    for ship in war.sight.view.ships:
        ships[ship.key] = class_name(war.scenario, ship.faction, ship.cls)
    ended = with_hulls(war.scenario, war.sight.view.ships, fates({"phases": phases}, names, ships))
    own_fates = [fate for fate in ended if fate.is_own]
    other_fates = [fate for fate in ended if not fate.is_own]
    return {
        "own": own_fates,
        "others": other_fates,
        "lost": sum(fate.ending == ShipStatus.DESTROYED.label for fate in own_fates),
        "killed": sum(fate.ending == ShipStatus.DESTROYED.label for fate in other_fates),
    }


def _form_sight(sheet: Mapping[str, Any], names: SideNames) -> FormSight:
    state = battle_from(sheet["battle_document"]).state
    ids = []
    for kind in kinds():
        if kind.commanded:
            for key in kind.view_keys:
                for piece in sheet["view"][key]:
                    ids.append(piece["id"])
    ids += [ship.id for ship in state.ships]
    names_by_id = dict(names.name_by_key) | {id_: names.of(id_) for id_ in ids}
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
    return {
        "tasks": tasks_data(
            phase, sight, form.rows(sight, payload, {}), form.rows(sight, advice, {})
        )
    }


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
    orders = (
        {kind: form.payload(sight, post)}
        | form.extra_payload(sight, post)
        | auto_defence_payload(sight, post)
    )
    return orders | ({PURSUE: True} if kind == ENGAGE and post.get(PURSUE) else {})


urlpatterns = [path("c/<str:c>/battles/<uuid:fight>/now/", battle_now, name="battle-now")]
