"""Captains who ram: a ship built for it attacks foes worth at least as much, within one move.

Rules: Continuum "Ramming" 16.7 [pc.ramming]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.captains.continuum.targets import Target
from engine.continuum.drives import available_thrust, move_fault
from engine.continuum.legs import leg_of
from engine.continuum.squadrons import followers_of
from engine.core.geometry import is_within
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
    chosen: set[str] = set()
    for ship in ships:
        if not ship.sheet.rams or ship.drift is not None or ship.warm or followers_of(state, ship):
            continue
        for target in sorted(targets, key=lambda candidate: -_worth(candidate)):
            if (
                target.contact.id in chosen
                or _worth(target) < ship.sheet.points
                or not _can_be_rammed(state, ship, target)
            ):
                continue
            plot = _way_to(state, ship, target)
            if plot is not None:
                plots[ship.id] = plot
                chosen.add(target.contact.id)
                break
    return plots


def _worth(target: Target) -> int:
    """Return the points of a foe, 0 if it is not identified."""
    if target.contact.sheet is not None:
        return target.contact.sheet.points
    return 0


def _can_be_rammed(state: BattleState, ship: ShipState, target: Target) -> bool:
    return target.contact.status == FIGHTING and not ram_fault(
        state, ship, Plot(ram=target.contact.id)
    )


def _way_to(state: BattleState, ship: ShipState, target: Target) -> Plot | None:
    """Return the plot with least thrust that ends within ramming reach of a foe, or None."""
    most = available_thrust(ship, state.turn)
    moves = []
    for turn in range(-most.turning, most.turning + 1):
        for thrust in range(-most.main, most.main + 1):
            if abs(turn) + abs(thrust) <= most.main and ship.velocity + thrust >= 0:
                moves.append((turn, thrust))
    for turn, thrust in sorted(moves, key=lambda move: (abs(move[0]) + abs(move[1]), move)):
        plot = Plot(turn, thrust, ram=target.contact.id)
        x, y = leg_of(ship, plot).path[-1]
        if is_within((x - target.x) ** 2 + (y - target.y) ** 2, REACH) and not move_fault(
            state, ship, plot
        ):
            return plot
    return None
