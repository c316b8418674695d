"""The units at which point defence fires, and how its dice classify them."""

from __future__ import annotations

from engine.core.state import BattleState
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.weapons.guard import PointDefenceTarget

IncomingUnit = Marker | Group


def point_defence_target(state: BattleState, unit: IncomingUnit) -> PointDefenceTarget:
    """Return how point defence dice classify a unit."""
    if isinstance(unit, Marker):
        return unit.row(state).defence_target
    if unit.row.berth:  # only gunboats need one
        return PointDefenceTarget.GUNBOATS
    return PointDefenceTarget.FIGHTERS
