"""What is wrong with a plot: a ship's plot passes every check that its edition's row lists.

Rules: 2E "Movement orders" [2e.movement]
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.continuum.drives import AFLOAT
from engine.core.errors import Violation
from engine.core.orders import HOLD, Plot
from engine.core.ship import RETURNING, ShipState
from engine.core.state import BattleState
from engine.core.table import Table
from engine.core.terms import NO_FTL
from engine.events.movement import OrderRefused
from engine.ruleset import rules_of


def no_ftl_fault(state: BattleState, _: ShipState, plot: Plot) -> str:
    """Why no ship may enter FTL here, where that was agreed.

    Rules: 2E "The attack on Convoy 990" [2e.convoy-990]; Continuum "Hyper limit" 11.2 [pc.ftl-exit]
    """
    if plot.ftl and NO_FTL in state.terms.options:
        return "no ship can enter FTL this deep in a gravity well"
    return ""


def plot_faults(state: BattleState, ship: ShipState, plot: Plot) -> tuple[str, ...]:
    """Every reason why a ship cannot carry out a plot.

    Rules: 2E "Movement orders" [2e.movement]; Continuum "Orders" 3.5 [pc.movement]
    """
    rules = rules_of(state.terms.edition)
    wrong = [why for check in rules.plot_checks if (why := check(ship, plot))]
    wrong += [why for look in rules.table_checks if (why := look(state, ship, plot))]
    wrong += [why for order in plot.further if (why := order.wrong(state, ship, plot))]
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
