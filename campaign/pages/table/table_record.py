"""The live record of a tabletop battle on phones: record sheets, sealed plots, dice and a log.

Every control is a button of one form, so the page works online without scripts. With
`table_record.js` a tap counts at once and is sent as soon as there is a network. An entry sent
twice is recorded once.

    GET  .../table/record/        the page
    POST .../table/record/        one entry from the form, and back to the page
    GET  .../table/record/sync/   what changed: {"at", "ships", "ground", "turn", "phase",
                                  "sealed", "plot", "reserved", "shared", "sheets"};
                                  204 if the client is up to date with `?at=`
    POST .../table/record/sync/   {"entries": [[key, entry], ...], "at"}: the same, with "written":
                                  [[key, [faults]], ...]
    GET  .../table/record/worker.js   the service worker that opens the page offline
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path

from campaign.access import Viewer
from campaign.errors import Refused
from campaign.forms.field import text
from campaign.forms.table.damage_panels import DamagePanel, check_words, damage_panel
from campaign.forms.table.entry_words import reserved_words, ship_entry_words, who_rolled
from campaign.forms.table.table_entries import (
    BODY,
    BUTTON_SEPARATOR,
    ENTRY_FIELDS,
    PLACE,
    PLACE_PARTS,
    entry_from,
)
from campaign.forms.table.table_form import HOWS, GroundRow, ground_rows
from campaign.orders.set_up import place_words
from campaign.pages.table.tables import (
    open_table,
    sheet_with_set_up,
    ship_names,
    table_context,
)
from campaign.rules.limits import PLAYER
from campaign.rules.table_record import (
    PHASES,
    RESERVED,
    REVEALED,
    SETTING_UP,
    Entry,
    Marks,
    all_sealed,
    bodies_to_place,
    factions_of,
    ground_targets,
    has_set_up,
    is_open_set_up,
)
from campaign.rules.table_record_faults import proposed_places
from campaign.services.table_records import Record, entries_write, record_of, result_propose
from campaign.services.tables import TableBattle
from campaign.web.common import data_for_script, words_of
from campaign.web.seat_marks import power_names
from campaign.web.war import War, player_page
from campaign.words.battle.bodies import body_name
from campaign.words.battle.log import contact_name
from campaign.words.common import side_words
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import FIGHTING, ShipStatus
from engine.core.phrase import join_phrases, phrase
from engine.english import system_words
from engine.notation.documents import read_json
from engine.notation.open_bodies import BOTH

# Namespace of the keys of entries from the form
FORM_NAMESPACE = uuid.UUID("5b1f6a52-5d0e-4b8e-9a55-4d1a3d0c9f27")
MAX_LINES = 60  # of the record in words, newest first


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """The fields for where a ship or body begins, by part: their names and proposed values."""

    name: str
    fields: Mapping[str, str]
    values: Mapping[str, str]


class TableRecordView:
    """The record of a battle as one faction's page shows it.

    Attributes:
        names: The names of ships by id.
        ids_by_code: The ids of the side's own ships by the contact code that the others see.
    """

    def __init__(self, war: War, table: TableBattle, record: Record) -> None:
        self.war = war
        self.table = table
        self.record = record
        self.state = record.state
        self.names = ship_names(war, table)
        self.powers = power_names(war.scenario)
        self.ids_by_code = {}
        for ship in table.sheet["own"]:
            self.ids_by_code[str(ship.get("contact", ""))] = ship["id"]

    @property
    def version_tag(self) -> str:
        """A text that changes with what the faction may know of the battle."""
        return _version_tag(self.table, self.record.entries)

    @property
    def is_sealed(self) -> bool:
        """Whether the faction's plot of this turn is sealed."""
        return self.war.faction.key in self.state.sealed.get(self.state.turn, ())

    @property
    def damage_panels(self) -> list[DamagePanel]:
        """The ships whose damage the faction records."""
        options = self.table.sheet["options"]
        panels: list[DamagePanel] = []
        for id_, marks in self.state.marks.items():
            panels.append(damage_panel(marks, self.names[id_], options))
        return panels

    def name(self, id_or_code: str) -> str:
        """Return a ship's name by its id or contact code."""
        is_own = id_or_code in self.ids_by_code
        cls = self.state.contacts.get(id_or_code, {}).get("cls", "")
        if cls and not is_own:
            return contact_name(id_or_code, cls)
        id_ = self.ids_by_code.get(id_or_code, id_or_code)
        return self.names.get(id_) or contact_name(id_or_code)

    def shared_context(self) -> dict[str, Any]:
        """Return the context of the part of the page that all players at the table share."""
        state = self.state
        other_ships = list(self._other_ships())
        lines = list(self._lines())
        lines.reverse()
        return {
            "turn": state.turn,
            "is_setting_up": state.turn == SETTING_UP,
            "own_places": [
                (self.name(id_), place_words(place)) for id_, place in state.places.items()
            ],
            "phases": [(words, n == state.phase) for n, words in enumerate(PHASES)],
            "phase": PHASES[state.phase],
            "missing_sides": self._missing_sides(),
            "is_sealed": self.is_sealed,
            **self._next_phase_context(),
            "plots": list(self._plots()),
            "reserved_dice": list(self._reserved_dice()),
            "reported_ships": [(name, words) for name, words in other_ships if words],
            "unreported_ships": [name for name, words in other_ships if not words],
            "ground_targets": self.ground_targets_shown,
            "lines": lines[:MAX_LINES],
            "is_open": self.table.is_open,
        }

    def _missing_sides(self) -> list[str]:
        """Return the names of the factions that have not sealed their plot of this turn."""
        sealed = self.state.sealed.get(self.state.turn, ())
        keys = [key for key in factions_of(self.table.sheet) if key not in sealed]
        return [side_words(key, self.powers) for key in keys]

    def _next_phase_context(self) -> dict[str, str]:
        """Return the next phase in words, and the form value that begins it once all sealed."""
        turn, phase = self.state.turn, self.state.phase + 1
        if phase == len(PHASES) or turn == SETTING_UP:
            turn += 1
            phase = 0
        words = PHASES[phase] if phase else phrase("turn {}", turn)
        can_continue = all_sealed(self.table.sheet, self.state, self.state.turn)
        return {
            "next_phase": words,
            "next_phase_value": f"phase{BUTTON_SEPARATOR}{turn}{BUTTON_SEPARATOR}{phase}"
            if can_continue
            else "",
        }

    @property
    def ground_targets_shown(self) -> list[GroundRow]:
        """The ground targets with their present marks."""
        sides = [side_words(side, self.powers) for side in self.table.sheet["sides"]]
        return ground_rows(ground_targets(self.table.sheet), {"ground": self.state.ground}, sides)

    def _plots(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield this turn's revealed plots by side, or the faction's own while it is secret."""
        turn = self.state.turn
        open_plots = self.state.plots.get(turn, {})
        own_plot = self.state.own_plots.get(turn)
        if not open_plots and own_plot is not None:
            yield phrase("Yours, sealed; nobody else can see it yet"), self._orders(own_plot)
        for side, orders in sorted(open_plots.items()):
            yield side_words(side, self.powers), self._orders(orders)

    def _orders(self, orders: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the orders of a plot as (ship, order), sorted by the ships' names."""
        named_orders = []
        for id_or_code, words in orders.items():
            named_orders.append((self.name(id_or_code), words or phrase("no orders")))
        return sorted(named_orders, key=itemgetter(0))

    def _reserved_dice(self) -> Iterator[tuple[str, str]]:
        """Yield the faction's dice that are reserved: words, and the value of the button."""
        if not self.table.is_open:
            return
        for number, entry in sorted(self.state.reserved.items()):
            yield self._line(entry), f"reveal{BUTTON_SEPARATOR}{number}"

    def _other_ships(self) -> Iterator[tuple[str, str]]:
        """Yield the names and states of foreign and allied ships, as far as they were recorded."""
        states: dict[str, Mapping[str, Any]] = {}
        for contact in self.table.sheet["contacts"]:
            states[str(contact["id"])] = contact
        for code, id_ in self.ids_by_code.items():
            if id_ not in self.state.marks:  # an ally records it
                states.setdefault(code, {})
        for code, state in states.items():
            yield self.name(code), _state_words({**state, **self.state.contacts.get(code, {})})

    def _lines(self) -> Iterator[str]:
        """Yield the record in words, earliest entry first."""
        for side, entry in self.record.entries:
            yield phrase("{}: {}", side_words(side, self.powers), self._line(entry))

    def _line(self, entry: Entry) -> str:
        """Return an entry in words."""
        kind = entry["kind"]
        if "about" in entry:
            return _dice_line(entry)
        if kind == "plot":
            return phrase("plot of turn {} sealed", entry["turn"])
        if kind == "set_up":
            return self._set_up_line(entry)
        if kind == "body":
            x, y = entry["at"]
            return phrase("{} at {}, {}", body_name(entry["body"]), x, y)
        if kind == REVEALED:
            return phrase("plot of turn {} revealed", entry["turn"])
        if kind == "phase":
            return phrase("turn {}, {}", entry["turn"], PHASES[entry["phase"]])
        if kind == "ground":
            target = next(row for row in self.ground_targets_shown if row.key == entry["site"])
            return phrase(
                "{}: {} of {} boxes marked off", target.words, entry["damage"], target.boxes
            )
        name = self.name(entry["ship"])
        if kind == "ship":
            return phrase("{}: {}", name, _state_words(entry) or phrase("nothing reported"))
        return ship_entry_words(entry, name)

    def _set_up_line(self, entry: Entry) -> str:
        """Return a sealed set-up in words, with the ships that were set up in the open."""
        words = phrase("set-up sealed")
        for code, place in entry.get("ships", {}).items():
            words = phrase("{}; {} {}", words, self.name(code), place_words(place))
        return words


def _dice_line(entry: Entry) -> str:
    """Return dice that are about no ship in words."""
    if entry["kind"] == RESERVED:
        words = reserved_words(entry)
    else:
        words = phrase("{} ({})", " ".join(map(str, entry["rolls"])), who_rolled(entry))
    return phrase("{}: {}", entry["about"], words) if entry["about"] else words


def _body_rows(record_view: TableRecordView) -> Iterator[PlaceRow]:
    """Yield a row for each body that the side places before its ships, where it is now."""
    state, sheet = record_view.state, record_view.table.sheet
    if state.turn != SETTING_UP or state.sealed.get(SETTING_UP):
        return
    for body in bodies_to_place(sheet):
        if body["by"] in (BOTH, sheet["side"]):
            x, y = state.bodies.get(body["id"], body["at"])
            texts = {"x": f"{x:g}", "y": f"{y:g}"}
            names = {part: BODY.name(body["id"], part) for part in texts}
            name = record_view.names.get(body["id"]) or body_name(body["id"])
            names["button"] = f"body{BUTTON_SEPARATOR}{body['id']}"
            yield PlaceRow(name, names, texts)


def _place_rows(war: War, record_view: TableRecordView) -> Iterator[PlaceRow]:
    """Yield a row for each own ship of a set-up that is not sealed yet, with its proposed place."""
    if not has_set_up(record_view.table.sheet) or record_view.state.places:
        return
    proposed = proposed_places(record_view.table.sheet, record_view.state)
    for entry in sheet_with_set_up(war, record_view.table)["own"]:
        ship = {**entry, **proposed.get(entry["id"], {})}
        if ship["id"] in record_view.state.marks and not ship.get("fixed"):
            x, y = ship["at"]
            values = {**ship, "x": f"{x:g}", "y": f"{y:g}"}
            texts = {part: str(values.get(part, "")) for part in PLACE_PARTS}
            names = {part: PLACE.name(part, ship["id"]) for part in PLACE_PARTS}
            yield PlaceRow(record_view.names[ship["id"]], names, texts)


def _version_tag(table: TableBattle, entries: Sequence[tuple[str, Entry]]) -> str:
    """Return a text that changes with the entries, and when the battle is closed."""
    text_of_all = json.dumps([list(entries), table.is_open], sort_keys=True)
    return hashlib.sha256(text_of_all.encode()).hexdigest()[:16]


def _state_words(state: Mapping[str, Any]) -> str:
    """Return what is known of a foreign ship in words, or "" for nothing."""
    parts = []
    if state.get("status", FIGHTING) != FIGHTING:
        parts.append(ShipStatus.label_of(state["status"]))
    if "damage" in state:
        parts.append(phrase("damage {}", state["damage"]))
    armour = state.get("armour", 0)
    if not isinstance(armour, int):  # a contact's armour is a list of layers
        armour = sum(map(sum, armour))
    if armour:
        parts.append(phrase("armour {}", armour))
    if state.get("lost"):
        lost_systems = [system_words(system) for system in state["lost"]]
        parts.append(phrase("lost: {}", join_phrases(", ", lost_systems)))
    return join_phrases(", ", parts)


@player_page
def record(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the page, or handle its form."""
    war, table = open_table(viewer, battle)
    if request.method == "POST":
        return _handle_form(request, war, table)
    record_view = TableRecordView(war, table, record_of(table, war.faction))
    other_sides = [side for side in table.sheet["sides"] if side != table.sheet["side"]]
    context = {
        **table_context(war, table),
        **record_view.shared_context(),
        "panels": record_view.damage_panels,
        "place_rows": list(_place_rows(war, record_view)),
        "body_rows": list(_body_rows(record_view)),
        "is_open_set_up": is_open_set_up(table.sheet),
        "bogeys": table.sheet["bogeys"],
        "captors": [(side, side_words(side, record_view.powers)) for side in other_sides],
        "hows": HOWS,
        "key": record_view.version_tag,
        "data": {
            **_data(record_view),
            "fields": ENTRY_FIELDS,
            "keep": f"{request.user.get_username()}/{table.id}",
        },
    }
    return render(request, "campaign/table_record.html", context)


@player_page
def sync(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """Store the entries that were sent, and return what changed."""
    war, table = open_table(viewer, battle)
    if request.method == "POST":
        return _write_for_script(request, war, table)
    record_view = TableRecordView(war, table, record_of(table, war.faction))
    if request.GET.get("at") == record_view.version_tag:
        return HttpResponse(status=204)
    return _respond_to_script(record_view)


def _write_for_script(request: HttpRequest, war: War, table: TableBattle) -> HttpResponse:
    """Store the entries that a script sends, and return the result of each."""
    try:
        entries, client_tag = _read_entries(request)
        outcome = entries_write(table=table, faction=war.faction, entries=entries)
    except RuleViolations as error:
        return data_for_script({"error": words_of(error.violations)}, status=422)
    except Refused as error:
        return data_for_script({"error": error.args[0]}, status=409)
    changed_ships = None
    if client_tag == _version_tag(table, outcome.before):  # no other phone has written in between
        changed_ships = set()
        for _, entry in entries:
            if isinstance(entry, Mapping):
                changed_ships.add(str(entry.get("ship")))
    results = []
    for entry_result in outcome.results:
        results.append([entry_result.key, [fault.message for fault in entry_result.faults]])
    record_view = TableRecordView(war, table, outcome.record)
    return _respond_to_script(record_view, results, changed_ships)


def _respond_to_script(
    record_view: TableRecordView,
    results: Sequence[object] = (),
    changed_ships: set[str] | None = None,
) -> HttpResponse:
    """Return the record as it is now.

    Args:
        results: [key, faults] of each entry that was sent.
        changed_ships: The ships whose drawings the page lacks; None for all.
    """
    drawings = {}
    for panel in record_view.damage_panels:
        if panel.drawing and (changed_ships is None or panel.id in changed_ships):
            drawings[panel.id] = panel.drawing
    return data_for_script(
        {
            **_data(record_view),
            "written": list(results),
            "shared": render_to_string("campaign/_table_shared.html", record_view.shared_context()),
            "sheets": drawings,
        }
    )


@player_page
def worker(_request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Return the service worker that opens the page offline.

    Its address is below the page's, so it cannot affect any other page.
    """
    open_table(viewer, battle)
    path = settings.BASE_DIR / "static" / "js" / "table_worker.js"
    script = path.read_text(encoding="utf-8")
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


def _read_entries(request: HttpRequest) -> tuple[list[tuple[str, object]], str]:
    """Return the entries that a script sends, and the version tag of the record it has.

    Raises:
        RuleViolations: If the body is not the expected JSON.
    """
    needs_json = [
        Violation(
            "entries",
            "entries",
            phrase('JSON is needed: an object with "entries", a list of pairs'),
        )
    ]
    if request.content_type != "application/json":
        raise RuleViolations(needs_json)
    try:
        document = read_json(request.body.decode("utf-8"), PLAYER)
        entries = [(str(key), entry) for key, entry in document["entries"]]
        return entries, str(document.get("at", ""))
    except (UnicodeDecodeError, TypeError, KeyError, ValueError) as error:
        raise RuleViolations(needs_json) from error


def _data(record_view: TableRecordView) -> dict[str, Any]:
    """Return the record for the page's script, which marks changes at once."""
    state = record_view.state
    ships = {}
    for id_, marks in state.marks.items():
        if not marks.ship.dummy:
            ships[id_] = {**_ship_data(marks), "reserved": []}
    for entry in state.reserved.values():
        if "ship" in entry:
            ships[entry["ship"]]["reserved"].append(entry["row"])
    return {
        "at": record_view.version_tag,
        "ships": ships,
        "ground": state.ground,
        "turn": state.turn,
        "phase": state.phase,
        "sealed": record_view.is_sealed,
        "plot": state.own_plots.get(state.turn, {}) if record_view.is_sealed else {},
        "reserved": sorted(state.reserved) if record_view.table.is_open else [],
    }


def _ship_data(marks: Marks) -> dict[str, Any]:
    """Return the marks on a ship's record sheet for the page's script."""
    systems = marks.ship.sheet.fits
    undamaged = zip(systems, marks.ship.profile.undamaged, strict=True)
    return {
        "crossed": sorted(marks.crossed),
        "hits": {system.id: marks.hits[system.id] for system in systems},
        "whole": {system.id: level for system, level in undamaged},
        "stock": marks.stock,
        "status": marks.status,
        "shown": marks.is_shown,
        "checks": {str(row): check_words(roll) for row, roll in marks.checks.items()},
    }


def _handle_form(request: HttpRequest, war: War, table: TableBattle) -> HttpResponse:
    """Store an entry from the form, or turn the record into a draft of the result."""
    form = request.POST
    try:
        if text(form, "do") == "result":
            result_propose(table=table, faction=war.faction)
            messages.success(
                request,
                phrase("The record is now the draft of your result. Check it and seal it."),
            )
            return redirect("battle-table", c=war.id, battle=table.id)
        entry = entry_from(form)
        # The same button pressed twice on one page makes one entry
        entry_json = json.dumps(entry, sort_keys=True)
        key = uuid.uuid5(FORM_NAMESPACE, f"{table.id} {text(form, 'key')} {entry_json}")
        outcome = entries_write(table=table, faction=war.faction, entries=[(str(key), entry)])
        faults = outcome.results[0].faults
        if faults:
            messages.error(request, phrase("Not entered. {}", words_of(faults)))
    except RuleViolations as error:
        messages.error(request, words_of(error.violations))
    except Refused as error:
        messages.error(request, phrase("Not entered: {}.", error.args[0]))
    response = redirect("table-record", c=war.id, battle=table.id)
    _, separator, rest = text(form, "do").partition(BUTTON_SEPARATOR)
    if separator:  # scroll to the ship that the entry is about
        ship = rest.split(BUTTON_SEPARATOR)[0]
        response.headers["Location"] += f"#kept-{ship.replace('/', '-')}"
    return response


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/record/", record, name="table-record"),
    path("c/<str:c>/battles/<uuid:battle>/table/record/sync/", sync, name="table-record-sync"),
    path(
        "c/<str:c>/battles/<uuid:battle>/table/record/worker.js", worker, name="table-record-worker"
    ),
]
