"""Ordnance on its way: a marker lies where it was aimed, finds its target by itself, and is met by
point defence.

Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.geometry import COURSES, Point, turn_course
from engine.core.ids import NO_GROUP, NO_SHIP, ShipId
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.event import (
    Audience,
    Event,
    GroupRef,
    Open,
    Own,
    ReasonText,
    ShipRef,
    UnitRef,
    require_value,
)
from engine.pieces.group import Group
from engine.pieces.piece import Piece, PieceDrawing, Visibility
from engine.weapons.ordnance import LIGHT_MISSILE, SALVO, Ordnance
from engine.weapons.registry import weapon_of


@dataclass(slots=True)
class Marker(Piece):
    """Ordnance of one launch, numbered through the battle: everybody sees where it was aimed, and
    by whom.

    `ship`: who launched it, a ship or a group of craft. `full`: missiles of a whole salvo. `type`:
    of the weapon that launched it, whose row says what it is; `rating`: the class of that weapon.
    `strength`: missiles of a salvo, rockets that hit, hits that it takes. `grade`: which of its
    kind it is, its side's secret. `course`: which way it faces, where it has a further stage;
    `stage`: which it is in. `target`: the ship it attacks now, "" while there is none; `prey`: the
    gunboats that rockets come in on instead. `killed`: how much of it point defence and craft have
    taken.
    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """

    kind: ClassVar[str] = "marker"
    word: ClassVar[str] = phrase("ordnance")
    order: ClassVar[int] = 1
    view_keys: ClassVar[tuple[str, ...]] = ("ordnance",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_order: ClassVar[bool] = True
    omitted_defaults: ClassVar[tuple[str, ...]] = ("full", "prey")

    id: Open[str]
    side: Open[int]
    ship: UnitRef
    type: Open[str]
    rating: Open[int]
    x: Open[float]
    y: Open[float]
    strength: Open[int]
    launched: Open[int]
    grade: Own[str] = ""
    fuse: Own[str] = ""
    course: Open[int] = 0
    stage: Open[int] = 1
    target: ShipRef = NO_SHIP
    killed: Open[int] = 0
    full: Open[int] = SALVO
    prey: GroupRef = NO_GROUP

    @property
    def toughness(self) -> int:
        """What it adds to the dice of whoever shoots at it.

        Rules: Continuum "Light fighter" 8.15 [pc.fighter-types]
        """
        return int(self.grade == LIGHT_MISSILE)

    def row(self, state: BattleState) -> Ordnance:
        """What it is: where it was launched at a ship, not what goes off in the open."""
        row = ordnance_of(state, self.type)
        return row.shaped if row.shaped is not None and self.target else row

    def destroy(self, table: Table, cause: str) -> None:
        """It is gone without doing anything."""
        table.state.take_off(self)
        table.tell(OrdnanceRemoved, self.id, cause)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """A small mark, with what it is and who launched it."""
        words = phrase(
            "{}, {} of {}",
            document["id"].replace("-", " "),
            document["type"].replace("-", " "),
            name_of(document["ship"]),
        )
        return PieceDrawing((document["x"], document["y"]), words, course=document["course"])


def ordnance_of(state: BattleState, type_: str) -> Ordnance:
    """What weapons of a type launch. Raises LookupError where they launch none."""
    ordnance = weapon_of(state.terms.edition, type_).ordnance
    if ordnance is None:
        raise LookupError(f"a {type_} cannot launch anything")
    return ordnance


def cause_of(state: BattleState, marker: Marker) -> str:
    """The cause of what a marker does: the ship that launched it; of what craft launched the marker
    itself, for they may be gone by then, and what they were called with them.
    """
    by_ship = any(ship.id == marker.ship for ship in state.ships)
    return f"ordnance:{marker.ship if by_ship else marker.id}"


def next_marker(state: BattleState) -> str:
    """What the next marker is called: numbers are never used twice."""
    return f"marker-{state.launch_count + 1}"


@dataclass(frozen=True, slots=True)
class OrdnanceLaunched(Event):
    """A ship launched ordnance at a point of the table; `left`: what its rack or magazine still
    holds of it.
    """

    kind: ClassVar[str] = "ordnance-launched"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    marker: Open[str]
    at: Open[tuple[float, float]]
    strength: Open[int]
    course: Open[int]
    grade: Own[str | None]
    fuse: Own[str | None]
    holder: Own[str | None]

    def apply(self, state: BattleState) -> None:
        put_marker(state, state.ship(self.ship), self)


def put_marker(state: BattleState, ship: ShipState, launch: OrdnanceLaunched) -> None:
    """Make the marker of a launch, and take it from what held it."""
    fit = ship.sheet.fits[ship.profile.index_of[launch.weapon]]
    if ordnance_of(state, fit.type).endless:
        ship.record = ship.record.with_fact("fired", launch.turn, launch.weapon)
    else:
        ship.use_round(require_value(launch.holder), require_value(launch.grade))
    x, y = launch.at
    state.pieces.append(
        Marker(
            launch.marker, ship.commander, ship.id, fit.type, fit.size, x, y, launch.strength, launch.turn,
            require_value(launch.grade), require_value(launch.fuse), launch.course,
        )
    )  # fmt: skip
    state.launch_count += 1


@dataclass(frozen=True, slots=True)
class RocketsLaunched(Event):
    """A ship fired rockets at another, or at gunboats, MU away: their dice, what hits, and the
    marker of those that did, "" for none.

    `bearing`: from which of the twelve directions of its target's bow they come in, 12 ahead.
    """

    kind: ClassVar[str] = "rockets-launched"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: UnitRef
    range: Open[float]
    needed: Open[int]
    dice: Open[tuple[int, ...]]
    marker: Open[str]
    bearing: Open[int]

    def apply(self, state: BattleState) -> None:
        put_rockets(state, state.ship(self.ship), self)


def put_rockets(state: BattleState, ship: ShipState, launch: RocketsLaunched) -> None:
    """Make the marker of the rockets that hit, beside their target, and take them from their
    pod.
    """
    ship.use_round(launch.weapon, "")
    _put_beside(state, ship, launch, sum(die >= launch.needed for die in launch.dice))


@dataclass(frozen=True, slots=True)
class ShapedBolt(Event):
    """A launcher fired a shaped bolt at a ship, MU away: its die, and the marker of one that hits,
    "" for none.

    `bearing`: from which of the twelve directions of its target's bow it comes in, 12 ahead.
    """

    kind: ClassVar[str] = "shaped-bolt"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    target: ShipRef
    range: Open[float]
    needed: Open[int]
    die: Open[int]
    marker: Open[str]
    bearing: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.record = ship.record.with_fact("fired", self.turn, self.weapon)
        _put_beside(state, ship, self, ship.sheet.fits[ship.profile.index_of[self.weapon]].size)


def _put_beside(
    state: BattleState, ship: ShipState, launch: RocketsLaunched | ShapedBolt, strength: int
) -> None:
    """Make the marker of what was fired at a ship and hit it, beside its target; none of what
    missed.
    """
    if not launch.marker:
        return
    fit, boats = (
        ship.sheet.fits[ship.profile.index_of[launch.weapon]],
        state.find(Group, launch.target),
    )
    target = boats or state.ship_by_name(launch.target)
    x, y = place_beside(target, launch.bearing)
    state.pieces.append(
        Marker(
            launch.marker, ship.commander, ship.id, fit.type, fit.size, x, y, strength, launch.turn,
            course=launch.bearing, target=NO_SHIP if boats else ShipId(launch.target),
            prey=boats.id if boats else NO_GROUP,
        )
    )  # fmt: skip
    state.launch_count += 1


def place_beside(unit: ShipState | Group, bearing: int) -> Point:
    """The place a MU from a ship, or a group, in one of the twelve directions from its bow."""
    ux, uy = COURSES[turn_course(unit.course, bearing)]
    return unit.x + ux, unit.y + uy


@dataclass(frozen=True, slots=True)
class RocketsFollowed(Event):
    """Rockets are beside their target again, which has moved."""

    kind: ClassVar[str] = "rockets-followed"
    text: ClassVar[str] = phrase("Rockets come in on {ship}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    ship: ShipRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        marker = state.piece(Marker, self.marker)
        marker.x, marker.y = self.at


@dataclass(frozen=True, slots=True)
class RocketsChased(Event):
    """Rockets are beside the gunboats again that they come in on, which have flown."""

    kind: ClassVar[str] = "rockets-chased"
    text: ClassVar[str] = phrase("Rockets come in on {group}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    group: GroupRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        marker = state.piece(Marker, self.marker)
        marker.x, marker.y = self.at


@dataclass(frozen=True, slots=True)
class RocketsStruck(Event):
    """Rockets reach gunboats: so many get through, a boat each."""

    kind: ClassVar[str] = "rockets-struck"
    text: ClassVar[str] = phrase("Rockets strike {group}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    group: GroupRef
    through: Open[int]

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))


@dataclass(frozen=True, slots=True)
class OrdnanceStaged(Event):
    """A further stage of ordnance begins: where it goes, and which way it faces there."""

    kind: ClassVar[str] = "ordnance-staged"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    at: Open[tuple[float, float]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        marker = state.piece(Marker, self.marker)
        marker.x, marker.y = self.at
        marker.course, marker.stage = self.course, marker.stage + 1


@dataclass(frozen=True, slots=True)
class OrdnanceHomed(Event):
    """Ordnance has found its target, the nearest hostile ship it can see; `die` chose among several
    as near, else 0.
    """

    kind: ClassVar[str] = "ordnance-homed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    ship: ShipRef
    range: Open[float]
    die: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Marker, self.marker).target = self.ship


@dataclass(frozen=True, slots=True)
class PointDefenceAtOrdnance(Event):
    """A weapon of point defence fired at ordnance for a ship (`guarded`, MU away): its dice, and
    what they take.
    """

    kind: ClassVar[str] = "ordnance-met"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    marker: Open[str]
    guarded: ShipRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Marker, self.marker).killed += self.hits


@dataclass(frozen=True, slots=True)
class OrdnanceSwept(Event):
    """A weapon that sweeps what is in its way has hit ordnance there, MU away: its dice, and how
    much they take.
    """

    kind: ClassVar[str] = "ordnance-swept"
    text: ClassVar[str] = phrase("{ship} sweeps {marker}: {hits:hit}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    marker: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Marker, self.marker).killed += self.hits


@dataclass(frozen=True, slots=True)
class OrdnanceStruck(Event):
    """Ordnance reaches its target: the die that says how much of it does (0: none is thrown), how
    much gets through, levels of advanced screens it meets, the dice of its damage and their points.
    """

    kind: ClassVar[str] = "ordnance-struck"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    ship: ShipRef
    die: Open[int]
    through: Open[int]
    screens: Open[int]
    dice: Open[tuple[int, ...]]
    points: Open[int]

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))


@dataclass(frozen=True, slots=True)
class OrdnanceBurst(Event):
    """Ordnance goes off at a point, with so much left of it: classes of a bolt, dice of a
    warhead.
    """

    kind: ClassVar[str] = "ordnance-burst"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    at: Open[tuple[float, float]]
    left: Open[int]

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))


@dataclass(frozen=True, slots=True)
class OrdnanceRemoved(Event):
    """Ordnance is off the table without having struck, and why."""

    kind: ClassVar[str] = "ordnance-gone"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    why: ReasonText

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))
