"""The strength of a ship of a campaign as it is now, by the measure of the engine's captains.

It has no unit: strengths of ships add up to that of a force, and are compared with another's alone.
A process reads each design once, and reckons each state of its ships once.
"""

from __future__ import annotations

import json
from functools import lru_cache

from engine.captains.continuum.strength import strength
from engine.core.ids import NO_SHIP
from engine.core.sheet import Sheet
from engine.notation.designs import sheet_once
from engine.ship_profiles import new_ship

VELOCITY = 12  # MU a turn at which ships are taken to fight
MOST_SHIPS = 16384  # ships whose strength is kept


def cached_sheet(design: str, options: tuple[str, ...]) -> Sheet:
    """The record sheet of a design (as JSON), the same that its battles are fought with.

    Raises RuleViolations.
    """
    read = json.loads(design)
    return sheet_once(repr(read), read, options)


@lru_cache(maxsize=MOST_SHIPS)
def strength_now(
    design: str,
    options: tuple[str, ...],
    damage: int = 0,
    lost: tuple[str, ...] = (),
    stock: tuple[tuple[str, int], ...] = (),
    notes: tuple[tuple[str, int], ...] = (),
) -> float:
    """The strength of a ship of a design (as JSON) with such damage points, lost systems, stores
    and notes.
    """
    sheet, stores, note_values = cached_sheet(design, options), dict(stock), dict(notes)
    ship = new_ship(
        NO_SHIP,
        0,
        sheet,
        (0.0, 0.0),
        12,
        VELOCITY,
        damage=damage,
        lost=lost,
        stock=stores,
        notes=note_values,
    )
    return strength(ship)
