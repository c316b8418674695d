"""The rest of a turn's movement: arrivals, asteroids, docked ships, rams.

One call comes before ships move, one after.

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
from engine.movement.docking import ATTACHED, come_alongside, dock_ships, move_docked_ships
from engine.movement.ftl_entries import arrive
from engine.movement.rams import ram
from engine.pieces.piece import Encounters
from engine.pieces.registry import drift_pieces


@dataclass(slots=True)
class MovementProgress:
    """A turn's movement so far.

    Attributes:
        arrivals: The ids of ships that came out of FTL this turn.
        encounters: Which ships have met which asteroids.
        started: The position of each installation with docked ships before it moved, by id.
    """

    arrivals: list[str] = field(default_factory=list)
    encounters: Encounters = field(default_factory=list)
    started: dict[str, Point] = field(default_factory=dict)


def before_ships(table: Table, plots: Mapping[str, Plot]) -> MovementProgress:
    """Bring in arrivals under FTL, let asteroids drift, and dock and release ships.

    Rules: 2E "Sequence" [2e.sequence]
    """
    arrivals = arrive(table) if any(ship.status == INBOUND for ship in table.state.ships) else []
    progress = begin_movement(table, plots)
    progress.arrivals = arrivals
    return progress


def begin_movement(table: Table, plots: Mapping[str, Plot]) -> MovementProgress:
    """Let asteroids drift, and dock and release ships.

    Rules: Continuum "Ship movement" 2.6 [pc.movement]
    """
    state = table.state
    progress = MovementProgress()
    drift_pieces(table, progress.encounters)
    if any(ship.docking != FREE for ship in state.ships):
        dock_ships(table, plots)
        docks = [ship.dock for ship in state.ships if ship.docking in ATTACHED]
        progress.started = {ship.id: (ship.x, ship.y) for ship in state.ships if ship.id in docks}
    return progress


def has_no_move(ship: ShipState, progress: MovementProgress) -> bool:
    """Return whether a ship makes no move of its own: it has just arrived, or is docked."""
    return ship.docking in ATTACHED or ship.id in progress.arrivals


def after_ships(table: Table, plots: Mapping[str, Plot], progress: MovementProgress) -> None:
    """Move docked ships along, bring others alongside, and resolve rams.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    if progress.started:
        move_docked_ships(table, progress.started)
    words = [plot for plot in plots.values() if plot.dock or plot.ram]
    if any(plot.dock for plot in words):
        come_alongside(table, plots)
    if any(plot.ram for plot in words):
        ram(table, plots)
