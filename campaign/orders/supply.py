"""Supply: a ship that carries stores fills the magazines and bays of another at the week's end.

Rules: Continuum "Mountings and magazines" 6.6 [camp.fleet-auxiliary]; 2E "Repairs" [camp.replenish]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from campaign.orders.line import Line
from campaign.orders.order import Order, OrderContext, OwnForces, Wording, ships_limit, tables
from campaign.rules.goods import STORES
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.view import View
from engine.core.edition import Edition
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason


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
