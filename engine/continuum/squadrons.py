"""Squadrons: ships that fly by the plot of the one that leads them, and keep their places about it.

Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.continuum.cores import uncommanded
from engine.continuum.drives import Roll, UseEmergencyThrust, allowed, exceeded
from engine.continuum.legs import Leg, leg_of, parts_of
from engine.continuum.weapon_orders import rest_fault
from engine.core.dice import NO_DICE
from engine.core.errors import Violation
from engine.core.geometry import COURSES, NEAR, about, within
from engine.core.ids import NO_SHIP, ShipId
from engine.core.kinds import FIGHTING, HULK
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.phrase import joined_phrases, phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.slots import OneOf, Said, Slot
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.damage import Destroyed
from engine.events.event import Event
from engine.events.movement import InSquadron, OrderRefused
from engine.movement.docking import holds
from engine.notation.orders import names, nothing

CLOSE = 3.0  # MU from its leader at which a ship can fall in
MOST = 4  # ships in a squadron
ESCORTS = 6  # escorts about one larger ship
ESCORT = "escort"
LEFT_BEHIND = "stand"  # what destroys a ship that cannot keep up with its stand
ABREAST = 0.5  # MU to the side at which ships still fly in line ahead


def leader_of(state: BattleState, ship: ShipState) -> ShipState | None:
    """The ship that leads a ship's squadron, None where it flies by itself."""
    return state.ship(ship.record.squadron) if ship.record.squadron else None


def led_by(state: BattleState, leader: ShipState) -> list[ShipState]:
    """The ships that fly by a ship's plot, in file order."""
    return [
        ship
        for ship in state.ships
        if ship.record.squadron == leader.id and ship.status == FIGHTING
    ]


def joining_fault(state: BattleState, ship: ShipState, called: str) -> str:
    """The reason why a ship cannot fall in with a leader now, in plain words; "" where it can.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    leader = next((other for other in state.ships if other.id == called), None)
    if (
        leader is None
        or leader.commander != ship.commander
        or leader is ship
        or leader.status != FIGHTING
    ):
        return reason(
            "another-ship-side-table", "another ship of its side, on the table, leads a squadron"
        )
    if leader_of(state, leader) is not None:
        return reason("flies-squadron-itself", "{} flies in a squadron itself", leader.id)
    if led_by(state, ship):
        return reason("leads-squadron-itself", "it leads a squadron itself")
    for one in (ship, leader):
        if one.record.stand:
            return reason("shares-stand", "{} shares a stand with others", one.id)
        if (
            one.warm
            or one.docking != FREE
            or one.status != FIGHTING
            or one.sheet.thrust == 0
            or one.record.section
        ):
            return reason(
                "only-ships-move-freely",
                "only ships that move freely, with a drive of their own, can form a squadron",
            )
        if holds(state, one) or one.orbits:
            return reason(
                "only-ships-move-freely",
                "only ships that move freely, with a drive of their own, can form a squadron",
            )
    if ship.sheet.drive != leader.sheet.drive or (ship.drift is None) != (leader.drift is None):
        return reason("drive-not-same-kind", "its drive is not of the same kind as {}'s", leader.id)
    if (ship.course, ship.velocity) != (leader.course, leader.velocity) or _parted(ship, leader):
        return reason("not-course-velocity", "it is not on {}'s course at its velocity", leader.id)
    if not within((ship.x - leader.x) ** 2 + (ship.y - leader.y) ** 2, CLOSE):
        return reason("not-within-mu", "it is not within {:g} MU of {}", CLOSE, leader.id)
    others = [other for other in led_by(state, leader) if other is not ship]
    return (
        ""
        if len(others) < room(leader, [*others, ship])
        else reason("squadron-no-room", "{}'s squadron has no room for it", leader.id)
    )


def _parted(ship: ShipState, leader: ShipState) -> bool:
    """Whether two ships that move by vectors drift apart."""
    if ship.drift is None or leader.drift is None:
        return False
    return any(abs(a - b) > NEAR for a, b in zip(ship.drift, leader.drift, strict=True))


def room(leader: ShipState, others: list[ShipState]) -> int:
    """The number of ships a leader may have about it: three, or six escorts where it is larger
    itself.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    ring = leader.sheet.classification != ESCORT and all(
        one.sheet.classification == ESCORT for one in others
    )
    return ESCORTS if ring else MOST - 1


@dataclass(frozen=True, slots=True)
class FallIn(FurtherOrder):
    """A ship falls in with one that leads a squadron.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """

    @staticmethod
    def said() -> Said:
        return Said(
            phrase("Fall in with a squadron"),
            phrase("flies by its leader's plots from this turn on"),
        )

    leader: str

    @staticmethod
    def word() -> str:
        return "squadron"

    @staticmethod
    def read(words: list[str]) -> FallIn:
        return FallIn(names(words, 1, 1, reason("ship-leads", "the ship that leads it"))[0])

    @staticmethod
    def slots(state: BattleState, ship: ShipState) -> tuple[Slot, ...]:
        own = (one for one in state.ships if one.commander == ship.commander and one is not ship)
        return (OneOf("Leader", tuple(one.id for one in own if one.status == FIGHTING)),)

    def arguments(self) -> tuple[str, ...]:
        return (self.leader,)

    def named(self) -> tuple[str, ...]:
        return (self.leader,)

    def renamed(self, ids: Mapping[str, str]) -> FallIn:
        return FallIn(ids.get(self.leader, self.leader))

    def wrong(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        return joining_fault(state, ship, self.leader)


@dataclass(frozen=True, slots=True)
class FlyAlone(FurtherOrder):
    """A ship leaves its squadron. Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]"""

    @staticmethod
    def said() -> Said:
        return Said(phrase("Leave the squadron"), phrase("flies by its own plot again"))

    @staticmethod
    def word() -> str:
        return "alone"

    @staticmethod
    def read(words: list[str]) -> FlyAlone:
        nothing(words)
        return FlyAlone()

    def wrong(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """It is in none, or falls in with one."""
        if plot.find(FallIn) is not None:
            return reason("cannot-fly-alone-squadron", "it cannot fly alone and in a squadron")
        if ship.record.stand:
            return reason("shares-stand-itself", "it shares a stand with others")
        return (
            ""
            if leader_of(state, ship) is not None
            else reason("not-squadron", "it is not in a squadron")
        )


def squadron_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """The reason why a plot is none for a ship in a squadron, "" where it is: others' is the
    leader's, and his is within what every drive allows.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    leader = leader_of(state, ship)
    joins = plot.find(FallIn)
    if joins is not None or (leader is not None and plot.find(FlyAlone) is None):
        led = joins.leader if joins is not None else leader.id if leader is not None else ""
        by_itself = plot.steers() or plot.ftl or plot.dock or plot.find(Roll) is not None
        return (
            reason(
                "flies-plot-leads-squadron",
                "it flies by the plot of {}, who leads its squadron",
                led,
            )
            if by_itself
            else ""
        )
    others = led_by(state, ship)
    if not others:
        return ""
    if plot.ftl or plot.dock or plot.find(UseEmergencyThrust) is not None:
        return reason(
            "squadron-cannot-jump-dock",
            "a squadron cannot jump, dock or use emergency thrust: its ships must leave it first",
        )
    held_back = cannot_follow(state, ship, plot)
    if not held_back or ship.record.stand:
        return ""
    return reason(
        "squadron-cannot-follow", "its squadron cannot follow: {}", joined_phrases("; ", held_back)
    )


def cannot_follow(state: BattleState, leader: ShipState, plot: Plot) -> list[str]:
    """What keeps ships from a plot of their leader's, each by its id and a reason; of a stand they
    would be lost.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    return [
        reason("named", "{}: {}", one.id, why)
        for one in led_by(state, leader)
        if (why := _too_much(state, one, plot))
    ]


def _too_much(state: BattleState, ship: ShipState, plot: Plot) -> str:
    return exceeded(ship, plot, allowed(ship, state.turn)) or rest_fault(state, ship, plot)


def close_ranks(table: Table) -> None:
    """The end of a turn: who drifts, and shares a stand with ships that fight on, is lost; of these
    the one with the best drive leads, in file order.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    state = table.state
    for stand in _stands(state):
        flying = [ship for ship in stand if ship.status == FIGHTING]
        for ship in stand if flying else ():
            if ship.status == HULK:
                _falls_behind(table, ship)
        if not flying:
            continue
        leader = max(flying, key=lambda ship: ship.thrust)
        for ship in flying:
            led = NO_SHIP if ship is leader else leader.id
            if ship.record.squadron != led:
                state.follow(ship, led)
                table.tell(InSquadron, ship.id, led)


def _stands(state: BattleState) -> list[list[ShipState]]:
    """The ships that share each stand, as far as they are of their own side still; stands by their
    leaders.
    """
    stands: dict[ShipId, list[ShipState]] = {}
    for ship in state.ships:
        if ship.record.stand and ship.commander == ship.owner:
            stands.setdefault(ship.record.squadron or ship.id, []).append(ship)
    return list(stands.values())


def _falls_behind(table: Table, ship: ShipState) -> None:
    ship.destroy()
    if table.listens:
        table.tell(Destroyed, ship.id, LEFT_BEHIND)


def form_up(table: Table, plots: dict[str, Plot]) -> None:
    """As orders are opened: ships leave their squadrons and fall in, in file order; then those led
    have their leader's plot for theirs, in `plots`.

    Who would fall in and cannot fly by the leader's plot stays alone, and holds course and
    velocity.
    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    state = table.state
    for ship in state.ships:
        leader = leader_of(state, ship)
        if (
            leader is not None
            and ship.record.stand
            and ship.status == FIGHTING
            and leader.status == FIGHTING
        ):
            if uncommanded(ship) or _too_much(state, ship, plots.get(leader.id, HOLD)):
                _falls_behind(table, ship)
            continue
        there = leader is not None and leader.status == FIGHTING and ship.status == FIGHTING
        there = there and leader is not None and leader.commander == ship.commander
        if leader is not None and (
            not there or uncommanded(ship) or plots.get(ship.id, HOLD).find(FlyAlone) is not None
        ):
            state.follow(ship, NO_SHIP)
            table.tell(InSquadron, ship.id, NO_SHIP)
    for ship in state.ships:
        falls_in = plots[ship.id].find(FallIn) if ship.id in plots else None
        if falls_in is not None:
            _fall_in(table, ship, falls_in.leader, plots)
    for ship in state.ships:
        leader = leader_of(state, ship)
        if leader is not None:
            plots[ship.id] = _as_led(plots.get(ship.id, HOLD), plots.get(leader.id, HOLD))


def plan_violations(
    state: BattleState, plots: Mapping[str, Plot], where: str
) -> tuple[Violation, ...]:
    """Every fault of a side's plots together, each right by itself: who cannot fall in with the
    others as they fly.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    if all(plot.find(FallIn) is None for plot in plots.values()):
        return ()
    refused: list[Violation] = []

    def note(event: Event) -> None:
        if isinstance(event, OrderRefused):
            words = reason("named", "{}: {}", event.ship, event.why)
            refused.append(Violation(f"{where}.{event.ship}", "plot-impossible", words))

    form_up(Table(state.copy(), NO_DICE, note), dict(plots))
    return tuple(refused)


def _fall_in(table: Table, ship: ShipState, called: str, plots: Mapping[str, Plot]) -> None:
    state = table.state
    leader = state.named(called)
    orders = plots.get(leader.id, HOLD)
    why = joining_fault(state, ship, called) or exceeded(ship, orders, allowed(ship, table.turn))
    why = why or rest_fault(state, ship, orders)
    if not why and (orders.ftl or orders.dock or orders.find(UseEmergencyThrust) is not None):
        why = reason(
            "makes-move-squadron-cannot", "{} makes a move that a squadron cannot make", leader.id
        )
    if why and table.listens:
        table.tell(OrderRefused, ship.id, plots[ship.id].words(), why)
    if not why:
        state.follow(ship, leader.id)
        table.tell(InSquadron, ship.id, leader.id)


def _as_led(plot: Plot, leader: Plot) -> Plot:
    """A ship's own plot with the move of its leader's; it rolls where he does."""
    rolls = tuple(order for order in leader.further if isinstance(order, Roll))
    return replace(
        plot, turn=leader.turn, thrust=leader.thrust, second=leader.second, burns=leader.burns,
        further=(*(order for order in plot.further if not isinstance(order, Roll)), *rolls),
    )  # fmt: skip


def formed_legs(state: BattleState, plots: Mapping[str, Plot]) -> dict[str, Leg]:
    """The moves of all ships in squadrons, worked out before anything moves.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    legs: dict[str, Leg] = {}
    for leader in state.ships:
        others = led_by(state, leader) if leader.status == FIGHTING else []
        if others:
            legs |= _wheel(leader, others, plots.get(leader.id, HOLD))
    return legs


def _wheel(leader: ShipState, others: list[ShipState], plot: Plot) -> dict[str, Leg]:
    """A squadron's move: one ship flies by the plot, the others keep their places about it as it
    turns.

    In line ahead that is the leader; else the ship that has farthest to go, outermost in the turn.
    By vectors all have the same way.
    """
    ships = [leader, *others]
    if leader.drift is not None:
        return {ship.id: leg_of(ship, plot) for ship in ships}
    first, rest = parts_of(plot)
    pivot = _pivot(ships, first + rest or first)
    leg = leg_of(pivot, plot)
    legs: dict[str, Leg] = {}
    for ship in ships:
        place = ship.x - pivot.x, ship.y - pivot.y
        mid, end = about(leg.path[1], place, first), about(leg.path[2], place, first + rest)
        legs[ship.id] = Leg(((ship.x, ship.y), mid, end), leg.course, leg.velocity)
    return legs


def _pivot(ships: list[ShipState], turn: int) -> ShipState:
    """The ship that flies by the plot itself: in line ahead the leader (the first), else the
    outermost of the turn.
    """
    leader = ships[0]
    ux, uy = COURSES[leader.course]
    aside = [
        (ship.x - leader.x) * uy - (ship.y - leader.y) * ux for ship in ships
    ]  # MU to starboard of the leader
    if all(abs(far) <= ABREAST + NEAR for far in aside):
        return leader
    outward = [-far if turn > 0 else far for far in aside]
    return ships[outward.index(max(outward))]
