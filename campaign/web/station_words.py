"""What the map says of stations and gates: as a faction knows them, in the reader's language."""

from __future__ import annotations

from campaign.rules.queries import class_name, ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import Link, Scenario, StarSystem, Station
from campaign.rules.stations import (
    HOLDER,
    base_station,
    has_station_gates,
    known_stations,
    link_holders,
    stations_of_link,
    with_known_gates,
)
from campaign.rules.view import KnownStation, View
from engine.core.phrase import capitalize_first, phrase
from engine.english import join_names


def lines_by_system(scenario: Scenario, view: View) -> dict[str, list[str]]:
    """Return what the map says of the stations and gates of each system that has any, by id."""
    lines: dict[str, list[str]] = {}
    for system in scenario.systems:
        if system.stations:
            lines[system.id] = _station_lines(scenario, view, system)
    if has_station_gates(scenario):
        usable = with_known_gates(scenario, view).links
        ids = {system.hex: system.id for system in scenario.systems}
        for link in scenario.links:
            if not _is_special(scenario, link):
                continue
            for end in (link.a, link.b):
                if end in ids:
                    line = _gate_line(scenario, view, link, end, usable)
                    lines.setdefault(ids[end], []).append(line)
    return lines


def _station_lines(scenario: Scenario, view: View, system: StarSystem) -> list[str]:
    """Return a line for each station of a system, and one for the ships docked at its base."""
    known_by_key = known_stations(view)
    lines = [
        _station_line(scenario, view, station, known_by_key[station.key])
        for station in system.stations
    ]
    base = base_station(system)
    if base is not None:
        fleets = {fleet.key for fleet in view.fleets if fleet.hex == system.hex}
        docked = [ship.name for ship in view.ships if ship.docked and ship.fleet in fleets]
        if docked:
            lines.append(phrase("Docked at {}: {}", base.name, join_names(docked)))
    return lines


def _station_line(scenario: Scenario, view: View, station: Station, state: KnownStation) -> str:
    """Return who has a station, its damage, and from which week the faction knows it."""
    powers = {power.id: power.name for power in scenario.factions}
    cls = class_name(scenario, station.faction, station.cls)
    title = station.name if station.name == cls else phrase("{} ({})", station.name, cls)
    if not state.faction:
        return phrase("{}: destroyed", title)
    points = ship_classes(scenario)[station.cls].damage_points
    if state.damage is None:
        words = phrase("damage not known")
    elif state.damage:
        words = phrase("{} of {} damage points lost", state.damage, points)
    else:
        words = phrase("no damage")
    if state.lost_gates:
        words = phrase("{}, gate out of order", words)
    power = powers[state.faction]
    if state.faction == view.faction or state.week == view.week:
        return phrase("{}, {}: {}", title, power, words)
    if not state.week:
        return phrase("{}, {}: {} at the start of the war", title, power, words)
    return phrase("{}, {}: {} in week {}", title, power, words, state.week)


def _is_special(scenario: Scenario, link: Link) -> bool:
    """Return whether the scenario alone does not say whether a link can be used."""
    return link.open == HOLDER or bool(stations_of_link(systems_by_hex(scenario), link))


def _gate_line(
    scenario: Scenario, view: View, link: Link, hex_: str, usable: tuple[Link, ...]
) -> str:
    far_end = link.b if link.a == hex_ else link.a
    system = systems_by_hex(scenario).get(far_end)
    place = far_end if system is None else phrase("{} ({})", system.name, far_end)
    title = capitalize_first(phrase("{} to {}", phrase(link.kind), place))
    now = next((other for other in usable if (other.a, other.b) == (link.a, link.b)), None)
    others = _other_holders(scenario, view, link)
    if now is None and link.open == HOLDER and others:
        return phrase("{}: only for {}", title, join_names(others))
    if now is None:
        return phrase("{}: closed", title)
    users = phrase("your side only") if link.open == HOLDER else phrase("open to all")
    if now.mass is None:
        return phrase("{}: {}", title, users)
    return phrase("{}: {}, mass {} of each faction per week", title, users, now.mass)


def _other_holders(scenario: Scenario, view: View, link: Link) -> list[str]:
    """Return the names of the factions of other sides that hold a link, as the faction knows."""
    powers = {power.id: power.name for power in scenario.factions}
    side = side_of(scenario, view.faction)
    holders = link_holders(
        systems_by_hex(scenario),
        link,
        known_stations(view),
        {item.system: item.holder for item in view.systems},
    )
    return [powers[item] for item in dict.fromkeys(holders) if item not in side]
