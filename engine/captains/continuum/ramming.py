"""Captains who ram: a ship built for it attacks foes worth at least as much, within one move.

Rules: Continuum "Ramming" 16.7 [pc.ramming]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.continuum.targets import Target
from engine.continuum.drives import Thrust, available_thrust, move_fault
from engine.continuum.legs import leg_of
from engine.continuum.squadrons import followers_of
from engine.core.geometry import is_within, squared_length
from engine.core.kinds import FIGHTING
from engine.core.orders import Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.movement.rams import REACH, ram_fault


def ram_plots(
    state: BattleState, ships: Sequence[ShipState], targets: Sequence[Target]
) -> dict[str, Plot]:
    """Return the plots of ships built to ram that may reach a foe this turn.

    The most expensive foes come first, one ship for each. Ships with vector movement and leaders of
    squadrons do not try.
    """
    plots: dict[str, Plot] = {}
    rammed: set[str] = set()
    most_expensive_first = sorted(targets, key=lambda target: -_points(target))
    for ship in ships:
        if not ship.sheet.rams or ship.drift is not None or ship.warm or followers_of(state, ship):
            continue
        for target in most_expensive_first:
            if target.contact.id in rammed or _points(target) < ship.sheet.points:
                continue
            plot = _ram_plot(state, ship, target)
            if plot is not None:
                plots[ship.id] = plot
                rammed.add(target.contact.id)
                break
    return plots


def _points(target: Target) -> int:
    """Return the points of a foe, 0 if it is not identified."""
    if target.contact.sheet is not None:
        return target.contact.sheet.points
    return 0


def _ram_plot(state: BattleState, ship: ShipState, target: Target) -> Plot | None:
    """Return the plot with least thrust that ends within ramming reach of a foe, or None."""
    name = target.contact.id
    if target.contact.status != FIGHTING or ram_fault(state, ship, Plot(ram=name)):
        return None
    for turn, thrust in _moves_by_thrust(ship, available_thrust(ship, state.turn)):
        plot = Plot(turn, thrust, ram=name)
        x, y = leg_of(ship, plot).path[-1]
        is_in_reach = is_within(squared_length(x - target.x, y - target.y), REACH)
        if is_in_reach and not move_fault(state, ship, plot):
            return plot
    return None


def _moves_by_thrust(ship: ShipState, most: Thrust) -> list[tuple[int, int]]:
    """Return the turns and velocity changes that a ship has thrust for, the cheapest first."""
    moves = []
    for turn in range(-most.turning, most.turning + 1):
        for thrust in range(-most.main, most.main + 1):
            if abs(turn) + abs(thrust) <= most.main and ship.velocity + thrust >= 0:
                moves.append((turn, thrust))
    return sorted(moves, key=lambda move: (abs(move[0]) + abs(move[1]), move))
