"""What naval bases do for ships that dock there."""

from __future__ import annotations

from campaign.rules.queries import holder_of, ship_classes, side_of, system_at
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.stations import facility_of, known_stations
from campaign.rules.view import View
from campaign.rules.world import Fleet, Ship

MAX_REPAIRS = 3  # systems of one ship in a week
# Types of systems that carry fighters.
FIGHTER_BAYS = ("fighter-bay", "hangar", "combined-hangar", "fighter-rack")


def base_for(scenario: Scenario, view: View, fleet: Fleet) -> Facility | None:
    """Return the base at which a fleet's ships may dock: in its system, held by its own side."""
    system = system_at(scenario, fleet.hex)
    if system is None or system.facility is None or fleet.in_ftl or fleet.must_leave:
        return None
    own_side = side_of(scenario, view.faction)
    for known_system in view.systems:
        if known_system.system == system.id and known_system.holder in own_side:
            return facility_of(ship_classes(scenario), system, known_stations(view), own_side)
    return None


def can_repair(base: Facility, cls: ShipClass) -> bool:
    """Return whether a base repairs ships of this class.

    Rules: 2E "The Lafayette sector" [camp.facility-limits]
    """
    return base.repairs and (base.repair_mass_limit is None or cls.mass <= base.repair_mass_limit)


def remaining_shortages(base: Facility, ship: Ship) -> tuple[tuple[str, int], ...]:
    """Return what a ship still lacks after a week of replenishment at a base.

    That is the stock of lost systems, and craft of fighter bays if the base has none.

    Rules: 2E "Repairs" [camp.replenish]
    """
    if not base.replenishes:
        return ship.stock
    shortages: list[tuple[str, int]] = []
    for system, amount in ship.stock:
        lacks_fighters = system.rpartition("-")[0] in FIGHTER_BAYS and not base.fighters
        if lacks_fighters or holder_of(system) in ship.lost:
            shortages.append((system, amount))
    return tuple(shortages)
