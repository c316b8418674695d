"""Goods: what ships can carry of them, and what a faction knows to lie in a system. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from campaign.rules.queries import holder_of
from campaign.rules.rearming import full_stock_of, parsed_design, type_of
from campaign.rules.scenario import Goods, GoodsKind, Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Cargo, Ship
from engine.continuum.damage import CARGO
from engine.core.edition import Edition
from engine.core.phrase import join_phrases, phrase
from engine.core.sheet import Fit
from engine.prices.continuum import LOADS, MAGAZINE
from engine.ruleset import ruleset

MERCHANT = "merchant"
STORES = "stores"  # the goods with which ships are supplied
# The type of system that carries each kind of goods in Continuum.
SPACE_OF: dict[GoodsKind, str] = {
    "cargo": "hold",
    "passengers": "passengers",
    "troops": "troops",
    "specialists": "specialists",
}
ARMOUR = ("armour", "regenerative")
# The mass of one missile or torpedo in a magazine, by its kind.
_MASS_OF_LOAD = {kind: mass for kind, (mass, _) in LOADS[MAGAZINE].items()}
_MASS_OF_GUNBOAT = 3


def goods_named(scenario: Scenario, name: str) -> Goods | None:
    """Return the goods of a name, or None."""
    return next((goods for goods in scenario.goods if goods.name == name), None)


def goods_words(view: View, system: str) -> str:
    """Return a text of the goods in a system as a faction last knew them; "" without any."""
    texts = []
    for stock in view.goods:
        if stock.system != system:
            continue
        if stock.week < view.week:
            texts.append(phrase("{} {} (week {})", stock.amount, phrase(stock.what), stock.week))
        else:
            texts.append(phrase("{} {}", stock.amount, phrase(stock.what)))
    if not texts:
        return ""
    return phrase("goods: {}", join_phrases(", ", texts))


def capacity_of(scenario: Scenario, cls: ShipClass, ship: Ship, kind: GoodsKind) -> int:
    """Return how many units of a kind of goods a ship carries.

    The scenario's capacity of its class counts first. In Continuum these are its working spaces,
    in the second edition half the MASS of a merchant.

    Rules: Continuum "Cargo and passenger space" 10.6 [camp.convoys] [pc.specialist-spaces]; 2E
    "Merchant ships" [camp.convoys]
    """
    own_capacity = dict(scenario.capacity).get(cls.name)
    if own_capacity is not None:
        return own_capacity
    if scenario.edition == Edition.SECOND_EDITION:
        return cls.mass // 2 if cls.classification == MERCHANT else 0
    return space_of(cls, ship.lost, SPACE_OF[kind])


def spaces_of_cargo(scenario: Scenario, cargo: Cargo | None) -> Collection[str]:
    """Return the types of systems that hold a ship's cargo.

    Cargo that is none of the scenario's goods lies in holds and passenger berths.
    """
    goods = goods_named(scenario, cargo.what) if cargo is not None else None
    return (SPACE_OF[goods.kind],) if goods is not None else CARGO


def space_of(cls: ShipClass, lost: Collection[str], type_: str) -> int:
    """Return the units that the working spaces of one type hold."""
    total = 0
    for fit in fits_of(cls):
        if fit.type == type_ and fit.id not in lost:
            total += fit.size
    return total


def room_for(scenario: Scenario, cls: ShipClass, ship: Ship, goods: Goods) -> int:
    """Return how many more units of goods a ship can load; 0 if it carries other goods."""
    aboard = 0
    if ship.cargo is not None and ship.cargo.remaining:
        if ship.cargo.what != goods.name:
            return 0
        aboard = ship.cargo.remaining
    return max(0, capacity_of(scenario, cls, ship, goods.kind) - aboard)


def with_loaded(cargo: Cargo | None, what: str, amount: int) -> Cargo:
    """Return a ship's cargo after it loaded goods."""
    aboard = cargo.remaining if cargo is not None else 0
    return Cargo(what, amount=aboard + amount, remaining=aboard + amount)


def with_landed(cargo: Cargo, amount: int) -> Cargo | None:
    """Return a ship's cargo after it landed goods; None if nothing is left."""
    remaining = cargo.remaining - amount
    if not remaining:
        return None
    return Cargo(cargo.what, amount=remaining, remaining=remaining)


def with_supplies(cls: ShipClass, ship: Ship, stores: int) -> tuple[Ship, int]:
    """Return a ship whose bays, magazines and packs are filled, and the stores used.

    A unit of stores replaces a unit of mass. Lost systems are not filled, nor is armour renewed.

    Args:
        stores: The units of stores that there are.

    Rules: Continuum "Mountings and magazines" 6.6 [camp.fleet-auxiliary]
    """
    full = dict(full_stock_of(cls, ship))
    short: list[tuple[str, int]] = []
    used = 0
    for name, amount in ship.stock:
        most = full.get(name, amount)
        is_filled = type_of(holder_of(name)) not in ARMOUR and holder_of(name) not in ship.lost
        if is_filled:
            mass = mass_of_one(cls, name)
            units = min(most - amount, (stores - used) // mass)
            amount += units
            used += units * mass
        if amount < most:
            short.append((name, amount))
    if not used:
        return ship, 0
    return replace(ship, stock=tuple(short)), used


def mass_of_one(cls: ShipClass, stock: str) -> int:
    """Return the mass of one missile, mine, craft or pack of a ship's stock.

    `magazine-1/extended` holds missiles of mass 3. A weapon that fires once is replaced whole.
    """
    system, _, load = stock.partition("/")
    if load:
        return _MASS_OF_LOAD.get(load, 1)
    if type_of(system) == "gunboat-rack":
        return _MASS_OF_GUNBOAT
    if dict(cls.stock).get(stock, 1) > 1:  # fighters, mines
        return 1
    for fit in fits_of(cls):
        if fit.id == system:
            return max(1, fit.mass)
    return 1


def fits_of(cls: ShipClass) -> Sequence[Fit]:
    """Return the systems of a class's design; none if it has no design."""
    if not cls.design:
        return ()
    design = parsed_design(cls)
    rules = ruleset(design.edition)
    return rules.yard.fits(design, rules)
