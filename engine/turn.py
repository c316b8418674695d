"""One turn as three functions: ships move by their plots, fighters by theirs, then fire. The caller's state is kept.

Rules: 2E "Sequence of play" [2e.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.combat.detection import Scanners, active_scans, passive_scans
from engine.combat.nova import arm, move_templates
from engine.combat.parting import part
from engine.combat.phase import fire_phase
from engine.cover import move_openly
from engine.dice import Dice
from engine.events.event import Sink
from engine.events.movement import FtlWarming, Moved
from engine.movement.asteroids import collide
from engine.movement.bodies import after_ships, before_ships, lies_still
from engine.movement.cinematic import advance
from engine.movement.docking import cast_off
from engine.movement.edges import come_back, leave_if_off
from engine.movement.flights import move_groups
from engine.movement.ftl import leave_under_ftl
from engine.movement.hangars import launch
from engine.movement.mines import (
    active_sweepers,
    ahead,
    arrive_at_mines,
    behind,
    lay_mines,
    meet_mines,
)
from engine.movement.plots import obeyed
from engine.movement.shift import shift_or_leave
from engine.orders import HOLD, FireOrders, Flight, Plot
from engine.ship import FIGHTING, RETURNING
from engine.state import ENGAGE, FIGHTERS, BattleState
from engine.terms import MOVING_TABLE
from engine.turn_end import end_turn


def resolve_plot(state: BattleState, plots: Mapping[str, Plot], dice: Dice, sink: Sink | None) -> BattleState:
    """Move every ship by its plot: ships first, those leaving under FTL last, then passive scans.

    Ships without a plot hold course and speed, and so do those whose plot they cannot carry out.
    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Movement orders" [2e.movement]
    """
    new = state.copy()
    turn = new.turn
    dice = dice.at(f"turn-{turn}")
    orders = obeyed(new, plots, turn, sink)
    underway = before_ships(new, orders, turn, dice, sink)
    if new.mines and underway.came:
        arrive_at_mines(new, underway.came, dice, sink)
    scanners: Scanners = []
    leaving = [ship for ship in new.ships if ship.warm and ship.status == FIGHTING]
    for ship in new.ships:
        if ship.status not in (FIGHTING, RETURNING):
            continue
        plot = orders.get(ship.id, HOLD)
        if ship.status == RETURNING:
            come_back(new, ship, plot, turn, dice, sink)
            if new.mines and ship.status == FIGHTING:
                meet_mines(new, ship, behind(ship, 1.0), dice, sink)
            if new.rocks and ship.status == FIGHTING:
                collide(new, ship, behind(ship, 1.0), underway.met, turn, dice, sink)
            continue
        if ship.warm or lies_still(ship, underway):
            continue
        if ship.cover is not None:
            move_openly(ship, plot, turn, sink)
        if plot.sweep:
            active_sweepers(ship, turn, sink)
        if plot.scan:
            scanners.append((ship, plot.scan))
        if plot.nova:
            arm(ship, turn, sink)
        start = (ship.x, ship.y)
        if ship.rig.bays:
            ship.swerved = bool(plot.turn or plot.thrust)
        if ship.velocity == 0 and plot.thrust == 0:
            mid = start
            ship.course = (ship.course + plot.turn - 1) % 12 + 1
        else:
            mid = advance(ship, plot.turn, plot.thrust)
        if sink is not None:
            sink(Moved(turn, ship.id, (start, mid, (ship.x, ship.y)), ship.course, ship.velocity))
        if plot.ftl:
            ship.warm_up()
            if sink is not None:
                sink(FtlWarming(turn, ship.id))
        if plot.launch:
            launch(new, ship, plot, mid, turn, sink)
        if new.mines:
            meet_mines(new, ship, (start, mid, (ship.x, ship.y)), dice, sink)
        if plot.mines and ship.status == FIGHTING:
            lay_mines(new, ship, plot.mines, (start, mid, (ship.x, ship.y)), sink)
        if new.rocks:
            collide(new, ship, (start, mid, (ship.x, ship.y)), underway.met, turn, dice, sink)
        if ship.status == FIGHTING:
            leave_if_off(new, ship, start, mid, turn, dice, sink)
    after_ships(new, orders, underway, turn, dice, sink)
    for ship in leaving:
        if new.mines and ship.status == FIGHTING:
            meet_mines(new, ship, ahead(ship, 0.5), dice, sink)
        if new.rocks and ship.status == FIGHTING:
            collide(new, ship, ahead(ship, 0.5), underway.met, turn, dice, sink)
        if ship.status == FIGHTING:
            leave_under_ftl(new, ship, turn, dice, sink)
            if new.mines and ship.status == FIGHTING:
                meet_mines(new, ship, behind(ship, 0.5), dice, sink)
    if MOVING_TABLE in new.terms.options:
        shift_or_leave(new, orders, turn, dice, sink)
    passive_scans(new, turn, sink)
    if scanners:
        active_scans(new, scanners, turn, sink)
    new.stop = FIGHTERS if new.groups else ENGAGE
    return new


def resolve_fighters(state: BattleState, flights: Mapping[str, Flight], dice: Dice, sink: Sink | None) -> BattleState:
    """Move the fighter groups by their orders, sides alternating; then whom to engage is asked.

    Rules: 2E "Sequence of play" [2e.sequence]; 2E "Fighters" [2e.fighters]
    """
    new = state.copy()
    move_groups(new, flights, new.turn, dice.at(f"turn-{new.turn}"), sink)
    new.stop = ENGAGE
    return new


def resolve_engage(
    state: BattleState,
    orders: Mapping[int, FireOrders],
    dice: Dice,
    sink: Sink | None,
    *,
    pursue: tuple[int, ...] = (),
    copy: bool = True,
) -> BattleState:
    """Resolve a turn's fire and end the turn: the next plot, or over where that decides the battle.

    `pursue`: the sides that go after a side that disengages. `copy=False` changes `state` itself, for a caller who
    keeps nothing of it.
    Rules: 2E "Sequence of play" [2e.sequence]
    """
    new = state.copy() if copy else state
    dice = dice.at(f"turn-{new.turn}")
    if new.novas:
        move_templates(new, new.turn, dice, sink)
    fire_phase(new, orders, new.turn, dice, sink)
    new.end_turn()
    cast_off(new, new.turn, sink)
    part(new, pursue, new.turn, dice, sink)
    end_turn(new, sink)
    return new
