"""Damage that is marked and checked at once, whatever the rulebook: mines, rams, jumps.

Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.continuum.thresholds import hurt
from engine.core.rolls import PLAIN, Wound
from engine.core.ship import DESTROYED, ShipState
from engine.core.table import Table
from engine.second_edition.damage import mark_damage

# (table, ship, points, how they go through armour, cause, the die that made them or 0)
Harm = Callable[[Table, ShipState, int, str, str, int], None]


def _by_points(table: Table, ship: ShipState, points: int, __: str, cause: str, die: int) -> None:
    mark_damage(table, ship, points, cause, die)


def _by_wounds(table: Table, ship: ShipState, points: int, kind: str, cause: str, _: int) -> None:
    if points > 0 and ship.status != DESTROYED:
        hurt(table, ship, (Wound(points, kind),), cause)


HARMS: Mapping[str, Harm] = {"second-edition": _by_points, "continuum": _by_wounds}


def harm(table: Table, ship: ShipState, points: int, cause: str, die: int, kind: str = PLAIN) -> None:
    """Mark damage points off a ship, with the checks that follow. `kind`: how they go through armour
    (`engine.core.rolls`).

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    HARMS[table.state.terms.edition](table, ship, points, kind, cause, die)
