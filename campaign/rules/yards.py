"""Shipyards: where they are, what they take and what they charge.

A yard is part of a base, or a system of an installation. It takes ships of up to twice its own mass
in a week, counting all that are built or modified in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from campaign.rules.queries import ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import Facility, Scenario, ShipClass
from campaign.rules.stations import facility_of, known_stations
from campaign.rules.view import Fleet, KnownSystem, Ship, View
from campaign.rules.world import Holding
from engine.core.kinds import INSTALLATION
from engine.core.sheet import Sheet
from engine.notation.designs import unchecked_sheet

YARD = "shipyard"
CAPACITY = 2  # a yard takes ships of this many times its own mass in a week
LEAST_SHARE = 10  # a modification costs at least one tenth of the points of a new ship


def income_of_systems(
    scenario: Scenario, holdings: Iterable[Holding | KnownSystem]
) -> dict[str, int]:
    """Return the points that each faction gets from systems in a week.

    The faction with superiority gets them, else the undisturbed holder.

    Rules: 2E "Author's note" [camp.economy]
    """
    points_of = {system.id: system.income for system in scenario.systems}
    earned: dict[str, int] = {}
    for holding in holdings:
        earner = holding.superior
        if earner is None and holding.state == "held":
            earner = holding.holder
        if earner is not None:
            earned[earner] = earned.get(earner, 0) + points_of[holding.system]
    return earned


def yards_of(sheet: Sheet, lost: Sequence[str] = ()) -> dict[str, int]:
    """Return the working yards of an installation by id, with the mass of ships each takes a week.

    Ships and system defence boats have none.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if sheet.kind != INSTALLATION:
        return {}
    result: dict[str, int] = {}
    for fit in sheet.fits:
        if fit.type == YARD and fit.id not in lost:
            result[fit.id] = CAPACITY * fit.mass
    return result


def yards_at(
    classes: Mapping[str, ShipClass],
    facility: Facility | None,
    ships: Iterable[Ship],
) -> tuple[int, ...]:
    """Return the mass of ships that each yard of a faction in one hex takes a week, smallest first.

    Args:
        facility: The base there, if it belongs to the faction and works.
        ships: The faction's ships there, including installations.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    capacities: list[int] = []
    if facility is not None and facility.yard:
        capacities.append(CAPACITY * facility.yard)
    for ship in ships:
        cls = classes[ship.cls]
        if not ship.is_helpless and _has_yard(cls):
            capacities.extend(yards_of(unchecked_sheet(cls.design), ship.lost).values())
    return tuple(sorted(capacities))


def _has_yard(cls: ShipClass) -> bool:
    """Return whether a class has a shipyard among its systems."""
    return any(id_.rpartition("-")[0] == YARD for id_ in cls.systems)


def room_after_building(capacities: Sequence[int], mass: int) -> tuple[int, ...] | None:
    """Return the free capacities after a ship takes the smallest yard that fits, or None.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    for n, room in enumerate(capacities):
        if mass <= room:
            others = (*capacities[:n], *capacities[n + 1 :])
            return tuple(sorted((*others, room - mass)))
    return None


def price(cls: ShipClass, before: ShipClass | None) -> int:
    """Return the points a yard charges: a new ship's points, or for a modification the difference.

    A modification costs at least a tenth of the points of the new class.

    Rules: Continuum "Shipyard facilities" 13.13 [camp.shipyard]
    """
    if before is None:
        return cls.points
    return max(cls.points - before.points, -(-cls.points // LEAST_SHARE))


def own_yards(
    scenario: Scenario, view: View, fleets: Mapping[str, Fleet], ships: Iterable[Ship]
) -> dict[str, int]:
    """Return the hexes with yards, each with the mass of the largest ship it can build."""
    classes = ship_classes(scenario)
    systems = systems_by_hex(scenario)
    held_systems = set()
    for known_system in view.systems:
        if known_system.holder == view.faction and known_system.state != "contested":
            held_systems.add(known_system.system)
    ships_in: dict[str, list[Ship]] = {}  # by hex with a held system or a ship with a yard
    for system in scenario.systems:
        if system.id in held_systems:
            ships_in[system.hex] = []
    for ship in ships:
        fleet = fleets[ship.fleet]
        if not fleet.in_ftl and _has_yard(classes[ship.cls]):
            ships_in.setdefault(fleet.hex, []).append(ship)
    largest_by_hex = {}
    side = side_of(scenario, view.faction)
    for label in sorted(ships_in):
        system_here = systems.get(label)
        facility = None
        if system_here is not None and system_here.id in held_systems:
            facility = facility_of(classes, system_here, known_stations(view), side)
        yards = yards_at(classes, facility, ships_in[label])
        if yards:
            largest_by_hex[label] = yards[-1]
    return largest_by_hex


def may_build(faction: str, cls: ShipClass) -> bool:
    """Return whether a class is the catalogue's or the faction's own; others' designs are not."""
    designer, slash, _ = cls.name.partition("/")
    return not slash or designer == faction
