"""Sweep: a minesweeper searches its system for hostile mines at the week's end.

Rules: 2E "Minesweeping" [camp.minefields]; Continuum "Minesweeping" 12.5 [pc.mines]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.cargo_controls import control_name, ship_values
from campaign.orders.line import Line, Word
from campaign.orders.order import Control, OrderContext, OwnForces, Wording
from campaign.orders.ship_keys import ShipKeyOrder
from campaign.rules.orders import Orders
from campaign.rules.queries import ship_classes, with_known_designs
from campaign.rules.scenario import Scenario
from campaign.rules.system_mines import can_sweep
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.reason import reason


class SweepOrder(ShipKeyOrder):
    """The ships that sweep in a week. `umpire.adjudication.sweeping` carries it out."""

    key = "sweep"
    control_ship = "ship"
    lines = (Line("sweep", "sweep SHIP", (Word(""),)),)
    title = phrase("Sweep mines")
    help = phrase(
        "A ship with a minesweeper sweeps at the end of the week, in the system where it is then, "
        "if no hostile warship is there and it is not docked. It rolls a die for each hostile "
        "mine: on 3 to 6 the mine is gone, on 2 it stays, on 1 it attacks the ship. Afterwards "
        "you know the mines that are left there.",
    )

    def ship_faults(self, context: OrderContext, ship: Ship, where: str) -> list[Violation]:
        if can_sweep(context.classes[ship.cls], ship):
            return []
        words = reason("sweeps-nothing", "{} has no working minesweeper", ship.name)
        return [Violation(where, "no-sweeper", words)]

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        changed = {}
        for key in self.items(orders):
            changed[key] = replace(own.ships[key], sweeps=True)
        own.change_ships(changed)

    def advise(self, scenario: Scenario, view: View, orders: Orders) -> tuple[Any, ...]:
        """Return all ships that can sweep."""
        classes = ship_classes(scenario)
        keys = []
        for ship in view.ships:
            if not ship.is_helpless and can_sweep(classes[ship.cls], ship):
                keys.append(ship.key)
        return tuple(keys)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [phrase("{} sweeps for mines", wording.name_of(key)) for key in items]

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        return [phrase("sweeps for mines")] if items else []

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        classes = ship_classes(with_known_designs(scenario, view))
        controls = []
        for ship in ships:
            if ship.key in items or can_sweep(classes[ship.cls], ship):
                controls.append(
                    Control(
                        control_name(self.key, ship.key),
                        phrase("{} sweeps for mines at the end of the week", ship.name),
                        "flag",
                        "on" if ship.key in items else "",
                    )
                )
        return tuple(controls)

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        return [ship for ship, _ in ship_values(self.key, posted)]


SWEEP = SweepOrder()
