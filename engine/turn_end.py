"""The last step of a turn, whatever the rulebook: the next plot, or the battle is over.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from engine.events.battle import BattleOver, TurnEnded
from engine.events.event import Sink
from engine.movement.hangars import come_home
from engine.movement.unseen import uncover_all
from engine.state import OVER, PLOT, BattleState
from engine.victory import Outcome, judge


def end_turn(state: BattleState, sink: Sink | None) -> None:
    """The turn is over in place: the battle is, where that decides it, else the next plot is asked for."""
    if sink is not None:
        sink(TurnEnded(state.turn))
    outcome = judge(state, last=False)
    if outcome is not None:
        close(state, outcome, sink)
    else:
        state.turn += 1
        state.stop = PLOT


def close(state: BattleState, outcome: Outcome | None, sink: Sink | None) -> None:
    """The battle is over in place: fighters come home, who is unseen shows itself. `outcome` None: it is judged then.

    Rules: 2E "Fighters" [2e.fighters]; Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    state.stop = OVER
    come_home(state, state.turn, sink)
    uncover_all(state, state.turn, sink)
    if sink is not None:
        told = outcome or judge(state, last=True)
        assert told is not None  # no turn follows
        sink(BattleOver(state.turn, told.winner, told.why))
