"""Ordnance in flight: a marker at its target point that finds a target and can be shot down.

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
    """The ordnance of one launch; every side sees its place and the unit that launched it.

    Attributes:
        ship: The ship or group of craft that launched it.
        type: The type of its weapon, whose row defines the ordnance.
        rating: The class of that weapon.
        strength: Missiles of a salvo, rockets that hit, or hits that it can take.
        grade: Which of several kinds it is; known only to its side.
        course: Its facing, if it has a further stage.
        stage: The stage it is in.
        target: The ship it attacks, "" while there is none.
        destroyed: How much of it point defence and craft have destroyed.
        full_strength: Missiles of a complete salvo.
        target_boats: The gunboats that rockets attack instead of a ship.

    Rules: Continuum "Launching missiles" 6.3 [pc.salvo-missiles]
    """

    kind: ClassVar[str] = "marker"
    word: ClassVar[str] = phrase("ordnance")
    order: ClassVar[int] = 1
    view_keys: ClassVar[tuple[str, ...]] = ("ordnance",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    omitted_defaults: ClassVar[tuple[str, ...]] = ("full_strength", "target_boats")

    id: Open[str]
    side: Open[int]
    ship: UnitRef
    type: Open[str]
    rating: Open[int]
    x: Open[float]
    y: Open[float]
    strength: Open[int]
    launched_turn: Open[int]
    grade: Own[str] = ""
    fuse: Own[str] = ""
    course: Open[int] = 0
    stage: Open[int] = 1
    target: ShipRef = NO_SHIP
    destroyed: Open[int] = 0
    full_strength: Open[int] = SALVO
    target_boats: GroupRef = NO_GROUP

    @property
    def toughness(self) -> int:
        """The number added to each die of units that shoot at it: 1 for light missiles.

        Rules: Continuum "Light fighter" 8.15 [pc.fighter-types]
        """
        return int(self.grade == LIGHT_MISSILE)

    def row(self, state: BattleState) -> Ordnance:
        """Return the row of its ordnance; a bolt launched at a ship is a shaped one."""
        row = ordnance_of(state, self.type)
        if row.shaped is not None and self.target:
            return row.shaped
        return row

    def destroy(self, table: Table, cause: str) -> None:
        """Remove it without effect."""
        table.state.take_off(self)
        table.tell(OrdnanceRemoved, self.id, cause)

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a small mark with its type and the unit that launched it."""
        words = phrase(
            "{}, {} of {}",
            document["id"].replace("-", " "),
            document["type"].replace("-", " "),
            name_of(document["ship"]),
        )
        return PieceDrawing((document["x"], document["y"]), words, course=document["course"])


def ordnance_of(state: BattleState, type_: str) -> Ordnance:
    """Return the ordnance that weapons of a type launch.

    Raises:
        LookupError: They launch none.
    """
    ordnance = weapon_of(state.terms.edition, type_).ordnance
    if ordnance is None:
        raise LookupError(f"a {type_} cannot launch anything")
    return ordnance


def cause_of(state: BattleState, marker: Marker) -> str:
    """Return the cause of a marker's damage.

    It names the ship that launched the marker. For a marker from craft it names the marker, because
    the craft and their names may be gone by then.
    """
    if any(ship.id == marker.ship for ship in state.ships):
        return f"ordnance:{marker.ship}"
    return f"ordnance:{marker.id}"


def next_marker(state: BattleState) -> str:
    """Return the name of the next marker; names are never used twice."""
    return f"marker-{state.launch_count + 1}"


@dataclass(frozen=True, slots=True)
class OrdnanceLaunched(Event):
    """A ship launched ordnance at a point of the table."""

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
    """Add the marker of a launch and remove the round from its rack or magazine."""
    fit = ship.sheet.fits[ship.profile.index_of[launch.weapon]]
    if ordnance_of(state, fit.type).endless:
        ship.record = ship.record.with_fact("last-fired", launch.turn, launch.weapon)
    else:
        ship.use_round(require_value(launch.holder), require_value(launch.grade))
    x, y = launch.at
    state.pieces.append(
        Marker(
            launch.marker,
            side=ship.commander,
            ship=ship.id,
            type=fit.type,
            rating=fit.size,
            x=x,
            y=y,
            strength=launch.strength,
            launched_turn=launch.turn,
            grade=require_value(launch.grade),
            fuse=require_value(launch.fuse),
            course=launch.course,
        )
    )
    state.launch_count += 1


@dataclass(frozen=True, slots=True)
class RocketsLaunched(Event):
    """A ship fired rockets at a ship or gunboats.

    Attributes:
        range: In MU.
        needed: The die that hits.
        marker: The marker of the rockets that hit, "" for none.
        bearing: The direction from which they come in, as a clock point from the target's bow.
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
    """Add the marker of the rockets that hit, next to their target, and use up their pod."""
    ship.use_round(launch.weapon, "")
    _put_beside(state, ship, launch, sum(die >= launch.needed for die in launch.dice))


@dataclass(frozen=True, slots=True)
class ShapedBolt(Event):
    """A launcher fired a shaped plasma bolt at a ship.

    Attributes:
        range: In MU.
        needed: The die that hits.
        marker: The marker of a bolt that hits, "" for none.
        bearing: The direction from which it comes in, as a clock point from the target's bow.
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
        ship.record = ship.record.with_fact("last-fired", self.turn, self.weapon)
        _put_beside(state, ship, self, ship.sheet.fits[ship.profile.index_of[self.weapon]].size)


def _put_beside(
    state: BattleState, ship: ShipState, launch: RocketsLaunched | ShapedBolt, strength: int
) -> None:
    """Add the marker of rockets or a bolt next to their target, unless they missed."""
    if not launch.marker:
        return
    fit = ship.sheet.fits[ship.profile.index_of[launch.weapon]]
    boats = state.find(Group, launch.target)
    target = boats or state.ship_by_name(launch.target)
    x, y = place_beside(target, launch.bearing)
    state.pieces.append(
        Marker(
            launch.marker,
            side=ship.commander,
            ship=ship.id,
            type=fit.type,
            rating=fit.size,
            x=x,
            y=y,
            strength=strength,
            launched_turn=launch.turn,
            course=launch.bearing,
            target=NO_SHIP if boats else ShipId(launch.target),
            target_boats=boats.id if boats else NO_GROUP,
        )
    )
    state.launch_count += 1


def place_beside(unit: ShipState | Group, bearing: int) -> Point:
    """Return the point 1 MU from a unit in one of the twelve directions from its bow."""
    ux, uy = COURSES[turn_course(unit.course, bearing)]
    return unit.x + ux, unit.y + uy


@dataclass(frozen=True, slots=True)
class RocketsFollowed(Event):
    """Rockets stay next to their target, a ship that moved."""

    kind: ClassVar[str] = "rockets-followed"
    text: ClassVar[str] = phrase("Rockets approach {ship}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    ship: ShipRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        marker = state.piece(Marker, self.marker)
        marker.x, marker.y = self.at


@dataclass(frozen=True, slots=True)
class RocketsChased(Event):
    """Rockets stay next to their target, gunboats that moved."""

    kind: ClassVar[str] = "rockets-chased"
    text: ClassVar[str] = phrase("Rockets approach {group}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    group: GroupRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        marker = state.piece(Marker, self.marker)
        marker.x, marker.y = self.at


@dataclass(frozen=True, slots=True)
class RocketsStruck(Event):
    """Rockets reached gunboats; each that gets `through` destroys a boat."""

    kind: ClassVar[str] = "rockets-struck"
    text: ClassVar[str] = phrase("Rockets hit {group}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    group: GroupRef
    through: Open[int]

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))


@dataclass(frozen=True, slots=True)
class OrdnanceStaged(Event):
    """A further stage of ordnance began: its place and facing."""

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
    """Ordnance found its target, the nearest hostile ship in its sight.

    `die` chose among several ships at the same distance, else it is 0.
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
    """A point defence weapon fired at ordnance for a ship (`guarded`, MU away): dice and hits."""

    kind: ClassVar[str] = "point-defence-at-ordnance"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    weapon: Open[str]
    marker: Open[str]
    guarded: ShipRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Marker, self.marker).destroyed += self.hits


@dataclass(frozen=True, slots=True)
class OrdnanceSwept(Event):
    """A sweeping weapon hit ordnance in its path, MU away: its dice, and how much it destroys."""

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
        state.piece(Marker, self.marker).destroyed += self.hits


@dataclass(frozen=True, slots=True)
class OrdnanceStruck(Event):
    """Ordnance reached its target.

    Attributes:
        die: The die for how much of it hits; 0: none was rolled.
        through: How much of it hits.
        screens: Levels of advanced screens.
        dice: Dice of damage.
        points: Points of damage.
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
    """Ordnance exploded at a point.

    `remaining` are the classes of a bolt or the dice of a warhead.
    """

    kind: ClassVar[str] = "ordnance-burst"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    at: Open[tuple[float, float]]
    remaining: Open[int]

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))


@dataclass(frozen=True, slots=True)
class OrdnanceRemoved(Event):
    """Ordnance left the table without a hit, for the reason `reason`."""

    kind: ClassVar[str] = "ordnance-removed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    marker: Open[str]
    reason: ReasonText

    def apply(self, state: BattleState) -> None:
        state.remove((self.marker,))
