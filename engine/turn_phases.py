"""One turn of Continuum, its fifteen phases between three stops: plot, engage and damage control.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from engine.combat.aftermath import checks_phase
from engine.combat.charges import damaged_charges, detonate, follow_destruction
from engine.combat.damage_control import calls_for_control, damage_control
from engine.combat.mending import regenerate_armour
from engine.combat.parting import part
from engine.combat.reactors import drift_on, end_of_turn
from engine.combat.volleys import fire_phase
from engine.dice import Dice
from engine.events.event import Sink
from engine.movement.docking import cast_off
from engine.movement.manoeuvre import move_ships
from engine.movement.opening import open_orders
from engine.movement.unseen import cloaks_end, cloaks_fail
from engine.notation.turns import TurnOrders
from engine.state import CONTROL, ENGAGE, BattleState
from engine.turn_end import end_turn


def plot_stop(state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None) -> BattleState:
    """Phases 1 to 7: orders are opened, and everything moves. Rules: Continuum 2.6 [pc.sequence]"""
    new = state.copy()
    dice = dice.at(f"turn-{new.turn}")
    plots = open_orders(new, orders.plots, new.turn, dice, sink)
    move_ships(new, plots, new.turn, dice, sink)
    drift_on(new, new.turn, sink)
    cloaks_end(new, new.turn, dice, sink)
    follow_destruction(new, new.turn, dice, sink)
    new.stop = ENGAGE
    return new


def engage_stop(state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None) -> BattleState:
    """Phases 8 to 13: all fire, then the checks; damage control is asked for where a party could repair something.

    Who has left over an edge disengages before it, so that nobody has to say at two stops whether he pursues.

    Rules: Continuum 2.6 [pc.sequence]
    """
    new = state.copy()
    dice = dice.at(f"turn-{new.turn}")
    aftermath = fire_phase(new, orders.fire, new.turn, dice, sink)
    detonate(new, new.turn, dice, sink)
    checks_phase(new, aftermath, new.turn, dice, sink)
    part(new, orders.pursue, new.turn, dice, sink)
    if any(calls_for_control(new)):
        new.stop = CONTROL
        return new
    return finish(new, dice, sink)


def control_stop(state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None) -> BattleState:
    """Phases 14 and 15: damage control, then what may still explode. Rules: Continuum 2.6 [pc.sequence]"""
    new = state.copy()
    dice = dice.at(f"turn-{new.turn}")
    damage_control(new, orders.control, new.turn, dice, sink)
    return finish(new, dice, sink)


def finish(new: BattleState, dice: Dice, sink: Sink | None) -> BattleState:
    """Phase 15 and the end of a turn: the next plot, or over where that decides the battle.

    Rules: Continuum 2.6 [pc.sequence]
    """
    end_of_turn(new, new.turn, dice, sink)
    damaged_charges(new, new.turn, dice, sink)
    regenerate_armour(new, new.turn, dice, sink)
    cloaks_fail(new, new.turn, dice, sink)
    new.end_turn()
    cast_off(new, new.turn, sink)
    end_turn(new, sink)
    return new
