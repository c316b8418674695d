"""What point defence meets: ordnance and craft, and what it takes each for."""

from __future__ import annotations

from engine.core.state import BattleState
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.weapons.guard import Quarry

Prey = Marker | Group


def quarry_of(state: BattleState, prey: Prey) -> Quarry:
    """What point defence takes something for."""
    if isinstance(prey, Marker):
        return prey.row(state).quarry
    return Quarry.GUNBOATS if prey.row.berth else Quarry.FIGHTERS
