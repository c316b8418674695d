"""The faults of the stations of a scenario, beyond the form of their entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from campaign.rules.forces import class_faults
from campaign.rules.queries import ship_classes
from campaign.rules.scenario import Link, Scenario, ShipClass, StarSystem, Station
from campaign.rules.stations import gate_mass
from engine.core.errors import Violation
from engine.core.geometry import dist
from engine.core.kinds import INSTALLATION
from engine.core.phrase import phrase

MAX_STATIONS = 20  # of one system
BERTHS_SHARE = 2  # berths take at most the MASS of a station divided by this
BODIES = ("planet", "asteroid")  # terrain in which nothing can be


def station_faults(
    scenario: Scenario, systems: Iterable[tuple[str, StarSystem]], places: Iterable[str]
) -> Iterator[Violation]:
    """Yield the faults of stations: their classes, ids, places, berths, bases and gates.

    Args:
        systems: The systems in the order of the file, with their places in it.
        places: The place of each station in the file, in the same order.
    """
    classes = ship_classes(scenario)
    keys: set[str] = set()
    place_of_next = iter(places)
    for system_place, system in systems:
        if len(system.stations) > MAX_STATIONS:
            words = phrase("at most {} stations are possible in a system", MAX_STATIONS)
            yield Violation(f"{system_place}.stations", "too-many", words)
        for number, station in enumerate(system.stations):
            where = next(place_of_next)
            if station.key in keys:
                words = phrase("duplicate {} '{}'", phrase("station"), station.key)
                yield Violation(f"{where}.id", "twice", words)
            keys.add(station.key)
            yield from _place_faults(system, station, where)
            yield from _shared_faults(system.stations[:number], station, where)
            cls = classes.get(station.cls)
            if cls is not None:
                yield from _class_faults(scenario, station, cls, where)
            if station.gate:
                yield from _gate_faults(scenario.links, station, cls, system.hex, where)


def _place_faults(system: StarSystem, station: Station, where: str) -> Iterator[Violation]:
    """Yield the fault of a station inside a planet or asteroid."""
    for entry in system.terrain:
        is_body = entry["kind"] in BODIES and "at" in entry
        if is_body and dist(entry["at"], station.at) < entry.get("radius", 1):
            words = phrase("a station cannot be inside a body")
            yield Violation(f"{where}.at", "in-body", words)


def _shared_faults(earlier: Sequence[Station], station: Station, where: str) -> Iterator[Violation]:
    """Yield the faults of a base or a gate that an earlier station of the system is already."""
    if station.base and any(other.base for other in earlier):
        words = phrase("another station of this system is its base already")
        yield Violation(f"{where}.base", "two-bases", words)
    if station.gate and any(other.gate == station.gate for other in earlier):
        words = phrase("another station of this system has this gate already")
        yield Violation(f"{where}.gate", "gate", words)


def _class_faults(
    scenario: Scenario, station: Station, cls: ShipClass, where: str
) -> Iterator[Violation]:
    """Yield the faults of the class of a station, and of berths that it has no room for.

    Rules: 2E "Starbases and other installations" [camp.stations-at-war]
    """
    if cls.classification != INSTALLATION:
        words = phrase("'{}' is not an installation", cls.name)
        yield Violation(f"{where}.class", "no-station", words)
        return
    for code, message in class_faults(scenario, station.faction, [cls.name]).get(cls.name, ()):
        yield Violation(f"{where}.class", code, message)
    most = cls.mass // BERTHS_SHARE
    if sum(station.berths) > most:
        words = phrase("the bays of this station can take MASS {} at most", most)
        yield Violation(f"{where}.berths", "berths", words)


def _gate_faults(
    links: tuple[Link, ...], station: Station, cls: ShipClass | None, hex_: str, where: str
) -> Iterator[Violation]:
    """Yield the faults of the gate that a station carries.

    Rules: Continuum "Jump gates and portals" 11.9 [camp.stations-at-war]
    """
    spot = f"{where}.gate"
    if not any(link.id == station.gate and hex_ in (link.a, link.b) for link in links):
        words = phrase("this gate neither begins nor ends in the station's system")
        yield Violation(spot, "gate", words)
    elif cls is not None and cls.classification == INSTALLATION and not gate_mass(cls):
        words = phrase("'{}' has neither a jump gate nor a portal", cls.name)
        yield Violation(spot, "gate", words)
