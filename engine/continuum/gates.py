"""Gates on the table: activating and shutting them, and ships that go through.

An artificial gate transfers a limited mass a turn. A base that is a gate transfers less as it loses
hull boxes. If the limit is exceeded, every ship in the gate rolls.

Rules: Continuum "Jump gates and portals", "Natural jump gates" 11.9, 11.10 [pc.gates]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.continuum.legs import Leg, leg_of, tell_move
from engine.continuum.squadrons import FlyAlone
from engine.continuum.towing import in_tow
from engine.core.geometry import NEAR, Point, distance_to_path, turn_course, velocity_and_drift
from engine.core.kinds import (
    FIGHTING,
    HULK,
    INBOUND,
    INSTALLATION,
    ON_TABLE,
    GateOutcome,
    GateShape,
)
from engine.core.notes import write_fact
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.ship import FREE, ShipState
from engine.core.slots import OneOf, Slot, WordDescription
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import JUMP_POINTS
from engine.movement.docking import has_docked_ships
from engine.notation.orders import read_names
from engine.pieces.gate import (
    CLOSED,
    RADIUS,
    Gate,
    GateEntered,
    GatePassed,
    GateSet,
    GateShut,
    GatesRemoved,
    WaitedForGate,
    go_through,
)
from engine.pieces.piece import NOBODY
from engine.systems.carried_ships import ships_aboard

# The types of gate systems on bases.
SYSTEMS = {
    "jump-gate": GateShape.GATE,
    "portal": GateShape.PORTAL,
}
DELAYS_UP_TO = 3  # die of a side without control: so many turns of delay
# Dice of a ship in an overtaxed gate; a higher one loses the ship.
THROUGH_ON = 1
BACKS_OUT_ON = 2


def find_gate(state: BattleState, name: str) -> Gate | None:
    """Return the named gate, or None if it is not on the table."""
    return next((gate for gate in state.pieces_of(Gate) if gate.id == name), None)


def gate_numbered(state: BattleState, number: int) -> Gate | None:
    """Return the gate with a number, or None if it is no longer on the table."""
    return next((gate for gate in state.pieces_of(Gate) if gate.number == number), None)


def base_of(state: BattleState, gate: Gate) -> ShipState | None:
    """Return the base that is this gate, or None."""
    if gate.ship:
        return next((ship for ship in state.ships if ship.id == gate.ship), None)
    return None


def mass_capacity(state: BattleState, gate: Gate) -> int | None:
    """Return the mass that a gate can still transfer this turn; None means no limit.

    A base's gate loses a share of it with its hull boxes, and all of it with its gate system.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    if not gate.mass:
        return None
    mass = gate.mass
    base = base_of(state, gate)
    if base is not None:
        if _has_working_gate(base):
            mass = mass * (base.sheet.boxes - base.damage) // base.sheet.boxes
        else:
            mass = 0
    return max(mass - gate.used_mass, 0)


def _has_working_gate(base: ShipState) -> bool:
    """Return whether the gate system of a base works."""
    for type_ in SYSTEMS:
        for place in base.profile.indexes_by_type.get(type_, ()):
            if base.alive[place]:
                return True
    return False


def can_control(state: BattleState, side: int, gate: Gate) -> bool:
    """Return whether a side may control a gate: no enemy holds it.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    base = base_of(state, gate)
    holder = gate.controller
    if base is not None:
        if base.status == FIGHTING:
            holder = base.commander
        else:
            holder = NOBODY
    return holder in (NOBODY, side) or not state.hostile[side] >> holder & 1


def can_enter_on(gate: Gate, course: int) -> bool:
    """Return whether a ship can enter a gate on a course.

    A gate with one way in takes courses within one point of it.
    """
    return not gate.facing or (course - gate.facing) % 12 in (0, 1, 11)


def path_reaches(gate: Gate, path: tuple[Point, ...]) -> bool:
    """Return whether a path comes within 3 MU of a gate."""
    return (
        min(distance_to_path(gate.x, gate.y, a, b) for a, b in pairwise((*path[:1], *path)))
        <= RADIUS + NEAR
    )


def towed_group(state: BattleState, ship: ShipState) -> list[ShipState]:
    """Return the ships that go through a gate together: a ship and those in tow."""
    return [ship, *in_tow(state, ship)]


def mass_of(state: BattleState, ships: Iterable[ShipState]) -> int:
    """Return the total mass of ships and the ships aboard them."""
    total = 0
    for ship in ships:
        total += ship.sheet.mass
        total += sum(passenger.sheet.mass for passenger in ships_aboard(state, ship))
    return total


@dataclass(frozen=True, slots=True)
class _GateOrder(FurtherOrder):
    """An order for a gate, by its name."""

    gate: str

    @classmethod
    def _gate_name(cls, words: list[str]) -> str:
        """Read the name of a gate, the only word of these orders."""
        return read_names(words, least=1, most=1, expected=reason("the-gate", "the gate"))[0]

    def arguments(self) -> tuple[str, ...]:
        return (self.gate,)

    @staticmethod
    def slots(state: BattleState, _ship: ShipState) -> tuple[Slot, ...]:
        return (OneOf("Gate", tuple(gate.id for gate in state.pieces_of(Gate))),)

    def _gate(self, state: BattleState) -> Gate | None:
        """Return the gate that the order names, or None if it is not on the table."""
        return find_gate(state, self.gate)


@dataclass(frozen=True, slots=True)
class EnterGate(_GateOrder):
    """An order to go through a gate if the move leads into it.

    Rules: Continuum 11.9 [pc.gates]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Go through a gate"),
            phrase("if its move comes within 3 MU of the gate; the move ends there"),
        )

    @staticmethod
    def word() -> str:
        return "gate"

    @staticmethod
    def parse(words: list[str]) -> EnterGate:
        return EnterGate(EnterGate._gate_name(words))

    def fault(self, state: BattleState, ship: ShipState, plot: Plot) -> str:
        """Return the reason why the ship cannot enter the gate, or ""."""
        gate = self._gate(state)
        if gate is None:
            return reason("there-no-gate", "there is no gate '{}' here", self.gate)
        return _entering_ship_fault(state, ship, plot) or _transfer_fault(state, ship, gate)


def _entering_ship_fault(state: BattleState, ship: ShipState, plot: Plot) -> str:
    """Return the reason why a ship can enter no gate at all with its plot, or ""."""
    if not _moves_freely(ship):
        return reason(
            "only-ship-moves-freely-goes", "only a ship that moves freely can go through a gate"
        )
    if ship.orbits:
        return reason("leaves-orbit-first", "it must leave its orbit first")
    if ship.record.tug or has_docked_ships(state, ship):
        return reason(
            "goes-where-others-take",
            "it is carried by another ship, or other ships are docked at it",
        )
    if plot.ftl or ship.warm or ship.record.cloaked > state.turn:
        return reason(
            "goes-through-gate-neither",
            "it cannot go through a gate while cloaked or with its own FTL drive",
        )
    if _flies_in_squadron(state, ship, plot):
        return reason(
            "squadron-not-go-through",
            "a squadron cannot go through a gate: its ships must leave the squadron first",
        )
    return ""


def _moves_freely(ship: ShipState) -> bool:
    """Return whether a ship is on the table, not docked, and no part of a larger structure."""
    if ship.status != FIGHTING or ship.docking != FREE:
        return False
    return ship.sheet.kind != INSTALLATION and not ship.record.section


def _flies_in_squadron(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship leads a squadron, or still follows a leader with its plot."""
    if ship.record.squadron and plot.find(FlyAlone) is None:
        return True
    return any(other.record.squadron == ship.id for other in state.ships)


def _transfer_fault(state: BattleState, ship: ShipState, gate: Gate) -> str:
    """Return the reason why a gate does not take a ship with those in tow this turn, or ""."""
    if gate.opens == CLOSED:
        return reason("gate-takes-no-ships", "{} accepts no ships", gate.id)
    if gate.opens > state.turn:
        return reason(
            "gate-not-open-yet", "{} accepts no ships before turn {}", gate.id, gate.opens
        )
    mass = mass_of(state, towed_group(state, ship))
    if gate.mass and mass > gate.mass:
        return reason(
            "transfers-mass-most",
            "{} transfers at most mass {}; these ships have {}",
            gate.id,
            gate.mass,
            mass,
        )
    return ""


@dataclass(frozen=True, slots=True)
class ActivateGate(_GateOrder):
    """An order to activate a gate, which takes ships from the next turn on.

    Rules: Continuum 11.9 [pc.gates]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(
            phrase("Activate a gate"),
            phrase("it accepts ships from the next turn, later if enemies control it"),
        )

    @staticmethod
    def word() -> str:
        return "activate"

    @staticmethod
    def parse(words: list[str]) -> ActivateGate:
        return ActivateGate(ActivateGate._gate_name(words))

    def fault(self, state: BattleState, _ship: ShipState, _plot: Plot) -> str:
        gate = self._gate(state)
        if gate is None:
            return reason("there-no-gate", "there is no gate '{}' here", self.gate)
        if gate.opens == CLOSED:
            return ""
        return reason("activated-already", "{} is already active", gate.id)

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Activate the gate, unless another ship has done so."""
        gate = self._gate(table.state)
        if gate is not None and gate.opens == CLOSED:
            activate(table, ship.commander, gate)


@dataclass(frozen=True, slots=True)
class ShutGate(_GateOrder):
    """An order to shut a gate that the side controls.

    Rules: Continuum 11.9 [pc.gates]
    """

    @staticmethod
    def describe() -> WordDescription:
        return WordDescription(phrase("Close a gate"), phrase("a gate that your side controls"))

    @staticmethod
    def word() -> str:
        return "deactivate"

    @staticmethod
    def parse(words: list[str]) -> ShutGate:
        return ShutGate(ShutGate._gate_name(words))

    def fault(self, state: BattleState, ship: ShipState, _plot: Plot) -> str:
        gate = self._gate(state)
        if gate is None:
            return reason("there-no-gate", "there is no gate '{}' here", self.gate)
        if not gate.mass:
            return reason("natural-nobody-shuts", "{} is natural: it cannot be closed", gate.id)
        if not can_control(state, ship.commander, gate):
            return reason("side-not-control", "its side does not control {}", gate.id)
        if gate.opens != CLOSED:
            return ""
        return reason("shut-already", "{} is already closed", gate.id)

    def before_moves(self, table: Table, ship: ShipState) -> None:
        """Shut the gate."""
        gate = self._gate(table.state)
        if (
            gate is not None
            and gate.opens != CLOSED
            and can_control(table.state, ship.commander, gate)
        ):
            gate.opens = CLOSED
            table.tell(GateShut, gate.id)


def activate(table: Table, side: int, gate: Gate) -> None:
    """Activate a gate for the next turn, or later by a die if an enemy controls it.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    if can_control(table.state, side, gate):
        die = 0
    else:
        die = table.dice.roll("gate", gate.id)
    gate.opens = table.turn + 1 + (die if die <= DELAYS_UP_TO else 0)
    table.tell(GateSet, gate=gate.id, opens=gate.opens, die=die)


def activate_needed_gates(table: Table) -> None:
    """Activate the gates that ships will use next turn or already wait for, as orders are opened.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    for ship in table.state.ships:
        if ship.status == INBOUND and ship.record.by_gate and ship.due <= table.turn + 1:
            gate = gate_numbered(table.state, ship.record.by_gate)
            if gate is not None and gate.opens == CLOSED:
                activate(table, ship.commander, gate)


def come_out_of_gates(table: Table) -> list[ShipState]:
    """Bring the ships due this turn out of their gates and return those that came.

    They come gate by gate, each in file order. Ships wait for a gate that does not take ships yet.
    If a gate is gone, its ships stay out of the battle. Ships from gates neither stray nor collide.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    state = table.state
    arrivals: list[ShipState] = []
    ships_by_gate = _ships_at_gates(table)
    for number in sorted(ships_by_gate):
        gate = gate_numbered(state, number)
        assert gate is not None  # found by _ships_at_gates()
        overtaxed = _is_overtaxed(state, gate, ships_by_gate[number])
        for ship in ships_by_gate[number]:
            _come_out(table, ship, gate, overtaxed=overtaxed)
            if ship.status == FIGHTING:
                arrivals.append(ship)
    return arrivals


def _ships_at_gates(table: Table) -> dict[int, list[ShipState]]:
    """Return the ships that are due and whose gate is open, by its number; the others wait.

    Ships whose gate is gone stay out of the battle.
    """
    state = table.state
    ships_by_gate: dict[int, list[ShipState]] = {}
    for ship in state.ships:
        if ship.status != INBOUND or not ship.record.by_gate or ship.due > table.turn:
            continue
        gate = gate_numbered(state, ship.record.by_gate)
        if gate is None:
            ship.drop_out((ship.x, ship.y), on_table=False)
            table.tell(WaitedForGate, ship.id, until=0)
        elif gate.opens > table.turn:
            _wait(table, ship, table.turn + 1 if gate.opens == CLOSED else gate.opens)
        else:
            ships_by_gate.setdefault(gate.number, []).append(ship)
    return ships_by_gate


def _come_out(table: Table, ship: ShipState, gate: Gate, *, overtaxed: bool) -> None:
    """Bring one ship out of a gate; from an overtaxed one it may have to wait, or is lost."""
    die = table.dice.roll("gate", ship.id) if overtaxed else 0
    if die == BACKS_OUT_ON:
        _wait(table, ship, table.turn + 1)
        return
    outcome = GateOutcome.LOST if die > BACKS_OUT_ON else GateOutcome.COMES_OUT
    course = turn_course(gate.facing, 6) if gate.facing else ship.course
    _pass_gate(table, ship, gate=gate, die=die, outcome=outcome, at=(gate.x, gate.y), course=course)
    has_jump_point_effects = JUMP_POINTS in table.state.terms.options
    if ship.status == FIGHTING and gate.shape == GateShape.JUMP_POINT and has_jump_point_effects:
        write_fact(table, ship, "dazed", 1)


def fly_out(table: Table, ship: ShipState) -> tuple[Point, ...]:
    """Move a ship that came out of a gate by its velocity and return its path."""
    return tell_move(table, ship, leg_of(ship, HOLD))


def _wait(table: Table, ship: ShipState, until: int) -> None:
    """Let a ship wait outside the battle for its gate until a turn."""
    ship.due = until
    table.tell(WaitedForGate, ship.id, until)


def leg_into_gate(state: BattleState, plot: Plot, leg: Leg) -> tuple[Leg, Gate | None]:
    """Return a ship's move and the gate it enters, if any.

    If the move leads into the gate that the plot names, it ends there.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    order = plot.find(EnterGate)
    gate = None if order is None else find_gate(state, order.gate)
    if gate is None or not path_reaches(gate, leg.path) or not can_enter_on(gate, leg.course):
        return leg, None
    before = leg.path[:1]
    for a, b in pairwise(leg.path):
        if distance_to_path(gate.x, gate.y, a, b) <= RADIUS + NEAR:
            break
        before = (*before, b)
    path = (*before, (gate.x, gate.y))
    if leg.drift is None:
        return replace(leg, path=path), gate
    velocity, drift = velocity_and_drift(path[0], path[-1])
    return Leg(path, leg.course, velocity, drift), gate


def enter_gate(table: Table, ship: ShipState, gate: Gate) -> None:
    """Record that a ship's move ended in a gate."""
    ship.write_fact("in-gate", gate.number)
    table.tell(GateEntered, ship=ship.id, gate=gate.id, number=gate.number)


def transfer_ships(table: Table) -> None:
    """Transfer the ships in gates, with those in tow, at the end of a turn.

    Then gates are removed whose base is destroyed.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    state = table.state
    if not state.has(Gate):
        return
    for gate in state.pieces_of(Gate):
        towed_groups: list[list[ShipState]] = []
        all_ships: list[ShipState] = []
        for ship in state.ships:
            if ship.this_turn.in_gate == gate.number and ship.status == FIGHTING:
                group = towed_group(state, ship)
                towed_groups.append(group)
                all_ships += group
        overtaxed = _is_overtaxed(state, gate, all_ships)
        for group in towed_groups:
            die = table.dice.roll("gate", group[0].id) if overtaxed else 0
            _transfer_group(table, group[0], in_tow=group[1:], gate=gate, die=die)
    lost_gates = tuple(gate.id for gate in state.pieces_of(Gate) if _is_lost(state, gate))
    if lost_gates:
        state.remove(lost_gates)
        table.tell(GatesRemoved, lost_gates)


def _is_lost(state: BattleState, gate: Gate) -> bool:
    """Return whether a gate is gone because the base that carried it is destroyed."""
    base = base_of(state, gate)
    return base is not None and (base.status not in ON_TABLE or base.status == HULK)


def _is_overtaxed(state: BattleState, gate: Gate, ships: Iterable[ShipState]) -> bool:
    """Return whether a gate cannot transfer all of these ships, so that each must roll."""
    capacity = mass_capacity(state, gate)
    return capacity is not None and (_is_lost(state, gate) or mass_of(state, ships) > capacity)


def _transfer_group(
    table: Table, ship: ShipState, in_tow: list[ShipState], gate: Gate, die: int
) -> None:
    """Take a ship and those in tow through a gate, to the gate at its other end if it has one.

    Args:
        die: The ship's die in an overtaxed gate, else 0.
    """
    state = table.state
    if die == BACKS_OUT_ON:
        _pass_gate(
            table,
            ship,
            gate=gate,
            die=die,
            outcome=GateOutcome.BACKED_OUT,
            at=None,
            course=ship.course,
        )
        return
    if die > BACKS_OUT_ON:
        outcome = GateOutcome.LOST
        end = None
    else:
        end = find_gate(state, gate.end) if gate.end else None
        if end is None:
            outcome = GateOutcome.THROUGH
        else:
            outcome = GateOutcome.LET_OUT
    for member in (ship, *in_tow):
        at = None
        course = member.course
        if end is not None:
            at = end.x + member.x - gate.x, end.y + member.y - gate.y
            if end.facing:
                course = turn_course(end.facing, 6)
        _pass_gate(
            table,
            member,
            gate=gate,
            die=die if member is ship else 0,
            outcome=outcome,
            at=at,
            course=course,
        )


def _pass_gate(
    table: Table,
    ship: ShipState,
    gate: Gate,
    die: int,
    outcome: GateOutcome,
    at: Point | None,
    course: int,
) -> None:
    """Place a ship as a gate's outcome says, and report it."""
    if outcome != GateOutcome.BACKED_OUT and gate.mass:
        gate.used_mass += mass_of(table.state, (ship,))
    go_through(ship, outcome, at, course)
    table.tell(
        GatePassed,
        ship=ship.id,
        gate=gate.id,
        die=die,
        outcome=outcome,
        used_mass=gate.used_mass,
        at=at,
        course=course,
    )
