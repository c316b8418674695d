"""Repairs and replenishment of docked ships, and which bases can do them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from campaign.events.bases import (
    RepairFailed,
    RepairSucceeded,
    ShipBackInService,
    ShipReplenished,
    SystemRearmed,
)
from campaign.events.event import WeekEvent
from campaign.rules.bases import remaining_shortages
from campaign.rules.queries import holder_of
from campaign.rules.rearming import full_stock_of, rearm_ship
from campaign.rules.scenario import Facility, ShipClass, StarSystem
from campaign.rules.stations import Stations, facility_of
from campaign.rules.world import Holding, Ship
from engine.continuum.cores import CORE, noted_system
from engine.continuum.gates import SYSTEMS
from engine.core.dice import Dice
from engine.prices.continuum import TORPEDOES
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex

REPAIR_ROLL = 3  # lowest D6 that repairs a system
REPAIRS_PER_WEEK = 3  # systems per ship
FULL_WEEK = 2  # weeks from the one in which a base was taken to the first in which it works


def working_base(
    index: ScenarioIndex, system: StarSystem, holding: Holding, stations: Stations, week: int
) -> Facility | None:
    """Return what a system's base does for its holder's side at the end of a week; None: nothing.

    It does nothing while the system is contested or has no holder. A captured base works after one
    full week. A base that is a station works only for the side that has the station.

    Args:
        stations: The true state of all stations.

    Rules: 2E "Repairs" [camp.repairs]; 2E "The Lafayette sector" [camp.facility-limits]
    """
    if system.facility is None or holding.holder is None or holding.state == "contested":
        return None
    is_owners = system.owner is not None and not index.are_hostile(system.owner, holding.holder)
    if not is_owners and holding.since != 0 and week - holding.since < FULL_WEEK:
        return None
    side = [name for name in index.factions if not index.are_hostile(name, holding.holder)]
    return facility_of(index.classes, system, stations, side)


def can_repair(index: ScenarioIndex, facility: Facility, ship: Ship) -> bool:
    """Return whether a base can repair a ship of this MASS.

    Rules: 2E "The Lafayette sector" [camp.facility-limits]
    """
    limit = facility.repair_mass_limit
    return facility.repairs and (limit is None or index.classes[ship.cls].mass <= limit)


def roll_repairs(
    cls: ShipClass, ship: Ship, dice: Dice
) -> tuple[Ship, list[tuple[str, int, bool]]]:
    """Roll a week of repairs on a docked ship.

    A D6 gives the damage points repaired. Each system named in the orders, three at most, is
    repaired on 3 or more. Each success at a drive restores one of its two steps. A ship that was
    laid up becomes fit for service, with working core systems. Repaired systems lose their notes
    about earlier hits.

    Returns:
        The ship, and each die as (what was repaired, die, success).

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs] [camp.prizes]; Continuum "Core systems"
    10.3 [camp.prizes]
    """
    rolls: list[tuple[str, int, bool]] = []
    damage = ship.damage
    lost_systems = list(ship.lost)
    if damage:
        die = dice.roll("repair", f"{ship.key}/hull")
        rolls.append(("hull", die, True))
        damage = max(0, damage - die)
    for system in [name for name in ship.repair if name in lost_systems][:REPAIRS_PER_WEEK]:
        if system not in lost_systems:  # named twice and repaired by the first die
            continue
        die = dice.roll("repair", f"{ship.key}/{system}")
        rolls.append((system, die, die >= REPAIR_ROLL))
        if die >= REPAIR_ROLL:
            lost_systems.remove(system)
    if ship.laid_up:
        lost_systems = [system for system in lost_systems if system not in CORE]
    after = replace(
        ship,
        damage=damage,
        lost=tuple(lost_systems),
        notes=remaining_notes(ship.notes, lost_systems),
        laid_up=False,
    )
    return _drop_stores(cls, ship, after), rolls


def remaining_notes(
    notes: Sequence[tuple[str, int]], lost: Sequence[str]
) -> tuple[tuple[str, int], ...]:
    """Return a sheet's notes without those about systems that are not lost."""
    result: list[tuple[str, int]] = []
    for name, value in notes:
        if noted_system(name) in ("", *lost):
            result.append((name, value))
    return tuple(result)


def _drop_stores(cls: ShipClass, before: Ship, after: Ship) -> Ship:
    """Empty the stores of repaired systems: their contents were lost with them.

    Torpedo magazines are an exception.
    """
    repaired = set(before.lost) - set(after.lost)
    emptied = {}
    for name, _ in full_stock_of(cls, before):
        load = name.rpartition("/")[2]
        if load != TORPEDOES and holder_of(name) in repaired:
            emptied[name] = 0
    if not emptied:
        return after
    stock = dict(after.stock) | emptied
    return replace(after, stock=tuple(sorted(stock.items())))


def replenish_ship(base: Facility, ship: Ship) -> Ship:
    """Fill a docked ship's bays, packs and minelayers as far as the base supplies them.

    Used decoys stay used. Renewed armour loses its scars.

    Rules: 2E "Repairs" [camp.replenish]; Continuum "Regenerative armour" 7.8 [camp.replenish]
    """
    stock = remaining_shortages(base, ship)
    if stock == ship.stock:
        return ship
    notes = [note for note in ship.notes if not note[0].startswith("scarred")]
    return replace(ship, stock=stock, notes=tuple(notes))


def work_at_bases(
    index: ScenarioIndex,
    world_index: WorldIndex,
    holdings: Sequence[Holding],
    stations: Stations,
    week: int,
    dice: Dice,
) -> tuple[Mapping[str, Ship], list[WeekEvent]]:
    """Work on docked ships for a week: repair, replenish and rearm them.

    Stations beside a base, or which are one, are repaired and replenished too, without docking.

    Args:
        stations: The true state of all stations.

    Returns:
        The changed ships by key, and the notices to their owners.

    Rules: 2E "Repairs" [camp.repairs] [camp.system-repairs] [camp.replenish]; Continuum 8.14
    [camp.refit]; 2E "Starbases and other installations" [camp.stations-at-war]
    """
    changed: dict[str, Ship] = {}
    events: list[WeekEvent] = []
    by_system = {holding.system: holding for holding in holdings}
    for hex_, present in world_index.at.items():
        system = index.system_at[hex_]
        holding = by_system[system.id]
        facility = working_base(index, system, holding, stations, week)
        if facility is None or holding.holder is None:
            continue
        dice_here = dice.at(hex_)
        ships: list[Ship] = []
        for faction in present:
            if not index.are_hostile(faction, holding.holder):
                ships += world_index.ships(hex_, faction)
        for ship in ships:
            if ship.station:
                base = _base_for_stations(facility, system)
                repairable = _with_station_orders(ship)
            elif ship.docked:
                base, repairable = facility, ship
            else:
                continue
            after, ship_events = _work_on_ship(index, base, repairable, hex_=hex_, dice=dice_here)
            if after is repairable:
                after = ship
            events.extend(ship_events)
            if after is not ship:
                changed[ship.key] = after
    return changed, events


def _base_for_stations(facility: Facility, system: StarSystem) -> Facility:
    """Return what a base does for stations: it repairs them whatever their MASS and its damage."""
    repairs = system.facility is not None and system.facility.repairs
    return replace(facility, repairs=repairs, repair_mass_limit=None)


def _with_station_orders(ship: Ship) -> Ship:
    """Return a station that is to be repaired and replenished, its gate systems first."""
    first = sorted(ship.lost, key=lambda name: name.rpartition("-")[0] not in SYSTEMS)
    return replace(ship, repair=tuple(first[:REPAIRS_PER_WEEK]), replenish=bool(ship.stock))


def _work_on_ship(
    index: ScenarioIndex, facility: Facility, ship: Ship, *, hex_: str, dice: Dice
) -> tuple[Ship, list[WeekEvent]]:
    """Repair, replenish and rearm a docked ship as far as its base can and its orders ask."""
    after = ship
    events: list[WeekEvent] = []
    needs_repair = bool(ship.damage or ship.repair or ship.laid_up)
    if needs_repair and can_repair(index, facility, ship):
        after, rolls = roll_repairs(index.classes[ship.cls], ship, dice)
        events.extend(_repair_events(ship, hex_, rolls))
        if ship.laid_up:
            events.append(ShipBackInService((ship.faction,), hex_, ship.name))
    if ship.replenish and remaining_shortages(facility, after) != after.stock:
        after = replenish_ship(facility, after)
        events.append(ShipReplenished((ship.faction,), hex_, ship.name))
    if ship.refit:
        armed = rearm_ship(index.classes[ship.cls], facility, after)
        if armed.settings != after.settings:
            events.extend(_rearm_events(after, armed, hex_))
        after = armed
    return after, events


def _rearm_events(before: Ship, after: Ship, hex_: str) -> list[WeekEvent]:
    """Return the notices to the owner about changed loads."""
    events: list[WeekEvent] = []
    for system, load in after.refit:
        if dict(after.settings).get(system, "") != dict(before.settings).get(system, ""):
            events.append(SystemRearmed((before.faction,), hex_, before.name, system, load))
    return events


def _repair_events(
    ship: Ship, hex_: str, rolls: Sequence[tuple[str, int, bool]]
) -> list[WeekEvent]:
    """Return the notices to the owner about repairs.

    Args:
        rolls: Each die as (what was repaired, die, success).
    """
    events: list[WeekEvent] = []
    for target, die, success in rolls:
        event_class = RepairSucceeded if success else RepairFailed
        events.append(event_class((ship.faction,), hex_, ship.name, target, die))
    return events
