"""What a piece on the table is, and which of its fields each side may know.

A piece declares who may know that it exists (`visibility`) and, by the marks of its field types
(`engine.events.event`), what they may know. A hidden field holds its default, or the value in the
kind's `hidden`. A field without a mark, and a piece without a declared visibility, is hidden from
every side, including its own.

    x: Open[float]          visible as it is; it never names what a side may not know
    ship: ShipRef           a ship; a foreign one appears under its contact code
    id: GroupRef            a group of craft; likewise
    laid_turn: Own[int]     visible only to its own side
    ship: OwnShipRef        a ship, visible only to its own side, under that side's name for it
    known_to: Knowers       the sides that know of the piece, as bits; each side sees only itself

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
# How a piece damages a ship (ship, points, cause). None: as in the second edition, which makes
# threshold checks at once.
Harm = Callable[["ShipState", int, str], None]
# A path, the radius in MU, and the mean damage points of what will move along it.
Sweep = tuple[tuple[Point, Point], float, float]
# What a ship has met this turn and survived: (ship, piece).
Encounters = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Pull:
    """The pull of a body at a ship, by gravity.

    Attributes:
        far: MU along its path at which it acts.
        turn: Points by which the ship turns to starboard (negative: to port).
        velocity: Change of velocity, in MU a turn.
        falls: For a ship at rest, the direction in which it starts to move, as a unit vector before
            any turn.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """

    far: float
    turn: int = 0
    velocity: int = 0
    falls: Point | None = None


FREE_FALL: Point = (0.0, 0.0)  # in place of a heading: the ship falls whatever its facing
NOBODY = -1  # the side of a piece without a side, or whose side is not known


class Visibility(Enum):
    """Who may know that a piece exists."""

    BY_NOBODY = auto()
    BY_ITS_SIDE = auto()
    BY_KNOWERS = auto()  # its own side, and the sides in `known_to`
    BY_EVERYBODY = auto()


@dataclass(frozen=True, slots=True)
class PieceDrawing:
    """How a piece is drawn on the map.

    Attributes:
        at: Its place in MU.
        words: Its description.
        radius: In MU; 0: a small mark.
        course: The direction of an arrow; 0: none.
        label: The text beside the arrow.
        look: Its class in style sheets, if that is not its kind.
        rings: The radii of further circles around it, in MU.
    """

    at: Point
    words: str
    radius: float = 0.0
    course: int = 0
    label: str = ""
    look: str = ""
    rings: tuple[float, ...] = ()


class PieceTurn:
    """What a piece does in one turn, a frozen dataclass that the end of the turn clears.

    Its fields are marked like those of a piece, and documents store them beside the piece's own.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    hidden: ClassVar[Mapping[str, Any]] = {}  # as in `Piece`


class Piece:
    """Anything on the table that is no ship: a dataclass with an `id` and a place, x and y in MU.

    Its fields are its JSON document.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    kind: ClassVar[str] = ""  # its name in documents
    word: ClassVar[str] = ""  # its word on pages
    order: ClassVar[int] = 100  # rank of the kind, where several kinds act or are listed
    # Its lists in a view's document; the last one holds other sides' pieces.
    view_keys: ClassVar[tuple[str, ...]] = ()
    listed_empty: ClassVar[bool] = True  # its lists appear in a view's document even when empty
    visibility: ClassVar[Visibility] = Visibility.BY_NOBODY
    # Its order among its kind reveals nothing, so other sides see it in the order of the table.
    in_table_order: ClassVar[bool] = False
    # Values of hidden fields, where they differ from the defaults.
    hidden: ClassVar[Mapping[str, Any]] = {}
    # Fields that documents omit while they have their defaults.
    omitted_defaults: ClassVar[tuple[str, ...]] = ()
    commanded: ClassVar[bool] = False  # its side gives it orders
    flies_along: ClassVar[bool] = False  # it comes along in a pursuit or with a moving table
    body: ClassVar[bool] = False  # ships may collide with it
    solid: ClassVar[bool] = True  # for bodies: a jump near it is dangerous
    file_kinds: ClassVar[tuple[str, ...]] = ()  # its kinds in the terrain of battle files
    needs_place: ClassVar[bool] = True  # whether its terrain entry must have a place

    id: str
    x: float
    y: float

    @property
    def owner(self) -> int:
        """The number of its side, or NOBODY."""
        return getattr(self, "side", NOBODY)

    @property
    def commander(self) -> int:
        """The side whose orders it takes: its own, whoever takes over the ship that launched it."""
        return self.owner

    @property
    def code(self) -> str:
        """The contact code by which other sides know it, or ""."""
        return getattr(self, "contact", "")

    @property
    def home(self) -> str:
        """The ship that it came from, "" if there is none or it is not known."""
        return getattr(self, "ship", "")

    def copy(self) -> Self:
        """Return an independent copy."""
        return replace(self)

    def to_json(self) -> dict[str, Any]:
        """Return its fields and those of its turn by name."""
        result: dict[str, Any] = {}
        for entry in _entries(type(self)):
            if not self._is_omitted(entry):
                result[entry.name] = entry.value(self)
        return result

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the piece that `to_json` wrote.

        Raises:
            TypeError: The document has other keys.
        """
        return cls(**document)

    def view_for(self, side: int, names: Mapping[str, str]) -> Self | None:
        """Return the piece as a side may know it, or None if the side may not know that it exists.

        Args:
            names: The side's names for all ships and groups by id, including its own.
        """
        own = self.owner == side
        is_visible = (
            self.visibility is Visibility.BY_EVERYBODY
            or (own and self.visibility is not Visibility.BY_NOBODY)
            or self._is_known_to(side)
        )
        if is_visible:
            return _known_copy(self, own, side, names)
        return None

    def shared_view_for(self, side: int, names: Mapping[str, str]) -> Self | None:
        """Return `view_for` without copying, for callers that change nothing.

        It is the piece itself if its own side sees all of it.
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

    # Its actions, and what happens to it. The first four are called once for all pieces of the
    # kind.

    @classmethod
    def drift(cls, table: Table, encounters: Encounters) -> None:
        """Move the pieces of this kind before ships move."""

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Apply the pieces of this kind on a ship's path to the ship.

        Args:
            encounters: What ships have met this turn and survived; it is extended.
        """

    @classmethod
    def after_moves(cls, table: Table) -> None:
        """Act once all ships have moved."""

    @classmethod
    def before_fire(cls, table: Table, harm: Harm | None) -> None:
        """Act at the start of the fire phase of a turn."""

    def take_damage(self, table: Table, points: int, cause: str, die: int = 0) -> None:
        """Take damage points.

        Args:
            die: The die that caused them, 0 if another event shows it.
        """

    def destroy(self, table: Table, cause: str) -> None:
        """React to a blast or burn that destroys everything it reaches."""

    def check_orbit(
        self, table: Table, ship: ShipState, lost: Sequence[str], loses_on: int
    ) -> None:
        """Check a ship in its orbit that lost systems.

        Args:
            loses_on: The lowest die with which the threshold check lost a system.
        """

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Return the chance, for captains, that it destroys a ship on a path.

        Args:
            thrust: The thrust that counts for getting past bodies.
            turns: In how many turns the ship flies the path.
        """
        return 0.0

    def next_sweep(self) -> Sweep | None:
        """Return, for captains, what it sweeps at the start of the next fire, or None."""
        return None

    def blocks(self, a: Point, b: Point) -> bool:
        """Return whether it blocks the line of sight and fire between two points."""
        return False

    # A body may pull at ships (`engine.movement.paths`), hide what is inside or behind it from
    # fire, and weaken fire through it (`engine.combat.line_of_sight`).

    def pull(
        self,
        path: tuple[Point, ...],
        heading: Point | None = None,
    ) -> Pull | None:
        """Return its pull at a ship along a path, or None.

        It changes nothing, so captains use it too.

        Args:
            heading: The unit vector of the facing of a ship that may be at rest, or FREE_FALL under
                vector movement. None: nothing pulls at a ship at rest.
        """
        return None

    def tell_pull(self, table: Table, ship: ShipState, pull: Pull) -> None:
        """Report a pull that was already applied, by an event that repeats it in a replay."""

    def hide_chance(self, a: Point, b: Point) -> float:
        """Return the chance that a ship at `a` does not find a target at `b` because of it."""
        return 0.0

    def roll_to_find(self, table: Table, ship: ShipState, target: ShipState) -> bool:
        """Roll and report whether a ship about to fire finds a target that this piece hides."""
        return True

    def dimming_levels(self, a: Point, b: Point) -> int:
        """Return the levels of screens that it adds for fire from `a` at a target at `b`."""
        return 0

    def is_off_table(self, table: Point) -> bool:
        """Return whether it is off a table of this width and height."""
        return not (-NEAR <= self.x <= table[0] + NEAR and -NEAR <= self.y <= table[1] + NEAR)

    def shift(self, by_x: float, by_y: float) -> None:
        """Move it with the table."""
        self.x, self.y = self.x + by_x, self.y + by_y  # type: ignore[misc]  # the fields are its kind's

    def leave_behind(self) -> bool:
        """Leave it behind on the old table; return whether it is kept, because it still counts."""
        return False

    def end_turn(self) -> None:
        """End the turn for it."""

    def is_over(self, turn: int) -> bool:
        """Return whether it is removed when a turn ends."""
        return False

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """Return the piece of a terrain entry of a battle file, for the kinds in `file_kinds`."""
        raise NotImplementedError(cls.kind)

    def to_entry(self) -> dict[str, Any] | None:
        """Return its terrain entry in a battle file, or None if it is no terrain."""
        return None

    @classmethod
    def about(cls, entry: Mapping[str, Any]) -> tuple[str, ...]:
        """Describe a terrain entry beyond its kind, place and radius."""
        return ()

    def _is_known_to(self, side: int) -> bool:
        """Return whether it lists a side among those that know of it."""
        return self.visibility is Visibility.BY_KNOWERS and bool(
            getattr(self, "known_to", 0) >> side & 1
        )

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return its drawing from its document in the list `key` of a view.

        Args:
            name_of: Returns the name of a ship or group.
        """
        x, y = document["x"], document["y"]
        return PieceDrawing(
            (x, y),
            phrase("{} at {:.0f}, {:.0f}", cls.word, x, y),
            radius=document.get("radius", 0.0),
        )

    def document_for(self, side: int) -> dict[str, Any]:
        """Return the document of a piece for a side: only fields with a visibility mark."""
        entries = (entry for entry in _entries(type(self)) if entry.mark is not None)
        result: dict[str, Any] = {}
        for entry in entries:
            if not self._is_omitted(entry):
                result[entry.name] = entry.value(self)
        return result

    def _is_omitted(self, entry: Entry) -> bool:
        """Return whether documents omit an entry now, because it has its default."""
        return entry.name in self.omitted_defaults and bool(entry.value(self) == entry.default)


def _name_for(unit: str | tuple[str, ...], names: Mapping[str, str], nothing: Any) -> Any:
    """Return a side's name for a unit, or `nothing`; for several units, the names that it has."""
    if isinstance(unit, tuple):
        return tuple(names[name] for name in unit if name in names)
    return names.get(unit, nothing)


def by_kind(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces sorted by kind, in unchanged order within a kind."""
    return sorted(pieces, key=lambda piece: piece.order)


class Entry(NamedTuple):
    """An entry of a piece's document: a field of the piece or of its turn."""

    name: str
    mark: FieldMark | None
    default: Any  # its default, or MISSING
    value: Callable[[Piece], Any]


@rules_cache
def _entries(cls: type[Piece]) -> tuple[Entry, ...]:
    """Return the entries of the documents of a kind."""
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
    """Return the types of the `PieceTurn` fields of a kind, by field."""
    hints = get_type_hints(cls)
    result: dict[str, type[PieceTurn]] = {}
    for declared in fields(cls):
        if isinstance(hints[declared.name], type) and issubclass(hints[declared.name], PieceTurn):
            result[declared.name] = hints[declared.name]
    return result


def _default(declared: Field[Any]) -> Any:
    """Return the default of a field, MISSING if it has none."""
    if declared.default_factory is MISSING:
        return declared.default
    return declared.default_factory()


def _known_copy(piece: T, own: bool, side: int, names: Mapping[str, str]) -> T:
    """Return a piece, or its turn, with only what a side that sees it may know."""
    knowledge = _knowledge_of(type(piece), own)
    values = [*knowledge.nothing]
    for index, value in zip(knowledge.unchanged, knowledge.values(piece), strict=True):
        values[index] = value
    for index, name in knowledge.unit_fields:
        values[index] = _name_for(getattr(piece, name), names, values[index])
    for index in knowledge.knowers:
        values[index] = 1 << side
    for index, name in knowledge.turns:
        turn = getattr(piece, name)
        # Turns are immutable, so a blank one, and one that the side knows completely, is shared.
        is_shared = turn is knowledge.nothing[index] or (own and _is_fully_known(turn, names))
        if is_shared:
            values[index] = turn
        else:
            values[index] = _known_copy(turn, own, side, names)
    return type(piece)(*values)


def _is_fully_known(piece: Piece | PieceTurn, names: Mapping[str, str]) -> bool:
    """Return whether the owner of a piece or turn sees all of it unchanged."""
    knowledge = _knowledge_of(type(piece), True)
    if not knowledge.is_complete:
        return False
    for _, name in knowledge.unit_fields:
        unit = getattr(piece, name)
        if unit and unit != _name_for(unit, names, ""):
            return False
    for index, name in knowledge.turns:
        turn = getattr(piece, name)
        if turn is not knowledge.nothing[index] and not _is_fully_known(turn, names):
            return False
    return True


class _Knowledge(NamedTuple):
    """What a side that sees a piece of a kind learns of it; fields are given by their indexes.

    Attributes:
        nothing: The value of every field while it is hidden.
        unchanged: The fields that are shown unchanged.
        values: Reads the fields in `unchanged`.
        unit_fields: (index, name) of ships and groups, which are shown under the side's names.
        knowers: The fields with the sides that know of it, which are shown as the side itself.
        turns: (index, name) of `PieceTurn` fields, which are shown field by field.
        is_complete: Nothing is hidden except names.
    """

    nothing: tuple[Any, ...]
    unchanged: tuple[int, ...]
    values: Callable[[Any], tuple[Any, ...]]
    unit_fields: tuple[tuple[int, str], ...]
    knowers: tuple[int, ...]
    turns: tuple[tuple[int, str], ...]
    is_complete: bool


@rules_cache
def _knowledge_of(cls: type[Any], own: bool) -> _Knowledge:
    """Return what a side learns of its own or of foreign pieces of a kind, or of their turns."""
    value_marks = (FieldMark.OPEN, FieldMark.OWN) if own else (FieldMark.OPEN,)
    unit_marks = (FieldMark.UNIT, FieldMark.OWN_UNIT) if own else (FieldMark.UNIT,)
    marks = field_marks_of(cls)
    hints = get_type_hints(cls)
    turn_types = _turns(cls)
    nothing = []
    unchanged: list[tuple[int, str]] = []
    unit_fields: list[tuple[int, str]] = []
    knowers: list[int] = []
    turns: list[tuple[int, str]] = []
    is_complete = True
    for index, declared in enumerate(fields(cls)):
        name = declared.name
        mark = marks.get(name)
        nothing.append(_hidden_value(cls, declared, hints[name]))
        if name in turn_types:
            turns.append((index, name))
        elif mark in value_marks:
            unchanged.append((index, name))
        elif mark in unit_marks:
            unit_fields.append((index, name))
        else:
            is_complete = False
            if mark is FieldMark.KNOWERS:
                knowers.append(index)
    return _Knowledge(
        nothing=tuple(nothing),
        unchanged=tuple(index for index, _ in unchanged),
        values=_field_reader([name for _, name in unchanged]),
        unit_fields=tuple(unit_fields),
        knowers=tuple(knowers),
        turns=tuple(turns),
        is_complete=is_complete,
    )


def _field_reader(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads these fields."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda piece: tuple(getattr(piece, name) for name in names)


def _hidden_value(cls: type[Piece | PieceTurn], declared: Field[Any], type_: Any) -> Any:
    """Return the value of a hidden field: from `hidden`, else its default, else an empty value."""
    if declared.name in cls.hidden:
        return cls.hidden[declared.name]
    if _default(declared) is not MISSING:
        return _default(declared)
    plain: Any = type_.__supertype__ if isinstance(type_, NewType) else type_  # an id is a str
    return (get_origin(plain) or plain)()
