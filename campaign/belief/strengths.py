"""The present strength of a campaign's ship, by the measure of the engine's captains.

It has no unit: strengths of ships add up to that of a force and are only compared with each other.
A process parses each design once and computes each state of a ship once.
"""

from __future__ import annotations

import json
from functools import lru_cache

from engine.captains.continuum.strength import strength
from engine.core.ids import NO_SHIP
from engine.core.sheet import Sheet
from engine.notation.designs import sheet_once
from engine.ship_profiles import new_ship

VELOCITY = 12  # MU a turn at which ships are assumed to fight
MAX_SHIPS = 16384  # ship states that are cached


def cached_sheet(design: str, options: tuple[str, ...]) -> Sheet:
    """Return the record sheet of a design (JSON), the same object that its battles use.

    Raises:
        RuleViolations: The design is faulty.
    """
    read = json.loads(design)
    return sheet_once(repr(read), read, options)


@lru_cache(maxsize=MAX_SHIPS)
def strength_now(
    design: str,
    options: tuple[str, ...],
    damage: int = 0,
    lost: tuple[str, ...] = (),
    stock: tuple[tuple[str, int], ...] = (),
    notes: tuple[tuple[str, int], ...] = (),
) -> float:
    """Return the strength of a ship of a design (JSON) in a state.

    Args:
        damage: Damage points.
        lost: Ids of lost systems.
        stock: What is left of stores, by system.
        notes: Other notes on the ship's state.
    """
    ship = new_ship(
        NO_SHIP,
        0,
        cached_sheet(design, options),
        at=(0.0, 0.0),
        course=12,
        velocity=VELOCITY,
        damage=damage,
        lost=lost,
        stock=dict(stock),
        notes=dict(notes),
    )
    return strength(ship)
