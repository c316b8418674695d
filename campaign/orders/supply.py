"""Supply: a ship that carries stores fills the magazines and bays of another at the week's end.

Rules: Continuum "Mountings and magazines" 6.6 [camp.fleet-auxiliary]; 2E "Repairs" [camp.replenish]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from campaign.orders.cargo_controls import control_name, ship_values
from campaign.orders.line import Line
from campaign.orders.order import (
    Control,
    Order,
    OrderContext,
    OwnForces,
    Wording,
    ships_limit,
    tables,
)
from campaign.rules.goods import STORES
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.edition import Edition
from engine.core.errors import Violation, fault_path
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason

SEPARATOR = "|"  # between the ships that one ship supplies, in its control


@dataclass(frozen=True, slots=True)
class Supply(OrderValue):
    """An order that the ship `giver` (`from` in documents) supplies the ship `to`."""

    giver: Annotated[str, Field(alias="from")]
    to: str


class SupplyOrder(Order):
    """The ships supplied in a week. `umpire.adjudication.cargo` carries it out."""

    key = "supply"
    value = Supply
    fault_anchor = ("ship", "to")
    ship_names = ("from", "to")
    control_ship = "from"
    lines = (Line("supply", "supply SHIP SHIP", ("from", "to"), "who gives, who gets"),)
    title = phrase("Supply from another ship")
    help = phrase(
        "In Continuum a ship that carries stores fills the magazines, bays and packs of another "
        "ship of yours in the same hex at the end of the week. A unit of stores replaces a mass "
        "of missiles, mines or craft. No foe may be there, and neither ship may be docked.",
    )

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        for n, item in enumerate(self.items(context.orders)):
            faults += _supply_faults(context, item, fault_path(self.key, n))
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        for item in self.items(orders):
            giver = own.ships[item.giver]
            changed = replace(giver, supplies=(*giver.supplies, item.to))
            own.change_ships({giver.key: changed})

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            giver = wording.name_of(item.get("from"))
            lines.append(phrase("{} supplies {}", giver, wording.name_of(item.get("to"))))
        return lines

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        return [phrase("supplies a ship") for _ in tables(items)]

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        if scenario.edition == Edition.SECOND_EDITION:
            return ()
        receivers_of: dict[str, list[str]] = {}
        for item in tables(items):
            receivers_of.setdefault(str(item.get("from")), []).append(str(item.get("to")))
        names = {ship.key: ship.name for ship in view.ships}
        controls = []
        for ship in ships:
            choices = _choices(view, ship)
            value = SEPARATOR.join(receivers_of.get(ship.key, ()))
            if value and value not in [choice for choice, _ in choices]:
                words = join_phrases(", ", [names.get(key, key) for key in value.split(SEPARATOR)])
                choices = (*choices, (value, words))
            if choices:
                label = phrase("{} supplies", ship.name)
                name = control_name(self.key, ship.key)
                unset = phrase("no ship")
                controls.append(Control(name, label, "choice", value, choices, unset=unset))
        return tuple(controls)

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        orders = []
        for giver, value in ship_values(self.key, posted):
            orders += [{"from": giver, "to": receiver} for receiver in value.split(SEPARATOR)]
        return orders


def _choices(view: View, giver: Ship) -> tuple[tuple[str, str], ...]:
    """Return the ships in a giver's hex that are short of something, if it carries stores."""
    cargo = giver.cargo
    if cargo is None or cargo.what != STORES or not cargo.remaining:
        return ()
    hex_of = {fleet.key: fleet.hex for fleet in view.fleets}
    here = hex_of.get(giver.fleet)
    choices = []
    for ship in view.ships:
        if ship.stock and ship.key != giver.key and hex_of.get(ship.fleet) == here:
            choices.append((ship.key, ship.name))
    return tuple(choices)


def _supply_faults(context: OrderContext, item: Supply, where: str) -> list[Violation]:
    """Return the faults of one order to supply a ship."""
    if context.scenario.edition == Edition.SECOND_EDITION:
        words = reason("no-auxiliary", "in the second edition only bases replenish ships")
        return [Violation(where, "no-auxiliary", words)]
    faults = []
    for key, name in (("from", item.giver), ("to", item.to)):
        if name not in context.ships:
            faults.append(context.unknown_ship(f"{where}.{key}", name))
    if faults:
        return faults
    if item.giver == item.to:
        words = reason("supplies-itself", "a ship cannot supply itself")
        return [Violation(f"{where}.to", "not-there", words)]
    cargo = context.ships[item.giver].cargo
    if cargo is None or cargo.what != STORES or not cargo.remaining:
        name = context.ships[item.giver].name
        words = reason("supplies-no-stores", "{} carries no {}", name, STORES)
        return [Violation(f"{where}.from", "no-goods", words)]
    return []


SUPPLY = SupplyOrder()
