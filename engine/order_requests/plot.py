"""The plot: every ship's movement orders as a text (`{"plot": {"n1": "P2+4"}}`).

Rules: 2E "Movement orders" [2e.movement]; Continuum "Order writing phase" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from engine.continuum.drives import FLYING_STATUSES
from engine.continuum.squadrons import plan_violations
from engine.core.errors import Violation
from engine.core.kinds import CARRIED, RETURNING
from engine.core.orders import HOLD, Plot
from engine.core.phrase import phrase
from engine.core.reason import reason, several_reasons
from engine.core.ship import ShipState
from engine.core.state import PLOT, BattleState
from engine.core.table import Table
from engine.core.terms import NO_FTL
from engine.events.movement import OrderRefused
from engine.notation.fire import FireNames
from engine.notation.orders import parse_plot
from engine.notation.reading import Reader
from engine.order_requests.base import UnitOrderRequest
from engine.ruleset import rules_of

if TYPE_CHECKING:
    from engine.captains.captain import Captain
    from engine.view.side_view import SideView


UNDER_WAY = (*FLYING_STATUSES, RETURNING, CARRIED)  # statuses of ships that carry out plots


def no_ftl_fault(state: BattleState, _: ShipState, plot: Plot) -> str:
    """Return why no ship may enter FTL in a battle with that option, or "".

    Rules: 2E "The attack on Convoy 990" [2e.convoy-990]; Continuum "Hyper limit" 11.2 [pc.ftl-exit]
    """
    if plot.ftl and NO_FTL in state.terms.options:
        return reason("no-ship-enter-ftl", "no ship can enter FTL this deep in a gravity well")
    return ""


def plot_faults(state: BattleState, ship: ShipState, plot: Plot) -> tuple[str, ...]:
    """Return every reason why a ship cannot carry out a plot.

    Rules: 2E "Movement orders" [2e.movement]; Continuum "Orders" 3.5 [pc.movement]
    """
    rules = rules_of(state.terms.edition)
    faults = [check(ship, plot) for check in rules.plot_checks]
    faults += [check(state, ship, plot) for check in rules.table_checks]
    faults += [order.fault(state, ship, plot) for order in plot.further]
    return tuple(filter(None, faults))


def valid_plots(table: Table, plots: Mapping[str, Plot]) -> dict[str, Plot]:
    """Return the plots that ships carry out, in file order.

    A ship that cannot carry out its plot holds course and velocity, and its side is notified.

    Rules: 2E "Movement orders" [2e.movement]
    """
    state = table.state
    accepted: dict[str, Plot] = {}
    for ship in state.ships:
        plot = plots.get(ship.id, HOLD)
        if plot is HOLD or ship.status not in UNDER_WAY:
            continue
        faults = plot_faults(state, ship, plot)
        if not faults:
            accepted[ship.id] = plot
        elif table.listens:
            table.tell(OrderRefused, ship.id, plot.words(), several_reasons(faults))
    return accepted


def plot_violations(
    state: BattleState, ship: ShipState, plot: Plot, where: str
) -> tuple[Violation, ...]:
    """Return every fault of a plot before it is sealed."""
    violations: list[Violation] = []
    for fault in plot_faults(state, ship, plot):
        violations.append(
            Violation(where, "plot-impossible", reason("named", "{}: {}", ship.id, fault))
        )
    return tuple(violations)


class PlotRequest(UnitOrderRequest[Plot]):
    """Movement orders by ship; a ship without any holds course and velocity."""

    key = PLOT
    title = "movement"
    task = phrase("Plot the movement of every ship")

    @override
    def parse(
        self,
        reader: Reader,
        document: Mapping[object, object],
        where: str,
        names: FireNames,
        sides: Sequence[str],
    ) -> dict[str, Plot]:
        """Parse the entry `plot`: a text by ship, such as `P2+4`. All faults go to the reader."""
        data, where = self.parse_entries(
            reader,
            document,
            where,
            reason("plots-texts-such-p2", "write plots as texts by ship, for example P2+4"),
        )
        plots: dict[str, Plot] = {}
        for name, text in data.items():
            spot = f"{where}.{name}"
            if name not in names.ships:
                reader.fault(
                    spot,
                    "unknown-ship",
                    reason("unknown-ship-named", "no ship has the id '{}'", name),
                )
            elif not isinstance(text, str):
                reader.fault(
                    spot,
                    "not-a-text",
                    reason("plot-text-such-p2", "write a plot as a text, for example P2+4"),
                )
            else:
                plot, faults = parse_plot(text, spot, names.ships[name].sheet.edition)
                if plot is not None:
                    plot, faults = _with_ids(plot, spot, names)
                reader.faults.extend(faults)
                if plot is not None:
                    plots[name] = plot
        return plots

    @override
    def find_violations(
        self, state: BattleState, orders: dict[str, Plot], where: str, *, sound: bool
    ) -> list[Violation]:
        """Return every fault of each plot, or else those of squadrons flying together."""
        violations: list[Violation] = []
        for name, plot in orders.items():
            violations += plot_violations(
                state, state.ship_by_name(name), plot, f"{where}{self.key}.{name}"
            )
        if sound and not violations:
            violations += plan_violations(state, orders, f"{where}{self.key}")
        return violations

    @override
    def to_entry(self, plot: Plot) -> Any:
        """Return a plot as the text that `parse_plot` reads."""
        return plot.words()

    @override
    def to_exact_entry(self, plot: Plot) -> Any:
        """Return a plot with all digits of its places."""
        return plot.words(exact=True)

    @override
    def suggest(self, captain: Captain, view: SideView) -> dict[str, Plot]:
        """Return the captain's plots by ship."""
        return captain.plots(view)

    @override
    def with_ids(self, orders: dict[str, Plot], ids: Mapping[str, str]) -> dict[str, Plot]:
        """Return the same plots with ids for the ships and for units they name."""
        if ids:
            return {ids.get(name, name): plot.with_ids(ids) for name, plot in orders.items()}
        return orders


def _with_ids(
    plot: Plot, where: str, names: FireNames
) -> tuple[Plot | None, tuple[Violation, ...]]:
    """Return a plot with ids instead of contacts; None, with faults, if it names unknown units."""
    faults = []
    for name in plot.unit_names():
        if name not in names.targets:
            words = reason("nothing-called", "nothing is called '{}'", name)
            faults.append(Violation(where, "unknown-target", words))
    if faults:
        return None, tuple(faults)
    return plot.with_ids(names.targets), ()


PLOT_REQUEST = PlotRequest()
