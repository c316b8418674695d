"""Ships that come to a battle as one: sections of starbases and monster ships, and riders aboard their motherships.

Rules: Continuum "Starbases" 13.15 [pc.starbases]; Continuum "Battleriders and motherships" 11.7 [pc.tugs]
"""

from __future__ import annotations

from collections.abc import Sequence

from campaign.rules.towing import rides
from campaign.rules.wholes import standing, wholes_of
from engine.core.transport import left_out
from engine.notation.battle_file import ShipEntry
from umpire.adjudication.muster import Book, Muster


def put_together(book: Book, muster: Muster, fleet: Sequence[ShipEntry], table: tuple[float, float]) -> None:
    """Set the sections of a fleet's starbases and monster ships about the first of them by its code, in place.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """
    entries = {entry["id"]: entry for entry in fleet}
    crew = [ship for ships in muster.ships_of.values() for ship in ships if ship.key in entries]
    for members in wholes_of(book.classes, crew):
        parts = [entries[ship.key] for ship, _ in members]
        first = min(parts, key=lambda entry: entry["contact"])
        spots = [place.at for _, place in members]
        anchor = first["at"][0], first["at"][1]
        for entry, (_, place) in zip(parts, members, strict=True):
            entry["section"] = f"{place.of} {min(part['id'] for part in parts)}"
            entry["at"] = list(standing(anchor, place, entry["course"], table, spots))


def put_aboard(book: Book, muster: Muster, fleet: Sequence[ShipEntry]) -> None:
    """Have the battleriders of a fleet begin aboard their motherships, in place, as far as these have room.

    Rules: Continuum "Battleriders and motherships" 11.7 [pc.tugs]
    """
    entries = {entry["id"]: entry for entry in fleet}
    ships = {ship.key: ship for crew in muster.ships_of.values() for ship in crew if ship.key in entries}
    aboard: dict[str, list[int]] = {}
    for key, ship in sorted(ships.items()):
        mother = ships.get(ship.tug)
        if mother is None or not rides(book.classes[ship.cls], ship, book.classes[mother.cls]):
            continue
        masses = [*aboard.get(mother.key, ()), book.classes[ship.cls].mass]
        if not left_out(masses, book.classes[mother.cls].rooms(mother.lost)) and "section" not in entries[key]:
            aboard[mother.key] = masses
            entries[key]["carried"] = mother.key
