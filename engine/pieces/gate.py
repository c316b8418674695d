"""Jump gates, portals and jump points, which connect the table with hyperspace.

All sides see them. `engine.continuum.gates` has the rules for ships that use them.

Rules: Continuum "Jump gates and portals", "Natural jump gates" 11.9, 11.10 [pc.gates]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.facts import FOREVER
from engine.core.geometry import Point
from engine.core.ids import NO_SHIP
from engine.core.kinds import GateOutcome, GateShape
from engine.core.phrase import phrase
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.events.event import Audience, Event, LogOrder, Open, PieceRefs, ShipRef
from engine.pieces.piece import NOBODY, Piece, PieceDrawing, Visibility

RADIUS = 3.0  # MU within which a ship enters it
CLOSED = FOREVER  # `opens` of a gate that is not activated


@dataclass(slots=True)
class Gate(Piece):
    """A jump gate, portal or jump point.

    Attributes:
        number: Its number among the gates of the battle, from 1.
        mass: The mass that it can transfer in a turn while undamaged; 0: no limit (natural gates).
        used_mass: The mass that it has transferred this turn.
        opens: The first turn in which it takes ships.
        controller: The side that controls it, if that is not the side of `ship`.
        ship: The base that it is part of.
        facing: The course on which ships must enter; 0: any.
        end: The gate on this table at which a portal lets ships out, or "".

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """

    kind: ClassVar[str] = "gate"
    word: ClassVar[str] = phrase("gate")
    order: ClassVar[int] = 11
    view_keys: ClassVar[tuple[str, ...]] = ("gates",)
    listed_empty: ClassVar[bool] = False
    visibility: ClassVar[Visibility] = Visibility.BY_EVERYBODY
    in_table_order: ClassVar[bool] = True

    id: Open[str]
    x: Open[float]
    y: Open[float]
    number: Open[int]
    shape: Open[str] = GateShape.GATE
    mass: Open[int] = 0
    used_mass: Open[int] = 0
    opens: Open[int] = 0
    controller: Open[int] = NOBODY
    ship: ShipRef = NO_SHIP
    facing: Open[int] = 0
    end: Open[str] = ""

    def end_turn(self) -> None:
        """Restore its transfer mass."""
        self.used_mass = 0

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """Return a circle of its radius with an arrow along the course on which ships enter."""
        opens = document["opens"]
        if opens == CLOSED:
            state = phrase("closed")
        elif opens > 1:
            state = phrase("accepts ships from turn {}", opens)
        else:
            state = phrase("open")
        words = phrase("{} {}", GateShape.label_of(document["shape"]), document["id"])
        if document["mass"]:
            words = phrase("{}, accepts mass {}", words, document["mass"])
        words = phrase("{}; {}", words, state)
        return PieceDrawing(
            (document["x"], document["y"]), words, radius=RADIUS, course=document["facing"]
        )


@dataclass(frozen=True, slots=True)
class GateSet(Event):
    """A gate was activated: the first turn in which it takes ships.

    `die` is the die of a side that does not control it, 0 if none was needed.
    """

    kind: ClassVar[str] = "gate-set"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    gate: Open[str]
    opens: Open[int]
    die: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Gate, self.gate).opens = self.opens


@dataclass(frozen=True, slots=True)
class GateShut(Event):
    """A gate was shut: it takes no ships until it is activated."""

    kind: ClassVar[str] = "gate-shut"
    text: ClassVar[str] = phrase("{gate} is closed")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    gate: Open[str]

    def apply(self, state: BattleState) -> None:
        state.piece(Gate, self.gate).opens = CLOSED


@dataclass(frozen=True, slots=True)
class GateEntered(Event):
    """A ship's move ended in the gate of that number; it goes through at the end of the turn."""

    kind: ClassVar[str] = "gate-entered"
    text: ClassVar[str] = phrase("{ship} enters {gate}")
    plural_text: ClassVar[str] = phrase("{ship} enter {gate}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    gate: Open[str]
    number: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).write_fact("in-gate", self.number)


@dataclass(frozen=True, slots=True)
class GatePassed(Event):
    """A ship in a gate, or about to come out of one.

    Attributes:
        die: The die if the gate could not take all the mass in it, else 0.
        used_mass: The mass that the gate has transferred this turn so far.
        at: The ship's place afterwards; None if it is off the table.
        course: The course it faces.
    """

    kind: ClassVar[str] = "gate-passed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    gate: Open[str]
    die: Open[int]
    outcome: Open[str]
    used_mass: Open[int]
    at: Open[Point | None]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Gate, self.gate).used_mass = self.used_mass
        go_through(state.ship(self.ship), self.outcome, self.at, self.course)


@dataclass(frozen=True, slots=True)
class WaitedForGate(Event):
    """A ship waits in hyperspace for its gate until a turn; 0: for good, the gate is gone."""

    kind: ClassVar[str] = "waited-for-gate"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    until: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        if self.until:
            ship.due = self.until
        else:
            ship.drop_out((ship.x, ship.y), on_table=False)


@dataclass(frozen=True, slots=True)
class GatesRemoved(Event):
    """Gates are gone together with the bases that they were part of."""

    kind: ClassVar[str] = "gates-removed"
    text: ClassVar[str] = phrase("A gate is gone")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    removed: PieceRefs

    def apply(self, state: BattleState) -> None:
        state.remove(self.removed)


def go_through(ship: ShipState, outcome: str, at: Point | None, course: int) -> None:
    """Put a ship where a gate has let it.

    This is out of the battle, at another gate at its former velocity, on the table, or nowhere.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    ship.write_fact("in-gate", 0)
    if outcome in (GateOutcome.THROUGH, GateOutcome.LOST):
        ship.jump((ship.x, ship.y), exploded=outcome == GateOutcome.LOST)
    elif outcome == GateOutcome.BACKED_OUT:
        ship.velocity = 0
        if ship.drift is not None:
            ship.drift = (0.0, 0.0)
    elif at is not None:
        if outcome == GateOutcome.COMES_OUT:
            ship.place_on_table(at, course)
        else:
            (ship.x, ship.y), ship.course = at, course
