"""Stations in battles: where they stand, the ships docked at them, their gates, and what is seen.

Rules: 2E "Starbases and other installations"; Continuum "Docking" 16.6, "Jump gates and portals"
11.9 [camp.stations-at-war]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from campaign.events.bases import StationSeen
from campaign.events.event import WeekEvent
from campaign.rules.battle_entries import ship_entry
from campaign.rules.queries import system_at
from campaign.rules.scenario import Station
from campaign.rules.stations import (
    all_stations,
    base_station,
    gate_station,
    mass_through,
    true_stations,
)
from campaign.rules.world import Engagement, Ship, World
from engine.continuum.gates import SYSTEMS
from engine.core.kinds import FIGHTING
from engine.notation.battle_file import BattleFileDocument, ShipEntry
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex
from umpire.adjudication.outcome import BattleResult


def stations_and_docked_ships(
    index: ScenarioIndex,
    world_index: WorldIndex,
    engagement: Engagement,
    side: Sequence[str],
) -> list[ShipEntry]:
    """Return the stations of a side in a battle, and the ships docked at the one that is the base.

    Their places are from the middle of the table until `place_from_middle` has the table.

    Rules: 2E "Starbases and other installations" [camp.stations-at-war]
    """
    system = index.system_at[engagement.hex]
    stations = {station.key: station for station in system.stations}
    ships = list(chain.from_iterable(world_index.ships(engagement.hex, name) for name in side))
    entry_of: dict[str, ShipEntry] = {}
    for ship in ships:
        if ship.station in stations and not ship.is_helpless:
            entry_of[ship.station] = _station_entry(index, ship, stations[ship.station])
    entries = list(entry_of.values())
    base = base_station(system)
    if base is not None and base.key in entry_of:
        for ship in ships:
            if ship.docked and not ship.laid_up:
                entries.append(_docked_entry(index, ship, entry_of[base.key]))
    return entries


def _docked_entry(index: ScenarioIndex, ship: Ship, base: ShipEntry) -> ShipEntry:
    """Return a ship that is docked at a station, and moves with it."""
    entry = ship_entry(index.scenario, index.classes, ship)
    entry["docked"] = base["id"]
    entry["at"] = base["at"]
    entry["course"] = base["course"]
    entry["velocity"] = base["velocity"]
    return entry


def _station_entry(index: ScenarioIndex, ship: Ship, station: Station) -> ShipEntry:
    """Return a station as the scenario places it."""
    entry = ship_entry(index.scenario, index.classes, ship)
    entry["at"] = list(station.at)
    entry["course"] = station.course
    entry["velocity"] = station.velocity
    entry["fixed"] = True
    if station.berths:
        entry["berths"] = list(station.berths)
    return entry


def place_from_middle(
    entries: Sequence[ShipEntry], codes: Mapping[str, str], table: tuple[float, float]
) -> None:
    """Give stations and docked ships their contact codes, and their places on a table, in place."""
    for entry in entries:
        x, y = entry["at"]
        entry["at"] = [x + table[0] / 2, y + table[1] / 2]
        entry["contact"] = codes[entry["id"]]


def gates_at_stations(
    index: ScenarioIndex,
    world: World,
    hex_: str,
    gates: Sequence[dict[str, Any]],
    file: BattleFileDocument,
) -> list[dict[str, Any]]:
    """Return the gates of a battle: those of stations are there with them, or gone.

    Args:
        gates: The gates of the hex in the order of its links, without regard to stations.
        file: The battle file with all ships.
    """
    system = system_at(index.scenario, hex_)
    ships_on_table = chain.from_iterable(side["ships"] for side in file["sides"])
    on_table = {ship["id"] for ship in ships_on_table}
    states = true_stations(index.scenario, world)
    keys = {ship.station: ship.key for ship in world.ships if ship.station}
    links = [link for link in index.scenario.links if hex_ in (link.a, link.b)]
    result = []
    for link, gate in zip(links, gates, strict=True):
        station = gate_station(system, link)
        if station is None:
            result.append(gate)
            continue
        mass = mass_through(index.classes[station.cls], states[station.key])
        if not mass:
            continue
        key = keys[station.key]
        if key in on_table:
            result.append({"id": gate["id"], "ship": key})
        else:
            width, height = file["table"]
            at = [station.at[0] + width / 2, station.at[1] + height / 2]
            result.append({**gate, "at": at, "mass": mass})
    return result


def station_events(
    index: ScenarioIndex,
    world: World,
    results: Mapping[str, BattleResult],
    owners: Mapping[str, str],
) -> list[WeekEvent]:
    """Return the notices of stations that were hit in battles, for all factions that fought there.

    Whether a station that was not hit had earlier damage is not seen.

    Args:
        world: The world before the battles.
        owners: Who has each station after the battles, by its ship's key before; others are gone.

    Rules: 2E "Starbases and other installations" [camp.stations-at-war]
    """
    stations = {station.key: (system, station) for system, station in all_stations(index.scenario)}
    if not stations:
        return []
    ships = {ship.key: ship for ship in world.ships if ship.station}
    events: list[WeekEvent] = []
    for engagement in world.engagements:
        audience = tuple(sorted(chain.from_iterable(engagement.sides)))
        for after in results[engagement.key].ships:
            ship = ships.get(after.ship)
            if ship is None:
                continue
            was_hit = (after.damage, after.lost) != (ship.damage, ship.lost)
            if not was_hit and after.status == FIGHTING:
                continue
            system, station = stations[ship.station]
            lost_gates = [name for name in after.lost if name.rpartition("-")[0] in SYSTEMS]
            events.append(
                StationSeen(
                    audience,
                    engagement.hex,
                    station=station.key,
                    system=system.id,
                    name=station.name,
                    faction=owners.get(ship.key, ""),
                    damage=after.damage,
                    points=index.classes[ship.cls].damage_points,
                    lost_gates=" ".join(lost_gates),
                )
            )
    return events
