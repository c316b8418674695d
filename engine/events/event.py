"""What an event is, and which of its fields each side may know.

An event is a frozen value: one thing that happened, with every roll that it took. It declares who
hears of it (`audience`) and, by the marks of its field types below, what they are shown. A field
without a mark, and an event without an audience, is shown to no side. Pieces use the same marks
(`engine.pieces.piece`).

    points: Open[int]       shown as it is; it never names what a side may not know
    ship: ShipRef           a ship; a foreign one appears under its contact code
    group: GroupRef         a group of craft; likewise
    target: UnitRef         a ship, a group or an asteroid
    mine: PieceRef          a piece, by the name that a side sees on it (`engine.pieces`), else None
    gone: PieceRefs         names of pieces; those without a name for the side are left out
    load: Own[int | None]   shown only to the side of its ship; None in events read by other sides
    home: OwnShipRef        a ship, shown only to the side of its ship (or piece), by its name there
    cause: Cause            what damaged something: a word, or a word and a name (`fire:n1`)
    order: OrderText        the text of an order; foreign names in it appear as contact codes
    reason: ReasonText      a reason with its values, which say no more than its text

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Information" 2.6
[pc.open-book]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum, auto
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Protocol,
    TypeVar,
    get_args,
    get_type_hints,
)

from engine.core.cache import rules_cache
from engine.core.ids import GroupId, ShipId
from engine.core.phrase_data import reason_data, restore_phrase

if TYPE_CHECKING:
    from engine.core.state import BattleState

T = TypeVar("T")


class Audience(Enum):
    """Which sides hear of an event at all."""

    NOBODY = auto()
    OWN_SIDE = auto()  # only the side of its ship (or group)
    IDENTIFIED = auto()  # every side; of an unidentified ship only its own side
    EVERYBODY = auto()


class LogOrder(Enum):
    """Where an event appears in a side's log.

    What ships do on their way is sorted by name there, so that its order reveals nothing about the
    roster of another side.
    """

    AS_IT_HAPPENED = auto()
    ON_THE_WAY = auto()  # sorted within a run of such events
    SCANS = auto()  # sorted within a run of such events
    BEFALLS = auto()  # stays with the move of the ship that it happens to


class FieldMark(Enum):
    """How a field of an event or a piece is shown to a side."""

    OPEN = auto()
    UNIT = auto()
    OWN = auto()
    OWN_UNIT = auto()
    KNOWERS = auto()
    PIECE = auto()
    PIECES = auto()
    CAUSE = auto()
    ORDER = auto()
    REASON = auto()


Open = Annotated[T, FieldMark.OPEN]
ShipRef = Annotated[ShipId, FieldMark.UNIT]
GroupRef = Annotated[GroupId, FieldMark.UNIT]
UnitRef = Annotated[str, FieldMark.UNIT]
ShipRefs = Annotated[tuple[ShipId, ...], FieldMark.UNIT]
UnitRefs = Annotated[tuple[str, ...], FieldMark.UNIT]
Own = Annotated[T, FieldMark.OWN]
OwnShipRef = Annotated[ShipId, FieldMark.OWN_UNIT]
Knowers = Annotated[int, FieldMark.KNOWERS]
PieceRef = Annotated[str | None, FieldMark.PIECE]
PieceRefs = Annotated[tuple[str, ...], FieldMark.PIECES]
Cause = Annotated[str, FieldMark.CAUSE]
OrderText = Annotated[str, FieldMark.ORDER]
ReasonText = Annotated[str, FieldMark.REASON]


class Listener(Protocol):
    """The knowledge of one side in the course of a log.

    Attributes:
        side: Its name.
        mine: The ids of the ships and groups that it commands.
        names: Its names for units that it knows by another name than their id.
        pieces: The names that it sees on pieces, by id.
        hidden: Ships that it has not identified.
        covers: The visible systems of disguised Q ships.
        unseen: Ships under a cloaking field. Other sides hear only that they decloak, are taken
            over or are destroyed.
        aboard: Carried ships. Other sides hear only that they detach.
    """

    side: str
    mine: set[str]
    names: dict[str, str]
    pieces: dict[str, str]
    hidden: set[str]
    covers: dict[str, list[str]]
    unseen: set[str]
    aboard: set[str]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in turn `turn` (from 1; 0: before the first turn).

    Ships are named by their ids, as in the umpire's log; `engine.view.side_log` converts it for one
    side. `kind` is its name in the log.
    """

    kind: ClassVar[str] = "event"
    audience: ClassVar[Audience] = Audience.NOBODY
    log_order: ClassVar[LogOrder] = LogOrder.AS_IT_HAPPENED
    # The text of its line, for pages without a text of their own. `{field}` inserts a field, units
    # by name, numbers with a noun as `{points:point}`. Dice are added beside it.
    text: ClassVar[str] = ""
    # Its plural, for the same event of several ships or groups; "": they are listed one by one.
    plural_text: ClassVar[str] = ""
    # With the audience IDENTIFIED: also shown to sides that cannot read the ship's record sheet.
    outward: ClassVar[bool] = False
    # Other sides hear of it while its ship is under a cloaking field.
    heard_while_cloaked: ClassVar[bool] = False
    turn: Open[int]

    def to_json(self) -> dict[str, Any]:
        """Return the event as a line of the umpire's log: its kind, and its fields by name."""
        document: dict[str, Any] = {"event": self.kind}
        for field in fields(self):
            document[field.name] = _with_lists(getattr(self, field.name))
        for name, mark in field_marks_of(type(self)).items():
            if mark is FieldMark.REASON:
                document[name] = reason_data(getattr(self, name))
        return document

    def apply(self, state: BattleState) -> None:
        """Repeat the change that this event reports, so that the log alone replays the battle."""

    def notice(self, listener: Listener) -> None:
        """Update the knowledge of a side that hears of it."""

    def line_for(self, listener: Listener) -> dict[str, Any] | None:  # noqa: ARG002 -- kinds of event use it
        """Return its line for a side before names are translated.

        It leaves out what the side may not know, and is None if the side hears nothing.
        """
        return self.to_json()

    def is_visible_on_closed_sheet(self) -> bool:
        """Return whether sides that cannot read the record sheet of its ship hear of it."""
        return self.outward

    def stays_with_move(self) -> bool:
        """Return whether it happened to the ship that is moving."""
        return self.log_order is LogOrder.BEFALLS

    @property
    def subject(self) -> str:
        """The ship or group that it concerns, or ""."""
        return getattr(self, "ship", "") or getattr(self, "group", "")


Sink = Callable[[Event], None]


def require_value(value: T | None) -> T:
    """Return a field that is never None in the umpire's log."""
    assert value is not None
    return value


@rules_cache
def field_marks_of(cls: type[Any]) -> dict[str, FieldMark]:
    """Return the mark of each marked field of a kind of event or piece."""
    hints = get_type_hints(cls, include_extras=True)
    marks_by_field: dict[str, FieldMark] = {}
    for field in fields(cls):
        marks = []
        for mark in get_args(hints[field.name])[1:]:
            if isinstance(mark, FieldMark):
                marks.append(mark)
        if len(marks) == 1:
            marks_by_field[field.name] = marks[0]
    return marks_by_field


def read_field(value: Any, mark: FieldMark | None) -> Any:
    """Return the value of a field in a log line: lists as tuples, a reason as a text."""
    if mark is FieldMark.REASON:
        return restore_phrase(value)
    return as_tuples(value)


def as_tuples(value: Any) -> Any:
    """Return a value with tuples in place of lists."""
    if type(value) is list:
        return tuple(as_tuples(item) if type(item) is list else item for item in value)
    return value


def _with_lists(value: Any) -> Any:
    """Return a value with lists in place of tuples, as JSON has them."""
    if isinstance(value, tuple):
        return [_with_lists(item) for item in value]
    return value
