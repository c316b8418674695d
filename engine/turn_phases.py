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
from engine.movement.docking import cast_off
from engine.movement.manoeuvre import move_ships
from engine.movement.opening import open_orders
from engine.movement.unseen import cloaks_end, cloaks_fail
from engine.notation.turns import TurnOrders
from engine.state import CONTROL, ENGAGE
from engine.table import Table
from engine.turn_end import end_turn


def plot_stop(table: Table, given: TurnOrders) -> None:
    """Phases 1 to 7: orders are opened, and everything moves. Rules: Continuum 2.6 [pc.sequence]"""
    move_ships(table, open_orders(table, given.plots))
    drift_on(table)
    cloaks_end(table)
    follow_destruction(table)
    table.state.stop = ENGAGE


def engage_stop(table: Table, given: TurnOrders) -> None:
    """Phases 8 to 13: all fire, then the checks; damage control is asked for where a party could repair something.

    Who has left over an edge disengages before it, so that nobody has to say at two stops whether he pursues.

    Rules: Continuum 2.6 [pc.sequence]
    """
    aftermath = fire_phase(table, given.fire)
    detonate(table)
    checks_phase(table, aftermath)
    part(table, given.pursue)
    if any(calls_for_control(table.state)):
        table.state.stop = CONTROL
    else:
        finish(table)


def control_stop(table: Table, given: TurnOrders) -> None:
    """Phases 14 and 15: damage control, then what may still explode. Rules: Continuum 2.6 [pc.sequence]"""
    damage_control(table, given.control)
    finish(table)


def finish(table: Table) -> None:
    """Phase 15 and the end of a turn: the next plot, or over where that decides the battle.

    Rules: Continuum 2.6 [pc.sequence]
    """
    end_of_turn(table)
    damaged_charges(table)
    regenerate_armour(table)
    cloaks_fail(table)
    table.state.end_turn()
    cast_off(table)
    end_turn(table)
