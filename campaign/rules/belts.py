"""The seed of a battle file, by which dice place the asteroids of a belt.

Rules: 2E "Asteroids" [camp.system-asteroids]
"""

from __future__ import annotations

from collections.abc import Callable

from engine.core.errors import RuleViolations
from engine.notation.battle_file import BattleFileDocument
from engine.notation.terms import MAX_ROLLED, laid_asteroids

SEEDS_TRIED = 3


def add_seed(file: BattleFileDocument, seed_of: Callable[[tuple[str, ...]], int]) -> None:
    """Give a battle file a seed by which its belt has room on the table.

    If no seed gives it room, because installations are in the way, the belt has fewer asteroids.

    Args:
        seed_of: Returns a seed, for no names the usual one, and others for other names.
    """
    file["seed"] = seed_of(())
    belt = file.get("asteroids")
    if not isinstance(belt, dict):
        return
    for attempt in range(SEEDS_TRIED):
        file["seed"] = seed_of((str(attempt),) if attempt else ())
        if _has_room(file):
            return
    rest = {key: value for key, value in belt.items() if key != "roll"}
    for count in range(belt.get("count", MAX_ROLLED) - 1, 0, -1):
        file["asteroids"] = {**rest, "count": count}
        if _has_room(file):
            return
    del file["asteroids"]
    file.pop("drift", None)


def _has_room(file: BattleFileDocument) -> bool:
    """Return whether a belt has room on the table of its battle file."""
    try:
        laid_asteroids(file)
    except RuleViolations:
        return False
    return True
