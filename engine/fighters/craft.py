"""Fighters in flight as targets: who may reach them.

Rules: 2E "Fighters" [2e.fighters]
"""

from __future__ import annotations

from engine.combat.lines import blocked
from engine.core.geometry import within
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.pieces.group import Group


def contacts_of(state: BattleState, group: Group) -> list[Group]:
    """The hostile groups a group is in base contact with, in the order of the table.

    Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
    """
    return [other for other in state.of(Group) if other.dogfight == group.id or group.dogfight == other.id]


def separation(a: Group | ShipState, b: Group | ShipState) -> float:
    """How far two pieces are apart, in MU."""
    return float(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5)


def in_sight(state: BattleState, a: Group | ShipState, b: Group | ShipState, reach: float) -> bool:
    """Whether two pieces are within `reach` MU with no asteroid in between. Rules: 2E "Asteroids" [2e.asteroids]"""
    return within((a.x - b.x) ** 2 + (a.y - b.y) ** 2, reach) and clear_line(state, a, b)


def clear_line(state: BattleState, a: Group | ShipState, b: Group | ShipState) -> bool:
    """Whether no asteroid lies between two pieces. Rules: 2E "Asteroids" [2e.asteroids]"""
    return not (state.pieces and blocked(state.pieces, (a.x, a.y), (b.x, b.y)))


def hostile(state: BattleState, a: Group | ShipState, b: Group | ShipState) -> bool:
    return bool(state.hostile[a.side] >> b.side & 1)
