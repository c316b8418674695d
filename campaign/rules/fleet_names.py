"""Names of fleets, unique within a faction however fleets are formed or renamed."""

from __future__ import annotations

from collections.abc import Container, Iterable

from campaign.rules.world import Fleet

MAX_NAME_LENGTH = 40


def new_fleet_name(key: str) -> str:
    """Return the name of a new fleet without one in its orders: `Fleet 7` for `esu/f7`."""
    return f"Fleet {key.partition('/f')[2]}"


def used_names(fleets: Iterable[Fleet], faction: str) -> set[str]:
    """Return the names of a faction's fleets, case folded."""
    return {fleet.name.casefold() for fleet in fleets if fleet.faction == faction}


def unique_name(name: str, used: Container[str]) -> str:
    """Return the name, with a number if another fleet has it.

    Args:
        used: The names of the other fleets, case folded.
    """
    candidate = name
    number = 2
    while candidate.casefold() in used:
        suffix = f" {number}"
        candidate = name[: MAX_NAME_LENGTH - len(suffix)].rstrip() + suffix
        number += 1
    return candidate
