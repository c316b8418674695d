"""Ship movement: plots, table edges, FTL, docking, squadrons, emergency thrust, rams."""

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

# Outcomes of an FTL entry that take the ship off the table.
JUMPED = (JumpOutcome.SAFE, JumpOutcome.BLAST_OTHERS, JumpOutcome.STRAINED, JumpOutcome.EXPLODED)
# Names of the docking steps.
DOCKING_STEPS = {
    FREE: "free",
    ALONGSIDE: "alongside",
    DOCKED: "docked",
    CASTING_OFF: "casting-off",
    BERTHED: "berthed",
}


@dataclass(frozen=True, slots=True)
class OrderRefused(Event):
    """A ship could not carry out its plot; it keeps course and velocity."""

    kind: ClassVar[str] = "order-refused"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    order: OrderText
    reason: ReasonText


@dataclass(frozen=True, slots=True)
class ShipMoved(Event):
    """A ship's move: its path, and its course and velocity at the end."""

    kind: ClassVar[str] = "moved"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    path: Open[tuple[tuple[float, float], ...]]
    course: Open[int]
    velocity: Open[int]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        # In Continuum craft land before the move.
        if ship.profile.bays and ship.sheet.edition == Edition.SECOND_EDITION:
            ship.swerved = (ship.course, ship.velocity) != (self.course, self.velocity)
        ship.x, ship.y = self.path[-1]
        ship.course, ship.velocity = self.course, self.velocity
        if ship.drift is not None:
            ship.drift = velocity_and_drift(self.path[0], self.path[-1])[1]


@dataclass(frozen=True, slots=True)
class LeftTable(Event):
    """A ship crossed an edge; `die` decided its return in turn `due` (0: never)."""

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
    """A ship off the table gave up its return."""

    kind: ClassVar[str] = "return-given-up"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).stay_away()


@dataclass(frozen=True, slots=True)
class ShipReturned(Event):
    """A ship came back over the edge by which it left; its move follows."""

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
    """A ship visibly warms up its FTL drive; it jumps in the middle of its next move."""

    kind: ClassVar[str] = "ftl-warming"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).warm_up()


@dataclass(frozen=True, slots=True)
class FtlExit(Event):
    """A ship's FTL entry at `at`.

    Attributes:
        near: The ships within 6 MU; their damage follows.
        die: 0 if none was needed.
        outcome: safe, failed, no-drive, blast-others, strained or exploded.
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
    """Another ship has worked on a tow link to this one for this many turns; NO_SHIP: no link."""

    kind: ClassVar[str] = "in-tow"
    text: ClassVar[str] = phrase("{ship} and its tow: {turns:turn} of work on the tow link")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    by: OwnShipRef
    turns: Open[int]

    def apply(self, state: BattleState) -> None:
        state.take_in_tow(state.ship(self.ship), self.by, self.turns)


@dataclass(frozen=True, slots=True)
class ShipCarriedOff(Event):
    """A ship jumped together with another; `exploded`: both were destroyed."""

    kind: ClassVar[str] = "carried-off"
    text: ClassVar[str] = phrase("{ship} jumps along with {by}")
    plural_text: ClassVar[str] = phrase("{ship} jump along with {by}")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    by: ShipRef
    at: Open[tuple[float, float]]
    exploded: Open[bool]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).jump(self.at, exploded=self.exploded)


@dataclass(frozen=True, slots=True)
class ShipTakenAboard(Event):
    """A ship was taken aboard another, out of sight."""

    kind: ClassVar[str] = "taken-aboard"
    text: ClassVar[str] = phrase("{ship} is taken aboard {near}")
    plural_text: ClassVar[str] = phrase("{ship} are taken aboard {near}")
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
    """A ship detached from its carrier, at that ship's course and velocity."""

    kind: ClassVar[str] = "detached"
    text: ClassVar[str] = phrase("{ship} detaches from {near}")
    plural_text: ClassVar[str] = phrase("{ship} detach from {near}")
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
        state.detach(
            state.ship(self.ship),
            at=self.at,
            course=self.course,
            velocity=self.velocity,
            drift=self.drift,
        )

    def notice(self, listener: Listener) -> None:
        listener.aboard.discard(self.ship)


@dataclass(frozen=True, slots=True)
class RiderWentAlong(Event):
    """A carried ship left the table with its carrier, with this status."""

    kind: ClassVar[str] = "rider-went-along"
    text: ClassVar[str] = phrase("{ship} goes along aboard its mothership")
    plural_text: ClassVar[str] = phrase("{ship} go along aboard their motherships")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    by: OwnShipRef
    status: Open[str]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).status = ShipStatus(self.status)


@dataclass(frozen=True, slots=True)
class BearerChosen(Event):
    """A carried ship (`by`) takes the hits on this ship; NO_SHIP: the ship takes them itself."""

    kind: ClassVar[str] = "bearer"
    text: ClassVar[str] = phrase("{ship} changes who takes its damage")
    plural_text: ClassVar[str] = phrase("{ship} change who takes their damage")
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    by: OwnShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).write_fact("bearer", int(self.by != ""), self.by)


@dataclass(frozen=True, slots=True)
class EntryAnnounced(Event):
    """A ship will come out of FTL this turn at this intended point."""

    kind: ClassVar[str] = "ftl-entry"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    at: Open[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class FtlArrival(Event):
    """A ship came out of FTL.

    Attributes:
        intended: The intended point.
        direction: The direction of its deviation.
        dice: The dice for the distance of the deviation.
        at: Where it is.
        on_table: False: it came out beyond the edge and takes no part.
    """

    kind: ClassVar[str] = "arrived"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    intended: Open[tuple[float, float]]
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
    """A ship crossed its jump edge and escaped into FTL."""

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
    """A ship tried to exceed the thrust of its drive.

    Attributes:
        score: The score of the dice.
        outcome: held; strained (it gets the thrust, and the drive is hit); failed (it does not, and
            the drive is hit); or burnt-out (likewise, hit twice).
        hits: How many of these hits the drive could still take.
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
    """A ship joined the squadron led by `by`, or left its squadron (""); every side hears of it."""

    kind: ClassVar[str] = "squadron"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    by: ShipRef

    def apply(self, state: BattleState) -> None:
        state.set_leader(state.ship(self.ship), self.by)


@dataclass(frozen=True, slots=True)
class Docking(Event):
    """A ship took a step of docking at an installation.

    `step` is alongside, docked, berthed (in an internal bay), casting-off or free.
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
    """A ship failed to come alongside, for the reason `reason`."""

    kind: ClassVar[str] = "docking-missed"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef
    near: ShipRef
    reason: ReasonText


@dataclass(frozen=True, slots=True)
class ShipKnockedOffCourse(Event):
    """A blow turned a ship.

    Attributes:
        rolls: The die of each thing turned: `helm`, and `drift` under vector movement. 1 to 3 turn
            to starboard.
        course: Its new course, which every side sees.
        drift: Its new drift.
    """

    kind: ClassVar[str] = "knocked-off-course"
    text: ClassVar[str] = phrase("{ship} is knocked off course")
    plural_text: ClassVar[str] = phrase("{ship} are knocked off course")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef
    rolls: Open[tuple[tuple[str, int], ...]]
    course: Open[int]
    drift: Open[tuple[float, float] | None]

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).deflect(self.course, self.drift)

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        """Return its line; of foreign ships only the facing.

        Their drift shows only in their moves.
        """
        document = self.to_json()
        if self.ship not in listener.mine:
            document["rolls"] = [roll for roll in document["rolls"] if roll[0] == "helm"]
            document["drift"] = None
        return document


@dataclass(frozen=True, slots=True)
class RamAttempted(Event):
    """A ram that was ordered.

    Attributes:
        outcome: far (not within 2 MU), refused (`will` is below `needs`), evaded or rammed.
        will: The die for the crew's will; 0 if none was needed.
        needs: The die that the crew needed.
        dice: The dice of attacker and target.
        sums: The dice plus thrust ratings, which decide.
        blows: The dice of the damage to each other.
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
        """Return its line, without the thrust of unidentified ships.

        No other side sees a ram that did not come near.
        """
        if self.outcome == RamOutcome.FAR and self.ship not in listener.mine:
            return None
        document = self.to_json()
        if self.ship in listener.hidden or self.target in listener.hidden:
            document["sums"] = []
        return document
