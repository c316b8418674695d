"""API resources for the damage record of a battle at a table: read, add to, and use as result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.requests import body_of
from campaign.api.resource import Resource, idempotent, json_response, played_faction
from campaign.api.schema import documented
from campaign.api.shapes import Nothing
from campaign.api.tables import TAG, TableEndpoint, TableSheet
from campaign.rules.table_record import PHASES, SETTING_UP, Marks, RecordState
from campaign.services.table_records import Record, entries_write, record_of, result_propose
from campaign.web.problems import Fault
from engine.core.errors import faults_json
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class ShipMarks:
    """The marks on the sheet of one of the faction's ships.

    Attributes:
        crossed: Numbers of boxes on the damage track.
        lost: Systems; one that takes two hits is listed once for each.
        is_shown: The other sides have identified the ship.
        checks: Rolls of threshold checks, by the last box of the row.
    """

    crossed: list[int]
    lost: list[str]
    stock: dict[str, int]
    status: str
    captor: str
    how: str
    is_shown: bool
    checks: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class RecordLine:
    """An entry of the record: as written for an own one, as published for others."""

    faction: str
    entry: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableRecord:
    """The record of a battle as the caller's faction knows it.

    Attributes:
        turn: 0 while the sides set up.
        phase: The phase of the turn, in words.
        set_up: Where the faction's own ships begin, once it has sealed its set-up. Others read
            of those on the table, in the entry's `ships`, if one side sets up after the other.
        bodies: Where the sides have placed asteroids, terrain and stations, by id.
        sealed: The factions that have sealed a plot for this turn.
        ships: The faction's own ships.
        contacts: What is known of foreign ships, by contact.
        plots: The plots of this turn once all have sealed, by faction and ship.
        reserved: Numbers of the faction's dice that `reveal` can show.
        entries: Earliest first.
    """

    turn: int
    phase: str
    set_up: dict[str, dict[str, Any]]
    bodies: dict[str, list[float]]
    sealed: list[str]
    ships: dict[str, ShipMarks]
    contacts: dict[str, dict[str, Any]]
    plots: dict[str, dict[str, str]]
    reserved: list[int]
    entries: list[RecordLine]


@dataclass(frozen=True, slots=True)
class EntrySent:
    """An entry for the record.

    Attributes:
        key: A UUID made by the client; an entry sent twice is recorded once.
        entry: `kind` with its fields: `boxes` (ship, first, last, off), `system` (ship, system,
            hits), `stock` (ship, name, left), `check` (ship, row, site, rolls), `end` (ship,
            status, captor, how), `shown` (ship), `plot` (turn, orders by ship), `phase` (turn,
            phase), `dice` (about, rolls), `throw` (about, dice), `reveal` (number), and before
            turn 1, if the sides set up in zones, `body` (body, at) for each body that they place,
            and `set_up` (places by ship, as in a battle file's `set_up`). A `throw`, or a `check`
            that the site rolls, only reserves the dice, with a number; `reveal`
            shows them.
    """

    key: str
    entry: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EntriesSent:
    """Entries in their order, at most 100."""

    entries: list[EntrySent]


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """The result of sending an entry.

    Attributes:
        violations: Why it was not added; empty if it is in the record, now or from before.
        number: That of the dice that it reserved or showed; null without any.
    """

    key: str
    violations: list[Fault]
    number: int | None


@dataclass(frozen=True, slots=True)
class EntriesOutcome:
    """The results of sending entries, and the record now."""

    outcomes: list[EntryOutcome]
    record: TableRecord


class TableRecordResource(Resource):
    """The record of a battle at a table."""

    @documented(
        "table_record",
        "The damage record of a battle at a table",
        {200: TableRecord},
        problems=(404,),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Return the faction's marked sheets, and what other factions' entries reveal."""
        endpoint = TableEndpoint.of(self.viewer(campaign, play=True), battle=battle)
        return json_response(_record_answer(record_of(endpoint.table, endpoint.document.faction)))

    @documented(
        "table_record_add",
        "Add entries to the record of a battle at a table",
        {200: EntriesOutcome},
        body_type=EntriesSent,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Add each entry without faults, skipping the others.

        409 when the battle is over.
        """
        endpoint = TableEndpoint.of(self.viewer(campaign, play=True), battle=battle)
        entries = [(item.key, item.entry) for item in body_of(request, EntriesSent).entries]
        outcome = entries_write(
            table=endpoint.table, faction=endpoint.document.faction, entries=entries
        )
        results = []
        for item in outcome.results:
            results.append(EntryOutcome(item.key, _faults(item.faults), item.number))
        return json_response(EntriesOutcome(results, _record_answer(outcome.record)))


class TableProposalResource(Resource):
    """The result proposed by the record."""

    @documented(
        "table_record_result",
        "Replace the draft of the result by the record",
        {200: TableSheet},
        body_type=Nothing,
        problems=(404,),
        writes=True,
        tag=TAG,
    )
    @idempotent
    def post(self, request: Request, campaign: str, battle: str) -> HttpResponse:
        """Replace the draft of the result by the record, and return the battle.

        409 if a result is sealed.
        """
        viewer = self.viewer(campaign, play=True)
        endpoint = TableEndpoint.of(viewer, battle=battle)
        body_of(request, Nothing)
        result_propose(table=endpoint.table, faction=played_faction(viewer))
        return json_response(TableEndpoint.of(viewer, battle=battle).sheet())


def _faults(violations: Any) -> Any:
    return faults_json(list(violations))


def _record_answer(record: Record) -> TableRecord:
    state: RecordState = record.state
    return TableRecord(
        turn=state.turn,
        phase=phrase("set-up") if state.turn == SETTING_UP else PHASES[state.phase],
        set_up=state.places,
        bodies=state.bodies,
        sealed=sorted(state.sealed.get(state.turn, ())),
        ships={id_: _marks(marks) for id_, marks in state.marks.items()},
        contacts=state.contacts,
        plots=state.plots.get(state.turn, {}),
        reserved=sorted(state.reserved),
        entries=[RecordLine(author, dict(entry)) for author, entry in record.entries],
    )


def _marks(marks: Marks) -> ShipMarks:
    return ShipMarks(
        crossed=sorted(marks.crossed),
        lost=marks.lost,
        stock=marks.stock,
        status=marks.status,
        captor=marks.captor,
        how=marks.how,
        is_shown=marks.is_shown,
        checks={str(row): rolls for row, rolls in marks.checks.items()},
    )
