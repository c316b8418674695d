"""One turn of the second edition as three functions: ships move by their plots, fighters by theirs,
then all fire.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.asks.engage import FireAndPursuit
from engine.asks.plot import obeyed
from engine.combat.detection import Scanners, active_scans, passive_scans
from engine.combat.disengaging import disengage
from engine.combat.nova import arm
from engine.combat.q_ships import move_openly
from engine.core.kinds import FIGHTING, RETURNING
from engine.core.orders import HOLD, Flight, Plot
from engine.core.table import Table
from engine.core.terms import MOVING_TABLE
from engine.events.movement import FtlWarming
from engine.fighters.flights import move_groups
from engine.fighters.hangars import launch
from engine.movement.docking import cast_off
from engine.movement.edges import come_back, leave_if_off, shift_or_leave
from engine.movement.other_movers import after_ships, before_ships, lies_still
from engine.movement.ways import move_along
from engine.pieces.mine import active_sweepers, lay_mines
from engine.pieces.registry import before_fire, meet, run_into
from engine.second_edition.fire_phase import fire_phase
from engine.second_edition.ftl import leave_under_ftl
from engine.second_edition.movement import advance, ahead, behind


def move(table: Table, plots: Mapping[str, Plot]) -> None:
    """Move every ship by its plot: ships first, those leaving under FTL last, then passive scans.

    Ships without a plot hold course and speed, and so do those whose plot they cannot carry out.
    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Movement orders" [2e.movement]
    """
    state = table.state
    orders = obeyed(table, plots)
    underway = before_ships(table, orders)
    if underway.came:
        for ship in state.ships:
            if ship.id in underway.came:
                meet(table, ship, ((ship.x, ship.y),), underway.met)
    scanners: Scanners = []
    leaving = [ship for ship in state.ships if ship.warm and ship.status == FIGHTING]
    for ship in state.ships:
        if ship.status not in (FIGHTING, RETURNING):
            continue
        plot = orders.get(ship.id, HOLD)
        if ship.status == RETURNING:
            path = come_back(table, ship, plot)
            meet(table, ship, path, underway.met)
            run_into(table, ship, path, underway.met)
            continue
        if ship.warm or lies_still(ship, underway):
            continue
        if ship.cover is not None:
            move_openly(table, ship, plot)
        if plot.sweep:
            active_sweepers(table, ship)
        if plot.scan:
            scanners.append((ship, plot.scan))
        if plot.nova:
            arm(table, ship)
        start = (ship.x, ship.y)
        if ship.profile.bays:
            ship.swerved = bool(plot.turn or plot.thrust)
        if ship.velocity == 0 and plot.thrust == 0:
            mid = start
            ship.course = (ship.course + plot.turn - 1) % 12 + 1
        else:
            mid = advance(ship, plot.turn, plot.thrust)
        path = move_along(table, ship, (start, mid, (ship.x, ship.y)))
        if plot.ftl:
            ship.warm_up()
            table.tell(FtlWarming, ship.id)
        if plot.launch:
            launch(table, ship, plot, path[len(path) // 2])
        meet(table, ship, path, underway.met)
        if plot.mines and ship.status == FIGHTING:
            lay_mines(table, ship, plot.mines, path)
        run_into(table, ship, path, underway.met)
        if ship.status == FIGHTING:
            leave_if_off(table, ship, path)
    after_ships(table, orders, underway)
    for ship in leaving:
        meet(table, ship, ahead(ship, 0.5), underway.met)
        run_into(table, ship, ahead(ship, 0.5), underway.met)
        if ship.status == FIGHTING:
            leave_under_ftl(table, ship)
            meet(table, ship, behind(ship, 0.5), underway.met)
    if MOVING_TABLE in state.terms.options:
        shift_or_leave(table, orders)
    passive_scans(table)
    if scanners:
        active_scans(table, scanners)


def fly(table: Table, flights: Mapping[str, Flight]) -> None:
    """Move the fighter groups by their orders, sides alternating.

    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fighters" [2e.fighters]
    """
    move_groups(table, flights)


def engage(table: Table, engagement: FireAndPursuit) -> None:
    """Resolve a turn's fire; then who has left over an edge disengages.

    Rules: 2E "Sequence of play" [2e.sequence]
    """
    if table.state.pieces:
        before_fire(table)
    fire_phase(table, table.state.by_commander(engagement.fire))
    table.state.end_turn()
    cast_off(table)
    disengage(table, engagement.pursue)
