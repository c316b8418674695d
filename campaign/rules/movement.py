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
from campaign.rules.world import Fleet, Ship, World
from engine.core.errors import Violation
from engine.core.reason import reason

DecoyCounts = tuple[int, int]  # drones aboard, drones deployed
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
    immobile = immobile_ships(classes, ships)
    mass = mass_of(scenario, classes, ships)
    by_gates = bool(immobile and scenario.links) and not _route_faults(
        scenario, fleet, move, where, mass, bound=True
    )
    for ship in immobile:
        if by_gates and not ship.docked:
            continue
        if ship.docked:
            cause = reason("ship-docked", "is docked")
        else:
            cause = reason("ship-without-ftl-drive", "has no working FTL drive")
        if ship.docked:
            remedy = reason("detach-first", "detach it first")
        else:
            remedy = reason("detach-first-towed", "detach it first, or have it towed")
        words = reason(
            "cannot-move", "{} cannot move: {} {}; {}", fleet.name, ship.name, cause, remedy
        )
        faults.append(Violation(f"{where}.fleet", "cannot-jump", words))
    enters = pending_entry_week(scenario, fleet, week)
    if enters is not None:
        faults.append(
            Violation(
                f"{where}.fleet",
                "not-yet",
                reason("not-yet", "{} enters the map in week {}", fleet.name, enters),
            )
        )
    faults.extend(() if by_gates else _route_faults(scenario, fleet, move, where, mass))
    return tuple(faults)


def find_route(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    fleet: Fleet,
    ships: Sequence[Ship],
    move: Move,
) -> tuple[tuple[str, ...], bool]:
    """Return the hexes that a lawful move enters, and whether it uses links only.

    Ships without FTL drives move by links only.

    Rules: Continuum 11.9 [camp.gates]
    """
    mass = mass_of(scenario, classes, ships)
    bound = bool(scenario.links) and bool(immobile_ships(classes, ships))
    return _hexes_entered(scenario, star_map(scenario, mass, bound), fleet, move), bound


def _hexes_entered(scenario: Scenario, chart: StarMap, fleet: Fleet, move: Move) -> tuple[str, ...]:
    return move.path or chart.route(fleet.hex, move.to, scenario.hexes_per_week) or (move.to,)


def gate_faults(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    moving: Iterable[tuple[str, Fleet, Sequence[Ship], Move]],
) -> list[Violation]:
    """Return the faults of moves that exceed the transfer mass of a gate, in their order.

    Rules: Continuum 11.9 [camp.gates]
    """
    faults: list[Violation] = []
    used_mass: dict[Link, int] = {}
    for where, fleet, ships, move in moving:
        path, bound = find_route(scenario, classes, fleet, ships, move)
        mass = mass_of(scenario, classes, ships)
        links = limited_gates_on(scenario, fleet.hex, path, mass, bound)
        full = next(
            (
                link
                for link in links
                if link.mass is not None and used_mass.get(link, 0) + mass > link.mass
            ),
            None,
        )
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
        for link in links:
            used_mass[link] = used_mass.get(link, 0) + mass
    return faults


def _route_faults(
    scenario: Scenario, fleet: Fleet, move: Move, where: str, mass: int, bound: bool = False
) -> list[Violation]:
    chart = star_map(scenario, mass, bound)
    limit = scenario.hexes_per_week
    if (
        move.to
        and not move.path
        and move.to != fleet.hex
        and chart.is_within(fleet.hex, move.to, limit)
    ):
        return []
    if bool(move.path) == bool(move.to):
        words = reason("path-or-to", "give either the path or the destination of a move, not both")
        return [Violation(where, "path-or-to", words)]
    end = move.to or move.path[-1]
    spot = f"{where}.to" if move.to else f"{where}.path"
    faults = []
    for n, label in enumerate(move.path or (move.to,)):
        if not chart.has(label):
            faults.append(
                Violation(
                    f"{where}.path[{n}]" if move.path else spot,
                    "no-such-hex",
                    reason("no-such-hex", "no fleet can enter hex '{}'", label),
                )
            )
    if faults:
        return faults
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
    return _path_faults(chart, fleet.hex, move.path, limit, spot)


def _path_faults(
    chart: StarMap, start: str, path: tuple[str, ...], limit: int, where: str
) -> list[Violation]:
    """Return the fault of a path with an impossible leg, or of one above the limit of steps."""
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


def move_fleets(
    scenario: Scenario,
    world: World,
    moves: Mapping[str, Move],
    checked: Container[str] = (),
    fleet_ships: Mapping[str, Sequence[Ship]] | None = None,
) -> MovementResult:
    """Move every fleet as ordered; one that must leave without a lawful order goes one hex back.

    A fleet that must leave and cannot stays where it is. Moves of unknown fleets are dropped like
    unlawful ones.

    Args:
        checked: The fleets whose moves were found lawful for their present state.
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
        fault = Violation(
            f"moves.{key}", "unknown-fleet", reason("there-no-fleet", "there is no fleet '{}'", key)
        )
        dropped.append(DroppedOrder(key.partition("/")[0], key, fault))
    for fleet in sorted(world.fleets, key=attrgetter("key")):
        move = moves.get(fleet.key)
        ships = fleet_ships.get(fleet.key, ())
        if move is not None and fleet.key not in checked:
            faults = move_faults(
                scenario, classes, fleet, ships, move, world.week, f"moves.{fleet.key}"
            )
            if faults:
                dropped.extend(DroppedOrder(fleet.faction, fleet.key, fault) for fault in faults)
                move = None
        fleet = move_fleet(scenario, classes, chart, fleet, ships, move)
        fleets.append(fleet)
    return MovementResult(tuple(fleets), tuple(dropped))


def move_fleet(
    scenario: Scenario,
    classes: Mapping[str, ShipClass],
    chart: StarMap,
    fleet: Fleet,
    ships: Sequence[Ship],
    move: Move | None,
) -> Fleet:
    """Return a fleet after its lawful move, or where it stays.

    A fleet that must leave and has no move steps aside if it can.

    Rules: 2E "The campaign map" [camp.ftl-move]; 2E "When fleets meet" [camp.must-leave]
    """
    if move is None and fleet.must_leave and not immobile_ships(classes, ships):
        aside = fleet.back or chart.step_aside(fleet.hex)
        move = Move(fleet.key, path=(aside,)) if aside else None
    if move is not None:
        if scenario.links:
            path, _ = find_route(scenario, classes, fleet, ships, move)
        else:
            path = _hexes_entered(scenario, chart, fleet, move)
        return _step_fleet(fleet, path)
    if fleet.must_leave or fleet.in_ftl:
        return replace(fleet, must_leave=False, in_ftl=False)
    return fleet


def _step_fleet(fleet: Fleet, path: tuple[str, ...]) -> Fleet:
    back = path[-2] if len(path) > 1 else fleet.hex
    return Fleet(
        fleet.key,
        fleet.faction,
        fleet.name,
        path[-1],
        back,
        False,
        False,
        fleet.decoys,
        0,
        fleet.standing,
        fleet.doctrine,
        fleet.budget,
        fleet.answers,
    )


def release_decoys(
    scenario: Scenario,
    fleets: Iterable[Fleet],
    settings: Iterable[FleetSetting],
    ships: Iterable[Ship],
) -> tuple[Fleet, ...]:
    """Deploy the requested decoy drones of fleets in system hexes: at most one for each real ship.

    Deployed drones are used up. None are deployed between the stars. Drones deployed earlier count
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
        if fleet.hex in systems and not fleet.in_ftl:
            on = requested.get(fleet.key, 0)
        else:
            on = 0
        on = max(0, min(on, fleet.decoys, len(fleet_ships.get(fleet.key, ())) - fleet.decoys_out))
        result.append(
            replace(fleet, decoys=fleet.decoys - on, decoys_out=fleet.decoys_out + on)
            if on
            else fleet
        )
    return tuple(result)


def apply_detach(
    fleets: Mapping[str, Fleet], ships: Mapping[str, Ship], detach: Sequence[Detachment]
) -> tuple[dict[str, Fleet], dict[str, Ship]]:
    """Return fleets and ships by key after all detachments, which happen at the same moment.

    A new fleet copies the first (by key) of the fleets that its ships leave, under a name of its
    own. A fleet left without ships is gone; its drones go with the last detachment (by key of
    `into`) that took ships from it. No ship and no drone is lost.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    new_fleets = dict(fleets)
    new_ships = dict(ships)
    if not detach:
        return new_fleets, new_ships
    remaining = {key: (fleet.decoys, fleet.decoys_out) for key, fleet in fleets.items()}
    gained: dict[str, DecoyCounts] = {}
    successors: dict[str, str] = {}
    taken_names = {fleet.name.casefold() for fleet in fleets.values()}
    for item in sorted(detach, key=lambda item: item.into):
        sources = sorted({ships[key].fleet for key in item.ships})
        if item.into not in new_fleets:
            first = fleets[sources[0]]
            name = unique_name(item.name or new_fleet_name(item.into), taken_names)
            taken_names.add(name.casefold())
            new_fleets[item.into] = replace(first, key=item.into, name=name, decoys=0, decoys_out=0)
        decoys_taken = _take_decoys(remaining, sources, item.decoys)
        gained[item.into] = _add_decoys(gained.get(item.into, NO_DECOYS), (decoys_taken, 0))
        successors |= {source: item.into for source in sources if source != item.into}
        for key in item.ships:
            new_ships[key] = replace(new_ships[key], fleet=item.into)
    fleets_with_ships = {ship.fleet for ship in new_ships.values()}
    for source, successor in sorted(successors.items()):
        if source not in fleets_with_ships:
            left_behind = remaining.pop(source)
            gained[successor] = _add_decoys(gained.get(successor, NO_DECOYS), left_behind)
    for key in sorted(new_fleets):
        if key in fleets_with_ships:
            decoys = _add_decoys(remaining.get(key, NO_DECOYS), gained.get(key, NO_DECOYS))
            new_fleets[key] = _with_decoys(new_fleets[key], decoys)
        else:
            del new_fleets[key]
    return new_fleets, new_ships


def _take_decoys(remaining: dict[str, DecoyCounts], sources: Iterable[str], wanted: int) -> int:
    """Take up to `wanted` drones from aboard these fleets, in order, and return how many."""
    missing = wanted
    for source in sources:
        aboard, out = remaining[source]
        moved = min(missing, aboard)
        missing -= moved
        remaining[source] = (aboard - moved, out)
    return wanted - missing


def _add_decoys(a: DecoyCounts, b: DecoyCounts) -> DecoyCounts:
    return a[0] + b[0], a[1] + b[1]


def _with_decoys(fleet: Fleet, decoys: DecoyCounts) -> Fleet:
    if decoys == (fleet.decoys, fleet.decoys_out):
        return fleet
    return replace(fleet, decoys=decoys[0], decoys_out=decoys[1])
