"""How a captain of Continuum flies decoy drones: as the ships beside which they would have to be taken for others.

Rules: Continuum "Dummy bogeys and weasel boats" 12.3 [pc.sensors]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.continuum.drives import limits, move_fault
from engine.core.geometry import COURSES
from engine.core.kinds import FIGHTING
from engine.core.orders import HOLD, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.view.side_view import SideView

ROUND = len(COURSES) - 1  # courses there are


def decoy_plots(state: BattleState, view: SideView, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """A plot for every drone that does not hold course and speed: it keeps with the real ship nearest to it.

    `plots`: of the real ships. A drone without one to keep with flies on, as does one in orbit, which cannot turn.
    """
    found: dict[str, Plot] = {}
    real = [ship for ship in view.own if ship.status == FIGHTING and not ship.dummy]
    for drone in view.own:
        if drone.dummy and drone.status == FIGHTING and real and not drone.orbits:
            leader = min(real, key=lambda ship: ((ship.x - drone.x) ** 2 + (ship.y - drone.y) ** 2, ship.id))
            plot = _keeping(state, drone, leader, plots.get(leader.id, HOLD))
            if plot != HOLD and not move_fault(state, drone, plot):
                found[drone.id] = plot
    return found


def _keeping(state: BattleState, drone: ShipState, leader: ShipState, plot: Plot) -> Plot:
    """The move that brings a drone onto the course and to the velocity that its leader will have, as far as it can."""
    if drone.drift is not None or leader.drift is not None:
        return Plot(burns=plot.burns)
    turning, most = limits(state, drone)
    aside = (leader.course + plot.turn + plot.second - drone.course + ROUND // 2) % ROUND - ROUND // 2
    turn = max(-turning, min(turning, aside))
    faster = leader.velocity + plot.thrust - drone.velocity
    left = most - abs(turn)
    return Plot(turn=turn, thrust=max(-min(left, drone.velocity), min(left, faster)))
