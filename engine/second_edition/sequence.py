"""One turn of the second edition as three functions: ships move, fighters move, then all fire.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import Scanners, active_scans, passive_scans
from engine.combat.disengaging import disengage
from engine.combat.nova import arm
from engine.combat.q_ships import reveal_by_move
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, Flight, Plot
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.core.terms import MOVING_TABLE
from engine.events.movement import FtlWarming
from engine.fighters.flights import move_groups
from engine.fighters.hangars import launch
from engine.movement.docking import cast_off
from engine.movement.edges import come_back, leave_if_off, shift_or_leave
from engine.movement.other_movement import (
    MovementProgress,
    after_ships,
    before_ships,
    has_no_move,
)
from engine.movement.paths import Path, move_along
from engine.order_requests.engage import FireAndPursuit
from engine.order_requests.plot import valid_plots
from engine.pieces.mine import activate_sweepers, lay_mines
from engine.pieces.registry import before_fire, meet_bodies, meet_pieces
from engine.second_edition.fire_by_ship import take_step
from engine.second_edition.fire_phase import fire_phase
from engine.second_edition.ftl import leave_under_ftl
from engine.second_edition.movement import advance, path_ahead, path_behind


def move(table: Table, plots: Mapping[str, Plot]) -> None:
    """Move every ship by its plot, ships leaving under FTL last, then make the scans.

    Ships without a plot, or with one that they cannot carry out, hold course and velocity.
    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Movement orders" [2e.movement]
    """
    state = table.state
    orders = valid_plots(table, plots)
    progress = before_ships(table, orders)
    _meet_pieces_on_arrival(table, progress)
    jumping = [ship for ship in state.ships if ship.warm and ship.status == FIGHTING]
    scanners = _move_by_plots(table, orders, progress)
    after_ships(table, orders, progress)
    for ship in jumping:
        _move_into_ftl(table, ship, progress)
    if MOVING_TABLE in state.terms.options:
        shift_or_leave(table, orders)
    passive_scans(table)
    if scanners:
        active_scans(table, scanners)


def _move_by_plots(
    table: Table, orders: Mapping[str, Plot], progress: MovementProgress
) -> Scanners:
    """Move returning ships and all ships that do not jump, and return those that scan."""
    scanners: Scanners = []
    for ship in table.state.ships:
        plot = orders.get(ship.id, HOLD)
        if ship.status == RETURNING:
            path = come_back(table, ship, plot)
            meet_pieces(table, ship, path, progress.encounters)
            meet_bodies(table, ship, path, progress.encounters)
        elif ship.status == FIGHTING and not ship.warm and not has_no_move(ship, progress):
            if plot.scan:
                scanners.append((ship, plot.scan))
            _move_ship(table, ship, plot, progress)
    return scanners


def _meet_pieces_on_arrival(table: Table, progress: MovementProgress) -> None:
    """Let ships that arrived from FTL meet the pieces at their place, such as mines."""
    if not progress.arrivals:
        return
    for ship in table.state.ships:
        if ship.id in progress.arrivals:
            meet_pieces(table, ship, ((ship.x, ship.y),), progress.encounters)


def _move_ship(table: Table, ship: ShipState, plot: Plot, progress: MovementProgress) -> None:
    """Move one ship by its plot, with everything it does and meets on the way."""
    _prepare_move(table, ship, plot)
    path = _fly_path(table, ship, plot)
    if plot.ftl:
        ship.warm_up()
        table.tell(FtlWarming, ship.id)
    if plot.launch:
        launch(table, ship, plot, path[len(path) // 2])
    meet_pieces(table, ship, path, progress.encounters)
    if plot.mines and ship.status == FIGHTING:
        lay_mines(table, ship, plot.mines, path)
    meet_bodies(table, ship, path, progress.encounters)
    if ship.status == FIGHTING:
        leave_if_off(table, ship, path)


def _prepare_move(table: Table, ship: ShipState, plot: Plot) -> None:
    """Carry out what a plot orders before the ship moves, and record what others need of it."""
    if ship.cover is not None:
        reveal_by_move(table, ship, plot)
    if plot.sweep:
        activate_sweepers(table, ship)
    if plot.nova:
        arm(table, ship)
    if ship.profile.bays:
        ship.swerved = bool(plot.turn or plot.thrust)


def _fly_path(table: Table, ship: ShipState, plot: Plot) -> Path:
    """Move a ship by its turn and thrust, and return its path; a ship at rest turns on the spot."""
    start = (ship.x, ship.y)
    if ship.velocity == 0 and plot.thrust == 0:
        mid = start
        ship.course = (ship.course + plot.turn - 1) % 12 + 1
    else:
        mid = advance(ship, plot.turn, plot.thrust)
    return move_along(table, ship, (start, mid, (ship.x, ship.y)))


def _move_into_ftl(table: Table, ship: ShipState, progress: MovementProgress) -> None:
    """Fly half of a move and leave under FTL."""
    meet_pieces(table, ship, path_ahead(ship, 0.5), progress.encounters)
    meet_bodies(table, ship, path_ahead(ship, 0.5), progress.encounters)
    if ship.status == FIGHTING:
        leave_under_ftl(table, ship)
        meet_pieces(table, ship, path_behind(ship, 0.5), progress.encounters)


def fly(table: Table, flights: Mapping[str, Flight]) -> None:
    """Move the fighter groups by their orders, sides alternating.

    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fighters" [2e.fighters]
    """
    move_groups(table, flights)


def engage(table: Table, engagement: FireAndPursuit) -> None:
    """Resolve a turn's fire; then let sides that have left over an edge disengage.

    If fire goes ship by ship, this is one step of it, and only the last one ends the phase.

    Rules: 2E "Sequence of play" [2e.sequence] [2e.fire-by-ship]
    """
    state = table.state
    pursue = engagement.pursue
    if state.firing is None:
        if state.pieces:
            before_fire(table)
        fire_phase(table, state.by_commander(engagement.fire))
    else:
        pursue = take_step(table, engagement)
        if state.firing is not None:
            return
    state.end_turn()
    cast_off(table)
    disengage(table, pursue)
