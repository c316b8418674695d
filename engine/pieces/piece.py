"""What a piece on the table is, and who may know which of its fields.

A piece says by itself who may know that it is there (`seen`) and, field by field, what they may know: a field's type is
one of the marks of `engine.events.event`. What a side does not learn is what the field holds where it says nothing: its
default, or what the kind's `hidden` says. A field without a mark, and a piece that does not say who sees it, is hidden
from every side, its own too.

    x: Open[float]          seen as it is: it never names what a side may not know
    ship: ShipRef           a ship; a foreign one by its contact code
    id: GroupRef            a group of craft; likewise
    laid: Own[int]          its own side's alone
    known: Knowers          which sides know of the piece, as bits: a side learns of itself alone

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Information" 2.6 [pc.open-book]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, replace
from enum import Enum, auto
from typing import Any, ClassVar, Self, get_origin, get_type_hints

from engine.core.geometry import NEAR
from engine.events.event import Mark, marks_of

Point = tuple[float, float]

NOBODY = -1  # the side of what belongs to none, or to nobody knows whom


class Seen(Enum):
    """Who may know that a piece is there at all."""

    BY_NOBODY = auto()
    BY_ITS_SIDE = auto()
    BY_KNOWERS = auto()  # its own side, and those in `known`
    BY_EVERYBODY = auto()


class Piece:
    """Something on the table that is no ship, a dataclass with an `id` and a place, x and y in MU.

    It can be copied and written to JSON: its fields are its document.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    kind: ClassVar[str] = ""  # its name in documents
    view_keys: ClassVar[tuple[str, ...]] = ()  # its lists in the document of a view; the last one has the others'
    seen: ClassVar[Seen] = Seen.BY_NOBODY
    in_order: ClassVar[bool] = False  # its place among its like tells nothing: others are shown it as the table has it
    hidden: ClassVar[Mapping[str, Any]] = {}  # what fields hold where they are hidden, where that is not their default
    commanded: ClassVar[bool] = False  # its side gives it orders
    flies_along: ClassVar[bool] = False  # in a pursuit, and wherever the table goes

    id: str
    x: float
    y: float

    @property
    def owner(self) -> int:
        """The number of its side, NOBODY where it has none."""
        return getattr(self, "side", NOBODY)

    @property
    def code(self) -> str:
        """What other sides call it, "" where nobody names it."""
        return getattr(self, "contact", "")

    @property
    def home(self) -> str:
        """The ship it came from, "" where there is none or it is not known."""
        return getattr(self, "ship", "")

    def copy(self) -> Self:
        """A piece that can be changed without changing this one."""
        return replace(self)

    def to_json(self) -> dict[str, Any]:
        """The piece's fields by their names."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """The piece `to_json` wrote. Raises TypeError for other keys."""
        return cls(**document)

    def seen_by(self, side: int, names: Mapping[str, str]) -> Self | None:
        """The piece as a side may know it, None where the side may not know that it is there.

        `names`: what the side calls the ships and groups there are, its own too, by their ids.
        """
        own = self.owner == side
        if not (self.seen is Seen.BY_EVERYBODY or (own and self.seen is not Seen.BY_NOBODY) or self._known_to(side)):
            return None
        known = {}
        for name, mark, nothing in _plan(type(self)):
            value = getattr(self, name)
            if mark is Mark.OPEN or (own and mark is Mark.OWN):
                known[name] = value
            elif mark is Mark.UNIT:
                known[name] = names.get(value, nothing)
            elif mark is Mark.KNOWERS:
                known[name] = 1 << side
            else:
                known[name] = nothing
        return type(self)(**known)

    def blocks(self, a: Point, b: Point) -> bool:  # noqa: ARG002 -- kinds use it
        """Whether it lies across the line of sight and fire between two points."""
        return False

    def off(self, table: Point) -> bool:
        """Whether it is off a table of this width and height."""
        return not (-NEAR <= self.x <= table[0] + NEAR and -NEAR <= self.y <= table[1] + NEAR)

    def shift(self, by_x: float, by_y: float) -> None:
        """Move it with the table."""
        self.x, self.y = self.x + by_x, self.y + by_y  # type: ignore[misc]  # the fields are its kind's

    def end_turn(self) -> None:
        """What the end of a turn ends for it by itself."""

    def _known_to(self, side: int) -> bool:
        """Whether a side is one of those that it says know of it."""
        return self.seen is Seen.BY_KNOWERS and bool(getattr(self, "known", 0) >> side & 1)

    def shown(self, side: int) -> dict[str, Any]:  # noqa: ARG002 -- kinds use it
        """The document of a piece as `side` sees it: the fields that say who may know them."""
        return {name: getattr(self, name) for name, mark, _ in _plan(type(self)) if mark is not None}


def _plan(cls: type[Piece]) -> tuple[tuple[str, Mark | None, Any], ...]:
    """The fields of a kind: name, mark, and what they hold where they are hidden."""
    if cls not in _PLANS:
        marks = marks_of(cls)
        hints = get_type_hints(cls)
        _PLANS[cls] = tuple((f.name, marks.get(f.name), _nothing(cls, f, hints[f.name])) for f in fields(cls))
    return _PLANS[cls]


_PLANS: dict[type[Piece], tuple[tuple[str, Mark | None, Any], ...]] = {}


def _nothing(cls: type[Piece], one: Field[Any], type_: Any) -> Any:
    """What a field holds where it is hidden: what its kind says, its default, else nothing of its type."""
    if one.name in cls.hidden:
        return cls.hidden[one.name]
    if one.default is not MISSING:
        return one.default
    if one.default_factory is not MISSING:
        return one.default_factory()
    return (get_origin(type_) or type_)()
