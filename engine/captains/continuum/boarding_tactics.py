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
from engine.core.geometry import is_within
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
    motionless = []
    for target in targets:
        if (
            target.contact.sheet is not None
            and target.contact.status == FIGHTING
            and target.contact.is_speed_known
            and not target.contact.thrust
            and target.ship.drift is None
        ):
            motionless.append(target)
    plots: dict[str, Plot] = {}
    for ship in ships if motionless else ():
        marines = len(marines_of(ship))
        if (
            not marines
            or ship.drift is not None
            or ship.warm
            or ship.status != FIGHTING
            or followers_of(state, ship)
        ):
            continue
        for target in motionless:
            against = len(marines_of(target.ship)) + parties_of(target.ship) // TEAM
            way = _way_to(state, ship, target) if 2 * marines >= against else None
            if way is not None:
                plots[ship.id] = Plot(
                    way[0], way[1], further=(BoardAlongside(target.contact.id, marines, 0),)
                )
                break
    return plots


def _way_to(state: BattleState, ship: ShipState, target: Target) -> tuple[int, int] | None:
    """Return the smallest turn, and the thrust, that bring a ship alongside a foe, if any do.

    The foe is assumed to hold course and velocity.
    """
    foe = target.ship
    most = available_thrust(ship, state.turn)
    dx, dy = drift_of(foe)
    x, y = foe.x + dx, foe.y + dy
    reach = docking_rules(state).reach
    thrust = foe.velocity - ship.velocity
    for turn in sorted(range(-most.turning, most.turning + 1), key=abs):
        plot = Plot(turn, thrust)
        if move_fault(state, ship, plot):
            continue
        leg = leg_of(ship, plot)
        end_x, end_y = leg.path[-1]
        on_course = not foe.velocity or leg.course == foe.course
        if on_course and is_within((end_x - x) ** 2 + (end_y - y) ** 2, reach):
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
        led = leader_of(state, ship) is not None
        if led and (not scatter or ship.record.stand):
            continue
        if led:
            own_plot = replace(plot, further=(*plot.further, FlyAlone()))
        else:
            own_plot = plot
        is_possible = not squadron_fault(state, ship, own_plot) and not (
            ship.record.stand and follow_faults(state, ship, own_plot)
        )
        result[name] = own_plot if is_possible else HOLD
    return result
