"""What a side may order when sides fire ship by ship.

Rules: 2E "Sequence of play" [2e.fire-by-ship]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core.errors import Violation
from engine.core.firing import FiringStage
from engine.core.orders import FireOrders
from engine.core.reason import reason
from engine.core.state import BattleState
from engine.pieces.group import Group

if TYPE_CHECKING:
    from engine.view.side_view import SideView

HAS_FIRED = reason("has-fired", "it has already fired this turn")
SHIPS_LATER = reason("ships-fire-later", "fighters choose their targets first; ships fire after")
FIGHTERS_EARLIER = reason("fighters-have-chosen", "fighters have already chosen their targets")
ONE_SHIP = reason("one-ship-at-a-time", "only one ship fires at a time")


def find_turn_faults(
    state: BattleState, stage: FiringStage, fire: Mapping[int, FireOrders], where: str
) -> list[Violation]:
    """Return the faults of fire that is not due now, or of more than one ship.

    Args:
        where: The path of the fire in its document.
    """
    groups = [str(group.id) for group in state.pieces_of(Group)]
    faults = []
    for orders in fire.values():
        ships = [name for name, _ in orders if name not in groups]
        for name, _ in orders:
            code, words = _turn_fault(stage, name, is_group=name in groups)
            if not code and name in ships[1:]:
                code, words = "one-ship", ONE_SHIP
            if code:
                faults.append(Violation(f"{where}.{name}", code, words))
    return faults


def _turn_fault(stage: FiringStage, name: str, *, is_group: bool) -> tuple[str, str]:
    """Return the code and the words of why a ship or group may not fire now; empty if it may."""
    if stage.side is None and not is_group:
        return "not-now", SHIPS_LATER
    if stage.side is not None and is_group:
        return "not-now", FIGHTERS_EARLIER
    if name in stage.fired:
        return "has-fired", HAS_FIRED
    return "", ""


def due_fire(view: SideView, stage: FiringStage, fire: FireOrders) -> FireOrders:
    """Return the part of a captain's fire that is due: its groups, or its next ship."""
    groups = [str(group.id) for group in view.own_pieces_of(Group)]
    if stage.side is None:
        return [row for row in fire if row[0] in groups]
    for name, fires in fire:
        if fires and name not in groups and name not in stage.fired:
            return [(name, fires)]
    return []
