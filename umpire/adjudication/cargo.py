"""Goods landed and ships supplied at the week's end, after the holdings are settled."""

from __future__ import annotations

from dataclasses import replace

from campaign.events.cargo import GoodsLanded, LandingPrevented, ShipSupplied, SupplyPrevented
from campaign.events.event import WeekEvent
from campaign.rules.goods import STORES, with_landed, with_supplies
from campaign.rules.world import Cargo, Delivery, GoodsStock, Holding, Ship, World
from umpire.adjudication.indexes import ScenarioIndex
from umpire.adjudication.objectives import undisturbed_hexes


def move_goods(index: ScenarioIndex, world: World) -> tuple[World, list[WeekEvent]]:
    """Supply ships and land goods as ordered; only the owners are notified.

    Rules: 2E "Merchant ships" [camp.convoys]; Continuum "Cargo and passenger space" 10.6
    [camp.convoys]; Continuum "Mountings and magazines" 6.6 [camp.fleet-auxiliary]
    """
    if all(ship.landing is None and not ship.supplies for ship in world.ships):
        return world, []
    work = _WeekOfGoods(index, world)
    for ship in world.ships:
        for receiver in ship.supplies:
            work.supply(ship.key, receiver)
    for ship in world.ships:
        if ship.landing is not None:
            work.land(ship.key)
    return work.world_after(), work.events


class _WeekOfGoods:
    """The ships, goods and landings of one week's end."""

    def __init__(self, index: ScenarioIndex, world: World) -> None:
        self.index = index
        self.world = world
        self.ships = {ship.key: ship for ship in world.ships}
        self.hex_of = {fleet.key: fleet.hex for fleet in world.fleets}
        self.undisturbed = undisturbed_hexes(index, world)
        self.holdings = {holding.system: holding for holding in world.holdings}
        self.goods = {(stock.system, stock.what): stock.amount for stock in world.goods}
        self.landed: list[Delivery] = []
        self.events: list[WeekEvent] = []

    def supply(self, giver_key: str, receiver_key: str) -> None:
        """Fill the stores of one ship from another."""
        giver = self.ships[giver_key]
        receiver = self.ships.get(receiver_key)
        cargo = giver.cargo
        if receiver is None or cargo is None or cargo.what != STORES:
            return
        owner = (giver.faction,)
        hex_ = self.hex_of[giver.fleet]
        if not self._can_supply(giver, receiver):
            self.events.append(SupplyPrevented(owner, hex_, receiver.name, giver.name))
            return
        cls = self.index.classes[receiver.cls]
        after, used = with_supplies(cls, receiver, cargo.remaining)
        if used:
            self.ships[receiver_key] = after
            self.ships[giver_key] = replace(giver, cargo=with_landed(cargo, used))
            self.events.append(ShipSupplied(owner, hex_, receiver.name, giver.name, used))

    def _can_supply(self, giver: Ship, receiver: Ship) -> bool:
        """Return whether two ships are undocked in the same undisturbed hex."""
        if giver.docked or receiver.docked or giver.faction != receiver.faction:
            return False
        place = self.undisturbed.get(giver.fleet)
        return place is not None and place == self.undisturbed.get(receiver.fleet)

    def land(self, key: str) -> None:
        """Put the goods of a ship ashore, or notify its owner that it cannot."""
        ship = self.ships[key]
        cargo = ship.cargo
        if cargo is None or not cargo.remaining:
            return
        hex_ = self.hex_of[ship.fleet]
        system = self.index.system_at.get(hex_)
        if system is None or not self._can_land(ship, self.holdings[system.id]):
            event = LandingPrevented((ship.faction,), hex_, ship.name, cargo.what)
            self.events.append(event)
            return
        amount = min(ship.landing or cargo.remaining, cargo.remaining)
        self._put_ashore(ship, cargo, system.id, amount)
        self.events.append(GoodsLanded((ship.faction,), hex_, ship.name, cargo.what, amount))

    def _can_land(self, ship: Ship, holding: Holding) -> bool:
        """Return whether no foe holds, disputes or watches the system where a ship is."""
        if ship.fleet not in self.undisturbed or not holding.is_held:
            return False
        holder = holding.holder
        return holder is None or not self.index.are_hostile(ship.faction, holder)

    def _put_ashore(self, ship: Ship, cargo: Cargo, system: str, amount: int) -> None:
        self.ships[ship.key] = replace(ship, cargo=with_landed(cargo, amount))
        place = (system, cargo.what)
        self.goods[place] = self.goods.get(place, 0) + amount
        landed = Delivery(ship.faction, cargo.what, system, amount, self.world.week)
        self.landed.append(landed)

    def world_after(self) -> World:
        """Return the world after the landings, without this week's orders for goods."""
        ships = []
        for ship in self.world.ships:
            ships.append(replace(self.ships[ship.key], landing=None, supplies=()))
        goods = [GoodsStock(*place, amount) for place, amount in sorted(self.goods.items())]
        return replace(
            self.world,
            ships=tuple(ships),
            goods=tuple(goods),
            deliveries=(*self.world.deliveries, *self.landed),
        )
