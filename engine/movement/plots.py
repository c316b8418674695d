"""What is wrong with a plot: every rule about a plot's words has a check here, and a ship's plot passes them all.

Rules: 2E "Movement orders" [2e.movement]
"""

from __future__ import annotations

from collections.abc import Callable

from engine.combat.nova import nova_fault
from engine.errors import Violation
from engine.movement.cinematic import plot_fault
from engine.movement.hangars import launch_fault
from engine.orders import Plot
from engine.state import BattleState, ShipState

# Each says why a ship cannot carry out its part of a plot, in plain words; nothing where it can.
CHECKS: tuple[Callable[[ShipState, Plot], str], ...] = (plot_fault, nova_fault)


# The same for what only the whole table tells: who or what else is there, and what was agreed.
TABLE_CHECKS: tuple[Callable[[BattleState, ShipState, Plot], str], ...] = (launch_fault,)


def plot_faults(state: BattleState, ship: ShipState, plot: Plot) -> tuple[str, ...]:
    """Every reason why a ship cannot carry out a plot. Rules: 2E "Movement orders" [2e.movement]"""
    wrong = tuple(why for why in (check(ship, plot) for check in CHECKS) if why)
    return wrong + tuple(why for why in (check(state, ship, plot) for check in TABLE_CHECKS) if why)


def plot_violations(state: BattleState, ship: ShipState, plot: Plot, where: str) -> tuple[Violation, ...]:
    """What is wrong with a plot before it is sealed."""
    return tuple(Violation(where, "plot-impossible", f"{ship.id}: {why}") for why in plot_faults(state, ship, plot))
