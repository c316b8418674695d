"""The movement of ships: plots, edges of the table, FTL, docking, squadrons, emergency thrust,
rams.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.edition import Edition
from engine.core.geometry import velocity_and_drift
from engine.core.kinds import FTL, LEFT_TABLE, RETURNING, JumpOutcome, RamOutcome, ShipStatus
from engine.core.phrase import phrase
from engine.core.ship import ALONGSIDE, BERTHED, CASTING_OFF, DOCKED, FREE
from engine.core.state import BattleState
from engine.events.event import (
    Audience,
    Event,
    Listener,
    LogOrder,
    Open,
    OrderText,
    OwnShipRef,
    ReasonText,
    ShipRef,
    UnitRef,
    UnitRefs,
)

# How the moment of FTL entry may end with the ship off the table.
JUMPED = (JumpOutcome.SAFE, JumpOutcome.BLAST_OTHERS, JumpOutcome.STRAINED, JumpOutcome.EXPLODED)
# What each step of docking is called.
DOCKING_STEPS = {
    FREE: "free",
    ALONGSIDE: "alongside",
    DOCKED: "docked",
    CASTING_OFF: "casting-off",
    BERTHED: "berthed",
}


@dataclass(frozen=True, slots=True)
class OrderRefused(Event):
    """A plot the ship could not carry out; it holds course and speed instead."""

    kind: ClassVar[str] = "order-refused"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    order: OrderText
    why: ReasonText


@dataclass(frozen=True, slots=True)
class ShipMoved(Event):
    """A ship's move: the points of its path, where it ended, its course and velocity then."""

    kind: ClassVar[str] = "moved"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    path: Open[tuple[tuple[float, float], ...]]
    course: Open[int]
    velocity: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        if (
            ship.profile.bays and ship.sheet.edition == Edition.SECOND_EDITION
        ):  # by Continuum craft land before it
            ship.swerved = (ship.course, ship.velocity) != (self.course, self.velocity)
        ship.x, ship.y = self.path[-1]
        ship.course, ship.velocity = self.course, self.velocity
        if ship.drift is not None:
            ship.drift = velocity_and_drift(self.path[0], self.path[-1])[1]


@dataclass(frozen=True, slots=True)
class LeftTable(Event):
    """A ship crossed an edge at a point; `die` decides its return (`due` is the turn, 0: never)."""

    kind: ClassVar[str] = "left-table"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    edge: Open[str]
    at: Open[tuple[float, float]]
    die: Open[int]
    due: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).leave(
            self.edge, self.at, RETURNING if self.due else LEFT_TABLE, self.due
        )


@dataclass(frozen=True, slots=True)
class ReturnGivenUp(Event):
    """A ship off the table that could have returned stays away for good."""

    kind: ClassVar[str] = "gave-up"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).stay_away()


@dataclass(frozen=True, slots=True)
class ShipReturned(Event):
    """A ship came back over the edge it had left by; its move follows."""

    kind: ClassVar[str] = "returned"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).place_on_table(self.at, self.course)


@dataclass(frozen=True, slots=True)
class FtlWarming(Event):
    """A ship is seen to warm up its FTL drive; it leaves in the middle of its next move."""

    kind: ClassVar[str] = "ftl-warming"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).warm_up()


@dataclass(frozen=True, slots=True)
class FtlExit(Event):
    """The moment of FTL entry at `at`.

    `outcome`: safe, failed, no-drive, blast-others, strained, exploded.

    `die` is 0 where none was needed. `near`: the ships within 6 MU; the damage they take follows.
    """

    kind: ClassVar[str] = "ftl-exit"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    at: Open[tuple[float, float]]
    near: UnitRefs
    die: Open[int]
    outcome: Open[str]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.cool_down()
        if self.outcome in JUMPED:
            ship.jump(self.at, exploded=self.outcome == JumpOutcome.EXPLODED)


@dataclass(frozen=True, slots=True)
class TowLinked(Event):
    """Another ship has worked on a link to this one for so many turns; NO_SHIP: it is in nobody's
    tow.
    """

    kind: ClassVar[str] = "in-tow"
    text: ClassVar[str] = phrase("{ship} and its tow: {turns:turn} of work on the link")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    by: OwnShipRef
    turns: Open[int]

    def apply(self, state: BattleState) -> None:
        state.take_in_tow(state.ship(self.ship), self.by, self.turns)


@dataclass(frozen=True, slots=True)
class ShipCarriedOff(Event):
    """A ship went along as another jumped, from a point; `exploded`: it was destroyed with that
    one.
    """

    kind: ClassVar[str] = "carried-off"
    text: ClassVar[str] = phrase("{ship} goes along as {by} engages its FTL drive")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    by: ShipRef
    at: Open[tuple[float, float]]
    exploded: Open[bool]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).jump(self.at, exploded=self.exploded)


@dataclass(frozen=True, slots=True)
class ShipTakenAboard(Event):
    """A ship is taken aboard another, and is out of sight from then on."""

    kind: ClassVar[str] = "taken-aboard"
    text: ClassVar[str] = phrase("{ship} is taken aboard {near}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    near: ShipRef

    def apply(self, state: BattleState) -> None:
        state.take_aboard(state.ship(self.ship), self.near)

    def notice(self, listener: Listener) -> None:
        listener.aboard.add(self.ship)


@dataclass(frozen=True, slots=True)
class ShipDetached(Event):
    """A ship detaches from the one that carried it, at its course and velocity."""

    kind: ClassVar[str] = "detached"
    text: ClassVar[str] = phrase("{ship} detaches from {near}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    heard_while_cloaked: ClassVar[bool] = True
    ship: ShipRef
    near: ShipRef
    at: Open[tuple[float, float]]
    course: Open[int]
    velocity: Open[int]
    drift: Open[tuple[float, float] | None]

    def apply(self, state: BattleState) -> None:
        state.detach(state.ship(self.ship), self.at, self.course, self.velocity, self.drift)

    def notice(self, listener: Listener) -> None:
        listener.aboard.discard(self.ship)


@dataclass(frozen=True, slots=True)
class RiderWentAlong(Event):
    """A ship aboard another goes where that one goes off the table: its status then."""

    kind: ClassVar[str] = "went-along"
    text: ClassVar[str] = phrase("{ship} goes along, aboard its mothership")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    by: OwnShipRef
    status: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).status = ShipStatus(self.status)


@dataclass(frozen=True, slots=True)
class BearerChosen(Event):
    """A ship aboard this one bears what this one is hit by; NO_SHIP: it takes its damage itself."""

    kind: ClassVar[str] = "bearer"
    text: ClassVar[str] = phrase("{ship} chooses who bears what it is hit by")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    by: OwnShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).write_fact("bearer", int(self.by != ""), self.by)


@dataclass(frozen=True, slots=True)
class EntryAnnounced(Event):
    """A ship will drop out of FTL this turn: where it means to."""

    kind: ClassVar[str] = "ftl-entry"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class FtlArrival(Event):
    """A ship dropped out of FTL: where it meant to, which way and how far it strayed, where it is.

    `dice`: of the distance. `on_table` False: it came out beyond the edge and takes no part.
    """

    kind: ClassVar[str] = "arrived"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    meant: Open[tuple[float, float]]
    direction: Open[int]
    dice: Open[tuple[int, ...]]
    at: Open[tuple[float, float]]
    course: Open[int]
    velocity: Open[int]
    on_table: Open[bool]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).drop_out(self.at, on_table=self.on_table)


@dataclass(frozen=True, slots=True)
class ShipEscaped(Event):
    """A ship crossed its jump edge and is away under FTL."""

    kind: ClassVar[str] = "escaped"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    edge: Open[str]
    at: Open[tuple[float, float]]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).leave(self.edge, self.at, FTL)


@dataclass(frozen=True, slots=True)
class EmergencyThrust(Event):
    """A ship tries more thrust than its drive is made for: the dice, what they score, what came of
    it.

    `outcome`: held, strained (it flies so, and the drive is hit), failed (it does not, and the
    drive is hit) or burnt-out (likewise, twice). `hits`: how many of these its drive had left to
    take.
    """

    kind: ClassVar[str] = "emergency-thrust"
    audience: ClassVar[Audience] = Audience.IDENTIFIED
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    dice: Open[tuple[int, ...]]
    score: Open[int]
    outcome: Open[str]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).strain_drive(self.hits)


@dataclass(frozen=True, slots=True)
class InSquadron(Event):
    """A ship falls in with the one that leads its squadron (`by`), or leaves it (""): everybody is
    told.
    """

    kind: ClassVar[str] = "squadron"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    by: ShipRef

    def apply(self, state: BattleState) -> None:
        state.set_leader(state.ship(self.ship), self.by)


@dataclass(frozen=True, slots=True)
class Docking(Event):
    """A ship takes a step of docking at an installation: alongside, docked, berthed (in an internal
    bay), casting-off or free.
    """

    kind: ClassVar[str] = "docking"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    near: ShipRef
    step: Open[str]

    def apply(self, state: BattleState) -> None:
        step = next(step for step, name in DOCKING_STEPS.items() if name == self.step)
        state.dock(state.ship(self.ship), self.near, step)


@dataclass(frozen=True, slots=True)
class DockingMissed(Event):
    """A ship that was to come alongside did not, and why."""

    kind: ClassVar[str] = "docking-missed"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    near: ShipRef
    why: ReasonText


@dataclass(frozen=True, slots=True)
class ShipKnockedOffCourse(Event):
    """A blow turns a ship aside: the die of what is turned (`helm`, by vectors `drift`), 1 to 3 to
    starboard, and its course, which everybody sees, and its drift then.
    """

    kind: ClassVar[str] = "knocked-off-course"
    text: ClassVar[str] = phrase("{ship} is knocked off course")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    thrown: Open[tuple[tuple[str, int], ...]]
    course: Open[int]
    drift: Open[tuple[float, float] | None]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).deflect(self.course, self.drift)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """How a ship drifts is read off its moves by whoever sees them: of others' its facing alone
        is told.
        """
        document = self.to_json()
        if self.ship not in listener.mine:
            document["thrown"] = [roll for roll in document["thrown"] if roll[0] == "helm"]
            document["drift"] = None
        return document


@dataclass(frozen=True, slots=True)
class RamAttempted(Event):
    """A ram that was ordered, and how far it came.

    `outcome`: far (not within 2 MU), refused (`will` below `needs`: its crew would not; both are 0
    where it is not asked), evaded, rammed. `dice`: the attacker's and the target's; the sums with
    the thrust ratings decide. `blows`: the dice of what they did to each other.
    """

    kind: ClassVar[str] = "ram"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    target: UnitRef
    outcome: Open[str]
    will: Open[int]
    needs: Open[int]
    dice: Open[tuple[int, ...]]
    sums: Open[tuple[int, ...]]
    blows: Open[tuple[int, ...]]

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """A ram that did not come near was seen by nobody; the thrust of what is not identified is
        not told.
        """
        if self.outcome == RamOutcome.FAR and self.ship not in listener.mine:
            return None
        document = self.to_json()
        if self.ship in listener.hidden or self.target in listener.hidden:
            document["sums"] = []
        return document
