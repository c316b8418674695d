"""Long range scans: how many contacts, of which classification; falsified by decoy drones and weasel boats."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.rules.world import Fleet, Scan, Ship
from umpire.adjudication.muster import Book, Muster, Present

DECOY_LABEL = "escort"  # the signature a decoy drone emits


def label(book: Book, ship: Ship) -> str:
    """The classification a ship shows to long range sensors: its weasel's where one is on and works, else its own.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    cls = book.classes[ship.cls]
    if ship.weasel_on and cls.weasel and not any(id_.startswith("weasel") for id_ in ship.lost):
        return cls.weasel
    return cls.classification


def decoys_seen(fleet: Fleet, ships: int) -> int:
    """The decoy drones a fleet shows: those deployed, at most one for each real ship.

    Rules: 2E "Dummy bogeys and weasel boats" [camp.decoys]
    """
    return min(fleet.decoys_out, ships)


def count_contacts(book: Book, muster: Muster, fleets: Iterable[Fleet]) -> tuple[tuple[str, int], ...]:
    """(classification, contacts) of some fleets as a long range scan reads them, docked ships too; sorted.

    Rules: 2E "When fleets meet" [camp.scan]
    """
    counts: dict[str, int] = {}
    classes = book.classes
    for fleet in fleets:
        ships = muster.ships_of[fleet.key]
        for ship in ships:
            kind = label(book, ship) if ship.weasel_on else classes[ship.cls].classification
            counts[kind] = counts.get(kind, 0) + 1
        decoys = decoys_seen(fleet, len(ships))
        if decoys:
            counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + decoys
    return tuple(sorted(counts.items()))


def scans_at(book: Book, muster: Muster, hex_: str, present: Present) -> list[Scan]:
    """Every long range scan read at a system hex: each faction there scans each hostile one.

    A settlement whose owner has no ships there scans what is hostile, and is found to have none. Allies read each
    other's scans only where the scenario says so.

    Rules: 2E "When fleets meet" [camp.scan]
    """
    system = book.system_at[hex_]
    there = set(present)
    if system.settled and system.owner is not None:
        there.add(system.owner)
    if len(there) < 2:
        return []
    watchers = sorted(there)
    read: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
    for target in watchers:
        viewers = [viewer for viewer in watchers if book.hostile(viewer, target)]
        if viewers:
            counts = count_contacts(book, muster, present.get(target, ()))
            read.update({(viewer, target): counts for viewer in viewers})
    if book.scenario.shared_sight:
        for (viewer, target), counts in list(read.items()):
            for ally in book.factions:
                if book.side[ally] == book.side[viewer]:
                    read.setdefault((ally, target), counts)
    return [Scan(hex_, viewer, target, counts) for (viewer, target), counts in sorted(read.items())]
