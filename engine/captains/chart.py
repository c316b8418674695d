"""The table as a captain has it before him: a battle's state made of what his side sees, and of nothing else."""

from __future__ import annotations

from engine.combat.detection import unidentified_hull
from engine.core.state import BattleState
from engine.view.seen_ships import ship_seen
from engine.view.side_view import SideView


def chart_of(view: SideView) -> BattleState:
    """The state a side may reckon with: its own ships as they are, contacts by their codes as far as they were seen.

    Sides not hostile to this one count as friends of each other, the hostile ones too.
    """
    unknown = unidentified_hull(view.terms.edition)
    seen = [ship_seen(contact, unknown) for contact in view.contacts]
    foes = 0
    for contact in view.contacts:
        if contact.hostile:
            foes |= 1 << contact.side
    friends = ((1 << len(view.sides)) - 1) & ~foes
    hostile = tuple(friends if foes >> side & 1 else foes for side in range(len(view.sides)))
    state = BattleState(
        view.sides, hostile, view.table, view.bogeys, view.turn, view.stop, [*view.own, *seen], view.terms
    )
    state.pieces = view.pieces
    return state
