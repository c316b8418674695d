"""The computer captain of one side, with a doctrine, its own random stream and a little memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.repairs import board_orders, control_orders
from engine.captains.continuum import captain as continuum
from engine.captains.continuum import craft_attacks, craft_flights, ordnance_tactics, point_defence
from engine.captains.line_up import propose
from engine.captains.second_edition import captain as second_edition
from engine.continuum.boarding import BoarderOrders
from engine.core.edition import Edition
from engine.core.orders import Attack, Control, Defence, FireOrders, Flight, Launch, Plot
from engine.notation.orders import format_plot, parse_plot
from engine.notation.placing import Place
from engine.view.side_view import SideView


def no_launches(_context: CaptainContext, _view: SideView) -> dict[str, tuple[Launch, ...]]:
    """Launch no ordnance."""
    return {}


def no_defence_orders(_context: CaptainContext, _view: SideView) -> dict[str, tuple[Defence, ...]]:
    """Give no orders: every ship spreads its point defence over its attackers."""
    return {}


def no_flights(_context: CaptainContext, _view: SideView) -> dict[str, Flight]:
    """Order no secondary moves."""
    return {}


def no_attacks(_context: CaptainContext, _view: SideView) -> dict[str, tuple[Attack, ...]]:
    """Order no attacks by craft."""
    return {}


@dataclass(frozen=True, slots=True)
class Tactics:
    """A rulebook's captain: functions that give a phase's orders from the context and the view.

    They change nothing in the view and keep nothing of it, so its ships need not be copied for
    them.
    """

    plots: Callable[[CaptainContext, SideView], dict[str, Plot]]
    flights: Callable[[CaptainContext, SideView], dict[str, Flight]]
    fire: Callable[[CaptainContext, SideView], FireOrders]
    pursues: Callable[[CaptainContext, SideView], bool]
    launches: Callable[[CaptainContext, SideView], dict[str, tuple[Launch, ...]]] = no_launches
    defences: Callable[[CaptainContext, SideView], dict[str, tuple[Defence, ...]]] = (
        no_defence_orders
    )
    secondary: Callable[[CaptainContext, SideView], dict[str, Flight]] = no_flights
    attacks: Callable[[CaptainContext, SideView], dict[str, tuple[Attack, ...]]] = no_attacks


TACTICS: Mapping[str, Tactics] = {
    Edition.SECOND_EDITION: Tactics(
        second_edition.plots,
        second_edition.flights,
        second_edition.fire,
        second_edition.pursues_foe,
    ),
    Edition.CONTINUUM: Tactics(
        continuum.plots,
        flights=craft_flights.flight_orders,
        fire=continuum.fire,
        pursues=continuum.pursues,
        launches=ordnance_tactics.launches,
        defences=point_defence.defences,
        secondary=craft_flights.secondary_flights,
        attacks=craft_attacks.attacks,
    ),
}


def read_plots(texts: Mapping[str, str], edition: str) -> dict[str, Plot]:
    """Return plots by ship from their texts, without those that cannot be parsed."""
    plots = {name: parse_plot(text, name, edition)[0] for name, text in texts.items()}
    return {name: plot for name, plot in plots.items() if plot is not None}


class Captain(CaptainContext):
    """Gives orders in each phase of a battle from nothing but its side's view."""

    __slots__ = ()

    def memory(self, edition: str) -> dict[str, Any] | None:
        """Return as JSON what the captain remembers, for `recall`.

        Returns:
            The memory, or None if its plots cannot be written as text.
        """
        plotted = {name: format_plot(plot) for name, plot in self.plotted.items()}
        if self.plotted != read_plots(plotted, edition):
            return None
        return {"dice": self.dice.memory(""), "fleeing": self.fleeing, "plotted": plotted}

    def recall(self, memory: Mapping[str, Any], edition: str) -> None:
        """Restore the memory of another captain of the same side and seed."""
        self.dice.recall(memory["dice"])
        self.fleeing = memory["fleeing"]
        self.plotted = read_plots(memory["plotted"], edition)

    def plots(self, view: SideView) -> dict[str, Plot]:
        """Return plots for ships that should not just hold course and velocity; keep them."""
        self.plotted = TACTICS[view.terms.edition].plots(self, view)
        return self.plotted

    def places(self, view: SideView) -> dict[str, Place]:
        """Return where the side's ships begin that are placed now."""
        return propose(view, self.doctrine)

    def pursues(self, view: SideView) -> bool:
        """Return whether its side pursues one that disengages."""
        return TACTICS[view.terms.edition].pursues(self, view)

    def flights(self, view: SideView) -> dict[str, Flight]:
        """Return orders for the side's fighter groups in flight."""
        return TACTICS[view.terms.edition].flights(self, view)

    def launches(self, view: SideView) -> dict[str, tuple[Launch, ...]]:
        """Return the side's launches of ordnance."""
        return TACTICS[view.terms.edition].launches(self, view)

    def defences(self, view: SideView) -> dict[str, tuple[Defence, ...]]:
        """Return point defence for ships that should not just spread it over their attackers."""
        return TACTICS[view.terms.edition].defences(self, view)

    def secondary(self, view: SideView) -> dict[str, Flight]:
        """Return the secondary moves of the side's groups."""
        return TACTICS[view.terms.edition].secondary(self, view)

    def attacks(self, view: SideView) -> dict[str, tuple[Attack, ...]]:
        """Return the attacks of the side's groups."""
        return TACTICS[view.terms.edition].attacks(self, view)

    def control(self, view: SideView) -> dict[str, Control]:
        """Return the side's damage control by ship."""
        return control_orders(view, self.doctrine)

    def boards(self, view: SideView) -> BoarderOrders:
        """Return orders to the side's boarders, by its number and the ship they are aboard."""
        return board_orders(view, self.doctrine)

    def fire(self, view: SideView) -> FireOrders:
        """Return fire orders, with ships in the order of their firing turns."""
        return TACTICS[view.terms.edition].fire(self, view)
