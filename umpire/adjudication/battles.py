"""Engagements as battles of the engine.

It decides which ships are on the table and where, gives each side its doctrine, and translates the
final state for the campaign. Each side begins at its own edge, its fleets side by side, rank behind
rank.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, combinations, product
from typing import Any

from campaign.rules.battle_entries import battle_options
from campaign.rules.battle_sightings import ContactOutcome, count_contact_outcomes
from campaign.rules.belts import add_seed
from campaign.rules.faction_settings import add_ram_die
from campaign.rules.ground_targets import damage_by_number, ground_on
from campaign.rules.orders import Orders
from campaign.rules.queries import short_class_name
from campaign.rules.scenario import Scenario
from campaign.rules.ship_sections import assemble_sections, section_position
from campaign.rules.skirmish import is_skirmish
from campaign.rules.starting_positions import place_ships
from campaign.rules.system_terrain import add_terrain
from campaign.rules.table_gates import gate_ids, gates_on
from campaign.rules.towing import is_aboard
from campaign.rules.world import Doctrine, Engagement, Fleet, Ship, World
from engine.core.edition import Edition
from engine.core.kinds import (
    CAPTURED,
    CARRIED,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    INBOUND,
    LANDED,
    LEFT_TABLE,
    RETURNING,
    ShipStatus,
)
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.phrase import phrase
from engine.core.ship import FREE
from engine.core.ship_facts import carried_over_facts
from engine.core.terms import CIVIL_WAR, CORE_SYSTEMS, FLEET_MORALE, KNOWN_CONTACTS, STRIKING
from engine.core.transport import without_room
from engine.core.versions import NEWEST, SET_UP, follows
from engine.movement.docking import ATTACHED
from engine.notation.battle_file import BattleFileDocument, ShipEntry, SideEntry
from engine.view.contact_fates import ContactFate
from umpire.adjudication.battle_zones import (
    STAND_OFF,
    BattleSituation,
    add_deployment,
    situation_of,
)
from umpire.adjudication.bombardment import damage_after
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex, index_scenario
from umpire.adjudication.minefields import add_mines, mines_after_battle
from umpire.adjudication.outcome import CARRIED_OFF, BattleResult, ShipAfter
from umpire.adjudication.rosters import (
    contact_codes,
    decoy_count,
    dummy_id,
    fleets_of,
    free_ships,
    roster_of,
)
from umpire.adjudication.single_battle import (
    SEED_COUNT,
    single_battle_setup,
)
from umpire.adjudication.station_battles import (
    gates_at_stations,
    place_from_middle,
    stations_and_docked_ships,
)

MAX_RANGE = 54  # MU, the longest range that a doctrine can ask captains to keep

# What the engine's status of a ship means for the campaign.
STATUS: dict[str, ShipStatus] = {
    "docked": FIGHTING,
    FIGHTING: FIGHTING,
    LEFT_TABLE: LEFT_TABLE,
    FTL: FTL,
    DESTROYED: DESTROYED,
    HULK: HULK,
    ShipStatus.SURRENDERED: ShipStatus.SURRENDERED,
    CAPTURED: CAPTURED,
    LANDED: LANDED,
    RETURNING: LEFT_TABLE,
    CARRIED: FIGHTING,
    INBOUND: FIGHTING,  # still in FTL space at the end: it drops out beside its fleet
}
CAPTURED_STATUSES = (CAPTURED, ShipStatus.SURRENDERED, CARRIED_OFF)
# A ship with one of these keeps it, even if an enemy commanded it last.
UNCLAIMED_STATUSES = (DESTROYED, HULK, ShipStatus.SURRENDERED)
SURVIVING_DECOY_STATUSES = (
    FIGHTING,
    INBOUND,
    LEFT_TABLE,
    RETURNING,
)  # a decoy of any other status is gone


def side_name(side: tuple[str, ...]) -> str:
    """Return the name of a side in a battle: its factions joined."""
    return "+".join(side)


def battle_setup(
    scenario: Scenario, world: World, engagement: Engagement, *, salt: bytes, rules: str = NEWEST
) -> BattleFileDocument:
    """Build the engine's battle file of an engagement, before any orders or dice.

    Ships laid up do not fight, and docked ones only begin docked at the station that is their base.
    The newcomers start at one end, the occupant at the
    other. Ships are placed and listed in the order of their contact codes, so that no place tells a
    decoy from a ship. The system's terrain, its gates and the sides' ground targets are on the
    table too.

    Args:
        salt: A secret of the campaign, or of the battle.
        rules: The version of the rules by which the battle is fought.

    Rules: 2E "When fleets meet" [camp.battle]; Continuum "Terrain" 17 [pc.planets]; Continuum 11.9
    [pc.gates]; 2E "Dummy bogeys and weasel boats" [camp.decoys]; 2E "Repairs" [camp.replenish];
    Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    if is_skirmish(scenario):
        return {**single_battle_setup(scenario, world, engagement, salt), "rules": rules}
    index = index_scenario(scenario, world)
    world_index = WorldIndex(index, world)
    occupant = _occupant(index, world, engagement)
    situation = situation_of(engagement, occupant)
    has_zones = follows(rules, SET_UP)
    rosters = [roster_of(index, world_index, engagement, side) for side in engagement.sides]
    station_groups = [
        stations_and_docked_ships(index, world_index, engagement, side) for side in engagement.sides
    ]
    every_fleet = chain(chain.from_iterable(rosters), station_groups)
    ids = [ship["id"] for ship in chain.from_iterable(every_fleet)]
    codes = contact_codes(salt, world, engagement, ids)
    is_stand_off = has_zones and situation.kind == STAND_OFF
    edge_order = _edge_order(len(rosters), situation.inner if is_stand_off else occupant)
    table = _place_rosters(scenario, rosters, codes, edge_order)
    sides: list[SideEntry] = []
    for side, fleets, others in zip(engagement.sides, rosters, station_groups, strict=True):
        for fleet in fleets:
            place_sections(index, world_index, fleet, table)
            load_battleriders(index, world_index, fleet)
        place_from_middle(others, codes, table)
        side_ships = chain(chain.from_iterable(fleets), others)
        ships = sorted(side_ships, key=lambda ship: ship["contact"])
        sides.append({"name": side_name(side), "ships": ships})
    names = _sides(engagement)
    hostile = sorted({tuple(sorted((names[a], names[b]))) for a, b in engagement.hostile})
    file: BattleFileDocument = {
        "edition": scenario.edition,
        "rules": rules,
        "options": battle_options(scenario.options, rules),
        "table": list(table),
        "sides": sides,
        "hostile": [list(pair) for pair in hostile],
        "bogeys": KNOWN_CONTACTS not in scenario.options,
    }
    _add_morale(scenario, engagement, file)
    _add_agreements(scenario, engagement, file)
    system = index.system_at[engagement.hex]
    add_terrain(file, system, table, lists_flares=has_zones)
    if CORE_SYSTEMS in scenario.options or "asteroids" in file:
        add_seed(file, lambda names: _seed(salt, engagement.key, str(world.week), *names))
    add_mines(index, world, engagement, file)
    if has_zones:
        add_deployment(scenario, system, situation, file, edge_order)
    if ground := ground_on(system, names, damage_by_number(world.ground, system.id)):
        file["ground"] = ground
    if scenario.edition == Edition.CONTINUUM:
        gate_holder = "" if occupant is None else side_name(engagement.sides[occupant])
        gates = gates_on(scenario, engagement.hex, table, gate_holder)
        if gates := gates_at_stations(index, world, engagement.hex, gates, file):
            file["gates"] = gates
            if has_zones:
                _add_open_gates(scenario, world_index, engagement, file)
    return file


def _add_open_gates(
    scenario: Scenario,
    world_index: WorldIndex,
    engagement: Engagement,
    file: BattleFileDocument,
) -> None:
    """Add to each ship the gates out of which it may come: those of the link that it has used.

    Rules: Continuum "Jump gates and portals" 11.9 [pc.gates]
    """
    for side, entry in zip(engagement.sides, file["sides"], strict=True):
        gates_of_ship: dict[str, list[str]] = {}
        for fleet in fleets_of(world_index, engagement, side):
            for ship in world_index.ships_of[fleet.key]:
                gates_of_ship[ship.key] = gate_ids(scenario, engagement.hex, fleet.back)
        for ship_entry in entry["ships"]:
            if not ship_entry.get("dummy"):
                ship_entry["gates"] = gates_of_ship.get(ship_entry["id"], [])


def battle_situation(scenario: Scenario, world: World, engagement: Engagement) -> BattleSituation:
    """Return how the sides of a battle of a war came to fight."""
    index = index_scenario(scenario, world)
    return situation_of(engagement, _occupant(index, world, engagement))


def _occupant(index: ScenarioIndex, world: World, engagement: Engagement) -> int | None:
    """Return the number of the side that held the system before the battle; None if none did."""
    system_id = index.system_at[engagement.hex].id
    for holding in world.holdings:
        if holding.system == system_id:
            for number, side in enumerate(engagement.sides):
                if holding.holder in side:
                    return number
    return None


def _edge_order(side_count: int, occupant: int | None) -> list[int]:
    """Return the numbers of the sides in the order in which they take the edges of the table.

    Args:
        occupant: The number of the side that begins at the far end, if any.
    """
    order = [number for number in range(side_count) if number != occupant]
    if occupant is not None:
        order.insert(1, occupant)
    return order


def _place_rosters(
    scenario: Scenario,
    rosters: Sequence[Sequence[Sequence[ShipEntry]]],
    codes: Mapping[str, str],
    edge_order: Sequence[int],
) -> tuple[float, float]:
    """Give every ship its contact code, place and course, in place; return the size of the table.

    Args:
        rosters: The ships and decoys of each side, fleet by fleet.
        codes: The contact code of each ship.
        edge_order: The numbers of the sides in the order in which they take the table's edges.
    """
    fleet_sizes = [[len(fleet) for fleet in rosters[number]] for number in edge_order]
    table, placements = place_ships(scenario.table, fleet_sizes)
    for number, side_placements in zip(edge_order, placements, strict=True):
        for fleet, places in zip(rosters[number], side_placements, strict=True):
            ranked = sorted(fleet, key=lambda ship: codes[ship["id"]])
            for ship, placement in zip(ranked, places, strict=True):
                ship["at"] = list(placement.at)
                ship["course"] = placement.course
                ship["contact"] = codes[ship["id"]]
    return table


def _seed(salt: bytes, *names: str) -> int:
    """Return the seed of the dice rolled before a battle.

    It cannot be predicted without the campaign's secret.
    """
    data = b"\0".join((salt, b"field", *(name.encode() for name in names)))
    return int.from_bytes(hashlib.sha256(data).digest()[:4]) % SEED_COUNT


def _add_morale(scenario: Scenario, engagement: Engagement, file: BattleFileDocument) -> None:
    """Add to a battle file what the war's morale options need for each side.

    A side of allies withdraws when the ally that fights longest would. It never strikes to an enemy
    to whom any of the allies never strikes. Allies of different navies count as a navy of their
    own.

    Rules: Continuum "Fleet morale" 12.8, "Striking the colors" 12.9, "Civil wars" 12.10 [pc.morale]
    """
    powers = {faction.id: faction for faction in scenario.factions}
    has_navies = any(faction.navy for faction in scenario.factions)
    for entry, side in zip(file["sides"], engagement.sides, strict=True):
        if FLEET_MORALE in scenario.options:
            entry["withdraws_at"] = max(powers[name].withdraws_at for name in side)
        if CIVIL_WAR in scenario.options and has_navies:
            navies = {powers[name].navy for name in side}
            common = navies.pop() if len(navies) == 1 else ""
            entry["navy"] = common or phrase("of {}", side_name(side))
    if STRIKING in scenario.options:
        file["no_quarter"] = _no_quarter(scenario, engagement)


def _add_agreements(scenario: Scenario, engagement: Engagement, file: BattleFileDocument) -> None:
    """Add to a battle file what the scenario says of rams, of its length and of what is barred."""
    for entry, side in zip(file["sides"], engagement.sides, strict=True):
        add_ram_die(scenario, entry, side)
    if scenario.max_turns != DEFAULT_MAX_TURNS:
        file["max_turns"] = scenario.max_turns
    if scenario.multi_role:
        file["multi_role"] = list(scenario.multi_role)
    restrictions = scenario.restrictions
    if restrictions.barred:
        file["barred"] = list(restrictions.barred)
    if restrictions.allowed is not None:
        file["allowed"] = list(restrictions.allowed)


def _no_quarter(scenario: Scenario, engagement: Engagement) -> list[list[str]]:
    """Return the names of each two sides that never strike to each other."""
    faction_pairs = set()
    for power in scenario.factions:
        for enemy in power.no_quarter:
            faction_pairs |= {(power.id, enemy), (enemy, power.id)}
    result = []
    for side, other in combinations(engagement.sides, 2):
        if not faction_pairs.isdisjoint(product(side, other)):
            result.append([side_name(side), side_name(other)])
    return result


def battle_doctrines(
    scenario: Scenario, world: World, engagement: Engagement, orders: Mapping[str, Orders]
) -> dict[str, dict[str, Any]]:
    """Return the doctrine of each side by the side's name.

    It is the doctrine of the side's fleet with the most points. A side caught while withdrawing
    flees.

    Args:
        orders: The orders of the battles stage; doctrines set there take precedence.

    Rules: 2E "When fleets meet" [camp.battle]
    """
    index = index_scenario(scenario, world)
    world_index = WorldIndex(index, world)
    result: dict[str, dict[str, Any]] = {}
    for side in engagement.sides:
        points: dict[str, int] = {}
        fleets = fleets_of(world_index, engagement, side)
        for fleet in fleets:
            ships = free_ships(world_index, fleet)
            points[fleet.key] = index.points(ships)
        strongest = min(fleets, key=lambda fleet: (-points[fleet.key], fleet.key))
        doctrine = asdict(_doctrine(strongest, orders))
        if doctrine["range"] is not None:
            doctrine["range"] = min(doctrine["range"], MAX_RANGE)
        if all(name in engagement.caught for name in side):
            doctrine["flee"] = True
        result[side_name(side)] = doctrine
    return result


def _doctrine(fleet: Fleet, orders: Mapping[str, Orders]) -> Doctrine:
    """Return a fleet's doctrine: the one in its faction's sealed orders, else its own."""
    sealed = orders.get(fleet.faction, Orders())
    for setting in sealed.settings:
        if setting.fleet == fleet.key and setting.doctrine is not None:
            return setting.doctrine
    return fleet.doctrine


def battle_result(
    scenario: Scenario,
    world: World,
    engagement: Engagement,
    state: Mapping[str, Any],
    winner: str | None,
    turns: int,
    contacts_seen: tuple[ContactOutcome, ...] = (),
) -> BattleResult:
    """Return the result of a battle for the campaign.

    A ship that left the table has separated within the system; a ship that left under FTL is out of
    the system. A ship that another side commands at the end is captured by that side, wherever it
    went.

    Args:
        state: The engine's final state of the battle.
        contacts_seen: What each side saw, from `total_contacts_seen`.

    Rules: 2E "When fleets meet" [camp.battle]; PC "Boarding actions" [camp.prizes]
    """
    index = index_scenario(scenario, world)
    world_index = WorldIndex(index, world)
    ship_states: Mapping[str, Mapping[str, Any]] = state["ships"]
    by_name = {side_name(side): side for side in engagement.sides}
    victors = by_name.get(winner or "")
    takers = {}
    for key, ship_state in ship_states.items():
        if "commander" in ship_state:
            commanding_side = state["sides"][ship_state["commander"]]
            takers[key] = by_name[commanding_side][0]
    results: list[ShipAfter] = []
    decoys_lost: list[tuple[str, int]] = []
    for side in engagement.sides:
        if victors is not None and victors != side:
            captor = victors[0]
        else:
            captor = _foes(engagement, side)[0]
        for fleet in fleets_of(world_index, engagement, side):
            free = free_ships(world_index, fleet)
            for ship in world_index.ships_of[fleet.key]:
                if ship.key in ship_states:
                    ship_state = ship_states[ship.key]
                    taker = takers.get(ship.key, "")
                    results.append(
                        ship_result(ship, ship_state, captor=captor, taker=taker, turn=turns)
                    )
                elif not ship.is_helpless:
                    results.append(_unchanged_ship(ship))
            decoys = decoy_count(index, fleet, len(free))
            if lost_count := _count_lost_decoys(fleet, decoys, ship_states):
                decoys_lost.append((fleet.key, lost_count))
    return BattleResult(
        engagement=engagement.key,
        ships=tuple(sorted(results, key=lambda item: item.ship)),
        decoys_lost=tuple(sorted(decoys_lost)),
        turns=turns,
        winner=winner,
        ground=damage_after(index.system_at[engagement.hex], _sides(engagement), state),
        contacts_seen=contacts_seen,
        mines=mines_after_battle(index, world, engagement, state),
    )


def _count_lost_decoys(
    fleet: Fleet, decoys: int, ship_states: Mapping[str, Mapping[str, Any]]
) -> int:
    """Return how many decoys of a fleet a battle has destroyed or revealed.

    Args:
        decoys: How many decoys the fleet brought to the battle.
    """
    count = 0
    for number in range(1, decoys + 1):
        state = ship_states.get(dummy_id(fleet, number))
        if state is not None and state["status"] not in SURVIVING_DECOY_STATUSES:
            count += 1
    return count


def total_contacts_seen(
    scenario: Scenario,
    world: World,
    sides: Sequence[str],
    fates_of: Callable[[int], Iterable[ContactFate]],
) -> tuple[ContactOutcome, ...]:
    """Count what each side of a battle saw happen to its contacts.

    Args:
        sides: The names of the sides; a side's number is its index here.
        fates_of: Returns what the side with a number saw, from that side's log and views.
    """
    classes = index_scenario(scenario, world).classes
    classification_of = {}
    for name, cls in classes.items():
        classification_of[short_class_name(name)] = cls.classification
    classification_of |= {name: cls.classification for name, cls in classes.items()}
    result: list[ContactOutcome] = []
    for number, name in enumerate(sides):
        for item in count_contact_outcomes(name, sides, fates_of(number), classification_of):
            result.append(item)
    return tuple(result)


def _unchanged_ship(ship: Ship) -> ShipAfter:
    """Return the result of a ship that was left out when its battle was made smaller."""
    return ShipAfter(
        ship=ship.key,
        damage=ship.damage,
        lost=ship.lost,
        stock=ship.stock,
        status=FIGHTING,
        captor="",
        notes=ship.notes,
    )


def _sides(engagement: Engagement) -> dict[str, str]:
    """Return the name of each faction's side in a battle."""
    result: dict[str, str] = {}
    for side in engagement.sides:
        for faction in side:
            result[faction] = side_name(side)
    return result


def _foes(engagement: Engagement, side: tuple[str, ...]) -> tuple[str, ...]:
    """Return the factions that a side fights, sorted."""
    foes = set()
    for a, b in engagement.hostile:
        if a in side:
            foes.add(b)
        if b in side:
            foes.add(a)
    return tuple(sorted(foes))


def ship_result(
    ship: Ship, state: Mapping[str, Any], *, captor: str, taker: str, turn: int
) -> ShipAfter:
    """Return what a battle did to a ship.

    Args:
        captor: The captor to record if the engine says that the ship was taken but not by whom.
        taker: The faction that commands the ship now; empty for its owner.
    """
    status: str = STATUS[state["status"]]
    if taker and status not in UNCLAIMED_STATUSES:
        if status in (LEFT_TABLE, FTL):
            status = CARRIED_OFF
        else:
            status = CAPTURED
    is_docked = status == FIGHTING and state.get("docking", FREE) in ATTACHED
    return ShipAfter(
        ship=ship.key,
        damage=state["damage"],
        lost=tuple(state["lost"]),
        stock=tuple(sorted(state.get("stock", {}).items())),
        status=status,
        captor=(taker or captor) if status in CAPTURED_STATUSES else "",
        notes=tuple(sorted(carried_over_facts(state.get("notes", {}), turn).items())),
        is_free="docking" in state and not is_docked,
    )


def place_sections(
    index: ScenarioIndex,
    world_index: WorldIndex,
    fleet: Sequence[ShipEntry],
    table: tuple[float, float],
) -> None:
    """Place the sections of starbases and monster ships around their first section, in place.

    The first section is the one with the lowest contact code.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """
    entries = {entry["id"]: entry for entry in fleet}
    fleet_ships = []
    for ships in world_index.ships_of.values():
        for ship in ships:
            if ship.key in entries:
                fleet_ships.append(ship)
    for members in assemble_sections(index.classes, fleet_ships):
        parts = [entries[ship.key] for ship, _ in members]
        first = min(parts, key=lambda entry: entry["contact"])
        spots = [place.at for _, place in members]
        anchor = first["at"][0], first["at"][1]
        for entry, (_, place) in zip(parts, members, strict=True):
            entry["section"] = f"{place.of} {min(part['id'] for part in parts)}"
            entry["at"] = list(section_position(anchor, place, entry["course"], table, spots))


def load_battleriders(
    index: ScenarioIndex, world_index: WorldIndex, fleet: Sequence[ShipEntry]
) -> None:
    """Put the battleriders of a fleet aboard their motherships, in place, while there is room.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    entries = {entry["id"]: entry for entry in fleet}
    ships = {}
    for fleet_ships in world_index.ships_of.values():
        for ship in fleet_ships:
            if ship.key in entries:
                ships[ship.key] = ship
    masses_aboard: dict[str, list[int]] = {}
    for key, ship in sorted(ships.items()):
        mother = ships.get(ship.tug)
        if mother is None or "section" in entries[key]:
            continue
        cls, mother_class = index.classes[ship.cls], index.classes[mother.cls]
        if not is_aboard(cls, ship, mother_class):
            continue
        masses = [*masses_aboard.get(mother.key, ()), cls.mass]
        if not without_room(masses, mother_class.transport_capacities(mother.lost)):
            masses_aboard[mother.key] = masses
            entries[key]["carried"] = mother.key
