"""The last step of a turn, whatever the rulebook: the next plot, or the battle is over.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from engine.continuum.cloaks_end import uncover_all
from engine.core.state import OVER, PLOT
from engine.core.table import Table
from engine.core.victory import Outcome, judge
from engine.events.battle import BattleOver, TurnEnded
from engine.fighters.hangars import come_home


def end_turn(table: Table) -> None:
    """The turn is over in place: the battle is, where that decides it, else the next plot is asked for."""
    state = table.state
    table.tell(TurnEnded)
    outcome = judge(state, last=False)
    if outcome is not None:
        close(table, outcome)
    else:
        state.turn += 1
        state.stop = PLOT


def close(table: Table, outcome: Outcome | None) -> None:
    """The battle is over in place: fighters come home, who is unseen shows itself. `outcome` None: it is judged then.

    Rules: 2E "Fighters" [2e.fighters]; Continuum "Cloaking field" 7.21 [pc.cloaks]
    """
    state = table.state
    state.stop = OVER
    come_home(table)
    uncover_all(table)
    if table.listens:
        told = outcome or judge(state, last=True)
        assert told is not None  # no turn follows
        table.tell(BattleOver, told.winner, told.why)
