"""What a piece on the table is, and who may know which of its fields.

A piece says by itself who may know that it is there (`seen`) and, field by field, what they may
know: a field's type is one of the marks of `engine.events.event`. What a side does not learn is
what the field holds where it says nothing: its default, or what the kind's `hidden` says. A field
without a mark, and a piece that does not say who sees it, is hidden from every side, its own too.

    x: Open[float]          seen as it is: it never names what a side may not know
    ship: ShipRef           a ship; a foreign one by its contact code
    id: GroupRef            a group of craft; likewise
    laid: Own[int]          its own side's alone
    ship: OwnShipRef        a ship, its own side's alone, by what that calls it
    known: Knowers          which sides know of the piece, as bits: a side learns of itself alone

Rules: 2E "Sensors and target identification" [2e.sensors]; Continuum "Information" 2.6
[pc.open-book]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, replace
from enum import Enum, auto
from operator import attrgetter
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    NewType,
    Self,
    TypeVar,
    get_origin,
    get_type_hints,
)

from engine.core.cache import rules_cache
from engine.core.geometry import NEAR, Point
from engine.core.phrase import phrase
from engine.events.event import FieldMark, field_marks_of

if TYPE_CHECKING:
    from engine.core.ship import ShipState
    from engine.core.table import Table
    from engine.core.terms import Terms
    from engine.notation.reading import Reader

T = TypeVar("T", bound="Piece | PieceTurn")
# How a piece hurts a ship (ship, points, cause); where nobody says, as in the second edition, which
# checks at once.
Harm = Callable[["ShipState", int, str], None]
# A path, the radius in MU and the mean damage points of what will run along it.
Sweep = tuple[tuple[Point, Point], float, float]
# What a ship has met this turn and got by: (ship, piece).
Encounters = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Pull:
    """The pull of a body at a ship: `far` MU along it the ship flies on `turn` points further to
    starboard (to port: negative), and `velocity` MU a turn faster (slower: negative). `falls`: of a
    ship at rest, the direction (a unit vector, before any turn) in which it begins to move.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """

    far: float
    turn: int = 0
    velocity: int = 0
    falls: Point | None = None


FREE_FALL: Point = (0.0, 0.0)  # in the place of a heading: the ship falls whichever way it points
NOBODY = -1  # the side of what belongs to none, or to nobody knows whom


class Visibility(Enum):
    """The kinds of pieces by who may know that one is there at all."""

    BY_NOBODY = auto()
    BY_ITS_SIDE = auto()
    BY_KNOWERS = auto()  # its own side, and those in `known`
    BY_EVERYBODY = auto()


@dataclass(frozen=True, slots=True)
class PieceDrawing:
    """The drawing of a piece: where, in MU, with words for it.

    `radius` in MU, 0: a small mark; `course`: an arrow that points that way, with a `label` beside
    it. `look`: its class in style sheets, where that is not its kind. `rings`: the radii of further
    circles about it, in MU.
    """

    at: Point
    words: str
    radius: float = 0.0
    course: int = 0
    label: str = ""
    look: str = ""
    rings: tuple[float, ...] = ()


class PieceTurn:
    """What a piece does in one turn, which the end of the turn wipes out: a frozen dataclass.

    Its fields are marked as a piece's are, and documents have them beside the piece's own.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    hidden: ClassVar[Mapping[str, Any]] = {}  # as of a piece


class Piece:
    """Something on the table that is no ship, a dataclass with an `id` and a place, x and y in MU.

    It can be copied and written to JSON: its fields are its document.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    kind: ClassVar[str] = ""  # its name in documents
    word: ClassVar[str] = ""  # what it is called on pages
    order: ClassVar[int] = 100  # of kinds, where several are told of or concerned at once
    view_keys: ClassVar[
        tuple[str, ...]
    ] = ()  # its lists in the document of a view; the last one has the others'
    listed_empty: ClassVar[bool] = (
        True  # a view's document has its lists where there are none of it, too
    )
    visibility: ClassVar[Visibility] = Visibility.BY_NOBODY
    # Its place among its like tells nothing: others are shown it as the table has it.
    in_table_order: ClassVar[bool] = False
    hidden: ClassVar[
        Mapping[str, Any]
    ] = {}  # what fields hold where they are hidden, where that is not their default
    omitted_defaults: ClassVar[
        tuple[str, ...]
    ] = ()  # fields that documents leave out where they hold their default
    commanded: ClassVar[bool] = False  # its side gives it orders
    flies_along: ClassVar[bool] = False  # in a pursuit, and wherever the table goes
    body: ClassVar[bool] = False  # ships may run into it
    solid: ClassVar[bool] = True  # and a jump near it is dangerous
    file_kinds: ClassVar[tuple[str, ...]] = ()  # what the terrain of battle files calls it

    id: str
    x: float
    y: float

    @property
    def owner(self) -> int:
        """The number of its side, NOBODY where it has none."""
        return getattr(self, "side", NOBODY)

    @property
    def commander(self) -> int:
        """The side whose orders it takes: its own, whoever takes over the ship it came from."""
        return self.owner

    @property
    def code(self) -> str:
        """The code by which other sides know it, "" where nobody names it."""
        return getattr(self, "contact", "")

    @property
    def home(self) -> str:
        """The ship it came from, "" where there is none or it is not known."""
        return getattr(self, "ship", "")

    def copy(self) -> Self:
        """A piece that can be changed without changing this one."""
        return replace(self)

    def to_json(self) -> dict[str, Any]:
        """The piece's fields by their names, those of its turn among them."""
        return {
            entry.name: entry.value(self)
            for entry in _entries(type(self))
            if not self._left_out(entry)
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """The piece `to_json` wrote. Raises TypeError for other keys."""
        return cls(**document)

    def view_for(self, side: int, names: Mapping[str, str]) -> Self | None:
        """The piece as a side may know it, None where the side may not know that it is there.

        `names`: what the side calls the ships and groups there are, its own too, by their ids.
        """
        own = self.owner == side
        if not (
            self.visibility is Visibility.BY_EVERYBODY
            or (own and self.visibility is not Visibility.BY_NOBODY)
            or self._is_known_to(side)
        ):
            return None
        return _known_copy(self, own, side, names)

    def shared_view_for(self, side: int, names: Mapping[str, str]) -> Self | None:
        """As `seen_by`, for who changes nothing: the piece itself where that is what its own side
        sees of it.
        """
        its_own = self.owner == side and self.visibility is not Visibility.BY_NOBODY
        if its_own and _is_fully_known(self, names):
            return self
        return self.view_for(side, names)

    @property
    def size(self) -> float:
        """Its radius in MU."""
        return getattr(self, "radius", 0.0)

    @property
    def has_boxes(self) -> bool:
        """Whether damage points are marked off it."""
        return bool(getattr(self, "boxes", 0))

    # What it does, and what is done to it. The first three are asked once for all pieces of the
    # kind.

    @classmethod
    def drift(cls, table: Table, encounters: Encounters) -> None:
        """Before ships move."""

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Do to a ship what the kind does along its path; `met`: what it got by this turn
        already.
        """

    @classmethod
    def after_moves(cls, table: Table) -> None:
        """Once all ships have moved."""

    @classmethod
    def before_fire(cls, table: Table, harm: Harm | None) -> None:
        """At the start of the firing part of a turn."""

    def take_damage(self, table: Table, points: int, cause: str, die: int = 0) -> None:
        """Damage points are done to it; `die`: the die that made them, 0 where another event holds
        it.
        """

    def destroy(self, table: Table, cause: str) -> None:
        """Let what burns or blasts everything away reach it."""

    def check_orbit(
        self, table: Table, ship: ShipState, lost: Sequence[str], loses_on: int
    ) -> None:
        """A ship in orbit has lost systems, by a check whose dice of `loses_on` or more lose
        one.
        """

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """The chance that a ship is lost to it on a path so many turns from now, for captains.

        `thrust`: what counts of it in getting by bodies.
        """
        return 0.0

    def next_sweep(self) -> Sweep | None:
        """The sweep it makes at the start of the next fire, None where it makes none; for
        captains.
        """
        return None

    def blocks(self, a: Point, b: Point) -> bool:
        """Whether it lies across the line of sight and fire between two points."""
        return False

    # A body may pull at ships and slow them (`engine.movement.paths` asks it), hide what is in it or
    # behind it from who fires, and weaken what is fired through it (`engine.combat.line_of_sight`).

    def pull(
        self,
        path: tuple[Point, ...],
        heading: Point | None = None,
    ) -> Pull | None:
        """Its pull at a ship along a path, None where there is none.

        It changes nothing: captains ask too.

        `heading`: where the ship points that may be at rest, as a unit vector, and FREE_FALL for
        one that moves by vectors; None: nothing pulls at it at rest.
        """
        return None

    def tell_pull(self, table: Table, ship: ShipState, pull: Pull) -> None:
        """It has bent a ship's way, which is done: it tells so, by an event that does
        `ship.swing`.
        """

    def hide_chance(self, a: Point, b: Point) -> float:
        """The chance that who is at `a` does not find what is at `b`, because of it; for captains
        too.
        """
        return 0.0

    def roll_to_find(self, table: Table, ship: ShipState, target: ShipState) -> bool:
        """Whether a ship that is about to fire finds a target that this hides from it: throw the
        die, and tell it.
        """
        return True

    def dimming_levels(self, a: Point, b: Point) -> int:
        """The levels of screens it stands for between who fires at `a` and the target at `b`; for
        captains too.
        """
        return 0

    def is_off_table(self, table: Point) -> bool:
        """Whether it is off a table of this width and height."""
        return not (-NEAR <= self.x <= table[0] + NEAR and -NEAR <= self.y <= table[1] + NEAR)

    def shift(self, by_x: float, by_y: float) -> None:
        """Move it with the table."""
        self.x, self.y = self.x + by_x, self.y + by_y  # type: ignore[misc]  # the fields are its kind's

    def leave_behind(self) -> bool:
        """Note that the table goes elsewhere; whether what has happened to it is to be known all
        the same.
        """
        return False

    def end_turn(self) -> None:
        """End the turn for it."""

    def is_over(self, turn: int) -> bool:
        """Whether it is gone when a turn ends."""
        return False

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """The piece that an entry of a battle file's terrain puts down, for the names in
        `file_kinds`.
        """
        raise NotImplementedError(cls.kind)

    def to_entry(self) -> dict[str, Any] | None:
        """The entry of a battle file that puts it down, None where it is no terrain."""
        return None

    @classmethod
    def about(cls, entry: Mapping[str, Any]) -> tuple[str, ...]:
        """What the entry of terrain says of it beside its kind, place and radius, in words."""
        return ()

    def _is_known_to(self, side: int) -> bool:
        """Whether a side is one of those that it says know of it."""
        return self.visibility is Visibility.BY_KNOWERS and bool(
            getattr(self, "known", 0) >> side & 1
        )

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Its drawing, from its document in the list `key` of a view.

        `name_of`: what a ship or group is called.
        """
        x, y = document["x"], document["y"]
        return PieceDrawing(
            (x, y),
            phrase("{} at {:.0f}, {:.0f}", cls.word, x, y),
            radius=document.get("radius", 0.0),
        )

    def document_for(self, side: int) -> dict[str, Any]:
        """The document of a piece as `side` sees it: the fields that say who may know them."""
        entries = (entry for entry in _entries(type(self)) if entry.mark is not None)
        return {entry.name: entry.value(self) for entry in entries if not self._left_out(entry)}

    def _left_out(self, entry: Entry) -> bool:
        """Whether documents leave an entry out now."""
        return entry.name in self.omitted_defaults and bool(entry.value(self) == entry.usual)


def _name_for(unit: str | tuple[str, ...], names: Mapping[str, str], nothing: Any) -> Any:
    """What a side calls a ship or group, `nothing` where it has no name for it; of several, those
    it has names for.
    """
    if isinstance(unit, tuple):
        return tuple(names[name] for name in unit if name in names)
    return names.get(unit, nothing)


def by_kind(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces kind by kind, those of a kind as they are given."""
    return sorted(pieces, key=lambda piece: piece.order)


class Entry(NamedTuple):
    """An entry of a piece's document: a field of the piece or of its turn."""

    name: str
    mark: FieldMark | None
    usual: Any  # its default, MISSING where it has none
    value: Callable[[Piece], Any]


def _entries(cls: type[Piece]) -> tuple[Entry, ...]:
    """The entries of the documents of a kind."""
    marks = field_marks_of(cls)
    turns = _turns(cls)
    entries = []
    for declared in fields(cls):
        if declared.name not in turns:
            mark = marks.get(declared.name)
            entries.append(
                Entry(declared.name, mark, _default(declared), attrgetter(declared.name))
            )
            continue
        turn = turns[declared.name]
        for inner in fields(turn):
            mark = field_marks_of(turn).get(inner.name)
            value = attrgetter(f"{declared.name}.{inner.name}")
            entries.append(Entry(inner.name, mark, _default(inner), value))
    return tuple(entries)


def _turns(cls: type[Piece | PieceTurn]) -> dict[str, type[PieceTurn]]:
    """Return the types of the fields that hold what a kind does in one turn, by field."""
    hints = get_type_hints(cls)
    return {
        declared.name: hints[declared.name]
        for declared in fields(cls)
        if isinstance(hints[declared.name], type) and issubclass(hints[declared.name], PieceTurn)
    }


def _default(declared: Field[Any]) -> Any:
    return declared.default if declared.default_factory is MISSING else declared.default_factory()


def _known_copy(piece: T, own: bool, side: int, names: Mapping[str, str]) -> T:
    """Return a piece, or its turn, with what a side may know of it that knows it is there."""
    knowledge = _knowledge_of(type(piece), own)
    values = [*knowledge.nothing]
    for place, value in zip(knowledge.as_it_is, knowledge.values(piece), strict=True):
        values[place] = value
    for place, name in knowledge.unit_fields:
        values[place] = _name_for(getattr(piece, name), names, values[place])
    for place in knowledge.itself:
        values[place] = 1 << side
    for place, name in knowledge.turns:
        turn = getattr(piece, name)
        # Turns never change: one of which the side knows all is shared, and so is a blank one.
        shared = turn is knowledge.nothing[place] or (own and _is_fully_known(turn, names))
        values[place] = turn if shared else _known_copy(turn, own, side, names)
    return type(piece)(*values)


def _is_fully_known(piece: Piece | PieceTurn, names: Mapping[str, str]) -> bool:
    """Whether the side that something belongs to is told all of it, by the names it has."""
    knowledge = _knowledge_of(type(piece), True)
    if not knowledge.is_complete:
        return False
    for _, name in knowledge.unit_fields:
        unit = getattr(piece, name)
        if unit and unit != _name_for(unit, names, ""):
            return False
    for place, name in knowledge.turns:
        turn = getattr(piece, name)
        if turn is not knowledge.nothing[place] and not _is_fully_known(turn, names):
            return False
    return True


class _Knowledge(NamedTuple):
    """What a side that sees a piece of a kind learns: what every field holds where it is hidden,
    and then the places of those that it is told, each kind of mark by itself.
    """

    nothing: tuple[Any, ...]
    as_it_is: tuple[int, ...]
    values: Callable[[Any], tuple[Any, ...]]  # of what is told as it is
    unit_fields: tuple[tuple[int, str], ...]  # ships and groups, by what the side calls them
    itself: tuple[int, ...]  # which sides know of it: the side itself
    turns: tuple[tuple[int, str], ...]  # what it does this turn, field by field
    is_complete: bool  # nothing of it is hidden but other names


@rules_cache
def _knowledge_of(cls: type[Any], own: bool) -> _Knowledge:
    """What a side learns of its own pieces of a kind, or of those of others; likewise of their
    turns.
    """
    as_they_are = (FieldMark.OPEN, FieldMark.OWN) if own else (FieldMark.OPEN,)
    unit_marks = (FieldMark.UNIT, FieldMark.OWN_UNIT) if own else (FieldMark.UNIT,)
    marks = field_marks_of(cls)
    hints = get_type_hints(cls)
    marked_fields = [
        (place, declared.name, marks.get(declared.name))
        for place, declared in enumerate(fields(cls))
    ]
    turn_types = _turns(cls)
    turns = tuple((place, name) for place, name, _ in marked_fields if name in turn_types)
    return _Knowledge(
        nothing=tuple(
            _hidden_value(cls, declared, hints[declared.name]) for declared in fields(cls)
        ),
        as_it_is=tuple(place for place, _, mark in marked_fields if mark in as_they_are),
        values=_values([name for _, name, mark in marked_fields if mark in as_they_are]),
        unit_fields=tuple(
            (place, name) for place, name, mark in marked_fields if mark in unit_marks
        ),
        itself=tuple(place for place, _, mark in marked_fields if mark is FieldMark.KNOWERS),
        turns=turns,
        is_complete=all(
            mark in (*as_they_are, *unit_marks)
            for place, name, mark in marked_fields
            if (place, name) not in turns
        ),
    )


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of these fields."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda piece: tuple(getattr(piece, name) for name in names)


def _hidden_value(cls: type[Piece | PieceTurn], declared: Field[Any], type_: Any) -> Any:
    """What a field holds where it is hidden: what its kind says, its default, else nothing of its
    type.
    """
    if declared.name in cls.hidden:
        return cls.hidden[declared.name]
    if _default(declared) is not MISSING:
        return _default(declared)
    plain: Any = type_.__supertype__ if isinstance(type_, NewType) else type_  # an id is a text
    return (get_origin(plain) or plain)()
