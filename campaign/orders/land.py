"""Land: a ship puts goods ashore at the week's end, in the system where it then is.

Rules: 2E "Merchant ships" [camp.convoys]; Continuum "Cargo and passenger space" 10.6 [camp.convoys]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.orders.cargo_controls import (
    all_ships_control,
    goods_changes,
    goods_control,
    goods_orders,
    goods_words,
)
from campaign.orders.line import Line, Word
from campaign.orders.load import (
    entry_fault,
    loadable_goods,
    other_goods_fault,
    system_of_fleet,
)
from campaign.orders.order import (
    Control,
    OrderContext,
    OwnForces,
    Wording,
    tables,
)
from campaign.orders.single_ships import SingleShipOrder, items_by_ship
from campaign.rules.goods import goods_named
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.queries import ship_classes, with_known_designs
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.reason import reason


@dataclass(frozen=True, slots=True)
class Land(OrderValue):
    """An order that a ship lands goods. Without `amount` it lands all of them."""

    ship: str
    what: str
    amount: int | None = None


class LandOrder(SingleShipOrder):
    """The goods that ships land in a week. `umpire.adjudication.cargo` carries it out."""

    key = "land"
    value = Land
    lines = (
        Line(
            "land",
            "land SHIP GOODS [amount NUMBER]",
            ("ship", "what", Word("amount", "number", "amount", is_optional=True)),
        ),
    )
    title = phrase("Land goods")
    help = phrase(
        "A ship lands its goods at the end of the week, in the system where it is then. There "
        "must be no hostile warship, no stand-off and no hostile holder.",
    )

    def twice_words(self, ship: Ship) -> str:
        return reason("lands-twice", "{} has an order to land already", ship.name)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        for where, ship, item in self.first_orders(context, faults):
            fault = _goods_fault(context.scenario, ship, item, where)
            if fault is not None:
                faults.append(fault)
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        changed = {}
        for item in self.items(orders):
            changed[item.ship] = replace(own.ships[item.ship], landing=item.amount or 0)
        own.change_ships(changed)

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            ship = wording.name_of(item.get("ship"))
            goods = goods_words(item.get("what"))
            if item.get("amount") is None:
                lines.append(phrase("{} lands its {}", ship, goods))
            else:
                lines.append(phrase("{} lands {} {}", ship, item.get("amount"), goods))
        return lines

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        lines = []
        for goods, amount, ships in goods_changes(tables(items), names):
            if amount is None:
                lines.append(phrase("lands all {}: {}", goods, ships))
            else:
                lines.append(phrase("lands {} {}: {}", amount, goods, ships))
        return lines

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        ordered = items_by_ship(items)
        classes = ship_classes(with_known_designs(scenario, view))
        system = system_of_fleet(scenario, view, fleet)
        controls = []
        ships_of: dict[str, list[str]] = {}
        for ship in ships:
            most_of = _most_to_land(scenario, view, system, ship, classes[ship.cls])
            choices = []
            for goods, most in most_of.items():
                ships_of.setdefault(goods, []).append(ship.key)
                words = phrase("{}: at most {}", phrase(goods), most)
                if ship.cargo is None or not ship.cargo.remaining:
                    words = phrase("{}, if it loads them this week", words)
                choices.append((goods, words))
            control = goods_control(
                self.key,
                ship,
                label=phrase("{} lands at the end of the week", ship.name),
                amount_label=phrase("amount that {} lands", ship.name),
                choices=choices,
                most=max(most_of.values(), default=0),
                item=ordered.get(ship.key),
                unset_amount=phrase("all of it"),
            )
            if control is not None:
                controls.append(control)
        offers = {goods: phrase("{}: all of it", phrase(goods)) for goods in ships_of}
        label = phrase("All ships land at the end of the week")
        return (*all_ships_control(self.key, label, ships_of, offers), *controls)

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        return goods_orders(self.key, posted)


def _most_to_land(
    scenario: Scenario, view: View, system: StarSystem | None, ship: Ship, cls: ShipClass
) -> dict[str, int]:
    """Return how much of which goods a ship can land at the end of the week.

    That is what it carries and what it can load before it moves.
    """
    result = {}
    cargo = ship.cargo
    if cargo is not None and cargo.remaining and goods_named(scenario, cargo.what):
        result[cargo.what] = cargo.remaining
    if system is not None:
        for goods in loadable_goods(scenario, view, system, ship, cls):
            result[goods.name] = result.get(goods.name, 0) + goods.most
    return result


def _goods_fault(scenario: Scenario, ship: Ship, item: Land, where: str) -> Violation | None:
    """Return why a ship cannot land goods, or not so much of them."""
    fault = entry_fault(ship, what=item.what, amount=item.amount, where=where)
    fault = fault or other_goods_fault(ship, item.what, where)
    if fault is not None:
        return fault
    remaining = ship.cargo.remaining if ship.cargo is not None else 0
    if remaining < (item.amount or 1) or goods_named(scenario, item.what) is None:
        words = reason("lands-no-goods", "{} carries {} {}", ship.name, remaining, item.what)
        return Violation(f"{where}.what", "no-goods", words)
    return None


LAND = LandOrder()
