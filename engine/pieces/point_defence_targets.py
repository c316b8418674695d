"""The units at which point defence fires, and how its dice classify them."""

from __future__ import annotations

from engine.core.state import BattleState
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.weapons.guard import PointDefenceTarget

IncomingUnit = Marker | Group


def point_defence_target(state: BattleState, prey: IncomingUnit) -> PointDefenceTarget:
    """Return how point defence dice classify a unit."""
    if isinstance(prey, Marker):
        return prey.row(state).defence_target
    if prey.row.berth:
        return PointDefenceTarget.GUNBOATS
    return PointDefenceTarget.FIGHTERS
