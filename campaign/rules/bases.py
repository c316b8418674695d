"""Bases: what a naval base does for whom, and the faults of dock orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from campaign.rules.orders import Dock
from campaign.rules.own_keys import unknown_ship
from campaign.rules.queries import holder_of, ship_classes, side_of, system_at
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship
from engine.core.errors import Violation, place
from engine.core.reason import reason

MOST_REPAIRS = 3  # systems of one ship a week
FIGHTER_BAYS = ("fighter-bay", "hangar", "combined-hangar", "fighter-rack")  # types of what carries fighters


def base_for(scenario: Scenario, view: View, fleet: Fleet) -> Facility | None:
    """The base at which a fleet's ships may dock: in its system, held by its own side; None where there is none."""
    system = system_at(scenario, fleet.hex)
    if system is None or system.facility is None or fleet.in_ftl or fleet.must_leave:
        return None
    known = next((known for known in view.systems if known.system == system.id), None)
    if known is None or known.holder is None or known.holder not in side_of(scenario, view.faction):
        return None
    return system.facility


def can_repair(base: Facility, cls: ShipClass) -> bool:
    """Whether a base repairs ships of this class.

    Rules: 2E "The Lafayette sector" [camp.facility-limits]
    """
    return base.repairs and (base.repair_mass_limit is None or cls.mass <= base.repair_mass_limit)


def still_short(base: Facility, ship: Ship) -> tuple[tuple[str, int], ...]:
    """The stock of a ship that stays short after a week of replenishment at a base: what is lost, and craft for fighter
    bays where the base has none.

    Rules: 2E "Repairs" [camp.replenish]
    """
    if not base.replenishes:
        return ship.stock
    return tuple(
        (system, left)
        for system, left in ship.stock
        if holder_of(system) in ship.lost or (system.rpartition("-")[0] in FIGHTER_BAYS and not base.fighters)
    )


def dock_violations(
    scenario: Scenario, view: View, docks: tuple[Dock, ...], fleets: Mapping[str, Fleet], ships: Mapping[str, Ship]
) -> list[Violation]:
    """The faults of dock orders; `fleets` and `ships` are the faction's own after its detachments.

    Rules: 2E "Repairs" [camp.repairs]
    """
    classes = ship_classes(scenario)
    found: list[Violation] = []
    seen: dict[str, int] = {}
    for n, dock in enumerate(docks):
        where = place("dock", n)
        ship = ships.get(dock.ship)
        if ship is None:
            found.append(unknown_ship(f"{where}.ship", dock.ship))
            continue
        if dock.ship in seen:
            words = reason(
                "already-dock-orders-dock", "{} already has dock orders in dock[{}]", ship.name, seen[dock.ship]
            )
            found.append(Violation(f"{where}.ship", "twice", words))
        seen.setdefault(dock.ship, n)
        base = base_for(scenario, view, fleets[ship.fleet])
        if base is None or not (base.repairs or base.replenishes):
            words = reason(
                "no-base-your-side", "{} has no base of your side to dock at in {}", ship.name, fleets[ship.fleet].hex
            )
            found.append(Violation(f"{where}.ship", "no-base", words))
        else:
            found.extend(_limits(base, classes[ship.cls], ship, dock, where))
        found.extend(_repairs(ship, dock, where))
    return found


def _limits(base: Facility, cls: ShipClass, ship: Ship, dock: Dock, where: str) -> list[Violation]:
    found = []
    mends = can_repair(base, cls)
    if not mends and base.repairs:
        why = reason(
            "base-repairs-ships-up",
            "the base repairs ships of up to MASS {}; {} has {}",
            base.repair_mass_limit,
            ship.name,
            cls.mass,
        )
    else:
        why = reason("base-not-repair-ships", "the base here does not repair ships")
    if dock.repair and not mends:
        found.append(Violation(f"{where}.repair", "base-limit", why))
    if dock.replenish and not base.replenishes:
        found.append(
            Violation(
                f"{where}.replenish",
                "base-limit",
                reason("base-not-replenish-ships", "the base here does not replenish ships"),
            )
        )
    if not mends and not base.replenishes:
        found.append(
            Violation(f"{where}.ship", "base-limit", reason("nothing-done", "{}: nothing can be done for it", why))
        )
    return found


def _repairs(ship: Ship, dock: Dock, where: str) -> list[Violation]:
    found = []
    if len(dock.repair) > MOST_REPAIRS:
        words = reason(
            "repairs-ordered-limit-per",
            "{} repairs are ordered; the limit is {} per ship and week",
            len(dock.repair),
            MOST_REPAIRS,
        )
        found.append(Violation(f"{where}.repair", "too-many-repairs", words))
    lost, asked = Counter(ship.lost), Counter[str]()
    for n, system in enumerate(dock.repair):
        asked[system] += 1
        if asked[system] > lost[system]:
            words = (
                reason("not-lost", "'{}' of {} is not lost", system, ship.name)
                if not lost[system]
                else reason("ordered-too-often", "'{}' is ordered too often", system)
            )
            found.append(Violation(f"{where}.repair[{n}]", "not-lost", words))
    return found
