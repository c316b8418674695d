"""The option that lets fighters refuse dogfights and fly on.

Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
"""

from __future__ import annotations

from engine.continuum.craft.morale import is_limited_by_endurance
from engine.core.reason import reason
from engine.core.state import BattleState
from engine.core.terms import REFUSE_DOGFIGHTS
from engine.pieces.group import Group

BOATS_CANNOT = reason("boats-cannot", "gunboats cannot refuse a dogfight")
HAS_MOVED = reason("has-moved", "a group that has moved this turn cannot refuse a dogfight")
STAYS_BESIDE = reason("stays-beside", "a group that screens or pursues cannot refuse a dogfight")


def refusal_fault(group: Group) -> str:
    """Return the reason why a group cannot refuse dogfights this turn, or "".

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """
    if not is_limited_by_endurance(group.row):
        return BOATS_CANNOT
    if group.this_turn.has_moved or group.this_turn.has_moved_again:
        return HAS_MOVED
    if group.escorts or group.this_turn.pursues:
        return STAYS_BESIDE
    return ""


def refuses_dogfight(state: BattleState, group: Group) -> bool:
    """Return whether a group flies on instead of fighting craft that attack it."""
    return REFUSE_DOGFIGHTS in state.terms.options and bool(group.this_turn.leaves_to)


def can_catch(state: BattleState, group: Group, foe: Group) -> bool:
    """Return whether a group fires at a foe that may refuse its dogfight.

    Slower fighters get no shot. Gunboats fire from a distance, so speed does not matter to them.
    """
    if not refuses_dogfight(state, foe) or not is_limited_by_endurance(group.row):
        return True
    return group.row.speed >= foe.row.speed
