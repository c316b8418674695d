"""Tow: from now on, a tug has exactly the named ships in tow."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.line import Line, Word
from campaign.orders.order import (
    OrderContext,
    OwnForces,
    Wording,
    tables,
)
from campaign.orders.ship_lists import ShipListOrder, names_of_ships
from campaign.rules.orders import Orders, Tow
from campaign.rules.queries import can_jump
from campaign.rules.scenario import ShipClass
from campaign.rules.towing import can_tow
from campaign.rules.world import Ship
from engine.core.errors import Violation, fault_path
from engine.core.phrase import phrase
from engine.core.reason import reason
from engine.core.transport import without_room


class TowOrder(ShipListOrder):
    """The tows of a week. A tug without an order keeps its tow."""

    key = "tow"
    value = Tow
    fault_anchor = ("ship", "tug")
    ship_names = ("tug", "ships")
    lines = (
        Line(
            "tow",
            "tow TUG [SHIP ...]",
            ("tug", Word("ships", "list", least=0)),
            "without a ship: the tug casts off",
        ),
    )

    def sort_key(self, item: Tow) -> tuple[Any, ...]:
        return (item.tug, item.ships)

    def judge(self, context: OrderContext) -> list[Violation]:
        tows = self.items(context.orders)
        faults = self._faults(context, tows)
        context.change_ships(changed_by_tows(context.ships, tows))
        if not faults:
            context.change_ships(changed_by_ended_tows(context.classes, context.ships))
        if context.detachments_failed:
            return [fault for fault in faults if fault.code != "not-together"]
        return faults

    def _faults(self, context: OrderContext, tows: tuple[Tow, ...]) -> list[Violation]:
        """Return the faults of tows after the detachments and docks of the week.

        Rules: 2E "FTL tugs and tenders" [camp.tugs]
        """
        if not tows:
            return []
        classes = context.classes
        ships_after = context.ships | changed_by_tows(context.ships, tows)
        tugs_used = {ship.tug for ship in ships_after.values()}
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        towed: dict[str, str] = {}
        for n, item in enumerate(tows):
            where = fault_path(self.key, n)
            if item.tug in first_place:
                words = reason(
                    "already-orders-tow-name",
                    "{} already has orders in tow[{}]: list all its ships there",
                    item.tug,
                    first_place[item.tug],
                )
                faults.append(Violation(f"{where}.tug", "twice", words))
            first_place.setdefault(item.tug, n)
            tug = ships_after.get(item.tug)
            if tug is None:
                faults.append(context.unknown_ship(f"{where}.tug", item.tug))
            elif item.ships:
                faults += _tug_faults(classes[tug.cls], tug, f"{where}.tug")
            for m, key in enumerate(item.ships):
                spot = f"{where}.ships[{m}]"
                ship = ships_after.get(key)
                if ship is None:
                    faults.append(context.unknown_ship(spot, key))
                else:
                    faults += _ship_faults(ship, tug, spot, towed=towed, tugs_used=tugs_used)
                towed.setdefault(key, spot)
            if tug is not None:
                faults += _mass_faults(context, tug, item, f"{where}.ships")
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.change_ships(changed_by_tows(own.ships, self.items(orders)))
        own.change_ships(changed_by_ended_tows(own.classes, own.ships))

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            towed = names_of_ships(wording, item)
            action = phrase("has {} in tow", towed) if towed else phrase("casts off its tow")
            lines.append(f"{wording.name_of(item.get('tug'))} " + action)
        return lines


def changed_by_tows(ships: Mapping[str, Ship], tows: Sequence[Tow]) -> dict[str, Ship]:
    """Return the ships that are taken in tow or cast off as ordered. Unknown ships are ignored."""
    if not tows:
        return {}
    towed_by: dict[str, list[str]] = {}
    for key, ship in ships.items():
        towed_by.setdefault(ship.tug, []).append(key)
    changed: dict[str, Ship] = {}
    for item in tows:
        towed_keys = ships.keys() & set(item.ships)
        for key in sorted(towed_keys):
            changed[key] = replace(ships[key], tug=item.tug)
        for key in towed_by.get(item.tug, ()):
            if key not in towed_keys and changed.get(key, ships[key]).tug == item.tug:
                changed[key] = replace(ships[key], tug="")
    return changed


def changed_by_ended_tows(
    classes: Mapping[str, ShipClass],
    ships: Mapping[str, Ship],
) -> dict[str, Ship]:
    """Return the ships whose tow ends, without it, in the order of their keys.

    A tow is kept while both ships are in one fleet and neither docks, and while the tug's drive
    works and carries all it has in tow. Ships with lower keys are kept first.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]; Continuum "FTL tugs and tenders" 11.6 [pc.tugs]
    """
    towed_ships = sorted([ship.key for ship in ships.values() if ship.tug])
    changed: dict[str, Ship] = {}
    masses_towed: dict[str, list[int]] = {}
    for key in towed_ships:
        ship = ships[key]
        tug = ships.get(ship.tug)
        if tug is not None and tug.fleet == ship.fleet and not ship.docked:
            masses = [*masses_towed.get(tug.key, ()), classes[ship.cls].mass]
            if not without_room(masses, _capacities(classes, tug)):
                masses_towed[tug.key] = masses
                continue
        changed[key] = replace(ship, tug="")
    return changed


def _capacities(classes: Mapping[str, ShipClass], tug: Ship) -> tuple[int, ...]:
    """Return the MASS that each tender bay and the field of a tug carry; none if it cannot tow."""
    cls = classes[tug.cls]
    if can_tow(cls, tug):
        return cls.transport_capacities(tug.lost)
    return ()


def _tug_faults(cls: ShipClass, tug: Ship, where: str) -> list[Violation]:
    """Return why a ship cannot tow others."""
    cause = ""
    if not cls.transport_capacities(tug.lost):
        cause = reason("ship-not-tug", "is not a tug")
    elif not can_jump(cls, tug):
        cause = reason("ship-lost-ftl-drive", "has lost its FTL drive")
    elif tug.docked:
        cause = reason("ship-docked", "is docked")
    elif tug.laid_up:
        cause = reason("ship-short-of-crew", "does not have enough crew")
    elif tug.tug and tug.tug != tug.key:
        cause = reason("ship-in-tow", "is in tow")
    if not cause:
        return []
    words = reason("cannot-tow", "{} {}: it cannot tow", tug.name, cause)
    return [Violation(where, "cannot-tow", words)]


def _ship_faults(
    ship: Ship,
    tug: Ship | None,
    where: str,
    *,
    towed: Mapping[str, str],
    tugs_used: Collection[str],
) -> list[Violation]:
    """Return the faults of one ship to be taken in tow.

    Args:
        towed: The ships taken in tow by earlier orders, with the place of the order.
        tugs_used: The ships that have others in tow.
    """
    key = ship.key
    faults = []
    if key in towed:
        words = reason("already-tow", "{} is already in tow in {}", ship.name, towed[key])
        faults.append(Violation(where, "twice", words))
    if tug is not None and key == tug.key:
        words = reason("tows-itself", "{} cannot tow itself", ship.name)
        return [*faults, Violation(where, "tows-itself", words)]
    if ship.station:
        words = reason("station-never-moves", "{} is a station and never moves", ship.name)
        faults.append(Violation(where, "station", words))
    if ship.docked:
        words = reason(
            "docked-cannot-taken-tow",
            "{} is docked: it cannot be taken in tow",
            ship.name,
        )
        faults.append(Violation(where, "docked", words))
    if tug is not None and ship.fleet != tug.fleet:
        words = reason(
            "not-fleet-detach-into",
            "{} is not in the fleet of {}: detach it into that fleet first",
            ship.name,
            tug.name,
        )
        faults.append(Violation(where, "not-together", words))
    if key in tugs_used:
        words = reason("tows-others", "{} has ships in tow: it cannot be in tow itself", ship.name)
        faults.append(Violation(where, "tows-others", words))
    return faults


def _mass_faults(context: OrderContext, tug: Ship, item: Tow, where: str) -> list[Violation]:
    """Return the fault of ships that do not fit into the bays and the field of their tug."""
    masses = []
    for key in dict.fromkeys(item.ships):
        ship = context.ships.get(key)
        if ship is not None and key != tug.key:
            masses.append(context.classes[ship.cls].mass)
    cls = context.classes[tug.cls]
    capacities = cls.transport_capacities(tug.lost)
    is_tug = bool(cls.transport_capacities())
    if not is_tug or not without_room(masses, capacities):
        return []
    if sum(masses) > sum(capacities):
        words = reason(
            "mass-towed-carries-up",
            "the ships to tow have MASS {}; {} can tow up to {}",
            sum(masses),
            tug.name,
            sum(capacities),
        )
    else:
        words = reason(
            "these-ships-not-all",
            "these ships do not all fit in the bays of {} (the largest go first)",
            tug.name,
        )
    return [Violation(where, "too-heavy", words)]


TOW = TowOrder()
