"""Asteroid and meteor fields, swarms and debris: what they do to ships that fly through them.

They stay in place or move.

Rules: Continuum "Asteroid fields, meteor swarms and debris", "Battle debris" 17.4, 17.5 [pc.debris]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from engine.core.geometry import COURSES, NEAR, Point, distance_to_path
from engine.core.kinds import FIGHTING, HULL
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import BERTHED, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import Terms
from engine.events.event import (
    Audience,
    Event,
    Listener,
    LogOrder,
    Open,
    PieceRef,
    ShipRef,
    require_value,
)
from engine.pieces.piece import Encounters, Piece, Visibility
from engine.ruleset import rules_of

if TYPE_CHECKING:
    from engine.notation.reading import Reader

MU_PER_DIE = 6  # MU of velocity for each die
LARGEST = 60.0  # MU of radius
FASTEST = 100
MEAN_DIE, MEAN_BOXES = 3.5, 40.0  # captains' estimates of a die and of a ship's boxes
RADII = {"escort": 1.0, "cruiser": 2.0}  # MU; debris of a ship by its classification
LARGE = 3.0


@dataclass(slots=True)
class Debris(Piece):
    """A field, a swarm or debris.

    Attributes:
        course: The course of its movement.
        speed: MU a turn.
        until: The last turn in which it exists; 0: it stays.

    Rules: Continuum "Asteroid fields, meteor swarms and debris" 17.4 [pc.debris]
    """

    kind: ClassVar[str] = "debris"
    word: ClassVar[str] = phrase("field")
    order: ClassVar[int] = 6
    body: ClassVar[bool] = True
    solid: ClassVar[bool] = False
    view_keys: ClassVar[tuple[str, ...]] = ("debris",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True
    file_kinds: ClassVar[tuple[str, ...]] = ("field", "debris")

    id: Open[str]
    x: Open[float]
    y: Open[float]
    radius: Open[float]
    course: Open[int] = 12
    speed: Open[float] = 0.0
    until: Open[int] = 0

    @classmethod
    def from_entry(
        cls, reader: Reader, item: Mapping[object, object], where: str, name: str, at: Point
    ) -> Self:
        """Return the field, swarm or debris of a battle file; debris lasts one turn."""
        reader.keys(item, ("kind", "at", "radius", "course", "velocity"), where)
        course = reader.number(item, "course", where, 12)
        speed = reader.number(item, "velocity", where, 0)
        if not 1 <= course <= 12 or not 0 <= speed <= FASTEST:
            reader.fault(
                where,
                "drift",
                reason(
                    "courses-1-12-velocity",
                    "courses go from 1 to 12, velocities from 0 to {} MU a turn",
                    FASTEST,
                ),
            )
            course = 12
        radius = reader.measure(item, "radius", where, LARGEST)
        return cls(
            name,
            *at,
            radius,
            course=course,
            speed=float(speed),
            until=1 if item.get("kind") == "debris" else 0,
        )

    def to_entry(self) -> dict[str, Any]:
        """Return its entry in a battle file."""
        entry: dict[str, Any] = {
            "kind": "debris" if self.until else "field",
            "at": [self.x, self.y],
            "radius": self.radius,
        }
        if self.speed:
            entry |= {"course": self.course, "velocity": round(self.speed)}
        return entry

    @classmethod
    def drift(cls, table: Table, encounters: Encounters) -> None:
        """Move the moving fields; they hit the ships that they pass over.

        Rules: Continuum "Asteroid fields, meteor swarms and debris" 17.4 [pc.debris]
        """
        moving = [field for field in table.state.pieces_of(cls) if field.speed]
        if not moving:
            return
        start_of = {field.id: (field.x, field.y) for field in moving}
        for field in moving:
            ux, uy = COURSES[field.course]
            field.x, field.y = field.x + ux * field.speed, field.y + uy * field.speed
        table.tell(FieldsMoved, tuple((field.id, field.x, field.y) for field in moving))
        for ship in table.state.ships:
            if ship.docking == BERTHED:
                continue
            for field in moving:
                start, end = start_of[field.id], (field.x, field.y)
                if distance_to_path(ship.x, ship.y, start, end) <= field.radius + NEAR:
                    field.strike(table, ship, encounters)

    @classmethod
    def meet_on_path(
        cls, table: Table, ship: ShipState, path: tuple[Point, ...], encounters: Encounters
    ) -> None:
        """Hit a ship whose path touches a field, once a turn for each field.

        Rules: Continuum 17.4 [pc.debris]
        """
        for field in table.state.pieces_of(cls):
            if field.touches((field.x, field.y), path):
                field.strike(table, ship, encounters)

    def strike(self, table: Table, ship: ShipState, encounters: Encounters) -> None:
        """Roll a die of damage for every full 6 MU of a ship's velocity.

        The damage ignores armour and screens.

        Rules: Continuum "Asteroid fields, meteor swarms and debris" 17.4 [pc.debris]
        """
        number = int(ship.velocity) // MU_PER_DIE
        if ship.status != FIGHTING or (ship.id, self.id) in encounters or not number:
            return
        encounters.append((ship.id, self.id))
        dice = tuple(table.dice.roll("damage", f"{self.id}>{ship.id}") for _ in range(number))
        table.tell(DebrisHit, ship.id, self.id, dice)
        harm = rules_of(table.state.terms.edition).harm
        harm(table, ship, sum(dice), "debris", 0, HULL)

    def loss_chance(
        self, terms: Terms, path: tuple[Point, ...], velocity: int, thrust: int, turns: int
    ) -> float:
        """Return the share of a ship that it destroys, from its place in that turn."""
        if velocity < MU_PER_DIE or (self.until and terms and turns > 1):
            return 0.0
        ux, uy = COURSES[self.course]
        at = (self.x + ux * self.speed * turns, self.y + uy * self.speed * turns)
        if self.touches(at, path):
            return min(velocity // MU_PER_DIE * MEAN_DIE / MEAN_BOXES, 1.0)
        return 0.0

    def touches(self, at: Point, path: tuple[Point, ...]) -> bool:
        """Return whether a path touches it at a place."""
        return any(distance_to_path(*at, a, b) <= self.radius + NEAR for a, b in pairwise(path))

    def is_over(self, turn: int) -> bool:
        """Return whether its last turn has ended.

        Rules: Continuum "Battle debris" 17.5 [pc.debris]
        """
        return bool(self.until) and turn >= self.until


def break_up_ship(table: Table, ship: ShipState, excess: int) -> None:
    """Roll whether a ship destroyed by fire breaks up into debris that flies on for a turn.

    Args:
        excess: Damage points beyond those that destroyed it. A die of at most this number breaks it
            up.

    Rules: Continuum "Battle debris" 17.5 [pc.debris]
    """
    die = table.dice.roll("debris", ship.id)
    name = ""
    if die <= excess:
        new_fields = sum(field.until > table.turn for field in table.state.pieces_of(Debris))
        name = f"debris-{table.turn}-{new_fields + 1}"
    course = ship.course
    speed = float(ship.velocity)
    radius = RADII.get(ship.sheet.classification, LARGE)
    if name:
        table.state.pieces.append(
            Debris(
                name,
                x=ship.x,
                y=ship.y,
                radius=radius,
                course=course,
                speed=speed,
                until=table.turn + 1,
            )
        )
    table.tell(
        ShipBrokeUp,
        ship=ship.id,
        die=die,
        excess=excess,
        debris=name,
        at=(ship.x, ship.y),
        radius=radius,
        course=course,
        speed=speed,
    )


@dataclass(frozen=True, slots=True)
class FieldsMoved(Event):
    """Fields moved: their new places (name, x, y)."""

    kind: ClassVar[str] = "fields-moved"
    text: ClassVar[str] = phrase("Debris fields move")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    fields: Open[tuple[tuple[str, float, float], ...]]

    def apply(self, state: BattleState) -> None:
        places = {name: (x, y) for name, x, y in self.fields}
        for field in state.pieces_of(Debris):
            field.x, field.y = places.get(field.id, (field.x, field.y))


@dataclass(frozen=True, slots=True)
class DebrisHit(Event):
    """A field hit a ship that flew through it; the sum of the dice is the damage."""

    kind: ClassVar[str] = "debris-hit"
    text: ClassVar[str] = phrase("{ship} is damaged by debris in its way")
    plural_text: ClassVar[str] = phrase("{ship} are damaged by debris in their way")
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    outward: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    field: PieceRef
    dice: Open[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ShipBrokeUp(Event):
    """A ship was destroyed by fire: its die, the excess damage, and its debris ("" for none)."""

    kind: ClassVar[str] = "broke-up"
    text: ClassVar[str] = phrase(
        "{ship} rolls for debris: {die} against {excess:point} of excess damage"
    )
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    die: Open[int]
    excess: Open[int]
    debris: PieceRef
    at: Open[tuple[float, float]]
    radius: Open[float]
    course: Open[int]
    speed: Open[float]

    def apply(self, state: BattleState) -> None:
        if self.debris:
            state.pieces.append(
                Debris(
                    self.debris,
                    *self.at,
                    self.radius,
                    course=self.course,
                    speed=self.speed,
                    until=self.turn + 1,
                )
            )

    def notice(self, listener: Listener) -> None:
        debris = require_value(self.debris)
        listener.pieces[debris] = debris
