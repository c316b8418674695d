"""How each edition plays a turn: the stops where sides choose, and what resolves each. The one place that knows both.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine import turn, turn_phases
from engine.dice import Dice
from engine.events.event import Sink
from engine.notation.turns import TurnOrders
from engine.state import CONTROL, ENGAGE, FIGHTERS, PLOT, BattleState
from engine.table import Table

# Resolves a stop in place by what was ordered at it.
Resolver = Callable[[Table, TurnOrders], None]

SEQUENCES: Mapping[str, Mapping[str, Resolver]] = {
    "second-edition": {PLOT: turn.plot_stop, FIGHTERS: turn.fighters_stop, ENGAGE: turn.engage_stop},
    "continuum": {PLOT: turn_phases.plot_stop, ENGAGE: turn_phases.engage_stop, CONTROL: turn_phases.control_stop},
}


def resolved(
    state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, *, keep: bool = True
) -> BattleState:
    """The state after its stop. `keep=False`: the caller keeps nothing of the state before it.

    Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    table = Table(state.copy() if keep else state, dice.at(f"turn-{state.turn}"), sink)
    SEQUENCES[state.terms.edition][state.stop](table, orders)
    return table.state
