"""The battle file of a single battle, with the ships that its sides have chosen."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import chain
from typing import cast

from campaign.rules.agreed_battle import agreed_battle
from campaign.rules.muster import battle_with_fleets, mustering_sides
from campaign.rules.scenario import Scenario
from campaign.rules.world import Engagement, World
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
    file = cast(BattleFileDocument, agreed_battle(document, scenario))
    sides = file["sides"]
    if file.get("bogeys") or rosters:
        ships = chain.from_iterable(side["ships"] for side in sides)
        ids = [ship["id"] for ship in ships]
        codes = contact_codes(salt, world, engagement, ids)
        sides = [_with_codes(side, codes, in_order=side["name"] in rosters) for side in sides]
    return {**file, "seed": seed, "sides": sides}


def _with_codes(side: SideEntry, codes: Mapping[str, str], *, in_order: bool) -> SideEntry:
    """Return a side whose ships have their contact codes.

    Args:
        in_order: List the ships by their codes, so that no place tells a decoy from a ship.
    """
    ships: list[ShipEntry] = []
    for ship in side["ships"]:
        ships.append({**ship, "contact": codes[ship["id"]]})
    if in_order:
        ships.sort(key=lambda ship: ship["contact"])
    return {**side, "ships": ships}


def _mustered_ships(
    scenario: Scenario, world: World, engagement: Engagement
) -> dict[str, list[ShipEntry]]:
    """Return the ships and decoys of the sides of a single battle that chose them, by side.

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
