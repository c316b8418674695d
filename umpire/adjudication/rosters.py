"""The ships and decoys that a side brings to a battle, and the codes by which others see them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from campaign.rules.battle_entries import DECOY_LABEL, decoy_entry, ship_entry
from campaign.rules.world import Engagement, Fleet, Ship, World
from engine.combat.unidentified import decoy_drives
from engine.core.terms import KNOWN_CONTACTS
from engine.notation.battle_file import ShipEntry
from umpire.adjudication.contacts import visible_decoys
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex

CODE_LENGTH = 10  # characters of a contact code
SHOWN_LENGTH = 4  # of these, characters shown to people
CODE_ATTEMPTS = 16  # codes to try for a ship if the first ones are taken


def dummy_id(fleet: Fleet, number: int) -> str:
    """Return the id of a fleet's decoy in a battle."""
    return f"{fleet.key}/d{number}"


def contact_codes(
    salt: bytes, world: World, engagement: Engagement, keys: list[str]
) -> dict[str, str]:
    """Return a code for each ship, which other sides see until they identify the ship.

    Without the salt a code reveals nothing about the ship. The first characters of the codes
    differ, because only these are shown to people.
    """
    prefix = (salt, engagement.key.encode(), str(world.week).encode())
    candidates: dict[str, list[str]] = {}
    for key in keys:
        parts = (*prefix, key.encode())
        candidates[key] = [_contact_code(parts)]
        for attempt in range(1, CODE_ATTEMPTS):
            candidates[key].append(_contact_code((*parts, bytes([attempt]))))
    codes: dict[str, str] = {}
    used: set[str] = set()
    for key in sorted(keys, key=lambda ship_key: candidates[ship_key][0]):
        codes[key] = next(code for code in candidates[key] if code[:SHOWN_LENGTH] not in used)
        used.add(codes[key][:SHOWN_LENGTH])
    return codes


def _contact_code(parts: Iterable[bytes]) -> str:
    """Return the contact code that follows from these parts."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:CODE_LENGTH]


def roster_of(
    index: ScenarioIndex,
    world_index: WorldIndex,
    engagement: Engagement,
    side: tuple[str, ...],
) -> list[list[ShipEntry]]:
    """Return a side's ships and decoys, fleet by fleet, without their places on the table.

    Stations are left out, because their places are not up to their side.
    """
    result = []
    for fleet in fleets_of(world_index, engagement, side):
        ships = free_ships(world_index, fleet)
        if not ships:
            continue
        entries = [ship_entry(index.scenario, index.classes, ship) for ship in ships]
        thrust = fleet.decoy_thrust or _decoys_thrust(index, entries, ships)
        for number in range(1, decoy_count(index, fleet, len(ships)) + 1):
            decoy = dummy_id(fleet, number)
            entries.append(decoy_entry(index.scenario, index.classes, decoy, fleet.faction, thrust))
        result.append(entries)
    return result


def free_ships(world_index: WorldIndex, fleet: Fleet) -> list[Ship]:
    """Return the ships of a fleet that fight and are no stations."""
    ships = []
    for ship in world_index.ships_of[fleet.key]:
        if not (ship.is_helpless or ship.station):
            ships.append(ship)
    return ships


def fleets_of(world_index: WorldIndex, engagement: Engagement, side: Iterable[str]) -> list[Fleet]:
    """Return the fleets of a side in a battle's hex."""
    present = world_index.present(engagement.hex)
    fleets: list[Fleet] = []
    for faction in side:
        fleets += present.get(faction, ())
    return fleets


def decoy_count(index: ScenarioIndex, fleet: Fleet, ships: int) -> int:
    """Return the number of decoys that a fleet brings to a battle.

    Those are its visible decoys, or none if contacts are known from the start.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]; Continuum "Sensors and ECM" 12.1
    [pc.sensors]
    """
    if KNOWN_CONTACTS in index.scenario.options:
        return 0
    return visible_decoys(fleet, ships)


def _decoys_thrust(
    index: ScenarioIndex, entries: Sequence[ShipEntry], ships: Sequence[Ship]
) -> int:
    """Return the thrust of a fleet's decoys if their owner may choose it, else 0.

    It is the thrust of the fastest ship that looks like a decoy, else of the fastest ship, up to
    the edition's limit for decoys. 0 means that all decoys fly alike.

    Rules: Continuum "Dummy bogeys" 12.3 [pc.sensors]
    """
    limit = decoy_drives(index.scenario.edition)
    lookalikes = []
    for entry, ship in zip(entries, ships, strict=True):
        if entry.get("label") == DECOY_LABEL:
            lookalikes.append(ship)
    fastest = 0
    for ship in lookalikes or ships:
        if ship.cls in index.classes:
            fastest = max(fastest, index.classes[ship.cls].thrust)
    return min(limit, fastest)
