"""A star whose flares may destroy the FireCons and fine sensors of ships.

Rules: Continuum "Solar flares" 17.3 [pc.flares, pc.flare-areas]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeGuard

from engine.continuum.defences import protection_of
from engine.core.geometry import Point, is_within, squared_length
from engine.core.kinds import FIGHTING
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import FLARES
from engine.events.event import Audience, Event, LogOrder, Open, ShipRef
from engine.notation.reading import Reader, join_place
from engine.pieces.piece import Piece, PieceDrawing, Visibility

FLARE = "flare"  # purpose of the dice
STAR = "star"  # the id of the star whose flares reach the whole table
LARGEST = 60.0  # MU of radius
NO_TURNS = reason("flare-turns", "expected the numbers of the turns with a flare")
SAFE_ON = 4
FLARES_ON = 6
VULNERABLE_SYSTEMS = ("firecon", "advanced-firecon", "enhanced-sensors", "superior-sensors")


@dataclass(slots=True)
class Star(Piece):
    """The distant star of the system, or the part of the table that its flares reach.

    Attributes:
        turns: The turns in which it is known to flare.
        radius: The MU around (x, y) that its flares reach; 0: the whole table.

    Rules: Continuum "Solar flares" 17.3 [pc.flares]
    """

    kind: ClassVar[str] = "star"
    word: ClassVar[str] = phrase("star")
    order: ClassVar[int] = 7
    view_keys: ClassVar[tuple[str, ...]] = ("stars",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True
    file_kinds: ClassVar[tuple[str, ...]] = ("flares",)
    needs_place: ClassVar[bool] = False
    omitted_defaults: ClassVar[tuple[str, ...]] = ("radius",)

    id: Open[str]
    x: Open[float]
    y: Open[float]
    turns: Open[tuple[int, ...]] = ()
    radius: Open[float] = 0.0

    def __post_init__(self) -> None:
        self.turns = tuple(self.turns)

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """Return the flares of a battle file: `{"kind": "flares", "turns": [2], "at", "radius"}`.

        Without a place and a radius they reach the whole table.
        """
        reader.keys(item, ("kind", "turns", "at", "radius"), where)
        entries = reader.items(item, "turns", where, default=())
        turns = tuple(turn for turn in entries if is_turn(turn))
        if not turns or len(turns) < len(entries):
            reader.fault(join_place(where, "turns"), "flares", NO_TURNS)
        radius = 0.0
        if "at" in item or "radius" in item:
            radius = reader.measure(item, "radius", where, LARGEST)
        return cls(name, *at, turns, radius)

    def to_entry(self) -> dict[str, Any] | None:
        """Return its entry in a battle file; None if its turns are in `flares`."""
        if self.id == STAR:
            return None
        entry: dict[str, Any] = {"kind": "flares", "turns": list(self.turns)}
        if self.radius:
            entry |= {"at": [self.x, self.y], "radius": self.radius}
        return entry

    @classmethod
    def about(cls, entry: Mapping[str, Any]) -> tuple[str, ...]:
        """Describe the turns of an entry."""
        return (phrase("in turns {}", ", ".join(map(str, entry["turns"]))),)

    @classmethod
    def after_moves(cls, table: Table) -> None:
        """Flare in known turns, or with the option on a 6.

        Each FireCon and fine sensor of a ship in reach then rolls a die.

        Rules: Continuum "Solar flares" 17.3 [pc.flares]
        """
        for star in table.state.pieces_of(cls):
            flares = table.turn in star.turns
            if not flares and star.id == STAR and FLARES in table.state.terms.options:
                flares = table.dice.roll(FLARE, STAR) >= FLARES_ON
            if flares:
                star.flare(table)

    def flare(self, table: Table) -> None:
        """Burn the electronics of every ship that its flare reaches."""
        at = (self.x, self.y)
        if self.radius:
            table.tell(ZoneFlared, at, self.radius)
        else:
            table.tell(StarFlared)
        for ship in table.state.ships:
            if ship.status != FIGHTING or ship.docking == BERTHED:
                continue
            squared = squared_length(ship.x - self.x, ship.y - self.y)
            if not self.radius or is_within(squared, self.radius):
                _burn(table, ship)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a small mark with the turns of its flares."""
        turns = ", ".join(map(str, document["turns"]))
        at = (document["x"], document["y"])
        if radius := document.get("radius", 0.0):
            return PieceDrawing(at, phrase("solar flares in turns {}", turns), radius)
        return PieceDrawing(
            at, phrase("star, flares in turns {}", turns) if turns else phrase("star")
        )

    def is_off_table(self, table: Point) -> bool:
        """Return False."""
        return False


def is_turn(value: object) -> TypeGuard[int]:
    """Return whether a value of a document is the number of a turn."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _burn(table: Table, ship: ShipState) -> None:
    """Roll the effect of a flare on a ship.

    Rules: Continuum "Solar flares" 17.3 [pc.flares]
    """
    screens = protection_of(table.state, ship).screens
    fits = ship.sheet.fits
    indexes: list[int] = []
    for type_ in VULNERABLE_SYSTEMS:
        indexes += ship.profile.indexes_by_type.get(type_, ())
    systems = [fits[index].id for index in sorted(indexes) if ship.alive[index]]
    rolls = tuple((system, table.dice.roll(FLARE, f"{ship.id}/{system}")) for system in systems)
    lost_systems = tuple(system for system, die in rolls if die + screens < SAFE_ON)
    if rolls:
        ship.lose_systems(lost_systems)
        table.tell(FlareDamage, ship=ship.id, screens=screens, rolls=rolls, lost=lost_systems)


@dataclass(frozen=True, slots=True)
class StarFlared(Event):
    """The star flared."""

    kind: ClassVar[str] = "flared"
    text: ClassVar[str] = phrase("A solar flare sweeps the table")
    audience: ClassVar[Audience] = Audience.EVERYBODY


@dataclass(frozen=True, slots=True)
class ZoneFlared(Event):
    """A solar flare reached a part of the table."""

    kind: ClassVar[str] = "zone-flared"
    text: ClassVar[str] = phrase("A solar flare {at} reaches {radius} MU")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    at: Open[Point]
    radius: Open[float]


@dataclass(frozen=True, slots=True)
class FlareDamage(Event):
    """A flare hit a ship: its levels of screens, the die of each system, and the systems lost."""

    kind: ClassVar[str] = "flare-damage"
    text: ClassVar[str] = phrase("{ship} is caught in the flare")
    plural_text: ClassVar[str] = phrase("{ship} are caught in the flare")
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    screens: Open[int]
    rolls: Open[tuple[tuple[str, int], ...]]
    lost: Open[tuple[str, ...]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).lose_systems(self.lost)
