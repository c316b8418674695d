"""The faults of names and doctrines, in whatever document they are given."""

from __future__ import annotations

from campaign.rules.fleet_names import MAX_NAME_LENGTH
from campaign.rules.world import Doctrine
from engine.core.errors import Violation
from engine.core.names import name_fault
from engine.core.reason import reason
from engine.core.zones import FIRST_ENTRY, LAST_ENTRY, MAX_VELOCITY

MAX_RANGE = 54  # MU, the longest reach of any sensor or battery


def name_faults(name: str, where: str) -> list[Violation]:
    """Return every fault of a name, which is one line of 1 to 40 characters, not all blank."""
    words = name_fault(name, MAX_NAME_LENGTH)
    if not words:
        return []
    code = "bad-name" if name.strip() else "no-name"
    return [Violation(where, code, words)]


def doctrine_faults(doctrine: Doctrine, where: str) -> list[Violation]:
    """Return every fault of a doctrine."""
    faults = []
    if doctrine.range is not None and not 1 <= doctrine.range <= MAX_RANGE:
        words = reason("range-1-mu", "the preferred range must be 1 to {} MU", MAX_RANGE)
        faults.append(Violation(f"{where}.range", "out-of-range", words))
    if not 0 <= doctrine.break_off <= 100:
        words = reason("share-0-100-percent", "the losses at which to break off must be 0 to 100%")
        faults.append(Violation(f"{where}.break_off", "out-of-range", words))
    return faults + _set_up_faults(doctrine, where)


def _set_up_faults(doctrine: Doctrine, where: str) -> list[Violation]:
    """Return the faults of what a doctrine says about the set-up."""
    faults = []
    if doctrine.speed is not None and not 0 <= doctrine.speed <= MAX_VELOCITY:
        words = reason("speed-of-set-up", "the velocity must be 0 to {}", MAX_VELOCITY)
        faults.append(Violation(f"{where}.speed", "out-of-range", words))
    if doctrine.reserve and not FIRST_ENTRY <= doctrine.reserve <= LAST_ENTRY:
        words = reason(
            "turn-of-reserve", "the turn must be {} to {}, or 0", FIRST_ENTRY, LAST_ENTRY
        )
        faults.append(Violation(f"{where}.reserve", "out-of-range", words))
    return faults
