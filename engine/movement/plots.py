"""What is wrong with a plot: every rule about a plot's words has a check here, and a ship's plot passes them all.

Rules: 2E "Movement orders" [2e.movement]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.combat.detection import scan_fault
from engine.combat.nova import nova_fault
from engine.continuum.cores import command_fault
from engine.continuum.defence_orders import veil_fault
from engine.continuum.drives import AFLOAT, move_fault
from engine.continuum.plot_words import word_faults
from engine.continuum.squadrons import squadron_fault
from engine.continuum.weapon_orders import rest_fault
from engine.core.errors import Violation
from engine.core.orders import HOLD, Plot
from engine.core.ship import RETURNING, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import NO_FTL
from engine.events.movement import OrderRefused
from engine.fighters.hangars import launch_fault
from engine.movement.docking import docking_fault, installation_fault
from engine.movement.mines import mine_fault
from engine.movement.rams import ram_fault
from engine.second_edition.movement import plot_fault


def no_ftl_fault(state: BattleState, _: ShipState, plot: Plot) -> str:
    """Why no ship may enter FTL here, where that was agreed.

    Rules: 2E "The attack on Convoy 990" [2e.convoy-990]; Continuum "Hyper limit" 11.2 [pc.ftl-exit]
    """
    if plot.ftl and NO_FTL in state.terms.options:
        return "no ship can enter FTL this deep in a gravity well"
    return ""


# Each says why a ship cannot carry out its part of a plot, in plain words; nothing where it can.
CHECKS: tuple[Callable[[ShipState, Plot], str], ...] = (
    plot_fault,
    nova_fault,
    mine_fault,
    scan_fault,
    installation_fault,
)

# The same for what only the whole table tells: who or what else is there, and what was agreed.
TABLE_CHECKS: tuple[Callable[[BattleState, ShipState, Plot], str], ...] = (
    launch_fault,
    no_ftl_fault,
    ram_fault,
    docking_fault,
)

# Continuum's, in the same two kinds; further words have their own in `engine.continuum.plot_words`.
CONTINUUM_CHECKS: tuple[Callable[[ShipState, Plot], str], ...] = (
    command_fault,
    nova_fault,
    mine_fault,
    scan_fault,
    installation_fault,
)
CONTINUUM_TABLE_CHECKS: tuple[Callable[[BattleState, ShipState, Plot], str], ...] = (
    move_fault,
    squadron_fault,
    rest_fault,
    launch_fault,
    no_ftl_fault,
    ram_fault,
    docking_fault,
    veil_fault,
)

# Each edition's checks of a plot.
BY_EDITION = {
    "second-edition": (CHECKS, TABLE_CHECKS),
    "continuum": (CONTINUUM_CHECKS, CONTINUUM_TABLE_CHECKS),
}


def plot_faults(state: BattleState, ship: ShipState, plot: Plot) -> tuple[str, ...]:
    """Every reason why a ship cannot carry out a plot.

    Rules: 2E "Movement orders" [2e.movement]; Continuum "Orders" 3.5 [pc.movement]
    """
    checks, table_checks = BY_EDITION[state.terms.edition]
    wrong = [why for check in checks if (why := check(ship, plot))]
    wrong += [why for look in table_checks if (why := look(state, ship, plot))]
    if plot.also:
        wrong += word_faults(state, ship, plot)
    return tuple(wrong)


def obeyed(table: Table, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """The plots that ships carry out, in file order; who cannot carry out his holds course and speed, and is told.

    Rules: 2E "Movement orders" [2e.movement]
    """
    state = table.state
    done: dict[str, Plot] = {}
    for ship in state.ships:
        plot = plots.get(ship.id, HOLD)
        if plot is HOLD or ship.status not in (*AFLOAT, RETURNING):
            continue
        wrong = plot_faults(state, ship, plot)
        if not wrong:
            done[ship.id] = plot
        elif table.listens:
            table.tell(OrderRefused, ship.id, plot.words(), "; ".join(wrong))
    return done


def plot_violations(state: BattleState, ship: ShipState, plot: Plot, where: str) -> tuple[Violation, ...]:
    """What is wrong with a plot before it is sealed."""
    return tuple(Violation(where, "plot-impossible", f"{ship.id}: {why}") for why in plot_faults(state, ship, plot))
