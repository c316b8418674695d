"""The battle as a whole: ends of turns and battles, moving tables, pursuits, new commanders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.deployment import line_up_open_ships
from engine.core.geometry import Point
from engine.core.ids import NO_GROUP
from engine.core.kinds import ChaseOutcome, ShipStatus
from engine.core.phrase import phrase
from engine.core.ship_facts import parse_facts
from engine.core.state import OVER, PLOT, BattleState
from engine.core.victory import decide_outcome
from engine.events.event import (
    Audience,
    Event,
    GroupRef,
    Listener,
    LogOrder,
    Open,
    OwnShipRef,
    PieceRefs,
    ReasonText,
    ShipRef,
    require_value,
)
from engine.pieces.group import Group


@dataclass(frozen=True, slots=True)
class SetUpOrder(Event):
    """The dice for the order in which sides set up, and that order; the lowest die begins.

    Rules: Continuum "Introductory scenario" 4.12 [pc.deployment]
    """

    kind: ClassVar[str] = "set-up"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    rolls: Open[tuple[tuple[str, int], ...]]
    order: Open[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ShipSetUp(Event):
    """A side placed a ship before the first turn.

    Other sides see ships on the table, but do not read of those that are held back or carried.

    Attributes:
        due: The turn in which it drops out of FTL; 0: it is on the table.
        facts: What is noted on its record sheet.
        flights: The bays whose craft begin in flight, with the codes of the groups.
    """

    kind: ClassVar[str] = "ship-set-up"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]
    velocity: Open[int]
    drift: Open[tuple[float, float] | None]
    status: Open[str]
    due: Open[int]
    dock: OwnShipRef
    docking: Open[int]
    facts: Open[dict[str, int]]
    flights: Open[tuple[tuple[str, str], ...]]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        (ship.x, ship.y), ship.course = self.at, self.course
        ship.velocity, ship.drift = self.velocity, self.drift
        ship.status, ship.due = ShipStatus(self.status), self.due
        ship.dock, ship.docking = self.dock, self.docking
        ship.record, ship.this_turn = parse_facts(self.facts)
        for bay, contact in self.flights:
            Group.put_in_flight(
                state,
                ship,
                bay,
                contact=contact,
                at=self.at,
                course=self.course,
                turn=0,
            )
        ship.recompute()
        if state.set_up is not None:
            state.set_up = state.set_up.without(self.ship)


@dataclass(frozen=True, slots=True)
class BodySetUp(Event):
    """A side placed an asteroid or other terrain before the first turn.

    Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]
    """

    kind: ClassVar[str] = "body-set-up"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    body: Open[str]
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        body: Any = next(piece for piece in state.pieces if piece.id == self.body)
        body.x, body.y = self.at  # every kind of body has a place of its own
        state.set_up = require_value(state.set_up).without_body(self.body)


@dataclass(frozen=True, slots=True)
class StationSetUp(Event):
    """A side placed an installation before the first turn, and before all other ships.

    Rules: 2E "Mining station Con-Am 12" [2e.con-am-12]
    """

    kind: ClassVar[str] = "station-set-up"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        (ship.x, ship.y), ship.course = self.at, self.course
        state.set_up = require_value(state.set_up).without_body(self.ship)


@dataclass(frozen=True, slots=True)
class BodiesSetUp(Event):
    """All bodies are placed, and ships come next."""

    kind: ClassVar[str] = "bodies-set-up"
    text: ClassVar[str] = phrase("All bodies are placed")
    audience: ClassVar[Audience] = Audience.EVERYBODY

    def apply(self, state: BattleState) -> None:
        stage = require_value(state.set_up)
        centres: dict[str, Point] = {piece.id: (piece.x, piece.y) for piece in state.pieces}
        for ship in state.ships:
            if ship.id not in stage.open_ids:
                centres[ship.id] = (ship.x, ship.y)
        state.set_up = stage.with_ships_next(state.table, centres)
        line_up_open_ships(state.set_up, state.ships, state.table, centres)


@dataclass(frozen=True, slots=True)
class SetUpTurn(Event):
    """It is the turn of a side to place bodies or ships."""

    kind: ClassVar[str] = "set-up-turn"
    text: ClassVar[str] = phrase("{side} places next")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]

    def apply(self, state: BattleState) -> None:
        if state.set_up is not None:
            state.set_up = state.set_up.at_turn_of(state.sides.index(self.side))


@dataclass(frozen=True, slots=True)
class SetUpEnded(Event):
    """All sides have set up, and the first turn begins."""

    kind: ClassVar[str] = "set-up-ended"
    text: ClassVar[str] = phrase("All sides have set up")
    audience: ClassVar[Audience] = Audience.EVERYBODY

    def apply(self, state: BattleState) -> None:
        state.share_screens()
        state.end_set_up()


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A turn ended after its fire."""

    kind: ClassVar[str] = "turn-ended"
    audience: ClassVar[Audience] = Audience.EVERYBODY

    def apply(self, state: BattleState) -> None:
        state.end_turn()
        state.share_screens()
        over = decide_outcome(state, last=False) is not None
        state.stop = OVER if over else PLOT
        state.turn = self.turn if over else self.turn + 1


@dataclass(frozen=True, slots=True)
class BattleOver(Event):
    """The battle is over, for the reason `reason`.

    `winner` is the winning side or None.
    """

    kind: ClassVar[str] = "battle-over"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    winner: Open[str | None]
    reason: ReasonText

    def apply(self, state: BattleState) -> None:
        state.stop = OVER
        state.turn = max(self.turn, 1)


@dataclass(frozen=True, slots=True)
class ShipTakenOver(Event):
    """A ship changed sides and takes the orders of `side` from now on.

    All sides hear of it and learn the ship's true class, even under a cloaking field. Its new
    commander sees it as an own ship under the contact code used before. Its owner sees it as a
    foreign ship under its id.

    Attributes:
        cls: Its true class.
        cause: How it was taken.
    """

    kind: ClassVar[str] = "taken-over"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    side: Open[str]
    cls: Open[str]
    cause: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).change_commander(state.sides.index(self.side))

    def notice(self, listener: Listener) -> None:
        listener.hidden.discard(self.ship)
        listener.covers.pop(self.ship, None)
        if self.side == listener.side:
            listener.mine.add(self.ship)
        else:
            listener.mine.discard(self.ship)


@dataclass(frozen=True, slots=True)
class FleetWithdrew(Event):
    """A side withdraws because it lost `lost_mass` of the `total_mass` of its fleet.

    Other sides only see its ships move.
    """

    kind: ClassVar[str] = "withdrawn"
    text: ClassVar[str] = phrase("{side} has lost mass {lost_mass} of {total_mass}, and withdraws")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]
    lost_mass: Open[int]
    total_mass: Open[int]

    def apply(self, state: BattleState) -> None:
        side = state.sides.index(self.side)
        for ship in state.ships:
            if ship.commander == side:
                ship.write_fact("withdrawing", 1)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        if self.side == listener.side:
            return self.to_json()
        return None


@dataclass(frozen=True, slots=True)
class TableMoved(Event):
    """Everything on the table moved by these MU so that the battle stays on it.

    `removed` are the pieces left behind.
    """

    kind: ClassVar[str] = "table-moved"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    by_x: Open[float]
    by_y: Open[float]
    removed: PieceRefs

    def apply(self, state: BattleState) -> None:
        state.shift(self.by_x, self.by_y)
        state.remove(self.removed)


@dataclass(frozen=True, slots=True)
class SideDisengaged(Event):
    """A side that left over one edge tries to get away: each side's die and sum, and the outcome.

    `outcome` is away, let-go (the enemy chose not to pursue) or pursued.
    """

    kind: ClassVar[str] = "disengaged"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    side: Open[str]
    edge: Open[str]
    rolls: Open[tuple[tuple[str, int, int], ...]]
    outcome: Open[str]

    def apply(self, state: BattleState) -> None:
        if self.outcome != ChaseOutcome.PURSUED:
            state.escape(state.sides.index(self.side))


@dataclass(frozen=True, slots=True)
class ShipLeftBehind(Event):
    """A ship or decoy takes no part in the pursuit."""

    kind: ClassVar[str] = "left-behind"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).leave_behind()


@dataclass(frozen=True, slots=True)
class ShipPlaced(Event):
    """A ship was placed for the start of the pursuit."""

    kind: ClassVar[str] = "placed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]
    velocity: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).place_on_table(self.at, self.course)


@dataclass(frozen=True, slots=True)
class GroupPlaced(Event):
    """A group was placed for the start of the pursuit."""

    kind: ClassVar[str] = "group-placed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        group = state.piece(Group, self.group)
        group.x, group.y = self.at
        group.dogfight = NO_GROUP


@dataclass(frozen=True, slots=True)
class TableCleared(Event):
    """Mines, asteroids and templates were removed at the start of the pursuit."""

    kind: ClassVar[str] = "cleared"
    audience: ClassVar[Audience] = Audience.EVERYBODY

    def apply(self, state: BattleState) -> None:
        state.clear_table()
