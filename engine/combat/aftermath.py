"""Phase 13 of a Continuum turn: what the fire of ships (and boarders) has done to systems, all at once.

Rules: Continuum "Sequence of play" 2.6 [pc.sequence]; Continuum "Threshold points" 4.11 [pc.thresholds]
"""

from __future__ import annotations

from engine.combat.rows import settle
from engine.combat.volleys import Aftermath
from engine.dice import Dice
from engine.events import Sink
from engine.state import FIGHTING, BattleState


def checks_phase(state: BattleState, aftermath: Aftermath, turn: int, dice: Dice, sink: Sink | None) -> None:
    """Ships that have no box left are taken off, the others check for the rows that ended in phases 11 and 12.

    Rules: Continuum "Threshold points" 4.11 [pc.thresholds]
    """
    for ship in state.ships:
        if ship.status == FIGHTING:
            settle(state, ship, aftermath.before[ship.id], "fire", turn, dice, sink, phase_13=True)
