"""The risk of moves past bodies with gravity, and the use of jump gates, for captains.

A ship that leaves goes through a gate at hand; a side closes its gates to the enemy.

Rules: Continuum "Large scale" 17.9 [pc.planets]; Continuum "Jump gates and portals" 11.9 [pc.gates]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.captains.common.move_options import Option
from engine.captains.common.objectives import path_loss_odds
from engine.continuum.cores import no_command_reason
from engine.continuum.gates import (
    ActivateGate,
    EnterGate,
    ShutGate,
    base_of,
    can_enter_on,
    mass_capacity,
    mass_of,
    path_reaches,
    towed_group,
)
from engine.continuum.legs import Leg, bent_leg, leg_of, point_ahead
from engine.core.geometry import Point, dist, turn_course, velocity_and_drift
from engine.core.kinds import FIGHTING, INBOUND, GateShape
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.pieces.gate import CLOSED, Gate
from engine.pieces.piece import Piece
from engine.view.side_view import SideView

AVOIDABLE_SHARE = 0.25  # share of the odds for a ship that can still change course next turn


def has_gravity(bodies: Iterable[Piece]) -> bool:
    """Return whether any of the bodies may bend a ship's path."""
    return any(type(body).pull is not Piece.pull for body in bodies)


def loss_odds(
    state: BattleState, bodies: Sequence[Piece], ship: ShipState, leg: Leg, thrust: int
) -> float:
    """Return the odds, 0 to 1, that a ship on this leg is lost to one of the bodies.

    It counts a loss in this turn, and one in the next that no move avoids.

    Args:
        thrust: The thrust to evade with.

    Rules: Continuum "Large scale" 17.9 [pc.planets]
    """
    path, pulls = bent_leg(state, ship, leg)
    odds = path_loss_odds(
        state.terms, pieces=bodies, path=path, velocity=leg.velocity, thrust=thrust, turns=1
    )
    if odds >= 1.0:
        return 1.0
    turned = sum(pull.turn for _, pull in pulls)
    faster = sum(pull.velocity for _, pull in pulls)
    after = _after(ship, leg, path, turned=turned, faster=faster)
    drifting = least = _odds_of(state, bodies, ship=after, plot=HOLD, thrust=thrust)
    for plot in _next_moves(after.thrust, after.velocity) if after.drift is None else ():
        if not least:
            break  # no other move can be safer
        least = min(least, _odds_of(state, bodies, ship=after, plot=plot, thrust=thrust))
    return min(odds + max(least, AVOIDABLE_SHARE * drifting), 1.0)


def loss_odds_holding(state: BattleState, bodies: Sequence[Piece], ship: ShipState) -> float:
    """Return the odds that a ship is lost to a body if it holds course and velocity."""
    return loss_odds(state, bodies, ship, leg=leg_of(ship, HOLD), thrust=ship.thrust)


def _after(
    ship: ShipState, leg: Leg, path: tuple[Point, ...], *, turned: int, faster: int
) -> ShipState:
    """Return a ship as it is at the end of a path, turned and accelerated by gravity."""
    after = ship.copy()
    after.x, after.y = path[-1]
    after.course = leg.course
    after.velocity = leg.velocity
    after.drift = leg.drift
    if leg.drift is None:
        after.course = turn_course(leg.course, turned)
        after.velocity = max(leg.velocity + faster, 0)
    elif turned or faster:
        after.velocity, after.drift = velocity_and_drift(path[0], path[-1])
    return after


def _next_moves(thrust: int, velocity: int) -> tuple[Plot, ...]:
    """Return typical cinematic moves for the next turn, other than holding course.

    They are the sharpest turn to either side, at full or lowest velocity, and straight on slower or
    faster.
    """
    if not thrust:
        return ()
    sharpest = min((thrust + 1) // 2, 6)
    brake = min(thrust - sharpest, velocity - 1)
    changes = (0, -brake) if brake > 0 else (0,)
    moves = []
    if velocity:
        for turn in (-sharpest, sharpest):
            for change in changes:
                moves.append(Plot(turn, change))
    return (*moves, Plot(0, -min(thrust, velocity)), Plot(0, thrust))


def _odds_of(
    state: BattleState, bodies: Sequence[Piece], ship: ShipState, plot: Plot, thrust: int
) -> float:
    """Return the odds that a ship is lost in the next turn if it flies by a plot."""
    leg = leg_of(ship, plot)
    return path_loss_odds(
        state.terms,
        pieces=bodies,
        path=bent_leg(state, ship, leg)[0],
        velocity=leg.velocity,
        thrust=thrust,
        turns=2,
    )


WORTH_THE_WAY = 60.0  # MU to a gate beyond which a ship leaves by other ways
BEFORE = 8.0  # MU in front of a one-way gate from which ships enter it


class GateExits:
    """The gates by which a side's ships leave this turn, and the mass already claimed in each."""

    def __init__(self, state: BattleState, view: SideView) -> None:
        self.state = state
        self.side = view.side
        self.gates = [
            gate
            for gate in view.pieces_of(Gate)
            if not (gate.shape == GateShape.PORTAL and gate.end)
        ]
        self.claimed: dict[int, int] = {}
        self.activated: set[int] = set()

    def plot_of(self, ship: ShipState, options: Sequence[Option], *, jumps: bool) -> Plot | None:
        """Return the plot that takes a ship out by a gate or nearer to one, or None.

        Args:
            jumps: The ship can jump by itself, so it uses only a gate it can enter now.
        """
        if ship.status != FIGHTING or not self.gates:
            return None
        for gate in sorted(self.gates, key=lambda gate: dist((gate.x, gate.y), (ship.x, ship.y))):
            mass = mass_of(self.state, towed_group(self.state, ship))
            capacity = mass_capacity(self.state, gate)
            if capacity is not None and mass > capacity - self.claimed.get(gate.number, 0):
                continue
            plot = self._through(ship, gate, options)
            if plot is not None:
                self.claimed[gate.number] = self.claimed.get(gate.number, 0) + mass
                return plot
            if not jumps and dist((gate.x, gate.y), (ship.x, ship.y)) <= WORTH_THE_WAY:
                return self._towards(gate, options)
        return None

    def _through(self, ship: ShipState, gate: Gate, options: Sequence[Option]) -> Plot | None:
        """Return the plot by which a ship enters a gate now, or None if no move leads into it."""
        for option in options:
            plot = option.plot()
            entering = replace(plot, further=(*plot.further, EnterGate(gate.id)))
            leg = leg_of(ship, plot)
            if path_reaches(gate, leg.path) and can_enter_on(gate, leg.course):
                if EnterGate(gate.id).fault(self.state, ship, entering):
                    return None
                return entering
        return None

    def _towards(self, gate: Gate, options: Sequence[Option]) -> Plot:
        """Return the plot nearest to a gate in two turns; the first such ship activates it."""
        at = gate.x, gate.y
        if gate.facing:
            at = point_ahead(at, turn_course(gate.facing, 6), BEFORE)
        best = min(
            options, key=lambda option: dist((option.x + option.gx, option.y + option.gy), at)
        )
        plot = best.plot()
        if gate.opens == CLOSED and gate.number not in self.activated:
            self.activated.add(gate.number)
            plot = replace(plot, further=(*plot.further, ActivateGate(gate.id)))
        return plot


def add_gate_closing(state: BattleState, view: SideView, plots: dict[str, Plot]) -> None:
    """Add orders that close the side's gates to foes, unless own ships are due by them."""
    ship = _ship_to_close_gates(view)
    if ship is None or not any(contact.hostile for contact in view.contacts):
        return
    due_by = {ship.record.by_gate for ship in view.own_ships if ship.status == INBOUND}
    for gate in view.pieces_of(Gate):
        can_close = gate.mass and gate.opens != CLOSED and gate.number not in due_by
        if can_close and _is_held(state, view.side, gate):
            _add(plots, ship.id, ShutGate(gate.id))


def _ship_to_close_gates(view: SideView) -> ShipState | None:
    """Return the first of the side's ships that can give the order."""
    for ship in view.own_ships:
        if ship.status == FIGHTING and not no_command_reason(ship):
            return ship
    return None


def _is_held(state: BattleState, side: int, gate: Gate) -> bool:
    """Return whether a side controls a gate, by itself or by the base that the gate belongs to."""
    if gate.controller == side:
        return True
    base = base_of(state, gate)
    return base is not None and base.commander == side and base.status == FIGHTING


def _add(plots: dict[str, Plot], ship_id: str, order: FurtherOrder) -> None:
    """Add an order to a ship's plot unless that has one of the kind already."""
    plot = plots.get(ship_id, Plot())
    if plot.find(type(order)) is None:
        plots[ship_id] = replace(plot, further=(*plot.further, order))
