"""The battle file of a single battle, with the ships that its sides have chosen."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import cast

from campaign.rules.muster import battle_with_fleets, mustering_sides
from campaign.rules.scenario import Scenario
from campaign.rules.world import Engagement, World
from engine.core.terms import CIVIL_WAR, FLEET_MORALE, KNOWN_CONTACTS, STRIKING
from engine.notation.battle_file import BattleFileDocument, ShipEntry, SideEntry
from engine.notation.fleet_limits import JUDGED_KEYS
from umpire.adjudication.indexes import WorldIndex, index_scenario
from umpire.adjudication.rosters import contact_codes, roster_of

SEED_COUNT = 1_000_000  # number of different seeds


def single_battle_setup(
    scenario: Scenario, world: World, engagement: Engagement, salt: bytes
) -> BattleFileDocument:
    """Build the battle file of a single battle; its asteroids follow from the campaign's secret.

    Chosen fleets have been judged when they were sealed, so the limits of fleets are left out.
    """
    seed = int.from_bytes(hashlib.sha256(salt + b"field").digest()[:4]) % SEED_COUNT
    rosters = _mustered_ships(scenario, world, engagement)
    battle = battle_with_fleets(scenario.battle, rosters)
    document = {key: value for key, value in battle.items() if key not in JUDGED_KEYS}
    file = _without_unchosen_options(cast(BattleFileDocument, document), scenario.options)
    sides = file["sides"]
    if file.get("bogeys") or rosters:
        ships = chain.from_iterable(side["ships"] for side in sides)
        ids = [ship["id"] for ship in ships]
        codes = contact_codes(salt, world, engagement, ids)
        sides = [_with_codes(side, codes, in_order=side["name"] in rosters) for side in sides]
    result: BattleFileDocument = {
        **file,
        "options": list(scenario.options),
        "seed": seed,
        "sides": sides,
    }
    add_restrictions(scenario, result)
    return result


def _with_codes(side: SideEntry, codes: Mapping[str, str], *, in_order: bool) -> SideEntry:
    """Return a side whose ships have their contact codes.

    Args:
        in_order: List the ships by their codes, so that no place tells a drone from a ship.
    """
    ships: list[ShipEntry] = []
    for ship in side["ships"]:
        ships.append({**ship, "contact": codes[ship["id"]]})
    if in_order:
        ships.sort(key=lambda ship: ship["contact"])
    return {**side, "ships": ships}


def add_restrictions(scenario: Scenario, file: BattleFileDocument) -> None:
    """Add to a battle file what the war bars, in place of what the file says itself."""
    file.pop("barred", None)
    file.pop("allowed", None)
    if scenario.restrictions.barred:
        file["barred"] = list(scenario.restrictions.barred)
    if scenario.restrictions.allowed is not None:
        file["allowed"] = list(scenario.restrictions.allowed)


def _without_unchosen_options(
    file: BattleFileDocument, options: Sequence[str]
) -> BattleFileDocument:
    """Remove from a battle file what belongs to options that the host has not chosen.

    With known contacts, the drones are removed too.
    """
    result = dict(file)
    if STRIKING not in options:
        result.pop("no_quarter", None)
    if KNOWN_CONTACTS in options:
        result["bogeys"] = False
    sides = []
    for side in file["sides"]:
        entry = dict(side)
        if FLEET_MORALE not in options:
            entry.pop("withdraws_at", None)
        if CIVIL_WAR not in options:
            entry.pop("navy", None)
        if KNOWN_CONTACTS in options:
            entry["ships"] = [ship for ship in side["ships"] if not ship.get("dummy")]
        sides.append(entry)
    return cast(BattleFileDocument, {**result, "sides": sides})


def _mustered_ships(
    scenario: Scenario, world: World, engagement: Engagement
) -> dict[str, list[ShipEntry]]:
    """Return the ships and drones of the sides of a single battle that chose them, by side.

    They have no places and velocities, so that they begin as the deployment says.
    """
    musters = mustering_sides(scenario.battle)
    if not musters:
        return {}
    index = index_scenario(scenario, world)
    world_index = WorldIndex(index, world)
    result = {}
    for name in musters:
        entries = list(chain.from_iterable(roster_of(index, world_index, engagement, (name,))))
        for entry in entries:
            entry.pop("velocity", None)
        result[name] = entries
    return result
