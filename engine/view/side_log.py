"""The log of a battle as one side sees it: foreign ships by contact code, without hidden facts.

Each event declares its audience and the visibility of its fields (`engine.events.event`); what is
not declared visible is hidden.

Rules: 2E "Sensors and target identification" [2e.sensors]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from engine.continuum.readings import is_sheet_closed
from engine.core.kinds import CARRIED, CLOAKED
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.events.event import Audience, Event, FieldMark, LogOrder, field_marks_of
from engine.events.movement import ShipDetached
from engine.view.side_view import visible_pieces

NOTHING = object()  # in place of a hidden field
EventLine = tuple[Event, dict[str, Any]]


class SideListener:
    """The knowledge of one side in the course of a log: a `Listener` with a name for everything."""

    __slots__ = (
        "aboard",
        "closed",
        "covers",
        "hidden",
        "mine",
        "names",
        "pieces",
        "side",
        "unseen",
    )

    def __init__(self, start: BattleState, side: int) -> None:
        self.side = start.sides[side]
        self.names = start.foreign_names(side)
        self.pieces = {id_: piece.id for id_, piece in visible_pieces(start, side) if piece.id}
        self.mine: set[str] = {piece.id for piece in start.pieces if piece.owner == side}
        self.hidden: set[str] = set()
        self.closed: set[str] = set()
        self.unseen: set[str] = set()
        self.aboard: set[str] = set()
        self.covers: dict[str, list[str]] = {}
        for ship in start.ships:
            if ship.status == CLOAKED:
                self.unseen.add(ship.id)
            if ship.status == CARRIED:
                self.aboard.add(ship.id)
            if ship.commander == side:
                self.mine.add(ship.id)
            else:
                self._add_foreign_ship(start, side, ship)

    def _add_foreign_ship(self, start: BattleState, side: int, ship: ShipState) -> None:
        """Note what the side cannot see of a ship of another side."""
        if ship.bogey:
            self.hidden.add(ship.id)
        if is_sheet_closed(start, side, ship):
            self.closed.add(ship.id)
        if ship.cover is not None:
            self.covers[ship.id] = [fit.id for fit in ship.cover.fits]

    def hear(self, event: Event) -> dict[str, Any] | None:
        """Return the line of the side's log for an event, or None if it hears nothing of it."""
        subject = event.subject
        if not self._notices(event, subject):
            return None
        event.notice(self)
        if event.audience is Audience.IDENTIFIED and not self._reads_sheet(event, subject):
            return None
        document = event.line_for(self)
        if document is None:
            return None
        return self._visible_line(document, field_marks_of(type(event)), subject)

    def _notices(self, event: Event, subject: str) -> bool:
        """Return whether the side can notice an event about a ship or group."""
        if event.audience is Audience.NOBODY:
            return False
        if subject in self.mine:
            return True
        if event.audience is Audience.OWN_SIDE:
            return False
        if subject in self.unseen and not event.heard_while_cloaked:
            return False
        return subject not in self.aboard or event.kind == ShipDetached.kind

    def _reads_sheet(self, event: Event, subject: str) -> bool:
        """Return whether the side knows enough of a ship to see an event on its record sheet."""
        if subject in self.hidden:
            return False
        if subject in self.mine or subject not in self.closed:
            return True
        return event.is_visible_on_closed_sheet()

    def _visible_line(
        self, document: dict[str, Any], marks: dict[str, FieldMark], subject: str
    ) -> dict[str, Any]:
        """Return a line with only the fields that the side may see, and ids as it knows them."""
        is_own = subject in self.mine
        line = {"event": document["event"]}
        for field, value in document.items():
            mark = marks.get(field)
            translated = NOTHING
            if mark in TRANSLATED:
                translated = TRANSLATED[mark](self, value)
            elif mark is FieldMark.OWN and is_own:
                translated = value
            elif mark is FieldMark.OWN_UNIT and is_own:
                translated = self.name(value)
            if translated is not NOTHING:
                line[field] = translated
        return line

    def as_it_is(self, value: Any) -> Any:
        """Return the value of an open field unchanged."""
        return value

    def name(self, value: Any) -> Any:
        """Return the side's name of a unit, or of a list of units; foreign ones by contact code."""
        if isinstance(value, list):
            return [self.name(item) for item in value]
        return self.names.get(value, value)

    def part(self, value: str) -> str:
        """Return the side's name of a part of a ship (`n1/nova-1`), foreign ones by code."""
        if value in self.names or value in self.mine:
            return self.names.get(value, value)
        owner, slash, rest = value.partition("/")
        return f"{self.names.get(owner, owner)}{slash}{rest}"

    def cause(self, value: str) -> str:
        """Return a cause (`fire:n1`, `ftl`) with any foreign unit in it by contact code."""
        word, colon, name = value.partition(":")
        if colon:
            return f"{word}{colon}{self.part(name)}"
        return value

    def order(self, value: str) -> str:
        """Return the text of an order with its foreign names as contact codes.

        The text is like `dogfight e1/fighter-bay-1; turn 2`.
        """
        clauses = []
        for clause in value.split("; "):
            clauses.append(" ".join(self.part(word) for word in clause.split(" ")))
        return "; ".join(clauses)

    def piece(self, value: str) -> Any:
        """Return the name that the side sees on a piece, or NOTHING."""
        return self.pieces.get(value, NOTHING)

    def named_pieces(self, value: list[str]) -> list[str]:
        """Return the names that the side sees on these pieces, without the others."""
        return [self.pieces[name] for name in value if name in self.pieces]


TRANSLATED: dict[FieldMark | None, Callable[[SideListener, Any], Any]] = {
    FieldMark.OPEN: SideListener.as_it_is,
    FieldMark.UNIT: SideListener.name,
    FieldMark.PIECE: SideListener.piece,
    FieldMark.PIECES: SideListener.named_pieces,
    FieldMark.CAUSE: SideListener.cause,
    FieldMark.ORDER: SideListener.order,
    FieldMark.REASON: SideListener.as_it_is,
}


def side_log(events: Iterable[Event], start: BattleState, side: int) -> list[dict[str, Any]]:
    """Return the log as one side sees it.

    A foreign ship is its contact code, and nothing reveals its class before it is identified. Of a
    disguised Q ship the side sees what its cover shows. Only its own side learns of a refused
    order.

    Args:
        start: The state before the first of `events`.

    Rules: 2E "Sensors and target identification" [2e.sensors]; 2E "Q ships" [2e.q-ships]
    """
    listener = SideListener(start, side)
    heard: list[EventLine] = []
    for event in events:
        line = listener.hear(event)
        if line is not None:
            heard.append((event, line))
    return _unordered_moves(heard, listener.mine)


def _unordered_moves(heard: list[EventLine], mine: set[str]) -> list[dict[str, Any]]:
    """Sort each run of moves and of scans by the names shown, to hide the order of foreign rosters.

    What happens to a ship on its way stays with its move.
    """
    rows: list[_SortableLine] = []
    mover = ""  # the ship whose move the last line belongs to
    for event, line in heard:
        ship = str(line.get("ship", line.get("near", "")))
        befalls_mover = mover != "" and ship == mover and event.stays_with_move()
        if event.log_order is LogOrder.ON_THE_WAY or befalls_mover:
            order = LogOrder.ON_THE_WAY
            mover = ship
        elif event.log_order is LogOrder.SCANS:
            order = LogOrder.SCANS
            mover = ""
        else:
            order = LogOrder.AS_IT_HAPPENED
            mover = ""
        rows.append(_SortableLine(order, (ship not in mine, ship), line))
    ordered: list[dict[str, Any]] = []
    for order, rows_in_run in groupby(rows, key=attrgetter("order")):
        run = list(rows_in_run)
        if order is not LogOrder.AS_IT_HAPPENED:
            run.sort(key=attrgetter("sort_key"))
        ordered += [row.line for row in run]
    return ordered


class _SortableLine(NamedTuple):
    """A line of a side's log with what decides its place in it."""

    order: LogOrder
    sort_key: tuple[bool, str]  # own ships first, then by the name shown
    line: dict[str, Any]
