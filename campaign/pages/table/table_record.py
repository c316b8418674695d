"""The live record of a tabletop battle on phones: record sheets, sealed plots, dice and a log.

Every control is a button of one form, so the page works online without scripts. With
`table_record.js` a tap counts at once and is sent as soon as there is a network. An entry sent
twice is recorded once.

    GET  .../table/record/        the page
    POST .../table/record/        one entry from the form, and back to the page
    GET  .../table/record/sync/   what changed: {"at", "ships", "ground", "turn", "phase",
                                  "sealed", "plot", "shared", "sheets"};
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
from campaign.forms.table.entry_words import ship_entry_words, who_rolled
from campaign.forms.table.table_entries import ENTRY_FIELDS, SEP, entry_from
from campaign.forms.table.table_form import HOWS, GroundRow, ground_rows
from campaign.pages.table.tables import open_table, ship_names, side_words, table_context
from campaign.rules.limits import PLAYER
from campaign.rules.table_record import (
    PHASES,
    REVEALED,
    Entry,
    all_sealed,
    factions_of,
    ground_targets,
)
from campaign.services.table_records import Record, entries_write, record_of, result_propose
from campaign.services.tables import TableBattle
from campaign.web.common import data_for_script, words_of
from campaign.web.war import War, player_page
from campaign.words.battle.log import contact_name
from engine.core.canonical import canonical_json
from engine.core.errors import RuleViolations, Violation
from engine.core.kinds import FIGHTING, ShipStatus
from engine.core.phrase import join_phrases, phrase
from engine.english import system_words
from engine.notation.documents import read_json

FORM = uuid.UUID("5b1f6a52-5d0e-4b8e-9a55-4d1a3d0c9f27")  # namespace of the keys of form entries


class TableRecordView:
    """The record of a battle as one faction's page shows it."""

    def __init__(self, war: War, table: TableBattle, record: Record) -> None:
        self.war, self.table, self.record, self.state = war, table, record, record.state
        self.names = ship_names(war, table)
        self.codes = {str(ship.get("contact", "")): ship["id"] for ship in table.sheet["own"]}

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
        ship_name = self.names.get(self.codes.get(id_or_code, id_or_code))
        cls = self.state.contacts.get(id_or_code, {}).get("cls", "")
        if cls and id_or_code not in self.codes:
            return contact_name(id_or_code, cls)
        return ship_name or contact_name(id_or_code)

    def shared_context(self) -> dict[str, Any]:
        """Return the context of the part of the page that all players at the table share."""
        state, turn = self.state, self.state.turn
        sides_waited_for = []
        for key in factions_of(self.table.sheet):
            if key not in state.sealed.get(turn, ()):
                sides_waited_for.append(side_words(self.war, key))
        other_ships = list(self._other_ships())
        if state.phase + 1 < len(PHASES):
            go_on = (turn, state.phase + 1)
        else:
            go_on = (turn + 1, 0)
        return {
            "turn": turn,
            "phases": [(words, n == state.phase) for n, words in enumerate(PHASES)],
            "phase": PHASES[state.phase],
            "waits": sides_waited_for,
            "sealed": self.is_sealed,
            "go_on": f"phase{SEP}{go_on[0]}{SEP}{go_on[1]}"
            if all_sealed(self.table.sheet, state, turn)
            else "",
            "next": PHASES[go_on[1]] if go_on[1] else phrase("turn {}", go_on[0]),
            "plots": list(self._plots()),
            "others": [(name, words) for name, words in other_ships if words],
            "untold": [name for name, words in other_ships if not words],
            "ground": self.ground_targets_shown,
            "lines": list(reversed(list(self._lines())))[:60],
            "open": self.table.open,
        }

    @property
    def ground_targets_shown(self) -> list[GroundRow]:
        """The ground targets with their present marks."""
        sides = [side_words(self.war, name) for name in self.table.sheet["sides"]]
        return ground_rows(ground_targets(self.table.sheet), {"ground": self.state.ground}, sides)

    def _plots(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield this turn's revealed plots by side, or the faction's own while it is secret."""
        turn = self.state.turn
        open_plots = self.state.plots.get(turn, {})
        own_plot = self.state.own_plots.get(turn)
        if not open_plots and own_plot is not None:
            yield phrase("Yours, sealed; nobody else can see it yet"), self._orders(own_plot)
        for side, orders in sorted(open_plots.items()):
            yield side_words(self.war, side), self._orders(orders)

    def _orders(self, orders: Mapping[str, str]) -> list[tuple[str, str]]:
        return [
            (self.name(id_or_code), words or phrase("no orders"))
            for id_or_code, words in sorted(orders.items(), key=lambda order: self.name(order[0]))
        ]

    def _other_ships(self) -> Iterator[tuple[str, str]]:
        """Yield the names and states of foreign and allied ships, as far as they were recorded."""
        ship_codes = [str(contact["id"]) for contact in self.table.sheet["contacts"]]
        ship_codes += [code for code, id_ in self.codes.items() if id_ not in self.state.marks]
        contacts_by_code = {}
        for contact in self.table.sheet["contacts"]:
            contacts_by_code[str(contact["id"])] = contact
        for code in ship_codes:
            yield (
                self.name(code),
                _state_words(
                    {**contacts_by_code.get(code, {}), **self.state.contacts.get(code, {})}
                ),
            )

    def _lines(self) -> Iterator[str]:
        """Yield the record in words, earliest entry first."""
        for side, entry in self.record.entries:
            yield phrase("{}: {}", side_words(self.war, side), self._line(entry))

    def _line(self, entry: Entry) -> str:
        kind = entry["kind"]
        if kind == "dice":
            rolls = " ".join(map(str, entry["rolls"]))
            if entry["about"]:
                rolls = phrase("{}: {}", entry["about"], rolls)
            return phrase("{} ({})", rolls, who_rolled(entry))
        if kind == "plot":
            return phrase("plot of turn {} sealed", entry["turn"])
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


def _version_tag(mine: TableBattle, entries: Sequence[tuple[str, Entry]]) -> str:
    return hashlib.sha256(canonical_json([list(entries), mine.open])).hexdigest()[:16]


def _state_words(now: Mapping[str, Any]) -> str:
    """Return what is known of a foreign ship in words, or "" for nothing."""
    parts = [] if now.get("status", FIGHTING) == FIGHTING else [ShipStatus.label_of(now["status"])]
    parts += [phrase("damage {}", now["damage"])] if "damage" in now else []
    armour = now.get("armour", 0)  # a contact's armour is a list of layers
    armour = armour if isinstance(armour, int) else sum(map(sum, armour))
    parts += [phrase("armour {}", armour)] if armour else []
    parts += (
        [phrase("lost: {}", join_phrases(", ", (system_words(system) for system in now["lost"])))]
        if now.get("lost")
        else []
    )
    return join_phrases(", ", parts)


@player_page
def record(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the page, or handle its form."""
    war, table = open_table(viewer, battle)
    if request.method == "POST":
        return _handle_form(request, war, table)
    record_view = TableRecordView(war, table, record_of(table, war.faction))
    context = {
        **table_context(war, table),
        **record_view.shared_context(),
        "panels": record_view.damage_panels,
        "bogeys": table.sheet["bogeys"],
        "captors": [
            (name, side_words(war, name))
            for name in table.sheet["sides"]
            if name != table.sheet["side"]
        ],
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
    written_rows: list[list[Any]] = []
    touched: set[str] | None = None  # ships whose drawings are sent; None for all
    if request.method == "POST":
        try:
            entries, at = _read_entries(request)
            outcome = entries_write(table=table, faction=war.faction, entries=entries)
        except RuleViolations as error:
            return data_for_script({"error": words_of(error.violations)}, status=422)
        except Refused as error:
            return data_for_script({"error": error.args[0]}, status=409)
        fresh = at == _version_tag(table, outcome.before)  # otherwise another phone has written too
        touched = (
            {str(entry.get("ship")) for _, entry in entries if isinstance(entry, Mapping)}
            if fresh
            else None
        )
        written_rows = []
        for entry_result in outcome.results:
            written_rows.append(
                [entry_result.key, [fault.message for fault in entry_result.faults]]
            )
        record_view = TableRecordView(war, table, outcome.record)
    else:
        record_view = TableRecordView(war, table, record_of(table, war.faction))
        if request.GET.get("at") == record_view.version_tag:
            return HttpResponse(status=204)
    return data_for_script(
        {
            **_data(record_view),
            "written": written_rows,
            "shared": render_to_string("campaign/_table_shared.html", record_view.shared_context()),
            "sheets": {
                panel.id: panel.drawing
                for panel in record_view.damage_panels
                if panel.drawing and (touched is None or panel.id in touched)
            },
        }
    )


@player_page
def worker(_request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Return the service worker that opens the page offline.

    Its address is below the page's, so it cannot affect any other page.
    """
    open_table(viewer, battle)
    return HttpResponse(_worker_text(), content_type="text/javascript; charset=utf-8")


def _worker_text() -> str:
    return (settings.BASE_DIR / "static" / "js" / "table_worker.js").read_text(encoding="utf-8")


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
        return [(str(key), entry) for key, entry in document["entries"]], str(
            document.get("at", "")
        )
    except (UnicodeDecodeError, TypeError, KeyError, ValueError) as error:
        raise RuleViolations(needs_json) from error


def _data(record_view: TableRecordView) -> dict[str, Any]:
    """Return the record for the page's script, which marks changes at once."""
    ships = {}
    for id_, marks in record_view.state.marks.items():
        if not marks.ship.dummy:
            ships[id_] = {
                "crossed": sorted(marks.crossed),
                "hits": {fit.id: marks.hits[fit.id] for fit in marks.ship.sheet.fits},
                "whole": {
                    fit.id: n
                    for fit, n in zip(
                        marks.ship.sheet.fits, marks.ship.profile.undamaged, strict=True
                    )
                },
                "stock": marks.stock,
                "status": marks.status,
                "shown": marks.is_shown,
                "checks": {str(row): check_words(roll) for row, roll in marks.checks.items()},
            }
    state = record_view.state
    plot = state.own_plots.get(state.turn, {}) if record_view.is_sealed else {}
    turn = {"turn": state.turn, "phase": state.phase, "sealed": record_view.is_sealed, "plot": plot}
    return {"at": record_view.version_tag, "ships": ships, "ground": state.ground, **turn}


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
        # The same button pressed twice on one page makes one entry.
        key = uuid.uuid5(
            FORM, phrase("{} {} {}", table.id, text(form, "key"), json.dumps(entry, sort_keys=True))
        )
        (stored_entry,) = entries_write(
            table=table, faction=war.faction, entries=[(str(key), entry)]
        ).results
        if stored_entry.faults:
            messages.error(request, phrase("Not entered. {}", words_of(stored_entry.faults)))
    except RuleViolations as error:
        messages.error(request, words_of(error.violations))
    except Refused as error:
        messages.error(request, phrase("Not entered: {}.", error.args[0]))
    answer = redirect("table-record", c=war.id, battle=table.id)
    if text(form, "do").count(SEP):
        answer.headers["Location"] += f"#kept-{text(form, 'do').split(SEP)[1].replace('/', '-')}"
    return answer


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/record/", record, name="table-record"),
    path("c/<str:c>/battles/<uuid:battle>/table/record/sync/", sync, name="table-record-sync"),
    path(
        "c/<str:c>/battles/<uuid:battle>/table/record/worker.js", worker, name="table-record-worker"
    ),
]
