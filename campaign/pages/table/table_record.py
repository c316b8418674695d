"""A battle kept while it is fought at a table, on a telephone each: sheets to tap, sealed plots,
dice, a record.

Everything on the page is a button of one form, so it works without scripts, online. With them
(`table_record.js`) a tap counts at once and is sent when there is a network; what is sent twice
stands in the record once.

    GET  .../table/record/        the page
    POST .../table/record/        one entry from the form, and back to the page
    GET  .../table/record/sync/   what changed: {"at", "ships", "ground", "turn", "phase", "sealed", "plot", "shared",
                                  "sheets"};
                                  204 where that is what the asker has, `?at=`
    POST .../table/record/sync/   {"entries": [[key, entry], ...], "at"}: the same, with "written":
                                  [[key, [why not]], ...]
    GET  .../table/record/worker.js   the script that opens the page where there is no network
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
from campaign.forms.table.entry_words import ship_entry_words, who_rolled
from campaign.forms.table.table_entries import ENTRY_FIELDS, SEP, entry_from
from campaign.forms.table.table_form import HOWS, GroundRow, ground_rows
from campaign.forms.table.table_pads import Pad, check_words, pad_of
from campaign.pages.table.tables import opened, ship_names, side_words, table_context
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
from engine.core.phrase import joined_phrases, phrase
from engine.english import system_words
from engine.notation.documents import read_json

FORM = uuid.UUID(
    "5b1f6a52-5d0e-4b8e-9a55-4d1a3d0c9f27"
)  # under which entries of the form have their names


class Told:
    """The record of a battle as a page tells it."""

    def __init__(self, war: War, mine: TableBattle, record: Record) -> None:
        self.war, self.mine, self.record, self.kept = war, mine, record, record.kept
        self.names = ship_names(war, mine)
        self.codes = {str(ship.get("contact", "")): ship["id"] for ship in mine.sheet["own"]}

    @property
    def at(self) -> str:
        """A text that changes when what the faction may know of the battle changes."""
        return _at(self.mine, self.record.entries)

    @property
    def sealed(self) -> bool:
        """Whether the faction's plot of this turn is sealed."""
        return self.war.faction.key in self.kept.sealed.get(self.kept.turn, ())

    @property
    def pads(self) -> list[Pad]:
        """The ships that the faction writes of."""
        options = self.mine.sheet["options"]
        return [pad_of(marks, self.names[id_], options) for id_, marks in self.kept.marks.items()]

    def name(self, called: str) -> str:
        """A ship's name, by its id or its contact code."""
        known = self.names.get(self.codes.get(called, called))
        cls = self.kept.others.get(called, {}).get("cls", "")
        return (
            contact_name(called, cls)
            if cls and called not in self.codes
            else known or contact_name(called)
        )

    def shared(self) -> dict[str, Any]:
        """What the part of the page shows that all at the table write together."""
        kept, turn = self.kept, self.kept.turn
        waits = [
            side_words(self.war, key)
            for key in factions_of(self.mine.sheet)
            if key not in kept.sealed.get(turn, ())
        ]
        others = list(self._others())
        go_on = (turn, kept.phase + 1) if kept.phase + 1 < len(PHASES) else (turn + 1, 0)
        return {
            "turn": turn,
            "phases": [(words, n == kept.phase) for n, words in enumerate(PHASES)],
            "phase": PHASES[kept.phase],
            "waits": waits,
            "sealed": self.sealed,
            "go_on": f"phase{SEP}{go_on[0]}{SEP}{go_on[1]}"
            if all_sealed(self.mine.sheet, kept, turn)
            else "",
            "next": PHASES[go_on[1]] if go_on[1] else phrase("turn {}", go_on[0]),
            "plots": list(self._plots()),
            "others": [(name, words) for name, words in others if words],
            "untold": [name for name, words in others if not words],
            "ground": self.ground,
            "lines": list(reversed(list(self._lines())))[:60],
            "open": self.mine.open,
        }

    @property
    def ground(self) -> list[GroundRow]:
        """The ground targets as they are marked now."""
        sides = [side_words(self.war, name) for name in self.mine.sheet["sides"]]
        return ground_rows(ground_targets(self.mine.sheet), {"ground": self.kept.ground}, sides)

    def _plots(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The plots of this turn, or of the last that all have sealed, and one's own while it is a
        secret.
        """
        turn = self.kept.turn
        told = self.kept.plots.get(turn, {})
        mine = self.kept.mine.get(turn)
        if not told and mine is not None:
            yield phrase("Yours, sealed; nobody else reads it yet"), self._orders(mine)
        for whose, orders in sorted(told.items()):
            yield side_words(self.war, whose), self._orders(orders)

    def _orders(self, orders: Mapping[str, str]) -> list[tuple[str, str]]:
        return [
            (self.name(called), words or phrase("no orders"))
            for called, words in sorted(orders.items(), key=lambda order: self.name(order[0]))
        ]

    def _others(self) -> Iterator[tuple[str, str]]:
        """Foreign ships, and those of allies, by what was told of them."""
        others = [str(contact["id"]) for contact in self.mine.sheet["contacts"]]
        others += [code for code, id_ in self.codes.items() if id_ not in self.kept.marks]
        came = {str(contact["id"]): contact for contact in self.mine.sheet["contacts"]}
        for code in others:
            yield self.name(code), _state({**came.get(code, {}), **self.kept.others.get(code, {})})

    def _lines(self) -> Iterator[str]:
        """The record in words, the earliest first."""
        for whose, entry in self.record.entries:
            yield phrase("{}: {}", side_words(self.war, whose), self._line(entry))

    def _line(self, entry: Entry) -> str:
        kind = entry["kind"]
        if kind == "dice":
            rolls = " ".join(map(str, entry["rolls"]))
            rolls = phrase("{}: {}", entry["about"], rolls) if entry["about"] else rolls
            return phrase("{} ({})", rolls, who_rolled(entry))
        if kind == "plot":
            return phrase("plot of turn {} sealed", entry["turn"])
        if kind == REVEALED:
            return phrase("plot of turn {} open to all", entry["turn"])
        if kind == "phase":
            return phrase("turn {}, {}", entry["turn"], PHASES[entry["phase"]])
        if kind == "ground":
            target = next(row for row in self.ground if row.key == entry["site"])
            return phrase(
                "{}: {} of {} boxes marked off", target.words, entry["damage"], target.boxes
            )
        name = self.name(entry["ship"])
        if kind == "ship":
            return phrase("{}: {}", name, _state(entry) or phrase("nothing told"))
        return ship_entry_words(entry, name)


def _at(mine: TableBattle, entries: Sequence[tuple[str, Entry]]) -> str:
    return hashlib.sha256(canonical_json([list(entries), mine.open])).hexdigest()[:16]


def _state(now: Mapping[str, Any]) -> str:
    """What is known of a foreign ship, in words; "" where nothing is."""
    parts = [] if now.get("status", FIGHTING) == FIGHTING else [ShipStatus.words(now["status"])]
    parts += [phrase("damage {}", now["damage"])] if "damage" in now else []
    armour = now.get("armour", 0)  # a contact's is told layer by layer
    armour = armour if isinstance(armour, int) else sum(map(sum, armour))
    parts += [phrase("armour {}", armour)] if armour else []
    parts += (
        [phrase("lost: {}", joined_phrases(", ", (system_words(one) for one in now["lost"])))]
        if now.get("lost")
        else []
    )
    return joined_phrases(", ", parts)


@player_page
def record(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The page, or what comes of its form."""
    war, mine = opened(viewer, battle)
    if request.method == "POST":
        return _posted(request, war, mine)
    told = Told(war, mine, record_of(mine, war.faction))
    context = {
        **table_context(war, mine),
        **told.shared(),
        "pads": told.pads,
        "bogeys": mine.sheet["bogeys"],
        "captors": [
            (name, side_words(war, name))
            for name in mine.sheet["sides"]
            if name != mine.sheet["side"]
        ],
        "hows": HOWS,
        "key": told.at,
        "data": {
            **_data(told),
            "fields": ENTRY_FIELDS,
            "keep": f"{request.user.get_username()}/{mine.id}",
        },
    }
    return render(request, "campaign/table_record.html", context)


@player_page
def sync(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """What changed, after what was sent is added."""
    war, mine = opened(viewer, battle)
    written: list[list[Any]] = []
    touched: set[str] | None = None  # ships whose drawings are sent; None: all
    if request.method == "POST":
        try:
            entries, at = _sent(request)
            done = entries_write(table=mine, faction=war.faction, entries=entries)
        except RuleViolations as error:
            return data_for_script({"error": words_of(error.violations)}, status=422)
        except Refused as error:
            return data_for_script({"error": error.args[0]}, status=409)
        fresh = at == _at(mine, done.before)  # else another telephone has written, too
        touched = (
            {str(entry.get("ship")) for _, entry in entries if isinstance(entry, Mapping)}
            if fresh
            else None
        )
        written = [[one.key, [fault.message for fault in one.faults]] for one in done.written]
        told = Told(war, mine, done.record)
    else:
        told = Told(war, mine, record_of(mine, war.faction))
        if request.GET.get("at") == told.at:
            return HttpResponse(status=204)
    return data_for_script(
        {
            **_data(told),
            "written": written,
            "shared": render_to_string("campaign/_table_shared.html", told.shared()),
            "sheets": {
                pad.id: pad.drawn
                for pad in told.pads
                if pad.drawn and (touched is None or pad.id in touched)
            },
        }
    )


@player_page
def worker(_request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The script that opens the page without network: it stands under the page, so that it can
    meddle with no other.
    """
    opened(viewer, battle)
    return HttpResponse(_worker_text(), content_type="text/javascript; charset=utf-8")


def _worker_text() -> str:
    return (settings.BASE_DIR / "static" / "js" / "table_worker.js").read_text(encoding="utf-8")


def _sent(request: HttpRequest) -> tuple[list[tuple[str, object]], str]:
    """The entries that a script sends, and of which record it knows (`Told.at`).

    Raises RuleViolations.
    """
    wanted = [
        Violation(
            "entries",
            "entries",
            phrase('JSON is needed: an object with "entries", a list of pairs'),
        )
    ]
    if request.content_type != "application/json":
        raise RuleViolations(wanted)
    try:
        found = read_json(request.body.decode("utf-8"), PLAYER)
        return [(str(key), entry) for key, entry in found["entries"]], str(found.get("at", ""))
    except (UnicodeDecodeError, TypeError, KeyError, ValueError) as error:
        raise RuleViolations(wanted) from error


def _data(told: Told) -> dict[str, Any]:
    """The record as the page's script holds it, to mark it at once."""
    ships = {
        id_: {
            "crossed": sorted(marks.crossed),
            "hits": {fit.id: marks.hits[fit.id] for fit in marks.ship.sheet.fits},
            "whole": {
                fit.id: n
                for fit, n in zip(marks.ship.sheet.fits, marks.ship.profile.whole, strict=True)
            },
            "stock": marks.stock,
            "status": marks.status,
            "shown": marks.shown,
            "checks": {str(row): check_words(thrown) for row, thrown in marks.checks.items()},
        }
        for id_, marks in told.kept.marks.items()
        if not marks.ship.dummy
    }
    kept = told.kept
    plot = kept.mine.get(kept.turn, {}) if told.sealed else {}
    turn = {"turn": kept.turn, "phase": kept.phase, "sealed": told.sealed, "plot": plot}
    return {"at": told.at, "ships": ships, "ground": kept.ground, **turn}


def _posted(request: HttpRequest, war: War, mine: TableBattle) -> HttpResponse:
    """An entry of the form, or its record made into the result."""
    post = request.POST
    try:
        if text(post, "do") == "result":
            result_propose(table=mine, faction=war.faction)
            messages.success(
                request,
                phrase("The record is now the draft of your result. Look it through, and seal it."),
            )
            return redirect("battle-table", c=war.id, battle=mine.id)
        entry = entry_from(post)
        # what is pressed twice on one page is one entry
        key = uuid.uuid5(
            FORM, phrase("{} {} {}", mine.id, text(post, "key"), json.dumps(entry, sort_keys=True))
        )
        (one,) = entries_write(table=mine, faction=war.faction, entries=[(str(key), entry)]).written
        if one.faults:
            messages.error(request, phrase("Not entered. {}", words_of(one.faults)))
    except RuleViolations as error:
        messages.error(request, words_of(error.violations))
    except Refused as error:
        messages.error(request, phrase("Not entered: {}.", error.args[0]))
    answer = redirect("table-record", c=war.id, battle=mine.id)
    if text(post, "do").count(SEP):
        answer.headers["Location"] += f"#kept-{text(post, 'do').split(SEP)[1].replace('/', '-')}"
    return answer


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/record/", record, name="table-record"),
    path("c/<str:c>/battles/<uuid:battle>/table/record/sync/", sync, name="table-record-sync"),
    path(
        "c/<str:c>/battles/<uuid:battle>/table/record/worker.js", worker, name="table-record-worker"
    ),
]
