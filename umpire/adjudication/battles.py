"""Engagements as battles of the engine.

It decides which ships are on the table and where, gives each side its doctrine, and translates the
final state for the campaign. Each side begins at its own edge, its fleets side by side, rank behind
rank.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from campaign.rules.battle_entries import DECOY_LABEL, battle_options, drone_entry, ship_entry
from campaign.rules.battle_sightings import ContactOutcome, count_contact_outcomes
from campaign.rules.ground_targets import damage_by_number, ground_on
from campaign.rules.orders import Orders
from campaign.rules.queries import short_class_name
from campaign.rules.scenario import Scenario
from campaign.rules.ship_sections import assemble_sections, section_position
from campaign.rules.skirmish import is_skirmish
from campaign.rules.starting_positions import place_ships
from campaign.rules.system_terrain import terrain_on
from campaign.rules.table_gates import gates_on
from campaign.rules.towing import is_aboard
from campaign.rules.world import Doctrine, Engagement, Fleet, Ship, World
from engine.combat.unidentified import decoy_drives
from engine.core.edition import Edition
from engine.core.kinds import (
    CAPTURED,
    CARRIED,
    DESTROYED,
    FIGHTING,
    FTL,
    HULK,
    LANDED,
    LEFT_TABLE,
    RETURNING,
    ShipStatus,
)
from engine.core.phrase import phrase
from engine.core.ship_facts import carried_over_facts
from engine.core.terms import CIVIL_WAR, CORE_SYSTEMS, FLEET_MORALE, KNOWN_CONTACTS, STRIKING
from engine.core.transport import without_room
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument, ShipEntry, SideEntry
from engine.view.contact_fates import ContactFate
from umpire.adjudication.bombardment import damage_after
from umpire.adjudication.contacts import visible_decoys
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex, index_scenario
from umpire.adjudication.outcome import CARRIED_OFF, BattleResult, ShipAfter

MAX_RANGE = 54  # MU, the longest range that a doctrine can ask captains to keep
CODE_LENGTH = 10
SHOWN_LENGTH = 4  # characters of a code shown to people
CODE_SUFFIXES: tuple[tuple[bytes, ...], ...] = (
    (),
    *((bytes([n]),) for n in range(1, 16)),
)  # suffixes to try if a code is taken
SEED_COUNT = 1_000_000  # number of different seeds

# What the engine's status of a ship means for the campaign.
STATUS: dict[str, ShipStatus] = {
    "docked": FIGHTING,
    **{
        status: status
        for status in (
            FIGHTING,
            LEFT_TABLE,
            FTL,
            DESTROYED,
            HULK,
            ShipStatus.SURRENDERED,
            CAPTURED,
            LANDED,
        )
    },
    RETURNING: LEFT_TABLE,
    CARRIED: FIGHTING,
}
CAPTURED_STATUSES = (CAPTURED, ShipStatus.SURRENDERED, CARRIED_OFF)
UNCLAIMED_STATUSES = (
    DESTROYED,
    HULK,
    ShipStatus.SURRENDERED,
)  # kept even if an enemy commanded the ship last
SURVIVING_DRONE_STATUSES = (FIGHTING, LEFT_TABLE, RETURNING)  # a drone of any other status is gone


def side_name(side: tuple[str, ...]) -> str:
    """Return the name of a side in a battle: its factions joined."""
    return "+".join(side)


def dummy_id(fleet: Fleet, number: int) -> str:
    """Return the id of a fleet's drone in a battle."""
    return f"{fleet.key}/d{number}"


def contact_codes(
    salt: bytes, world: World, engagement: Engagement, keys: list[str]
) -> dict[str, str]:
    """Return a code for each ship, which other sides see until they identify the ship.

    Without the salt a code reveals nothing about the ship. The first characters of the codes
    differ, because only these are shown to people.
    """
    prefix = (salt, engagement.key.encode(), str(world.week).encode())
    candidates = {}
    for key in keys:
        candidates[key] = [
            hashlib.sha256(b"\0".join((*prefix, key.encode(), *again))).hexdigest()[:CODE_LENGTH]
            for again in CODE_SUFFIXES
        ]
    codes: dict[str, str] = {}
    used: set[str] = set()
    for key in sorted(keys, key=lambda ship_key: candidates[ship_key][0]):
        codes[key] = next(code for code in candidates[key] if code[:SHOWN_LENGTH] not in used)
        used.add(codes[key][:SHOWN_LENGTH])
    return codes


def battle_setup(
    scenario: Scenario, world: World, engagement: Engagement, *, salt: bytes, rules: str = NEWEST
) -> BattleFileDocument:
    """Build the engine's battle file of an engagement, before any orders or dice.

    Docked ships and ships laid up do not fight. The newcomers start at one end, the occupant at the
    other. Ships are placed and listed in the order of their contact codes, so that no place tells a
    drone from a ship. The system's terrain, its gates and the sides' ground targets are on the
    table too.

    Args:
        salt: The campaign's secret.
        rules: The version of the rules by which the battle is fought.

    Rules: 2E "When fleets meet" [camp.battle]; Continuum "Terrain" 17 [pc.planets]; Continuum 11.9
    [pc.gates]; 2E "Dummy bogeys and weasel boats" [camp.decoys]; 2E "Repairs" [camp.replenish];
    Continuum "Pulsers" 5.21, "Fusion array" 5.19 [camp.refit]
    """
    if is_skirmish(scenario):
        return {**_skirmish(scenario, world, engagement, salt), "rules": rules}
    index = index_scenario(scenario, world)
    world_index = WorldIndex(index, world)
    holder = next(
        (h.holder for h in world.holdings if h.system == index.system_at[engagement.hex].id), None
    )
    occupant = next((n for n, side in enumerate(engagement.sides) if holder in side), None)
    order = [n for n in range(len(engagement.sides)) if n != occupant]
    if occupant is not None:
        order.insert(1, occupant)
    rosters = [_roster(index, world_index, engagement, side) for side in engagement.sides]
    codes = contact_codes(
        salt,
        world,
        engagement,
        [ship["id"] for side in rosters for fleet in side for ship in fleet],
    )
    table, placements = place_ships(
        scenario.table, [[len(fleet) for fleet in rosters[n]] for n in order]
    )
    sides: list[SideEntry] = [{"name": side_name(side), "ships": []} for side in engagement.sides]
    for n, fleets in zip(order, placements, strict=True):
        for fleet, places in zip(rosters[n], fleets, strict=True):
            ranked = sorted(fleet, key=lambda ship: codes[ship["id"]])
            for ship, placement in zip(ranked, places, strict=True):
                ship["at"], ship["course"] = list(placement.at), placement.course
                ship["contact"] = codes[ship["id"]]
                sides[n]["ships"].append(ship)
            place_sections(index, world_index, fleet, table)
            load_battleriders(index, world_index, fleet)
        sides[n]["ships"].sort(key=lambda ship: ship["contact"])
    names = _sides(engagement)
    hostile = sorted({tuple(sorted((names[a], names[b]))) for a, b in engagement.hostile})
    file: BattleFileDocument = {
        "edition": scenario.edition,
        "rules": rules,
        "options": battle_options(scenario.options),
        "table": list(table),
        "sides": sides,
        "hostile": [list(pair) for pair in hostile],
        "bogeys": KNOWN_CONTACTS not in scenario.options,
    }
    _add_morale(scenario, engagement, file)
    if terrain := index.system_at[engagement.hex].terrain:
        file["terrain"] = terrain_on(terrain, table)
    system = index.system_at[engagement.hex]
    if ground := ground_on(system, names, damage_by_number(world.ground, system.id)):
        file["ground"] = ground
    gate_holder = next((side_name(side) for side in engagement.sides if holder in side), "")
    if scenario.edition == Edition.CONTINUUM and (
        gates := gates_on(scenario, engagement.hex, table, gate_holder)
    ):
        file["gates"] = gates
    if CORE_SYSTEMS in scenario.options:
        file["seed"] = _seed(salt, engagement.key, str(world.week))
    return file


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
        no_quarter_pairs = set()
        for name, power in powers.items():
            for foe in power.no_quarter:
                no_quarter_pairs.add((name, foe))
        no_quarter_pairs |= {(foe, name) for name, foe in no_quarter_pairs}
        sides = engagement.sides
        file["no_quarter"] = [
            [side_name(side), side_name(other)]
            for number, side in enumerate(sides)
            for other in sides[number + 1 :]
            if any((name, foe) in no_quarter_pairs for name in side for foe in other)
        ]


def _without_unchosen_options(
    file: BattleFileDocument, options: Sequence[str]
) -> BattleFileDocument:
    """Remove from a battle file what belongs to options that the host has not chosen."""
    unsaid = []
    for key, option in (("withdraws_at", FLEET_MORALE), ("navy", CIVIL_WAR)):
        if option not in options:
            unsaid.append(key)
    sides = []
    for side in file["sides"]:
        sides.append({key: value for key, value in side.items() if key not in unsaid})
    if KNOWN_CONTACTS in options:
        real = []
        for side in file["sides"]:
            real.append([ship for ship in side["ships"] if not ship.get("dummy")])
        sides = [{**side, "ships": ships} for side, ships in zip(sides, real, strict=True)]
        file = cast(BattleFileDocument, {**file, "bogeys": False})
    rest = {}
    for key, value in file.items():
        if key != "no_quarter" or STRIKING in options:
            rest[key] = value
    return cast(BattleFileDocument, {**rest, "sides": sides})


def _skirmish(
    scenario: Scenario, world: World, engagement: Engagement, salt: bytes
) -> BattleFileDocument:
    """Build the battle file of a single battle; its asteroids follow from the campaign's secret."""
    seed = int.from_bytes(hashlib.sha256(salt + b"field").digest()[:4]) % SEED_COUNT
    file = _without_unchosen_options(cast(BattleFileDocument, scenario.battle), scenario.options)
    sides = file["sides"]
    codes = contact_codes(
        salt, world, engagement, [ship["id"] for side in sides for ship in side["ships"]]
    )
    if file.get("bogeys"):
        coded: list[list[ShipEntry]] = []
        for side in sides:
            coded.append([{**ship, "contact": codes[ship["id"]]} for ship in side["ships"]])
        sides = [{**side, "ships": ships} for side, ships in zip(sides, coded, strict=True)]
    return {**file, "options": list(scenario.options), "seed": seed, "sides": sides}


def _roster(
    index: ScenarioIndex,
    world_index: WorldIndex,
    engagement: Engagement,
    side: tuple[str, ...],
) -> list[list[ShipEntry]]:
    """Return a side's ships and drones, fleet by fleet, without their places on the table."""
    result = []
    for faction in side:
        for fleet in world_index.present(engagement.hex).get(faction, ()):
            ships = world_index.ships_of[fleet.key]
            entries = [ship_entry(index.classes, ship) for ship in ships if not ship.is_helpless]
            if entries:
                drones = range(1, _drones_out(index, fleet, len(entries)) + 1)
                able = [ship for ship in ships if not ship.is_helpless]
                thrust = _drones_thrust(index, entries, able)
                entries.extend(
                    drone_entry(index.classes, index.scenario.edition, dummy_id(fleet, n), thrust)
                    for n in drones
                )
                result.append(entries)
    return result


def _drones_out(index: ScenarioIndex, fleet: Fleet, ships: int) -> int:
    """Return the number of drones that a fleet brings to a battle.

    Those are its visible drones, or none if contacts are known from the start.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]; Continuum "Sensors and ECM" 12.1
    [pc.sensors]
    """
    if KNOWN_CONTACTS in index.scenario.options:
        return 0
    return visible_decoys(fleet, ships)


def _drones_thrust(
    index: ScenarioIndex, entries: Sequence[ShipEntry], ships: Sequence[Ship]
) -> int:
    """Return the thrust of a fleet's drones if their owner may choose it, else 0.

    It is the thrust of the fastest ship that looks like a drone, else of the fastest ship, up to
    the edition's limit for drones. 0 means that all drones fly alike.

    Rules: Continuum "Dummy bogeys" 12.3 [pc.sensors]
    """
    most = decoy_drives(index.scenario.edition)
    lookalikes = []
    for entry, ship in zip(entries, ships, strict=True):
        if entry.get("label") == DECOY_LABEL:
            lookalikes.append(ship)
    thrusts = []
    for ship in lookalikes or ships:
        if ship.cls in index.classes:
            thrusts.append(index.classes[ship.cls].thrust)
    return min(most, max(thrusts, default=0))


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
        fleets = [
            fleet for name in side for fleet in world_index.present(engagement.hex).get(name, ())
        ]
        points = {
            fleet.key: index.points(
                ship for ship in world_index.ships_of[fleet.key] if not ship.is_helpless
            )
            for fleet in fleets
        }
        first = min(fleets, key=lambda fleet: (-points[fleet.key], fleet.key))
        doctrine = asdict(_doctrine(first, orders))
        if doctrine["range"] is not None:
            doctrine["range"] = min(doctrine["range"], MAX_RANGE)
        if all(name in engagement.caught for name in side):
            doctrine["flee"] = True
        result[side_name(side)] = doctrine
    return result


def _doctrine(fleet: Fleet, orders: Mapping[str, Orders]) -> Doctrine:
    sealed = orders.get(fleet.faction)
    for setting in () if sealed is None else sealed.settings:
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
    victors = next((side for side in engagement.sides if side_name(side) == winner), None)
    by_name = {side_name(side): side for side in engagement.sides}
    takers = {
        name: by_name[state["sides"][ship["commander"]]][0]
        for name, ship in ship_states.items()
        if "commander" in ship
    }
    ships: list[ShipAfter] = []
    drones: list[tuple[str, int]] = []
    for side in engagement.sides:
        if victors is not None and victors != side:
            captors = victors
        else:
            captors = _foes(engagement, side)
        for faction in side:
            for fleet in world_index.present(engagement.hex).get(faction, ()):
                fleet_ships = world_index.ships_of[fleet.key]
                ships.extend(
                    _ship_result(
                        ship,
                        ship_states[ship.key],
                        captors[0],
                        takers.get(ship.key, ""),
                        turns,
                    )
                    if ship.key in ship_states
                    else _unchanged_ship(ship)
                    for ship in fleet_ships
                    if not ship.is_helpless
                )
                able = sum(not ship.is_helpless for ship in fleet_ships)
                if not able:
                    continue
                drones_out = []
                for n in range(1, _drones_out(index, fleet, able) + 1):
                    drones_out.append(dummy_id(fleet, n))
                statuses = []
                for drone in drones_out:
                    if drone in ship_states:
                        statuses.append(ship_states[drone]["status"])
                drones_lost = sum(status not in SURVIVING_DRONE_STATUSES for status in statuses)
                if drones_lost:
                    drones.append((fleet.key, drones_lost))
    return BattleResult(
        engagement=engagement.key,
        ships=tuple(sorted(ships, key=lambda item: item.ship)),
        decoys_lost=tuple(sorted(drones)),
        turns=turns,
        winner=winner,
        ground=damage_after(index.system_at[engagement.hex], _sides(engagement), state),
        contacts_seen=contacts_seen,
    )


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
    return tuple(
        sorted(
            {b for a, b in engagement.hostile if a in side}
            | {a for a, b in engagement.hostile if b in side}
        )
    )


def _ship_result(
    ship: Ship, state: Mapping[str, Any], captor: str, taker: str, turn: int
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
    return ShipAfter(
        ship=ship.key,
        damage=state["damage"],
        lost=tuple(state["lost"]),
        stock=tuple(sorted(state.get("stock", {}).items())),
        status=status,
        captor=(taker or captor) if status in CAPTURED_STATUSES else "",
        notes=tuple(sorted(carried_over_facts(state.get("notes", {}), turn).items())),
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
    aboard: dict[str, list[int]] = {}
    for key, ship in sorted(ships.items()):
        mother = ships.get(ship.tug)
        if mother is None or not is_aboard(
            index.classes[ship.cls], ship, index.classes[mother.cls]
        ):
            continue
        masses = [*aboard.get(mother.key, ()), index.classes[ship.cls].mass]
        if (
            not without_room(masses, index.classes[mother.cls].transport_capacities(mother.lost))
            and "section" not in entries[key]
        ):
            aboard[mother.key] = masses
            entries[key]["carried"] = mother.key
