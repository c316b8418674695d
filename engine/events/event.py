"""What an event is, and who may know which of its fields.

Pieces mark theirs by the same types (`engine.pieces.piece`).

An event is a frozen value: one thing that happened, with every roll that it took. It says by itself
who hears of it (`audience`) and, field by field, what they are told: a field's type is one of the
marks below. A field without a mark, and an event without an audience, is told to nobody.

    points: Open[int]       told as it is: it never names what a side may not know
    ship: ShipRef           a ship; a foreign one is told by its contact code
    group: GroupRef         a group of craft; likewise
    target: UnitRef         a ship, a group or an asteroid
    mine: PieceRef          a piece: by the name that a side sees on it (`engine.pieces`), None where it sees none
    gone: PieceRefs         names of pieces: those that a side sees no name on are left out
    load: Own[int | None]   told to the side of its ship alone; None in an event as another side was told it
    home: OwnShipRef        a ship, told to the side of its ship (or piece) alone, by what that calls it
    cause: Cause            what hurt something: a word, or a word and a name (`fire:n1`)
    order: OrderText        the text of an order: every foreign name in it is told by its contact code
    why: Why                a reason: told as it is, its values with it, which say no more than its text

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
    """The audiences of an event: those who hear of it at all."""

    NOBODY = auto()
    OWN_SIDE = auto()  # the side of its ship (or group) alone
    IDENTIFIED = auto()  # everybody; of a ship that is not identified its own side alone
    EVERYBODY = auto()


class LogOrder(Enum):
    """The places of an event in a side's log: what ships do by themselves on their way is sorted by
    their names there, so that the order of the others' roster says nothing.
    """

    AS_IT_HAPPENED = auto()
    ON_THE_WAY = auto()  # sorted among its like
    SCANS = auto()  # sorted among its like
    BEFALLS = auto()  # stays with the move of the ship that it befalls


class FieldMark(Enum):
    """The marks of a field of an event, or of a piece: how it is told to a side."""

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
    """The knowledge of one side as the log goes on.

    `side`: its name. `mine`: the ids of the ships and groups it commands; `called`: what it calls
    those that have another name for it; `pieces`: the names that it sees on pieces, by their ids;
    `hidden`: ships it has not identified; `covers`: the systems shown by those that pass for
    something else; `unseen`: those under a cloaking field, of which only their own side hears more
    than that they come out, obey another side, or are no more; `aboard`: those that others carry,
    of which it hears that they detach, and no more.
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
    """One thing that happened in turn `turn` (from 1; 0: before the first).

    `kind` names it in the log.

    Ships are named by their ids: this is the umpire's log; `engine.view.side_log` tells it to one
    side.
    """

    kind: ClassVar[str] = "event"
    audience: ClassVar[Audience] = Audience.NOBODY
    log_order: ClassVar[LogOrder] = LogOrder.AS_IT_HAPPENED
    # Its line in words, where pages have none of their own: `{field}` gives a field, a ship or
    # group by what it is called, a number with its noun as `{points:point}`; the dice are put
    # beside it.
    text: ClassVar[str] = ""
    # Of what everybody hears who has identified its ship: others see it too who cannot read that
    # ship's record sheet.
    outward: ClassVar[bool] = False
    heard_while_cloaked: ClassVar[bool] = (
        False  # others hear of it though its ship is under a cloaking field
    )
    turn: Open[int]

    def to_json(self) -> dict[str, Any]:
        """The event as a line of the umpire's log: its kind and its fields by their names."""
        document = {"event": self.kind} | {
            f.name: _plain(getattr(self, f.name)) for f in fields(self)
        }
        for name, mark in field_marks_of(type(self)).items():
            if mark is FieldMark.REASON:
                document[name] = reason_data(getattr(self, name))
        return document

    def apply(self, state: BattleState) -> None:
        """Make the change again that this event tells of: so the log alone replays the battle."""

    def notice(self, listener: Listener) -> None:
        """Change what a side knows that hears of it."""

    def line_for(self, listener: Listener) -> dict[str, Any] | None:  # noqa: ARG002 -- kinds of event use it
        """Its line for a side before names are translated: less than the whole where a side may not
        know so much, None where it is told nothing.
        """
        return self.to_json()

    def is_visible_on_closed_sheet(self) -> bool:
        """Whether those hear of it who cannot read the record sheet of its ship."""
        return self.outward

    def stays_with_move(self) -> bool:
        """Whether it befell the ship that is just moving."""
        return self.log_order is LogOrder.BEFALLS

    @property
    def subject(self) -> str:
        """The ship, or the group, that it is about; "" where it is about neither."""
        return getattr(self, "ship", "") or getattr(self, "group", "")


Sink = Callable[[Event], None]


def require_value(value: T | None) -> T:
    """Return a field of the umpire's log, in which nothing is hidden."""
    assert value is not None
    return value


@rules_cache
def field_marks_of(cls: type[Any]) -> dict[str, FieldMark]:
    """The mark of each field of a kind of event, or of piece, by the field's name; one without a
    mark is not there.
    """
    hints = get_type_hints(cls, include_extras=True)
    marks_by_field: dict[str, FieldMark] = {}
    for field in fields(cls):
        marks = [mark for mark in get_args(hints[field.name])[1:] if isinstance(mark, FieldMark)]
        if len(marks) == 1:
            marks_by_field[field.name] = marks[0]
    return marks_by_field


def read_field(value: Any, mark: FieldMark | None) -> Any:
    """Return the value of a field that a line of a log holds: lists as tuples, a reason as the text
    that it says today.

    Older documents hold the English text of a reason, which is left as it is.
    """
    if mark is FieldMark.REASON:
        return restore_phrase(value)
    return as_tuples(value)


def as_tuples(value: Any) -> Any:
    """Return a value with tuples for its lists."""
    if type(value) is list:
        return tuple(as_tuples(item) if type(item) is list else item for item in value)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
