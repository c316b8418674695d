"""How each edition plays a turn: the stops where sides choose, and what resolves each. The one place that knows both.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.dice import Dice
from engine.events.event import Sink
from engine.notation.turns import TurnOrders
from engine.state import CONTROL, ENGAGE, FIGHTERS, PLOT, BattleState
from engine.turn import resolve_engage, resolve_fighters, resolve_plot
from engine.turn_phases import control_stop, engage_stop, plot_stop

# Resolves a stop: the state before it, what was ordered, dice, sink, and whether the state before must be kept.
Resolver = Callable[[BattleState, TurnOrders, Dice, Sink | None, bool], BattleState]


def _plot(state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, _keep: bool) -> BattleState:
    return resolve_plot(state, orders.plots, dice, sink)


def _fighters(state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, _keep: bool) -> BattleState:
    return resolve_fighters(state, orders.flights, dice, sink)


def _engage(state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, keep: bool) -> BattleState:
    return resolve_engage(state, orders.fire, dice, sink, pursue=orders.pursue, copy=keep)


def _phases(resolver: Callable[[BattleState, TurnOrders, Dice, Sink | None], BattleState]) -> Resolver:
    return lambda state, orders, dice, sink, _keep: resolver(state, orders, dice, sink)


SEQUENCES: Mapping[str, Mapping[str, Resolver]] = {
    "second-edition": {PLOT: _plot, FIGHTERS: _fighters, ENGAGE: _engage},
    "continuum": {PLOT: _phases(plot_stop), ENGAGE: _phases(engage_stop), CONTROL: _phases(control_stop)},
}


def resolved(
    state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, *, keep: bool = True
) -> BattleState:
    """The state after its stop. `keep=False`: the caller keeps nothing of the state before it.

    Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    return SEQUENCES[state.terms.edition][state.stop](state, orders, dice, sink, keep)
