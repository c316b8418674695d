"""Load: a ship takes goods aboard in its system, before any fleet moves.

Rules: 2E "Merchant ships" [camp.convoys]; Continuum "Cargo and passenger space" 10.6 [camp.convoys]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.events.cargo import GoodsLoaded
from campaign.events.event import WeekEvent
from campaign.orders.cargo_controls import (
    all_ships_control,
    goods_changes,
    goods_control,
    goods_orders,
    goods_words,
)
from campaign.orders.line import Line, Word
from campaign.orders.order import (
    Control,
    OrderContext,
    Wording,
    tables,
)
from campaign.orders.single_ships import SingleShipOrder, items_by_ship
from campaign.rules.goods import goods_named, room_for, with_loaded
from campaign.rules.orders import Orders, OrderValue
from campaign.rules.queries import (
    has_contact_at,
    pending_entry_week,
    ship_classes,
    side_of,
    system_at,
    with_all_designs,
    with_known_designs,
)
from campaign.rules.scenario import Scenario, ShipClass, StarSystem
from campaign.rules.view import View
from campaign.rules.world import Delivery, GoodsStock, Ship, World
from engine.core.errors import Violation
from engine.core.phrase import phrase
from engine.core.reason import reason


@dataclass(frozen=True, slots=True)
class Load(OrderValue):
    """An order that a ship loads goods. Without `amount` it loads all that it can."""

    ship: str
    what: str
    amount: int | None = None


class LoadOrder(SingleShipOrder):
    """The goods that ships load in a week."""

    key = "load"
    value = Load
    lines = (
        Line(
            "load",
            "load SHIP GOODS [amount NUMBER]",
            ("ship", "what", Word("amount", "number", "amount", is_optional=True)),
        ),
    )
    title = phrase("Load goods")
    help = phrase(
        "A ship loads goods before it moves, in a system that your side holds, or that nobody "
        "holds while no foe is there. It carries one kind of goods at a time.",
    )

    def twice_words(self, ship: Ship) -> str:
        return reason("loads-twice", "{} has an order to load already", ship.name)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults: list[Violation] = []
        amounts_there = {(item.system, item.what): item.amount for item in context.view.goods}
        for where, ship, item in self.first_orders(context, faults):
            fault = _place_fault(context, ship, f"{where}.ship")
            if fault is None:
                fault = _load_goods(context, ship, item, amounts_there, where)
            if fault is not None:
                faults.append(fault)
        return faults

    def carry_out_in_world(
        self, scenario: Scenario, world: World, orders: Mapping[str, Orders]
    ) -> World:
        if not scenario.goods:
            return world
        loaded = list(self._loads(scenario, world, orders))
        if not loaded:
            return world
        ships = {ship.key: ship for ship in world.ships}
        amounts_there = {(stock.system, stock.what): stock.amount for stock in world.goods}
        deliveries = []
        for ship, system, what, amount in loaded:
            ships[ship.key] = replace(ship, cargo=with_loaded(ship.cargo, what, amount))
            amounts_there[system, what] -= amount
            deliveries.append(Delivery(ship.faction, what, system, -amount, world.week))
        goods = [
            GoodsStock(*place, amount) for place, amount in sorted(amounts_there.items()) if amount
        ]
        return replace(
            world,
            ships=tuple(ships[ship.key] for ship in world.ships),
            goods=tuple(goods),
            deliveries=(*world.deliveries, *deliveries),
        )

    def _loads(
        self, scenario: Scenario, world: World, orders: Mapping[str, Orders]
    ) -> Iterator[tuple[Ship, str, str, int]]:
        """Yield each ship that loads, with its system, the goods and the amount.

        Allies who load the same goods take turns by the ids of their factions.
        """
        classes = ship_classes(with_all_designs(scenario, world))
        ships = {ship.key: ship for ship in world.ships}
        fleets = {fleet.key: fleet for fleet in world.fleets}
        amounts_there = {(stock.system, stock.what): stock.amount for stock in world.goods}
        for faction in sorted(orders):
            for item in self.items(orders[faction]):
                ship = ships[item.ship]
                system = system_at(scenario, fleets[ship.fleet].hex)
                goods = goods_named(scenario, item.what)
                if system is None or goods is None:  # the order was judged, so there are both
                    continue
                place = (system.id, item.what)
                room = room_for(scenario, classes[ship.cls], ship, goods)
                amount = min(room, amounts_there.get(place, 0), item.amount or room)
                if amount > 0:
                    amounts_there[place] -= amount
                    yield ship, system.id, item.what, amount

    def week_events(
        self, scenario: Scenario, before: World, after: World, orders: Mapping[str, Orders]
    ) -> list[WeekEvent]:
        events: list[WeekEvent] = []
        if not scenario.goods:
            return events
        ships = {ship.key: ship for ship in before.ships}
        fleets = {fleet.key: fleet for fleet in after.fleets}
        for ship in after.ships:
            cargo_before = ships[ship.key].cargo if ship.key in ships else None
            aboard = cargo_before.remaining if cargo_before is not None else 0
            if ship.cargo is not None and ship.cargo.remaining > aboard:
                loaded = ship.cargo.remaining - aboard
                hex_ = fleets[ship.fleet].hex
                owner = (ship.faction,)
                events.append(GoodsLoaded(owner, hex_, ship.name, ship.cargo.what, loaded))
        return events

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        return [_load_words(wording, item) for item in tables(items)]

    def changes(self, items: Sequence[Any], names: Mapping[str, str]) -> list[str]:
        lines = []
        for goods, amount, ships in goods_changes(tables(items), names):
            if amount is None:
                lines.append(phrase("loads as much {} as fits: {}", goods, ships))
            else:
                lines.append(phrase("loads {} {}: {}", amount, goods, ships))
        return lines

    def fleet_controls(
        self,
        scenario: Scenario,
        view: View,
        fleet: str,
        ships: Sequence[Ship],
        items: Sequence[Any],
    ) -> tuple[Control, ...]:
        system = system_of_fleet(scenario, view, fleet)
        if system is None:
            return ()
        ordered = items_by_ship(items)
        classes = ship_classes(with_known_designs(scenario, view))
        controls = []
        goods_of: dict[str, list[LoadableGoods]] = {}
        for ship in ships:
            loadable = loadable_goods(scenario, view, system, ship, classes[ship.cls])
            goods_of[ship.key] = loadable
            choices = []
            for goods in loadable:
                words = phrase(
                    "{}: {} there, room for {}", phrase(goods.name), goods.amount_there, goods.room
                )
                choices.append((goods.name, words))
            control = goods_control(
                self.key,
                ship,
                label=phrase("{} loads before it moves", ship.name),
                amount_label=phrase("amount that {} loads", ship.name),
                choices=choices,
                most=max((goods.most for goods in loadable), default=0),
                item=ordered.get(ship.key),
                unset_amount=phrase("as much as fits"),
            )
            if control is not None:
                controls.append(control)
        return (*_all_ships_load(self.key, goods_of), *controls)

    def from_form(self, posted: Mapping[str, Mapping[str, str]]) -> list[Any]:
        return goods_orders(self.key, posted)


def _all_ships_load(
    kind: str, goods_of: Mapping[str, Sequence[LoadableGoods]]
) -> Iterator[Control]:
    """Yield the control by which all ships of a fleet load, which says how much fits.

    Args:
        goods_of: What each ship can load, by key.
    """
    ships_of: dict[str, list[str]] = {}
    there_of: dict[str, int] = {}
    room_of: Counter[str] = Counter()
    for ship, loadable in goods_of.items():
        for goods in loadable:
            ships_of.setdefault(goods.name, []).append(ship)
            there_of[goods.name] = goods.amount_there
            room_of[goods.name] += goods.room
    offers = {}
    for name, there in there_of.items():
        most = min(room_of[name], there)
        offers[name] = phrase("{}: as much as fits, {} of {}", phrase(name), most, there)
    yield from all_ships_control(kind, phrase("All ships load before they move"), ships_of, offers)


def _place_fault(context: OrderContext, ship: Ship, where: str) -> Violation | None:
    """Return the fault of a ship that is in no system, or whose system a foe disputes."""
    fleet = context.fleets[ship.fleet]
    system = system_at(context.scenario, fleet.hex)
    is_away = fleet.in_ftl or pending_entry_week(context.scenario, fleet, context.view.week)
    if system is None or is_away:
        words = reason("loads-not-there", "{} is in no system", ship.name)
        return Violation(where, "not-there", words)
    holder = next(item.holder for item in context.view.systems if item.system == system.id)
    if holder in side_of(context.scenario, ship.faction):
        return None
    if holder is not None or has_contact_at(context.view, fleet.hex):
        words = reason("loads-disturbed", "your side does not hold {}", system.name)
        return Violation(where, "disturbed", words)
    return None


def _load_goods(
    context: OrderContext,
    ship: Ship,
    item: Load,
    amounts_there: dict[tuple[str, str], int],
    where: str,
) -> Violation | None:
    """Load goods onto a ship of `context`, or return the fault why it cannot.

    Args:
        amounts_there: The goods that earlier orders leave, by system and name.
    """
    scenario = context.scenario
    system = system_at(scenario, context.fleets[ship.fleet].hex)
    goods = goods_named(scenario, item.what)
    assert system is not None
    there = amounts_there.get((system.id, item.what), 0)
    fault = _goods_fault(system, ship, item, there if goods is not None else 0, where)
    if fault is not None or goods is None:
        return fault
    room = room_for(scenario, context.classes[ship.cls], ship, goods)
    if room < (item.amount or 1):
        words = reason("loads-no-room", "{} has room for {} more", ship.name, room)
        return Violation(f"{where}.amount", "no-room", words)
    amount = item.amount or min(room, there)
    amounts_there[system.id, item.what] = there - amount
    cargo = with_loaded(ship.cargo, item.what, amount)
    context.change_ships({ship.key: replace(ship, cargo=cargo)})
    return None


def _goods_fault(
    system: StarSystem, ship: Ship, item: Load, there: int, where: str
) -> Violation | None:
    """Return why a ship cannot load goods at all, however much room it has.

    Args:
        there: The amount in the system; 0 also of goods that the war does not have.
    """
    fault = entry_fault(ship, what=item.what, amount=item.amount, where=where)
    if fault is not None:
        return fault
    if there < (item.amount or 1):
        words = reason("loads-no-goods", "{} has {} {}", system.name, there, item.what)
        return Violation(f"{where}.what", "no-goods", words)
    return other_goods_fault(ship, item.what, where)


def entry_fault(ship: Ship, *, what: str, amount: int | None, where: str) -> Violation | None:
    """Return the fault of an order with an amount below 1 or without goods."""
    if amount is not None and amount < 1:
        words = reason("loads-nothing", "the amount must be at least 1")
        return Violation(f"{where}.amount", "out-of-range", words)
    if not what:
        words = reason("goods-unnamed", "choose the goods for {}", ship.name)
        return Violation(f"{where}.what", "no-goods", words)
    return None


def other_goods_fault(ship: Ship, what: str, where: str) -> Violation | None:
    """Return the fault of a ship that carries goods other than those of its order."""
    if ship.cargo is not None and ship.cargo.remaining and ship.cargo.what != what:
        words = reason("loads-other-goods", "{} carries {}", ship.name, ship.cargo.what)
        return Violation(f"{where}.what", "other-goods", words)
    return None


def system_of_fleet(scenario: Scenario, view: View, fleet_key: str) -> StarSystem | None:
    """Return the system where one of a faction's fleets is, if the war has goods."""
    if not scenario.goods:
        return None
    for fleet in view.fleets:
        if fleet.key == fleet_key and not fleet.in_ftl:
            return system_at(scenario, fleet.hex)
    return None


@dataclass(frozen=True, slots=True)
class LoadableGoods:
    """Goods that a ship can load where it is: their amount there, and its room for them."""

    name: str
    amount_there: int
    room: int

    @property
    def most(self) -> int:
        """The greatest amount that the ship can load."""
        return min(self.amount_there, self.room)


def loadable_goods(
    scenario: Scenario, view: View, system: StarSystem, ship: Ship, cls: ShipClass
) -> list[LoadableGoods]:
    """Return what a ship can load in a system, as far as there is room and the faction knows."""
    result = []
    for stock in view.goods:
        goods = goods_named(scenario, stock.what)
        if stock.system != system.id or goods is None:
            continue
        room = room_for(scenario, cls, ship, goods)
        if room:
            result.append(LoadableGoods(stock.what, stock.amount, room))
    return result


def _load_words(wording: Wording, item: Mapping[str, Any]) -> str:
    ship = wording.name_of(item.get("ship"))
    return phrase("{} loads {}", ship, _amount_words(item.get("what"), item.get("amount")))


def _amount_words(what: object, amount: object) -> str:
    """Return an amount of goods; all that fits without one."""
    if amount is None:
        return phrase("as much {} as it can", goods_words(what))
    return phrase("{} {}", amount, goods_words(what))


LOAD = LoadOrder()
