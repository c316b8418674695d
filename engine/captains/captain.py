"""A computer captain: one for a side, with a doctrine, its own random stream and the little it has
to remember.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.captains.common.doctrine import CaptainContext
from engine.captains.common.repairs import board_orders, control_orders
from engine.captains.continuum import captain as continuum
from engine.captains.continuum import craft_attacks, craft_flights, ordnance_tactics, point_defence
from engine.captains.second_edition import captain as second_edition
from engine.continuum.boarding import BoarderOrders
from engine.core.edition import Edition
from engine.core.orders import Attack, Control, Defence, FireOrders, Flight, Launch, Plot
from engine.notation.orders import format_plot, parse_plot
from engine.view.side_view import SideView


def no_launches(_context: CaptainContext, _view: SideView) -> dict[str, tuple[Launch, ...]]:
    """No ordnance is launched."""
    return {}


def no_defence_orders(_context: CaptainContext, _view: SideView) -> dict[str, tuple[Defence, ...]]:
    """Every ship spreads its point defence over what attacks it."""
    return {}


def no_flights(_context: CaptainContext, _view: SideView) -> dict[str, Flight]:
    """No group flies on."""
    return {}


def no_attacks(_context: CaptainContext, _view: SideView) -> dict[str, tuple[Attack, ...]]:
    """No group attacks anything."""
    return {}


@dataclass(frozen=True, slots=True)
class Tactics:
    """A rulebook's captains: functions that answer each stop from the captain's post and his side's
    view.

    They change nothing of it and keep nothing, so that their own ships need not be copied for them.
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
        craft_flights.flight_orders,
        continuum.fire,
        continuum.pursues,
        ordnance_tactics.launches,
        point_defence.defences,
        craft_flights.secondary_flights,
        craft_attacks.attacks,
    ),
}


def read_plots(texts: Mapping[str, str], edition: str) -> dict[str, Plot]:
    """Return plots by ship from their texts, without those that cannot be read."""
    plots = {name: parse_plot(text, name, edition)[0] for name, text in texts.items()}
    return {name: plot for name, plot in plots.items() if plot is not None}


class Captain(CaptainContext):
    """Answers a battle's stops from what its side may see, and nothing else."""

    __slots__ = ()

    def memory(self, edition: str) -> dict[str, Any] | None:
        """Return as JSON what the captain remembers, for `recall`; None where its plots cannot be
        written down.
        """
        plotted = {name: format_plot(plot) for name, plot in self.plotted.items()}
        if self.plotted != read_plots(plotted, edition):
            return None
        return {"dice": self.dice.memory(""), "fleeing": self.fleeing, "plotted": plotted}

    def recall(self, memory: Mapping[str, Any], edition: str) -> None:
        """Remember what another captain of the same side and seed remembered."""
        self.dice.recall(memory["dice"])
        self.fleeing = memory["fleeing"]
        self.plotted = read_plots(memory["plotted"], edition)

    def plots(self, view: SideView) -> dict[str, Plot]:
        """Movement orders for every ship that should not just hold course and speed."""
        self.plotted = TACTICS[view.terms.edition].plots(self, view)
        return self.plotted

    def pursues(self, view: SideView) -> bool:
        """Whether its side goes after one that disengages."""
        return TACTICS[view.terms.edition].pursues(self, view)

    def flights(self, view: SideView) -> dict[str, Flight]:
        """Orders for the side's fighter groups in flight."""
        return TACTICS[view.terms.edition].flights(self, view)

    def launches(self, view: SideView) -> dict[str, tuple[Launch, ...]]:
        """What the side's ships launch."""
        return TACTICS[view.terms.edition].launches(self, view)

    def defences(self, view: SideView) -> dict[str, tuple[Defence, ...]]:
        """What the side's point defence fires at, of ships that should not just spread it over what
        attacks them.
        """
        return TACTICS[view.terms.edition].defences(self, view)

    def secondary(self, view: SideView) -> dict[str, Flight]:
        """Where the side's groups fly on once ships have moved."""
        return TACTICS[view.terms.edition].secondary(self, view)

    def attacks(self, view: SideView) -> dict[str, tuple[Attack, ...]]:
        """What the side's groups attack."""
        return TACTICS[view.terms.edition].attacks(self, view)

    def control(self, view: SideView) -> dict[str, Control]:
        """The side's orders at damage control, by ship."""
        return control_orders(view, self.doctrine)

    def boards(self, view: SideView) -> BoarderOrders:
        """The side's orders to its boarders, by its number and the ship they are aboard."""
        return board_orders(view, self.doctrine)

    def fire(self, view: SideView) -> FireOrders:
        """Fire orders, ships in the order they take their firing turns."""
        return TACTICS[view.terms.edition].fire(self, view)
