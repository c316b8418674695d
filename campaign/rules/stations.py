"""Stations: installations that defend a system, are its base, or carry an end of a link.

A station is a ship of an installation's class in a fleet of its own, which never moves. Its state
is a `KnownStation`: the truth for adjudication, or what a faction knows in its View.

Rules: 2E "Starbases and other installations"; Continuum "Jump gates and portals" 11.9
[camp.stations-at-war]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from campaign.rules.fleet_names import unique_name, used_names
from campaign.rules.queries import ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import (
    Facility,
    Link,
    Scenario,
    ShipClass,
    StarSystem,
    Station,
)
from campaign.rules.view import KnownStation, View
from campaign.rules.world import Fleet, Holding, Ship, World
from engine.continuum.gates import SYSTEMS
from engine.notation.designs import load_sheet

HOLDER = "holder"  # `Link.open` of a link that only the side at its ends may use

Stations = Mapping[str, KnownStation]  # by key


def all_stations(scenario: Scenario) -> Iterator[tuple[StarSystem, Station]]:
    """Yield the stations of all systems, each with its system."""
    for system in scenario.systems:
        for station in system.stations:
            yield system, station


def station_forces(
    scenario: Scenario, faction: str, fleets: Iterable[Fleet]
) -> tuple[list[Fleet], list[Ship]]:
    """Return the stations of a faction at the start of the war, as fleets and ships.

    Args:
        fleets: The faction's other fleets, whose names are not used again.
    """
    names = used_names(fleets, faction)
    new_fleets = []
    ships = []
    for system, station in all_stations(scenario):
        if station.faction != faction:
            continue
        key = station.key
        name = unique_name(station.name, names)
        names.add(name.casefold())
        new_fleets.append(Fleet(key=key, faction=faction, name=name, hex=system.hex))
        ships.append(Ship(key, faction, station.name, station.cls, fleet=key, station=station.key))
    return new_fleets, ships


def new_state(system: StarSystem, station: Station) -> KnownStation:
    """Return the state of a station at the start of the war, which is public."""
    return KnownStation(station.key, system.id, station.faction, damage=0, week=0)


def state_of(system: StarSystem, station: Station, ship: Ship | None, week: int) -> KnownStation:
    """Return the true state of a station.

    Args:
        ship: Its ship; None: it is destroyed.
    """
    if ship is None:
        return KnownStation(station.key, system.id, "", damage=None, week=week)
    lost = tuple(name for name in ship.lost if name.rpartition("-")[0] in SYSTEMS)
    return KnownStation(
        station.key, system.id, ship.faction, damage=ship.damage, lost_gates=lost, week=week
    )


def station_ships(ships: Iterable[Ship]) -> dict[str, Ship]:
    """Return the ships that are stations, by the key of the station."""
    return {ship.station: ship for ship in ships if ship.station}


def true_stations(scenario: Scenario, world: World) -> dict[str, KnownStation]:
    """Return the true state of all stations by key."""
    places = list(all_stations(scenario))
    if not places:
        return {}
    ships = station_ships(world.ships)
    states = {}
    for system, station in places:
        states[station.key] = state_of(system, station, ships.get(station.key), world.week)
    return states


def known_stations(view: View) -> dict[str, KnownStation]:
    """Return what a faction knows of all stations, by key."""
    return {item.key: item for item in view.stations}


def facility_of(
    classes: Mapping[str, ShipClass],
    system: StarSystem,
    stations: Stations,
    side: Collection[str],
) -> Facility | None:
    """Return what the base of a system does for a side; None without a base.

    A base that is a station works only for the side that has it, and repairs no ships once it has
    less than half of its damage points.

    Args:
        stations: What is known of the stations, or the truth.
        side: The factions of the side.
    """
    base = base_station(system)
    if base is None or system.facility is None:
        return system.facility
    state = stations.get(base.key)
    if state is None or state.faction not in side:
        return None
    if 2 * (state.damage or 0) > classes[base.cls].damage_points:
        return replace(system.facility, repairs=False)
    return system.facility


def has_facility(system: StarSystem, stations: Stations) -> bool:
    """Return whether a system has a facility, which is gone with the station that it was."""
    base = base_station(system)
    is_gone = base is not None and not stations[base.key].faction
    return system.facility is not None and not is_gone


def base_station(system: StarSystem) -> Station | None:
    """Return the station that is the base of a system; None if none is."""
    return next((station for station in system.stations if station.base), None)


def gate_mass(cls: ShipClass) -> int:
    """Return the mass that the gate systems of a class transfer; 0 without any.

    Rules: Continuum "Jump gates and portals" 11.9 [camp.stations-at-war]
    """
    if not any(name.rpartition("-")[0] in SYSTEMS for name in cls.systems):
        return 0
    fits = load_sheet(cls.design).fits
    for type_ in SYSTEMS:
        mass = sum(fit.size for fit in fits if fit.type == type_)
        if mass:
            return mass
    return 0


def mass_through(cls: ShipClass, state: KnownStation) -> int:
    """Return the mass that the gate of a station transfers now; 0: it is shut.

    Each share of the hull that is lost costs the same share of the mass.

    Rules: Continuum "Jump gates and portals" 11.9 [camp.stations-at-war]
    """
    gates = [name for name in cls.systems if name.rpartition("-")[0] in SYSTEMS]
    if not state.faction or set(gates) <= set(state.lost_gates):
        return 0
    remaining = cls.damage_points - (state.damage or 0)
    return gate_mass(cls) * remaining // cls.damage_points


def has_station_gates(scenario: Scenario) -> bool:
    """Return whether any link depends on stations, or on who holds its ends."""
    if any(link.open == HOLDER for link in scenario.links):
        return True
    return any(station.gate for _, station in all_stations(scenario))


def with_open_gates(scenario: Scenario) -> Scenario:
    """Return the scenario in which every link lets everybody through.

    When a week is resolved, orders are judged without what their owner has learned in earlier
    weeks. Fleets find out on their way which gates are shut.
    """
    if not has_station_gates(scenario):
        return scenario
    systems = []
    for system in scenario.systems:
        stations = tuple(replace(station, gate="") for station in system.stations)
        systems.append(replace(system, stations=stations))
    links = tuple(replace(link, open="all") for link in scenario.links)
    return replace(scenario, systems=tuple(systems), links=links)


def with_known_gates(scenario: Scenario, view: View) -> Scenario:
    """Return the scenario with the links that a faction may use, as far as it knows."""
    if not has_station_gates(scenario):
        return scenario
    holders = {item.system: item.holder for item in view.systems}
    return _with_usable_links(scenario, view.faction, known_stations(view), holders)


def with_true_gates(
    scenario: Scenario, faction: str, stations: Stations, holdings: Iterable[Holding]
) -> Scenario:
    """Return the scenario with the links that a faction may really use.

    Args:
        stations: The true state of all stations.
    """
    holders = {holding.system: holding.holder for holding in holdings}
    return _with_usable_links(scenario, faction, stations, holders)


def _with_usable_links(
    scenario: Scenario, faction: str, stations: Stations, holders: Mapping[str, str | None]
) -> Scenario:
    """Return the scenario without links that a faction cannot use, and with their mass now."""
    side = set(side_of(scenario, faction))
    classes = ship_classes(scenario)
    systems = systems_by_hex(scenario)
    links: list[Link] = []
    for link in scenario.links:
        if link.open == HOLDER and not side.issuperset(
            link_holders(systems, link, stations, holders)
        ):
            continue
        masses = []
        for station in stations_of_link(systems, link):
            masses.append(mass_through(classes[station.cls], stations[station.key]))
        if all(masses):
            links.append(replace(link, mass=min(masses)) if masses else link)
    return replace(scenario, links=tuple(links))


def stations_of_link(systems: Mapping[str, StarSystem], link: Link) -> list[Station]:
    """Return the stations that carry the ends of a link: two, one or none.

    Args:
        systems: By hex.
    """
    ends = [gate_station(systems.get(hex_), link) for hex_ in (link.a, link.b)]
    return [station for station in ends if station is not None]


def link_holders(
    systems: Mapping[str, StarSystem],
    link: Link,
    stations: Stations,
    holders: Mapping[str, str | None],
) -> list[str]:
    """Return the factions that hold a link: its stations or, without any, the systems at its ends.

    Args:
        systems: By hex.
        stations: What is known of the stations, or the truth.
        holders: The holders of the systems by id.
    """
    own_stations = stations_of_link(systems, link)
    owners: list[str | None] = [stations[station.key].faction for station in own_stations]
    if not own_stations:
        ends = (systems.get(link.a), systems.get(link.b))
        owners = [holders.get(system.id) for system in ends if system is not None]
    return [faction for faction in owners if faction]


def gate_station(system: StarSystem | None, link: Link) -> Station | None:
    """Return the station of a system that carries an end of a link; None if none does."""
    if system is None or not link.id:
        return None
    return next((station for station in system.stations if station.gate == link.id), None)
