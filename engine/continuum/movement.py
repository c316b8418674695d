"""Ship movement of Continuum: drifting objects first, then ships, then FTL arrivals and exits.

This module applies a plot's further orders; their classes define what they do.

Rules: Continuum "Ship movement phase" 2.6 [pc.movement]; Continuum "Orders" 3.5 [pc.movement]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from engine.combat.detection import Scanners, active_scans, passive_scans
from engine.continuum.drives import record_thrust_used
from engine.continuum.ftl import drop_out, jump, jump_point
from engine.continuum.gates import come_out_of_gates, enter_gate, fly_out, leg_into_gate
from engine.continuum.legs import Leg, leg_of
from engine.continuum.orbits import fly_leg, orbiting_ids
from engine.continuum.sections import Formations, mass_lent_to
from engine.continuum.squadrons import squadron_legs
from engine.core.ids import ShipId
from engine.core.kinds import CLOAKED, FIGHTING, RETURNING
from engine.core.orders import HOLD, FurtherOrder, Plot
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import MOVING_TABLE, ORBITAL_TABLE
from engine.events.movement import FtlWarming, ShipReturned
from engine.movement.edges import come_back, leave_if_off, shift_or_leave
from engine.movement.orbital_table import entry_point
from engine.movement.other_movement import (
    MovementProgress,
    after_ships,
    begin_movement,
    has_no_move,
)
from engine.pieces.mine import lay_mines
from engine.pieces.registry import after_moves, meet_bodies, meet_pieces


def apply_orders_before_moves(table: Table, plots: Mapping[str, Plot]) -> None:
    """Apply further orders before movement, by ship in file order and by the order of each plot."""
    for ship, order in _further_orders(table, plots):
        order.before_moves(table, ship)


def apply_orders_after_moves(table: Table, plots: Mapping[str, Plot]) -> None:
    """Apply further orders after all movement, in the same order."""
    for ship, order in _further_orders(table, plots):
        order.after_moves(table, ship)


def _further_orders(
    table: Table, plots: Mapping[str, Plot]
) -> Iterator[tuple[ShipState, FurtherOrder]]:
    """Yield every ship with each of its further orders."""
    for ship in table.state.ships:
        if ship.id in plots:
            for order in plots[ship.id].further:
                yield ship, order


def move_ships(table: Table, orders: Mapping[str, Plot]) -> Collection[ShipId]:
    """Move everything by the orders from `open_orders`; ships without orders drift on (phase 5).

    Ships under a cloaking field collide with nothing, and no edge stops them.

    Returns:
        The ships that kept their places in a formation around a section with drives.

    Rules: Continuum "Ship movement phase" 2.6 [pc.movement]; Continuum "Thrust 0 drives" 16.1
    [pc.thrust-0]
    """
    state = table.state
    progress = begin_movement(table, orders)
    jumping = [ship for ship in state.ships if ship.warm and ship.status == FIGHTING]
    legs = squadron_legs(state, orders)
    formations = Formations(state)
    scanners: Scanners = []
    for ship in movement_order(state, orders):
        plot = orders.get(ship.id, HOLD)
        if ship.status == RETURNING:
            _return(table, ship, plot, progress)
        elif ship.status == CLOAKED:
            record_thrust_used(table, ship, plot)
            fly_leg(table, ship, plot)
        elif _moves_now(ship, progress):
            if plot.scan:
                scanners.append((ship, plot.scan))
            if ship.id not in formations.leads:
                leg = legs.get(ship.id) or leg_of(ship, plot)
                _move(table, ship, plot=plot, leg=leg, progress=progress)
    after_ships(table, orders, progress)
    _through_ftl(table, jumping, progress)
    formations.follow(table, progress)
    _finish_movement(table, orders, formations, scanners)
    return formations.leads


def _moves_now(ship: ShipState, progress: MovementProgress) -> bool:
    """Return whether a ship on the table moves with the others, not by FTL or another unit."""
    return ship.status == FIGHTING and not ship.warm and not has_no_move(ship, progress)


def _finish_movement(
    table: Table, orders: Mapping[str, Plot], formations: Formations, scanners: Scanners
) -> None:
    """Resolve what follows all movement: a moving table, pieces, further orders and scans."""
    state = table.state
    if MOVING_TABLE in state.terms.options:
        shift_or_leave(table, orders)
        formations.leave(table)
    if state.pieces:
        after_moves(table)
    apply_orders_after_moves(table, orders)
    passive_scans(table)
    if scanners:
        active_scans(table, scanners)


def movement_order(state: BattleState, orders: Mapping[str, Plot]) -> list[ShipState]:
    """Return the ships in the order in which they move, with file order among equals.

    Ships in orbit move first, then those without thrust, minelayers, and the others.

    Rules: Continuum "Thrust 0 drives" 16.1 [pc.thrust-0]; Continuum "Ship movement phase" 2.6
    [pc.movement]; Continuum "Medium scale" 17.8 [pc.planets]
    """
    ids_in_orbit = orbiting_ids(state)

    def rank(ship: ShipState) -> int:
        if ship.id in ids_in_orbit:
            return -1
        if ship.sheet.thrust == 0:
            return 0
        if ship.id in orders and orders[ship.id].mines:
            return 1
        return 2

    return sorted(state.ships, key=rank)


def _move(table: Table, ship: ShipState, plot: Plot, leg: Leg, progress: MovementProgress) -> None:
    """Move one ship and resolve all it meets on its way.

    Rules: Continuum "Ship movement phase" 2.6 [pc.movement]
    """
    record_thrust_used(table, ship, plot)
    leg, gate = leg_into_gate(table.state, plot, leg)
    path = fly_leg(table, ship, plot, leg)
    if plot.ftl:
        ship.warm_up()
        table.tell(FtlWarming, ship.id)
    meet_pieces(table, ship, path, progress.encounters)
    if plot.mines and ship.status == FIGHTING:
        lay_mines(table, ship, plot.mines, path)
    meet_bodies(table, ship, path, progress.encounters)
    if ship.status == FIGHTING:  # ships under a cloaking field cross edges
        leave_if_off(table, ship, path, for_good=plot.leave)
        if gate is not None and path[-1] == (gate.x, gate.y):  # no body has bent the path
            enter_gate(table, ship, gate)


def _return(table: Table, ship: ShipState, plot: Plot, progress: MovementProgress) -> None:
    """Bring a ship back onto the table if agreed; on an orbital table it flies on by its orders.

    Rules: Continuum 3.9 [pc.leaving-table]; Continuum "Orbital table" 17.7 [pc.planets]
    """
    if ORBITAL_TABLE in table.state.terms.options and table.turn >= ship.due and not plot.stay:
        at, course = entry_point(table.state, ship, plot)
        ship.place_on_table(at, course)
        table.tell(ShipReturned, ship=ship.id, at=at, course=course)
        _move(table, ship, plot=plot, leg=leg_of(ship, plot), progress=progress)
        return
    path = come_back(table, ship, plot)
    meet_pieces(table, ship, path, progress.encounters)
    meet_bodies(table, ship, path, progress.encounters)


def _through_ftl(table: Table, jumping: list[ShipState], progress: MovementProgress) -> None:
    """Move the last ships: those out of gates, FTL arrivals, then FTL exits, each in file order.

    Rules: Continuum "FTL exit", "FTL entry" 11.4, 11.5 [pc.ftl-exit] [pc.ftl-entry]; Continuum 11.9
    [pc.gates]
    """
    for ship in come_out_of_gates(table):
        path = fly_out(table, ship)
        meet_pieces(table, ship, path, progress.encounters)
        meet_bodies(table, ship, path, progress.encounters)
        if ship.status == FIGHTING:
            leave_if_off(table, ship, path)
    for name in drop_out(table):
        ship = table.state.ship_by_name(name)
        place = (ship.x, ship.y)
        meet_pieces(table, ship, (place,), progress.encounters)
        meet_bodies(table, ship, (place, place), progress.encounters)
    lent = mass_lent_to(table.state, jumping)
    for ship in jumping:
        if ship.status != FIGHTING:
            continue
        first_half = (ship.x, ship.y), jump_point(ship)
        meet_pieces(table, ship, first_half, progress.encounters)
        meet_bodies(table, ship, first_half, progress.encounters)
        if ship.status == FIGHTING:
            second_half = jump(table, ship, lent.get(ship.id, 0))
            meet_pieces(table, ship, second_half, progress.encounters)
            meet_bodies(table, ship, second_half, progress.encounters)
