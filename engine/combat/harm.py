"""Damage that is marked and checked at once, whatever the rulebook: mines, rams, jumps.

Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
"""

from __future__ import annotations

from engine.core.rolls import PLAIN
from engine.core.ship import ShipState
from engine.core.table import Table
from engine.ruleset import rules_of


def harm(table: Table, ship: ShipState, points: int, cause: str, die: int, kind: str = PLAIN) -> None:
    """Mark damage points off a ship, with the checks that follow. `kind`: how they go through armour
    (`engine.core.rolls`).

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    rules_of(table.state.terms.edition).harm(table, ship, points, cause, die, kind)
