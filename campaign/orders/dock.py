"""Dock: a ship docks at the base of its system, or stays docked, for repairs and supplies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from campaign.orders.line import Line, Word
from campaign.orders.order import (
    Order,
    OrderContext,
    OwnForces,
    Wording,
    entries,
    ships_limit,
    tables,
)
from campaign.rules.bases import MAX_REPAIRS, base_for, can_repair
from campaign.rules.codec import as_list
from campaign.rules.orders import Dock, Orders
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Ship
from engine.core.errors import Violation, fault_path
from engine.core.phrase import join_phrases, phrase
from engine.core.reason import reason
from engine.english import system_words

# Entries that are accepted at all, far more than a ship can have repaired
LONGEST_REPAIR_LIST = 100


class DockOrder(Order):
    """The docks of a week. A docked ship without an order undocks."""

    key = "dock"
    value = Dock
    fault_anchor = ("ship", "ship")
    ship_names = ("ship",)
    lines = (
        Line(
            "dock",
            "dock SHIP [repair SYSTEM ...] [replenish] [scuttle]",
            (
                "ship",
                Word("repair", "list", keyword="repair", is_optional=True),
                Word("replenish", "flag", keyword="replenish", is_optional=True),
                Word("scuttle", "flag", keyword="scuttle", is_optional=True),
            ),
        ),
    )

    def canonical(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        docks = [replace(item, repair=tuple(sorted(item.repair))) for item in items]
        return tuple(sorted(docks, key=lambda item: (item.ship, item.repair, repr(item))))

    def limit(self, view: View) -> int:
        return ships_limit(view)

    def list_limits(self, items: Sequence[object], view: View) -> Iterator[tuple[str, int, int]]:
        for n, item in enumerate(items):
            length = len(entries(item, "repair"))
            yield fault_path(self.key, n, "repair"), length, LONGEST_REPAIR_LIST

    def default(self, scenario: Scenario, view: View) -> tuple[Dock, ...]:
        """Return orders that keep docked ships docked and request repairs and supplies again."""
        fleets = {fleet.key: fleet for fleet in view.fleets}
        classes = ship_classes(scenario)
        docks = []
        for ship in view.ships:
            base = base_for(scenario, view, fleets[ship.fleet]) if ship.docked else None
            if base is None:
                continue
            repairs = can_repair(base, classes[ship.cls])
            if repairs or base.replenishes:
                repair_list = sorted(ship.lost[:MAX_REPAIRS]) if repairs else []
                dock = Dock(
                    ship=ship.key,
                    repair=tuple(repair_list),
                    replenish=base.replenishes,
                    scuttle=ship.scuttle,
                )
                docks.append(dock)
        return tuple(docks)

    def judge(self, context: OrderContext) -> list[Violation]:
        faults = self._faults(context)
        self.carry_out(context, context.orders)
        return faults

    def _faults(self, context: OrderContext) -> list[Violation]:
        """Return the faults of docks after the detachments of the week.

        Rules: 2E "Repairs" [camp.repairs]
        """
        faults: list[Violation] = []
        first_place: dict[str, int] = {}
        for n, dock in enumerate(self.items(context.orders)):
            where = fault_path(self.key, n)
            ship = context.ships.get(dock.ship)
            if ship is None:
                faults.append(context.unknown_ship(f"{where}.ship", dock.ship))
                continue
            if dock.ship in first_place:
                words = reason(
                    "already-dock-orders-dock",
                    "{} already has dock orders in dock[{}]",
                    ship.name,
                    first_place[dock.ship],
                )
                faults.append(Violation(f"{where}.ship", "twice", words))
            first_place.setdefault(dock.ship, n)
            fleet = context.fleets[ship.fleet]
            base = base_for(context.scenario, context.view, fleet)
            if ship.station:
                words = reason(
                    "station-does-not-dock",
                    "{} is a station: a working base repairs it without docking",
                    ship.name,
                )
                faults.append(Violation(f"{where}.ship", "station", words))
            elif base is None or not (base.repairs or base.replenishes):
                words = reason(
                    "no-base-your-side",
                    "{} has no base of your side to dock at in {}",
                    ship.name,
                    fleet.hex,
                )
                faults.append(Violation(f"{where}.ship", "no-base", words))
            else:
                cls = context.classes[ship.cls]
                faults += _base_faults(base, cls, ship, dock=dock, where=where)
            faults += _repair_faults(ship, dock, where)
        return faults

    def carry_out(self, own: OwnForces, orders: Orders) -> None:
        own.change_ships(changed_by_docks(own.ships, self.items(orders)))

    def words(self, wording: Wording, items: Sequence[Any]) -> list[str]:
        lines = []
        for item in tables(items):
            ship = wording.name_of(item.get("ship"))
            lines.append(phrase("{} {}", ship, _dock_words(item)))
        return lines


def changed_by_docks(ships: Mapping[str, Ship], docks: Sequence[Dock]) -> dict[str, Ship]:
    """Return the ships that dock or stay docked as ordered, and those that undock.

    Rules: 2E "Repairs" [camp.repairs]
    """
    docking_ships = {dock.ship for dock in docks}
    changed = {}
    for ship in ships.values():
        if ship.docked and ship.key not in docking_ships:
            changed[ship.key] = replace(
                ship, docked=False, scuttle=False, repair=(), replenish=False
            )
    for dock in docks:
        if dock.ship in ships:
            changed[dock.ship] = replace(
                ships[dock.ship],
                docked=True,
                scuttle=dock.scuttle,
                repair=dock.repair,
                replenish=dock.replenish,
            )
    return changed


def _base_faults(
    base: Facility,
    cls: ShipClass,
    ship: Ship,
    *,
    dock: Dock,
    where: str,
) -> list[Violation]:
    """Return the faults of requests that a base does not meet."""
    faults = []
    repairs = can_repair(base, cls)
    if not repairs and base.repairs:
        cause = reason(
            "base-repairs-ships-up",
            "the base repairs ships of up to MASS {}; {} has {}",
            base.repair_mass_limit,
            ship.name,
            cls.mass,
        )
    else:
        cause = reason("base-not-repair-ships", "the base here does not repair ships")
    if dock.repair and not repairs:
        faults.append(Violation(f"{where}.repair", "base-limit", cause))
    if dock.replenish and not base.replenishes:
        words = reason("base-not-replenish-ships", "the base here does not replenish ships")
        faults.append(Violation(f"{where}.replenish", "base-limit", words))
    if not repairs and not base.replenishes:
        words = reason("nothing-done", "{}: this base can do nothing for the ship", cause)
        faults.append(Violation(f"{where}.ship", "base-limit", words))
    return faults


def _repair_faults(ship: Ship, dock: Dock, where: str) -> list[Violation]:
    """Return the faults of too many repairs, and of repairs of systems that are not lost."""
    faults = []
    if len(dock.repair) > MAX_REPAIRS:
        words = reason(
            "repairs-ordered-limit-per",
            "{} repairs are ordered; the limit is {} per ship and week",
            len(dock.repair),
            MAX_REPAIRS,
        )
        faults.append(Violation(f"{where}.repair", "too-many-repairs", words))
    losses = Counter(ship.lost)  # a drive can be lost twice
    ordered: Counter[str] = Counter()
    for n, system in enumerate(dock.repair):
        ordered[system] += 1
        if ordered[system] <= losses[system]:
            continue
        if losses[system]:
            words = reason(
                "ordered-too-often", "the repair of '{}' is ordered more than once", system
            )
        else:
            words = reason("not-lost", "'{}' of {} is not lost", system, ship.name)
        faults.append(Violation(f"{where}.repair[{n}]", "not-lost", words))
    return faults


def _dock_words(item: Mapping[str, Any]) -> str:
    """Return what a ship does at its base, from a stored order."""
    parts = ["docks"]
    repair = as_list(item.get("repair"))
    if repair:
        systems = (system_words(str(system)) for system in repair)
        parts.append("repairs " + join_phrases(", ", systems))
    if item.get("replenish"):
        parts.append("replenishes")
    if item.get("scuttle"):
        parts.append(phrase("is scuttled rather than captured"))
    return join_phrases(", ", parts)


DOCK = DockOrder()
