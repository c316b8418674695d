"""Ship movement of Continuum: what drifts first, then all ships, those that enter and leave under FTL last.

Rules: Continuum "Ship movement phase" 2.6 [pc.movement]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import Scanners, active_scans, passive_scans
from engine.dice import Dice
from engine.events.event import Sink
from engine.events.movement import FtlWarming
from engine.movement.asteroids import collide
from engine.movement.bodies import Underway, after_ships, lies_still, set_out
from engine.movement.drives import spend
from engine.movement.edges import come_back, leave_if_off
from engine.movement.legs import Leg, Point, leg_of
from engine.movement.mines import active_sweepers, lay_mines, meet_mines
from engine.movement.ordered import words_moved
from engine.movement.shift import shift_or_leave
from engine.movement.squadrons import formed_legs
from engine.movement.tell import tell_move
from engine.movement.transit import drop_out, half_way, jump
from engine.orders import HOLD, Plot
from engine.ship import FIGHTING, RETURNING, UNSEEN, ShipState
from engine.state import BattleState
from engine.terms import MOVING_TABLE


def move_ships(state: BattleState, orders: Mapping[str, Plot], turn: int, dice: Dice, sink: Sink | None) -> None:
    """Phase 5 in place: everything moves by its orders (as `open_orders` gave them), who has none straight on.

    Nothing is in the way of a ship under a cloaking field, and no edge stops it.
    Rules: Continuum "Ship movement phase" 2.6 [pc.movement]; Continuum "Thrust 0 drives" 16.1 [pc.thrust-0]
    """
    underway = set_out(state, orders, turn, dice, sink)
    jumping = [ship for ship in state.ships if ship.warm and ship.status == FIGHTING]
    legs = formed_legs(state, orders)
    scanners: Scanners = []
    for ship in in_order(state, orders):
        plot = orders.get(ship.id, HOLD)
        if ship.status == RETURNING:
            _return(state, ship, plot, underway, turn, dice, sink)
        elif ship.status == UNSEEN:
            spend(ship, plot, turn, sink)
            tell_move(ship, leg_of(ship, plot), turn, sink)
        elif ship.status == FIGHTING and not ship.warm and not lies_still(ship, underway):
            if plot.scan:
                scanners.append((ship, plot.scan))
            _move(state, ship, plot, legs.get(ship.id) or leg_of(ship, plot), underway, turn, dice, sink)
    after_ships(state, orders, underway, turn, dice, sink)
    _through_ftl(state, jumping, underway, turn, dice, sink)
    if MOVING_TABLE in state.terms.options:
        shift_or_leave(state, orders, turn, dice, sink)
    words_moved(state, orders, turn, dice, sink)
    passive_scans(state, turn, sink)
    if scanners:
        active_scans(state, scanners, turn, sink)


def in_order(state: BattleState, orders: Mapping[str, Plot]) -> list[ShipState]:
    """Ships in the order in which they move: what has no thrust at all, who lays mines, the others; else file order.

    Rules: Continuum "Thrust 0 drives" 16.1 [pc.thrust-0]; Continuum "Ship movement phase" 2.6 [pc.movement]
    """

    def rank(ship: ShipState) -> int:
        if ship.sheet.thrust == 0:
            return 0
        return 1 if ship.id in orders and orders[ship.id].mines else 2

    return sorted(state.ships, key=rank)


def _move(
    state: BattleState, ship: ShipState, plot: Plot, leg: Leg, underway: Underway, turn: int, dice: Dice,
    sink: Sink | None,
) -> None:  # fmt: skip
    """One ship's move and whatever it meets on its way. Rules: Continuum "Ship movement phase" 2.6 [pc.movement]"""
    if plot.sweep:
        active_sweepers(ship, turn, sink)
    spend(ship, plot, turn, sink)
    tell_move(ship, leg, turn, sink)
    if plot.ftl:
        ship.warm_up()
        if sink is not None:
            sink(FtlWarming(turn, ship.id))
    if state.mines:
        _mines(state, ship, leg.path, dice, sink)
    if plot.mines and ship.status == FIGHTING:
        lay_mines(state, ship, plot.mines, leg.path, sink)
    _rocks(state, ship, leg.path, underway, turn, dice, sink)
    if ship.status == FIGHTING:  # no edge stops a ship under a cloaking field
        leave_if_off(state, ship, leg.path[0], leg.path[1], turn, dice, sink)


def _mines(state: BattleState, ship: ShipState, path: tuple[Point, ...], dice: Dice, sink: Sink | None) -> None:
    if state.mines and path and ship.status == FIGHTING:
        meet_mines(state, ship, path, dice, sink)


def _rocks(
    state: BattleState, ship: ShipState, path: tuple[Point, ...], underway: Underway, turn: int, dice: Dice,
    sink: Sink | None,
) -> None:  # fmt: skip
    if state.rocks and path and ship.status == FIGHTING:
        collide(state, ship, path, underway.met, turn, dice, sink)


def _return(
    state: BattleState, ship: ShipState, plot: Plot, underway: Underway, turn: int, dice: Dice, sink: Sink | None
) -> None:
    """A ship off the table comes back, where that was agreed. Rules: Continuum 3.9 [pc.leaving-table]"""
    path = come_back(state, ship, plot, turn, dice, sink)
    _mines(state, ship, path, dice, sink)
    _rocks(state, ship, path, underway, turn, dice, sink)


def _through_ftl(
    state: BattleState, jumping: list[ShipState], underway: Underway, turn: int, dice: Dice, sink: Sink | None
) -> None:
    """Last of all ships: those that enter the table under FTL, then those that leave it, each in file order.

    Rules: Continuum "FTL exit", "FTL entry" 11.4, 11.5 [pc.ftl-exit] [pc.ftl-entry]
    """
    for name in drop_out(state, turn, dice, sink):
        ship = state.ship(name)
        here = ((ship.x, ship.y), (ship.x, ship.y))
        _mines(state, ship, here[:1], dice, sink)
        _rocks(state, ship, here, underway, turn, dice, sink)
    for ship in jumping:
        if ship.status != FIGHTING:
            continue
        out = (ship.x, ship.y), half_way(ship)
        _mines(state, ship, out, dice, sink)
        _rocks(state, ship, out, underway, turn, dice, sink)
        if ship.status == FIGHTING:
            rest = jump(state, ship, turn, dice, sink)
            _mines(state, ship, rest, dice, sink)
            _rocks(state, ship, rest, underway, turn, dice, sink)
