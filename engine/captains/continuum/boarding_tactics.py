"""Boarding by a captain's ships, and plots for squadrons that others have formed.

A ship with marines goes alongside one that cannot steer, if one move takes it there. Ships of a
squadron fly by their leader's plot until the side breaks off.

Rules: Continuum "Boarding enemy ships" 12.7 [pc.boarding]; Continuum "Squadron operations" 3.7
[pc.squadrons]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.captains.continuum.targets import Target, drift_of
from engine.continuum.boarding import is_boarding_allowed
from engine.continuum.boarding_orders import BoardAlongside
from engine.continuum.drives import available_thrust, move_fault
from engine.continuum.legs import leg_of
from engine.continuum.squadrons import (
    FlyAlone,
    follow_faults,
    followers_of,
    leader_of,
    squadron_fault,
)
from engine.core.geometry import is_within, squared_length
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.movement.docking import docking_rules
from engine.systems.outfit import marines_of, parties_of

TEAM = 3  # parties that fight one boarder


def boarding_plots(
    state: BattleState, ships: Sequence[ShipState], targets: Sequence[Target]
) -> dict[str, Plot]:
    """Return the plots of ships that board a foe this turn.

    Only foes without thrust are boarded, because their position is certain. A ship boards if its
    marines have a chance against the foe's people. Ships with vector movement and leaders of
    squadrons do not try.
    """
    if not is_boarding_allowed(state):
        return {}
    motionless = [target for target in targets if _is_known_to_drift(target)]
    plots: dict[str, Plot] = {}
    for ship in ships if motionless else ():
        marines = len(marines_of(ship))
        if not marines or not _may_go_alongside(state, ship):
            continue
        for target in motionless:
            defenders = len(marines_of(target.ship)) + parties_of(target.ship) // TEAM
            move = _move_alongside(state, ship, target) if 2 * marines >= defenders else None
            if move is not None:
                turn, thrust = move
                boarding = BoardAlongside(target.contact.id, marines, 0)
                plots[ship.id] = Plot(turn, thrust, further=(boarding,))
                break
    return plots


def _is_known_to_drift(target: Target) -> bool:
    """Return whether an identified foe has no thrust left, so that it flies straight on."""
    contact = target.contact
    if contact.sheet is None or contact.status != FIGHTING or target.ship.drift is not None:
        return False
    return contact.is_speed_known and not contact.thrust


def _may_go_alongside(state: BattleState, ship: ShipState) -> bool:
    """Return whether a ship flies by itself, on a course, and can be boarded from."""
    if ship.drift is not None or ship.warm or ship.status != FIGHTING:
        return False
    return not followers_of(state, ship)


def _move_alongside(state: BattleState, ship: ShipState, target: Target) -> tuple[int, int] | None:
    """Return the smallest turn, and the thrust, that bring a ship alongside a foe, if any do.

    The foe is assumed to hold course and velocity.
    """
    foe = target.ship
    most = available_thrust(ship, state.turn)
    dx, dy = drift_of(foe)
    foe_end_x, foe_end_y = foe.x + dx, foe.y + dy
    reach = docking_rules(state).reach
    thrust = foe.velocity - ship.velocity
    for turn in sorted(range(-most.turning, most.turning + 1), key=abs):
        plot = Plot(turn, thrust)
        if move_fault(state, ship, plot):
            continue
        leg = leg_of(ship, plot)
        x, y = leg.path[-1]
        on_course = not foe.velocity or leg.course == foe.course
        if on_course and is_within(squared_length(x - foe_end_x, y - foe_end_y), reach):
            return turn, thrust
    return None


def as_squadrons_fly(
    state: BattleState, plots: dict[str, Plot], *, scatter: bool = False
) -> dict[str, Plot]:
    """Return a side's plots as its squadrons can fly them.

    A ship that is led has no plot, and its leader only one that all can follow.

    Args:
        scatter: Led ships leave the squadron with plots of their own, except in stands; their
            leader can jump once they have left.
    """
    if not any(ship.record.squadron for ship in state.ships):
        return plots
    result: dict[str, Plot] = {}
    for name, plot in plots.items():
        ship = state.ship_by_name(name)
        is_led = leader_of(state, ship) is not None
        if is_led and (not scatter or ship.record.stand):
            continue
        if is_led:
            plot = replace(plot, further=(*plot.further, FlyAlone()))
        result[name] = plot if _can_fly(state, ship, plot) else HOLD
    return result


def _can_fly(state: BattleState, ship: ShipState, plot: Plot) -> bool:
    """Return whether a ship's squadron and stand can fly its plot."""
    if squadron_fault(state, ship, plot):
        return False
    return not (ship.record.stand and follow_faults(state, ship, plot))
