"""Jump gates, portals and jump points: what moves ships between the table and hyperspace.

Everybody sees them.

What a ship does with one stands in `engine.continuum.gates`.
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

RADIUS = 3.0  # MU within which a ship's way leads into it
CLOSED = FOREVER  # the turn from which a gate takes ships that nobody has activated


@dataclass(slots=True)
class Gate(Piece):
    """A gate: `mass` is what it transfers in a turn (0: whatever comes, as natural ones do) while
    it is whole, `spent` what it has transferred in this one.

    `number`: its place among the gates of the battle, from 1. `opens`: the turn from which it takes
    ships. `held`: the side that controls it, where that is not the side of the `ship` that it is, a
    base. `facing`: the course on which ships go in, 0: any. `end`: the gate on this table at which
    a portal lets them out, "" elsewhere.
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
    spent: Open[int] = 0
    opens: Open[int] = 0
    held: Open[int] = NOBODY
    ship: ShipRef = NO_SHIP
    facing: Open[int] = 0
    end: Open[str] = ""

    def end_turn(self) -> None:
        """Its transfer mass is there anew."""
        self.spent = 0

    @classmethod
    def draw(
        cls, key: str, document: Mapping[str, Any], name_of: Callable[[str], str]
    ) -> PieceDrawing:
        """A circle as wide as ships come into it, with an arrow along the course on which they
        do.
        """
        opens = document["opens"]
        state = phrase(
            "closed" if opens == CLOSED else "takes ships from turn {} on" if opens > 1 else "open",
            opens,
        )
        words = phrase("{} {}", GateShape.label_of(document["shape"]), document["id"])
        words = phrase("{}, takes mass {}", words, document["mass"]) if document["mass"] else words
        words = phrase("{}; {}", words, state)
        return PieceDrawing(
            (document["x"], document["y"]), words, radius=RADIUS, course=document["facing"]
        )


@dataclass(frozen=True, slots=True)
class GateSet(Event):
    """A gate is activated: the turn from which it takes ships; the die of who does not control it,
    0 where none was needed.
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
    """A gate is shut: it takes no more ships until somebody activates it."""

    kind: ClassVar[str] = "gate-shut"
    text: ClassVar[str] = phrase("{gate} is shut")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    gate: Open[str]

    def apply(self, state: BattleState) -> None:
        state.piece(Gate, self.gate).opens = CLOSED


@dataclass(frozen=True, slots=True)
class GateEntered(Event):
    """A ship's move ended in a gate, of that number: at the turn's end it goes through."""

    kind: ClassVar[str] = "gate-entered"
    text: ClassVar[str] = phrase("{ship} enters {gate}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    gate: Open[str]
    number: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).write_fact("in-gate", self.number)


@dataclass(frozen=True, slots=True)
class GatePassed(Event):
    """A ship in a gate, or about to come out of one: the die where the gate could not take all that
    it was to take, the outcome, the mass it has transferred in this turn by then, and where a
    portal let the ship out.

    `at`: where the ship is then, None where it is not on the table; `course`: the one it faces.
    """

    kind: ClassVar[str] = "gate-passed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    gate: Open[str]
    die: Open[int]
    outcome: Open[str]
    spent: Open[int]
    at: Open[Point | None]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        state.piece(Gate, self.gate).spent = self.spent
        go_through(state.ship(self.ship), self.outcome, self.at, self.course)


@dataclass(frozen=True, slots=True)
class WaitedForGate(Event):
    """A ship that was to come out of a gate waits in hyperspace until a turn, 0: for good, the gate
    is gone.
    """

    kind: ClassVar[str] = "gate-waited"
    text: ClassVar[str] = phrase("{ship} waits in hyperspace for its gate, until turn {until}")
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
    """Gates are there no more, with the bases that they were."""

    kind: ClassVar[str] = "gates-gone"
    text: ClassVar[str] = phrase("A gate is gone")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    gone: PieceRefs

    def apply(self, state: BattleState) -> None:
        state.remove(self.gone)


def go_through(ship: ShipState, outcome: str, at: Point | None, course: int) -> None:
    """Put a ship where a gate has let it: out of the battle, out of another gate at the velocity at
    which it went in, on the table, or nowhere.

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
