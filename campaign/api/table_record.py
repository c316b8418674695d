"""The record of a battle that is kept while it is fought at a table: read, added to, and taken over
into the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of
from campaign.api.resource import Resource, answer, idempotent, own
from campaign.api.schema import documented
from campaign.api.shapes import Nothing
from campaign.api.tables import TAG, TableDesk, TableSheet
from campaign.rules.table_record import PHASES, Kept, Marks
from campaign.services.table_records import Record, entries_write, record_of, result_propose
from campaign.web.problems import Fault
from engine.core.errors import faults_json


@dataclass(frozen=True, slots=True)
class ShipMarks:
    """What is marked on one of my sheets.

    `crossed`: boxes of the damage track by their numbers; `lost`: systems, one that takes two hits
    once for each; `shown`: the others have identified it; `checks`: what was thrown in threshold
    checks, by the last box of the row.
    """

    crossed: list[int]
    lost: list[str]
    stock: dict[str, int]
    status: str
    captor: str
    how: str
    shown: bool
    checks: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class RecordLine:
    """An entry: of my own as I made it, of others what it tells everybody."""

    faction: str
    entry: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A battle's record as my faction knows it.

    `phase`: of the turn, in words; `sealed`: who has sealed a plot of it.

    `ships`: mine; `others`: what was told of foreign ships, by contact; `plots`: of this turn, once
    all have sealed, by faction and ship; `entries`: the earliest first.
    """

    turn: int
    phase: str
    sealed: list[str]
    ships: dict[str, ShipMarks]
    others: dict[str, dict[str, Any]]
    plots: dict[str, dict[str, str]]
    entries: list[RecordLine]


@dataclass(frozen=True, slots=True)
class EntrySent:
    """An entry under a name of its own, a UUID that the client makes: sent twice it stands in the
    record once.

    `entry`: `kind` with what belongs to it: `boxes` (ship, first, last, off), `system` (ship,
    system, hits), `stock` (ship, name, left), `check` (ship, row, site, rolls), `end` (ship,
    status, captor, how), `shown` (ship), `plot` (turn, orders by ship), `phase` (turn, phase),
    `dice` (about, rolls), `throw` (about, dice).
    """

    key: str
    entry: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EntriesSent:
    """Entries in their order, 100 at most."""

    entries: list[EntrySent]


@dataclass(frozen=True, slots=True)
class EntryWritten:
    """What became of an entry.

    `violations`: why it was not added; none: it is in the record, now or since before.
    """

    key: str
    violations: list[Fault]


@dataclass(frozen=True, slots=True)
class EntriesWritten:
    """What became of all that was sent, and the record now."""

    written: list[EntryWritten]
    record: TableRecord


class TableRecordResource(Resource):
    """The record of a battle at a table."""

    @documented(
        "table_record",
        "The record of a battle kept at a table",
        {200: TableRecord},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """The faction's own sheets as they are marked, and what others' entries tell."""
        desk = TableDesk.of(self.viewer(campaign, play=True), battle=battle)
        return answer(_told(record_of(desk.table, desk.document.faction)))

    @documented(
        "table_record_add",
        "Add entries to the record of a battle at a table",
        {200: EntriesWritten},
        takes=EntriesSent,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Every entry by itself: one with faults is not added, those after it are.

        409 when the battle is over.
        """
        desk = TableDesk.of(self.viewer(campaign, play=True), battle=battle)
        sent = [(one.key, one.entry) for one in body_of(request, EntriesSent).entries]
        done = entries_write(table=desk.table, faction=desk.document.faction, entries=sent)
        written = [EntryWritten(one.key, _faults(one.faults)) for one in done.written]
        return answer(EntriesWritten(written, _told(done.record)))


class TableProposalResource(Resource):
    """The result that a record comes to."""

    @documented(
        "table_record_result",
        "Take the record over into the draft of the result",
        {200: TableSheet},
        takes=Nothing,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """The battle with its new draft, which is written over the one before.

        409 where a result is sealed.
        """
        viewer = self.viewer(campaign, play=True)
        desk = TableDesk.of(viewer, battle=battle)
        body_of(request, Nothing)
        result_propose(table=desk.table, faction=own(viewer))
        return answer(TableDesk.of(viewer, battle=battle).sheet())


def _faults(found: Any) -> Any:
    return faults_json(list(found))


def _told(record: Record) -> TableRecord:
    kept: Kept = record.kept
    return TableRecord(
        turn=kept.turn,
        phase=PHASES[kept.phase],
        sealed=sorted(kept.sealed.get(kept.turn, ())),
        ships={id_: _marks(marks) for id_, marks in kept.marks.items()},
        others=kept.others,
        plots=kept.plots.get(kept.turn, {}),
        entries=[RecordLine(whose, dict(entry)) for whose, entry in record.entries],
    )


def _marks(marks: Marks) -> ShipMarks:
    return ShipMarks(
        crossed=sorted(marks.crossed),
        lost=marks.lost,
        stock=marks.stock,
        status=marks.status,
        captor=marks.captor,
        how=marks.how,
        shown=marks.shown,
        checks={str(row): thrown for row, thrown in marks.checks.items()},
    )
