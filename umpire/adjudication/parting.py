"""Fleets torn apart: the ships that can leave go, the others stay behind."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from dataclasses import replace
from operator import attrgetter

from campaign.rules.world import Fleet, Ship


def part_fleets(
    fleets: Sequence[Fleet], ships: Sequence[Ship], going: Collection[str]
) -> tuple[list[Fleet], list[Ship], frozenset[str]]:
    """Fleets and ships with the ships `going` parted from those that stay, and the keys of the fleets that go.

    Those who go keep their fleet's key, name and the drones aboard; what stays of a torn fleet forms a new one with
    the drones that are out. Fleets without ships are gone.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]
    """
    if not going:
        manned = {ship.fleet for ship in ships}
        kept = [fleet for fleet in fleets if fleet.key in manned]
        return sorted(kept, key=attrgetter("key")), list(ships), frozenset()
    goers = {ship.fleet for ship in ships if ship.key in going}
    stayers = {ship.fleet for ship in ships if ship.key not in going}
    torn = goers & stayers
    taken = {fleet.key for fleet in fleets}
    remnant: dict[str, str] = {}
    after: list[Fleet] = []
    for fleet in fleets:
        if fleet.key in torn:
            remnant[fleet.key] = key = _spare_key(fleet.key, taken)
            after.append(replace(fleet, key=key, decoys=0))
            after.append(replace(fleet, decoys_out=0))
        elif fleet.key in goers or fleet.key in stayers:
            after.append(fleet)
    crews = [
        replace(ship, fleet=remnant[ship.fleet]) if ship.fleet in remnant and ship.key not in going else ship
        for ship in ships
    ]
    return sorted(after, key=attrgetter("key")), crews, frozenset(goers)


def into_ftl(fleets: Sequence[Fleet], going: Container[str]) -> list[Fleet]:
    """Fleets with those that go in FTL space at their hex: unseen, holding nothing, and to move on their next move.

    Drones that are out are left behind.

    Rules: 2E "When fleets meet" [camp.must-leave]
    """
    return [
        replace(fleet, in_ftl=True, must_leave=True, decoys_out=0) if fleet.key in going else fleet for fleet in fleets
    ]


def _spare_key(key: str, taken: Container[str]) -> str:
    """The key of what stays behind: the fleet's own with the first number that is free."""
    number = 2
    while f"{key}.{number}" in taken:
        number += 1
    return f"{key}.{number}"
