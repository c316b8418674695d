"""Movement of fleets, detachments and decoys: what a week's orders do before fleets meet.

All functions take values and return new ones. Sequence of the orders stage: settings, detachments,
docks, tows and weasels (`campaign.orders.preparation.prepare_week`), the decisions of factions in
contact, `move_fleets`, `release_decoys`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from campaign.rules.fleet_names import new_fleet_name, unique_name
from campaign.rules.orders import Detachment, FleetSetting, Move
from campaign.rules.queries import (
    immobile_ships,
    pending_entry_week,
    ship_classes,
    ships_by_fleet,
    systems_by_hex,
)
from campaign.rules.scenario import Link, Scenario, ShipClass
from campaign.rules.starmap import StarMap, limited_gates_on, mass_of, star_map
from campaign.rules.stations import has_station_gates, true_stations, with_true_gates
from campaign.rules.world import Fleet, Ship, World
from engine.core.errors import Violation
from engine.core.reason import reason

DecoyCounts = tuple[int, int]  # decoys aboard, decoys deployed
NO_DECOYS: DecoyCounts = (0, 0)


@dataclass(frozen=True, slots=True)
class DroppedOrder:
    """An order that a faction could not carry out, with its fault for the owner's report."""

    faction: str
    order: str
    fault: Violation


@dataclass(frozen=True, slots=True)
class MovementResult:
    """All fleets after movement, sorted by key, and the moves that were dropped."""

    fleets: tuple[Fleet, ...]
    dropped: tuple[DroppedOrder, ...]


def move_faults(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    fleet: Fleet,
    ships: Sequence[Ship],
    move: Move,
    week: int,
    where: str,
) -> tuple[Violation, ...]:
    """Return the reasons why a fleet may not make this move.

    Rules: 2E "The campaign map" [camp.ftl-move]; 2E "Non-FTL ships" [camp.non-ftl]; 2E "FTL tugs
    and tenders" [camp.tugs]; Continuum 11.9 [camp.gates]
    """
    faults: list[Violation] = []
    station = next((ship for ship in ships if ship.station), None)
    if station is not None:
        words = reason(
            "station-holds-fleet",
            "{} cannot move: {} is a station; detach the other ships first",
            fleet.name,
            station.name,
        )
        return (Violation(f"{where}.fleet", "station", words),)
    immobile = immobile_ships(classes, ships)
    mass = mass_of(scenario, classes, ships)
    moves_by_gates = bool(immobile and scenario.links) and not _route_faults(
        scenario, fleet, move, where, mass=mass, links_only=True
    )
    for ship in immobile:
        if ship.docked or not moves_by_gates:
            faults.append(_immobile_fault(fleet, ship, where))
    entry_week = pending_entry_week(scenario, fleet, week)
    if entry_week is not None:
        words = reason("not-yet", "{} enters the map in week {}", fleet.name, entry_week)
        faults.append(Violation(f"{where}.fleet", "not-yet", words))
    if not moves_by_gates:
        faults.extend(_route_faults(scenario, fleet, move, where, mass=mass))
    return tuple(faults)


def _immobile_fault(fleet: Fleet, ship: Ship, where: str) -> Violation:
    """Return the fault of a fleet that cannot move because of one of its ships."""
    if ship.docked:
        cause = reason("ship-docked", "is docked")
        remedy = reason("detach-first", "detach it first")
    else:
        cause = reason("ship-without-ftl-drive", "has no working FTL drive")
        remedy = reason("detach-first-towed", "detach it first, or have it towed")
    words = reason("cannot-move", "{} cannot move: {} {}; {}", fleet.name, ship.name, cause, remedy)
    return Violation(f"{where}.fleet", "cannot-jump", words)


def find_route(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    fleet: Fleet,
    ships: Sequence[Ship],
    move: Move,
) -> tuple[tuple[str, ...], bool]:
    """Return the hexes that a valid move enters, and whether it uses links only.

    Ships without FTL drives move by links only.

    Rules: Continuum 11.9 [camp.gates]
    """
    mass = mass_of(scenario, classes, ships)
    links_only = bool(scenario.links) and bool(immobile_ships(classes, ships))
    chart = star_map(scenario, mass, links_only)
    return _hexes_entered(scenario, chart, fleet, move), links_only


def _hexes_entered(scenario: Scenario, chart: StarMap, fleet: Fleet, move: Move) -> tuple[str, ...]:
    """Return the hexes of a valid move: its path, or the shortest route to its destination."""
    return move.path or chart.route(fleet.hex, move.to, scenario.hexes_per_week) or (move.to,)


def gate_faults(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    moving: Iterable[tuple[str, Fleet, Sequence[Ship], Move]],
) -> list[Violation]:
    """Return the faults of moves that exceed the transfer mass of a gate, in their order.

    Args:
        moving: The valid moves of one faction: place in the orders, fleet, its ships, move.

    Rules: Continuum 11.9 [camp.gates]
    """
    faults: list[Violation] = []
    used_mass: dict[Link, int] = {}
    for where, fleet, ships, move in moving:
        path, links_only = find_route(scenario, classes, fleet, ships=ships, move=move)
        mass = mass_of(scenario, classes, ships)
        gates = limited_gates_on(scenario, fleet.hex, path, mass=mass, links_only=links_only)
        full = _first_full_gate(gates, used_mass, mass)
        if full is not None:
            words = reason(
                "mass-finds-no-room",
                "{} (mass {}) no longer fits through the {} from {} to {}, which passes mass "
                "{} of your ships per week",
                fleet.name,
                mass,
                full.kind,
                full.a,
                full.b,
                full.mass,
            )
            faults.append(Violation(where, "gate-full", words))
            continue
        for gate in gates:
            used_mass[gate] = used_mass.get(gate, 0) + mass
    return faults


def _first_full_gate(
    gates: Iterable[Link], used_mass: Mapping[Link, int], mass: int
) -> Link | None:
    """Return the first gate that cannot pass this mass besides what has passed it this week."""
    for gate in gates:
        if gate.mass is not None and used_mass.get(gate, 0) + mass > gate.mass:
            return gate
    return None


def _route_faults(
    scenario: Scenario,
    fleet: Fleet,
    move: Move,
    where: str,
    *,
    mass: int,
    links_only: bool = False,
) -> list[Violation]:
    """Return the faults of a move's destination or path.

    Args:
        mass: Of the fleet, for gates.
        links_only: Whether the fleet can move by gates, portals and jump points only.
    """
    chart = star_map(scenario, mass, links_only)
    limit = scenario.hexes_per_week
    names_destination = bool(move.to) and not move.path and move.to != fleet.hex
    if names_destination and chart.is_within(fleet.hex, move.to, limit):
        return []
    if bool(move.path) == bool(move.to):
        words = reason("path-or-to", "give either the path or the destination of a move, not both")
        return [Violation(where, "path-or-to", words)]
    faults = _hex_faults(chart, move, where)
    if faults:
        return faults
    end = move.to or move.path[-1]
    spot = f"{where}.to" if move.to else f"{where}.path"
    if end == fleet.hex:
        words = reason(
            "goes-nowhere",
            "{} is already in {}; a fleet that stays needs no move",
            fleet.name,
            end,
        )
        return [Violation(spot, "goes-nowhere", words)]
    if move.to:
        words = reason(
            "there-no-path-most",
            "there is no path of at most {} hexes (the limit per week) from {} to {}",
            limit,
            fleet.hex,
            end,
        )
        return [Violation(spot, "too-far", words)]
    return _path_faults(chart, fleet.hex, move.path, spot, limit=limit)


def _hex_faults(chart: StarMap, move: Move, where: str) -> list[Violation]:
    """Return the faults of hexes in a move that no fleet can enter."""
    if move.path:
        hexes = [(f"{where}.path[{n}]", label) for n, label in enumerate(move.path)]
    else:
        hexes = [(f"{where}.to", move.to)]
    faults = []
    for spot, label in hexes:
        if not chart.has(label):
            words = reason("no-such-hex", "no fleet can enter hex '{}'", label)
            faults.append(Violation(spot, "no-such-hex", words))
    return faults


def _path_faults(
    chart: StarMap, start: str, path: tuple[str, ...], where: str, *, limit: int
) -> list[Violation]:
    """Return the fault of a path with an impossible leg, or of more steps than the week's limit."""
    end = path[-1]
    cost = chart.path_cost(start, path)
    if cost is None:
        words = reason("no-way", "there is no such path from {} to {}", start, end)
        return [Violation(where, "no-way", words)]
    if cost > limit:
        words = reason(
            "move-too-far",
            "{} to {} takes {} hexes; the limit is {} per week",
            start,
            end,
            cost,
            limit,
        )
        return [Violation(where, "too-far", words)]
    return []


def moves_without_room(
    scenario: Scenario,
    world: World,
    moves: Mapping[str, Move],
    fleet_ships: Mapping[str, Sequence[Ship]],
) -> tuple[dict[str, Move], list[DroppedOrder]]:
    """Separate the moves that gates do not let through as they really are.

    The factions may not know that a station that carries a gate is damaged, destroyed or taken.

    Returns:
        The moves that are possible, and those that are dropped.

    Rules: Continuum "Jump gates and portals" 11.9 [camp.stations-at-war]
    """
    if not has_station_gates(scenario):
        return dict(moves), []
    stations = true_stations(scenario, world)
    true_scenarios = {}
    for faction in scenario.factions:
        true_scenarios[faction.id] = with_true_gates(scenario, faction.id, stations, world.holdings)
    classes = ship_classes(scenario)
    possible: dict[str, Move] = {}
    dropped: list[DroppedOrder] = []
    through_gates: dict[str, list[tuple[str, Fleet, Sequence[Ship], Move]]] = {}
    for fleet in sorted(world.fleets, key=attrgetter("key")):
        if fleet.key not in moves:
            continue
        move = moves[fleet.key]
        ships = fleet_ships.get(fleet.key, ())
        if move_faults(scenario, classes, fleet, ships, move, world.week, ""):
            possible[fleet.key] = move  # it has a fault of its own, for which it is dropped later
            continue
        true_scenario = true_scenarios[fleet.faction]
        if move_faults(true_scenario, classes, fleet, ships, move, world.week, ""):
            dropped.append(_gate_closed(fleet))
            continue
        if move.to:  # the way round shut gates
            path, _ = find_route(true_scenario, classes, fleet, ships, move)
            move = Move(fleet.key, path=path)
        possible[fleet.key] = move
        through_gates.setdefault(fleet.faction, []).append((fleet.key, fleet, ships, move))
    for owner, moving in through_gates.items():
        for fault in gate_faults(true_scenarios[owner], classes, moving):
            fleet_key = fault.where
            del possible[fleet_key]
            fault = Violation(f"moves.{fleet_key}", fault.code, fault.message)
            dropped.append(DroppedOrder(owner, fleet_key, fault))
    return possible, dropped


def _gate_closed(fleet: Fleet) -> DroppedOrder:
    """Return the dropped move of a fleet that found a gate shut."""
    words = reason(
        "gate-closed", "{} found a gate on its way shut, or too small for its mass", fleet.name
    )
    fault = Violation(f"moves.{fleet.key}", "gate-closed", words)
    return DroppedOrder(fleet.faction, fleet.key, fault)


def move_fleets(
    scenario: Scenario,
    world: World,
    moves: Mapping[str, Move],
    checked: Container[str] = (),
    fleet_ships: Mapping[str, Sequence[Ship]] | None = None,
) -> MovementResult:
    """Move every fleet as ordered; one that must leave without a valid order goes one hex back.

    A fleet that has to leave and cannot stays where it is. Moves of unknown fleets are dropped like
    invalid ones.

    Args:
        checked: The fleets whose moves were found valid for their present state.
        fleet_ships: The world's ships by fleet, if the caller has them.

    Rules: 2E "The campaign map" [camp.ftl-move]; 2E "When fleets meet" [camp.must-leave]
    """
    classes = ship_classes(scenario)
    chart = star_map(scenario)
    if fleet_ships is None:
        fleet_ships = ships_by_fleet(world.ships)
    fleets: list[Fleet] = []
    dropped: list[DroppedOrder] = []
    fleet_keys = {fleet.key for fleet in world.fleets}
    for key in sorted(key for key in moves if key not in fleet_keys):
        words = reason("there-no-fleet", "there is no fleet '{}'", key)
        fault = Violation(f"moves.{key}", "unknown-fleet", words)
        dropped.append(DroppedOrder(key.partition("/")[0], key, fault))
    for fleet in sorted(world.fleets, key=attrgetter("key")):
        move = moves.get(fleet.key)
        ships = fleet_ships.get(fleet.key, ())
        if move is not None and fleet.key not in checked:
            faults = move_faults(
                scenario,
                classes,
                fleet,
                ships=ships,
                move=move,
                week=world.week,
                where=f"moves.{fleet.key}",
            )
            if faults:
                dropped.extend(DroppedOrder(fleet.faction, fleet.key, fault) for fault in faults)
                move = None
        fleets.append(move_fleet(scenario, classes, chart, fleet, ships=ships, move=move))
    return MovementResult(tuple(fleets), tuple(dropped))


def move_fleet(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    chart: StarMap,
    fleet: Fleet,
    ships: Sequence[Ship],
    move: Move | None,
) -> Fleet:
    """Return a fleet after its valid move, or where it stays.

    A fleet that must leave and has no move steps aside if it can.

    Rules: 2E "The campaign map" [camp.ftl-move]; 2E "When fleets meet" [camp.must-leave]
    """
    if move is None and fleet.must_leave and not immobile_ships(classes, ships):
        aside = fleet.back or chart.step_aside(fleet.hex)
        move = Move(fleet.key, path=(aside,)) if aside else None
    if move is not None:
        if scenario.links:
            path, _ = find_route(scenario, classes, fleet, ships=ships, move=move)
        else:
            path = _hexes_entered(scenario, chart, fleet, move)
        return _step_fleet(fleet, path)
    if fleet.must_leave or fleet.in_ftl:
        return replace(fleet, must_leave=False, in_ftl=False)
    return fleet


def _step_fleet(fleet: Fleet, path: tuple[str, ...]) -> Fleet:
    """Return a fleet at the end of its path, without the decoys that it had deployed."""
    # Admirals call this for every move they consider, and `replace` takes much longer.
    return Fleet(
        key=fleet.key,
        faction=fleet.faction,
        name=fleet.name,
        hex=path[-1],
        back=path[-2] if len(path) > 1 else fleet.hex,
        decoys=fleet.decoys,
        standing=fleet.standing,
        doctrine=fleet.doctrine,
        budget=fleet.budget,
        answers=fleet.answers,
        decoy_thrust=fleet.decoy_thrust,
    )


def release_decoys(
    scenario: Scenario,
    fleets: Iterable[Fleet],
    settings: Iterable[FleetSetting],
    ships: Iterable[Ship],
) -> tuple[Fleet, ...]:
    """Deploy the requested decoy drones of fleets in system hexes: at most one for each real ship.

    Deployed decoys are used up. None are deployed between the stars. Decoys deployed earlier count
    too while the fleet stays.

    Rules: 2E "Dummy bogeys" [camp.decoys]
    """
    requested = {}
    for setting in settings:
        if setting.decoys_on:
            requested[setting.fleet] = setting.decoys_on
    if not requested:
        return tuple(fleets)
    systems = systems_by_hex(scenario)
    fleet_ships = ships_by_fleet(ships)
    result = []
    for fleet in fleets:
        count = 0
        if fleet.hex in systems and not fleet.in_ftl:
            ships_without_decoy = len(fleet_ships.get(fleet.key, ())) - fleet.decoys_out
            count = min(requested.get(fleet.key, 0), fleet.decoys, ships_without_decoy)
        if count > 0:
            fleet = replace(fleet, decoys=fleet.decoys - count, decoys_out=fleet.decoys_out + count)
        result.append(fleet)
    return tuple(result)


def apply_detach(
    fleets: Mapping[str, Fleet], ships: Mapping[str, Ship], detach: Sequence[Detachment]
) -> tuple[dict[str, Fleet], dict[str, Ship]]:
    """Return fleets and ships by key after all detachments, which happen at the same moment.

    A new fleet copies the first (by key) of the fleets that its ships leave, under a name of its
    own. A fleet left without ships is gone; its decoys go with the last detachment (by key of
    `into`) that took ships from it. No ship and no decoy is lost.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    new_fleets = dict(fleets)
    new_ships = dict(ships)
    if not detach:
        return new_fleets, new_ships
    remaining = {key: (fleet.decoys, fleet.decoys_out) for key, fleet in fleets.items()}
    gained: dict[str, DecoyCounts] = {}
    successors: dict[str, str] = {}  # by source fleet: the last fleet that took ships from it
    used_names = {fleet.name.casefold() for fleet in fleets.values()}
    for item in sorted(detach, key=lambda item: item.into):
        sources = sorted({ships[key].fleet for key in item.ships})
        if item.into not in new_fleets:
            new_fleets[item.into] = _new_fleet(item, fleets[sources[0]], used_names)
        decoys_taken = _take_decoys(remaining, sources, item.decoys)
        gained[item.into] = _add_decoys(gained.get(item.into, NO_DECOYS), (decoys_taken, 0))
        successors.update(dict.fromkeys(sources, item.into))
        for key in item.ships:
            new_ships[key] = replace(new_ships[key], fleet=item.into)
    fleets_with_ships = {ship.fleet for ship in new_ships.values()}
    for source, successor in sorted(successors.items()):
        if source not in fleets_with_ships:
            left_behind = remaining.pop(source)
            gained[successor] = _add_decoys(gained.get(successor, NO_DECOYS), left_behind)
    result: dict[str, Fleet] = {}
    for key, fleet in new_fleets.items():
        if key in fleets_with_ships:
            decoys = _add_decoys(remaining.get(key, NO_DECOYS), gained.get(key, NO_DECOYS))
            result[key] = _with_decoys(fleet, decoys)
    return result, new_ships


def _new_fleet(detachment: Detachment, source: Fleet, used_names: set[str]) -> Fleet:
    """Return a copy of a fleet without decoys, under the detachment's key and an unused name."""
    wished_name = detachment.name or new_fleet_name(detachment.into)
    name = unique_name(wished_name, used_names)
    used_names.add(name.casefold())
    return replace(source, key=detachment.into, name=name, decoys=0, decoys_out=0)


def _take_decoys(remaining: dict[str, DecoyCounts], sources: Iterable[str], most: int) -> int:
    """Take up to `most` decoys from aboard these fleets, in order, and return how many."""
    missing = most
    for source in sources:
        aboard, out = remaining[source]
        moved = min(missing, aboard)
        missing -= moved
        remaining[source] = (aboard - moved, out)
    return most - missing


def _add_decoys(a: DecoyCounts, b: DecoyCounts) -> DecoyCounts:
    """Return the sums of decoys aboard and of decoys deployed."""
    return a[0] + b[0], a[1] + b[1]


def _with_decoys(fleet: Fleet, decoys: DecoyCounts) -> Fleet:
    """Return a fleet with these decoys; the same object if it has them already."""
    if decoys == (fleet.decoys, fleet.decoys_out):
        return fleet
    aboard, deployed = decoys
    return replace(fleet, decoys=aboard, decoys_out=deployed)
