"""What else moves, or is met, in a turn's movement: arrivals, asteroids, docked ships, rams.

One call before ships move, one after.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.geometry import Point
from engine.core.kinds import INBOUND
from engine.core.orders import Plot
from engine.core.ship import FREE, ShipState
from engine.core.table import Table
from engine.movement.docking import FAST, come_alongside, follow, make_fast
from engine.movement.ftl_entries import arrive
from engine.movement.rams import ram
from engine.pieces.piece import Met
from engine.pieces.registry import drift


@dataclass(slots=True)
class Underway:
    """A turn's movement so far: who came out of FTL, which asteroids were met, where installations
    stood before.
    """

    came: list[str] = field(default_factory=list)
    met: Met = field(default_factory=list)
    started: dict[str, Point] = field(default_factory=dict)


def before_ships(table: Table, plots: Mapping[str, Plot]) -> Underway:
    """Arrivals under FTL, the asteroids' drift, and who makes fast or casts off.

    Rules: 2E "Sequence" [2e.sequence]
    """
    came = arrive(table) if any(ship.status == INBOUND for ship in table.state.ships) else []
    underway = set_out(table, plots)
    underway.came = came
    return underway


def set_out(table: Table, plots: Mapping[str, Plot]) -> Underway:
    """The asteroids' drift, and who makes fast or casts off.

    Rules: Continuum "Ship movement" 2.6 [pc.movement]
    """
    state = table.state
    underway = Underway()
    drift(table, underway.met)
    if any(ship.docking != FREE for ship in state.ships):
        make_fast(table, plots)
        docks = [ship.dock for ship in state.ships if ship.docking in FAST]
        underway.started = {ship.id: (ship.x, ship.y) for ship in state.ships if ship.id in docks}
    return underway


def lies_still(ship: ShipState, underway: Underway) -> bool:
    """Whether a ship has no move of its own this turn: it has just arrived, or is docked."""
    return ship.docking in FAST or ship.id in underway.came


def after_ships(table: Table, plots: Mapping[str, Plot], underway: Underway) -> None:
    """Docked ships follow, others come alongside, rams.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    if underway.started:
        follow(table, underway.started)
    words = [plot for plot in plots.values() if plot.dock or plot.ram]
    if any(plot.dock for plot in words):
        come_alongside(table, plots)
    if any(plot.ram for plot in words):
        ram(table, plots)
