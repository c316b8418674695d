"""How a turn is played: the stops of each edition, what resolves them, and the end of a turn.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Listed
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.continuum.defence_orders import uncover_all
from engine.continuum.reactors import explode_hulks
from engine.core.dice import Dice
from engine.core.ship import ShipState
from engine.core.state import OVER, PLOT, SET_UP, BattleState
from engine.core.table import Table
from engine.core.victory import Outcome, decide_outcome
from engine.events.battle import BattleOver, TurnEnded
from engine.events.event import Sink
from engine.fighters.hangars import come_home
from engine.movement.set_up_phase import set_up_ships
from engine.order_requests.base import OrderRequest, TurnOrders
from engine.order_requests.set_up import SET_UP_REQUEST
from engine.pieces.group import Group
from engine.ruleset import all_rules, rules_of


@dataclass(frozen=True, slots=True)
class Phase:
    """A stop of a turn and what follows it.

    Attributes:
        ask: The order request that names the stop and says which units need orders.
        resolve: Carries out the orders of all sides; its arguments are the table and the orders for
            each request.
        passed_over: The stop is left out while no unit on the table needs orders.
        unasked: What happens in the phase even then.
        further_asks: Other order requests at the same stop.
        opens: What happens when the battle reaches the stop, before anybody is asked.
    """

    ask: OrderRequest[Any]
    resolve: Callable[..., None]
    passed_over: bool = False
    unasked: Callable[[Table], None] | None = None
    further_asks: tuple[OrderRequest[Any], ...] = ()
    opens: Callable[[Table], None] | None = None

    @property
    def asks(self) -> tuple[OrderRequest[Any], ...]:
        """All order requests of the stop."""
        return (self.ask, *self.further_asks)


# Before the first turn of battles whose sides place their ships
SET_UP_PHASE = Phase(SET_UP_REQUEST, set_up_ships)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A turn: its phases in order, and what ends it."""

    phases: tuple[Phase, ...]
    finish: Callable[[Table], None]

    def place(self, stop: str) -> int:
        """Return the index of a stop among the phases.

        Raises:
            KeyError: The edition has no such stop.
        """
        for place, phase in enumerate(self.phases):
            if phase.ask.key == stop:
                return place
        raise KeyError(stop)


def asks() -> tuple[OrderRequest[Any], ...]:
    """Return every order request of a turn of any edition once, in their order."""
    asks_by_key: dict[str, OrderRequest[Any]] = {}
    for phase in _all_phases():
        for ask in phase.asks:
            asks_by_key.setdefault(ask.key, ask)
    return tuple(asks_by_key.values())


def asks_at(state: BattleState) -> tuple[OrderRequest[Any], ...]:
    """Return the order requests of the present stop; the first one names the stop.

    Raises:
        KeyError: The battle is over.
    """
    return _phase_at(state).asks


def _phase_at(state: BattleState) -> Phase:
    """Return the present phase.

    Raises:
        KeyError: The battle is over.
    """
    if state.stop == SET_UP:
        return SET_UP_PHASE
    sequence = rules_of(state.terms.edition).sequence
    return sequence.phases[sequence.place(state.stop)]


def entries_at(stop: str) -> tuple[str, ...]:
    """Return the keys of all order requests of any edition at a stop, the stop's own first.

    After the end of the battle only `stop` itself is returned.
    """
    keys = [stop]
    for phase in (SET_UP_PHASE, *_all_phases()):
        if phase.ask.key == stop:
            keys += [ask.key for ask in phase.asks]
    return tuple(dict.fromkeys(keys))


def units_awaiting_orders(state: BattleState) -> Listed[ShipState | Group]:
    """Return the ships and groups that need orders at the present stop.

    Raises:
        KeyError: The battle is over.
    """
    return asks_at(state)[0].units_asked(state)


def automatic_units_at(state: BattleState) -> Listed[ShipState | Group]:
    """Return those of them whose orders at this stop the program gives.

    Raises:
        KeyError: The battle is over.
    """
    ask = asks_at(state)[0]
    return [unit for unit in ask.units_asked(state) if ask.is_automatic(state, unit)]


def resolve_orders(
    state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, *, keep: bool = True
) -> BattleState:
    """Return the state after its present stop.

    The set-up leads to another step of it or to the first turn, and fire ship by ship to another
    step of it.

    Args:
        keep: Leave `state` unchanged. Otherwise it is changed in place, for callers that do not
            need it any more.

    Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    phase = _phase_at(state)
    table = Table(state.copy() if keep else state, dice.at(f"turn-{state.turn}"), sink)
    phase.resolve(table, *(orders.of(ask) for ask in phase.asks))
    if phase is SET_UP_PHASE or table.state.firing is not None:
        return table.state
    sequence = rules_of(state.terms.edition).sequence
    for later in sequence.phases[sequence.place(phase.ask.key) + 1 :]:
        if not later.passed_over or later.ask.units_asked(table.state):
            table.state.stop = later.ask.key
            if later.opens is not None:
                later.opens(table)
            return table.state
        if later.unasked is not None:
            later.unasked(table)
    sequence.finish(table)
    return table.state


def wording(stop: str) -> Mapping[str, str]:
    """Return the `title` of a stop and its `task`; empty if there is no such stop."""
    for phase in (SET_UP_PHASE, *_all_phases()):
        if phase.ask.key == stop:
            return {"title": phase.ask.title, "task": phase.ask.task}
    return {}


def end_turn(table: Table) -> None:
    """End the turn: end the battle if it is decided, else go on to the next plot."""
    state = table.state
    table.tell(TurnEnded)
    outcome = decide_outcome(state, last=False)
    if outcome is not None:
        close_battle(table, outcome)
    else:
        state.turn += 1
        state.stop = PLOT


def close_battle(table: Table, outcome: Outcome | None) -> None:
    """End the battle: abandoned cores explode, fighters land, cloaked ships appear.

    Args:
        outcome: None: it is decided after that.

    Rules: 2E "Fighters" [2e.fighters]; Continuum "Cloaking field" 7.21 [pc.cloaks]; Continuum "Core
    systems" 10.3 [pc.core-systems]
    """
    state = table.state
    state.stop = OVER
    if explode_hulks(table):
        outcome = None  # victory conditions may count these ships
    come_home(table)
    uncover_all(table)
    if table.listens:
        final_outcome = outcome or decide_outcome(state, last=True)
        assert final_outcome is not None  # no turn follows
        table.tell(BattleOver, final_outcome.winner, final_outcome.reason)


def _all_phases() -> list[Phase]:
    """Return the phases of all editions, edition by edition."""
    return list(chain.from_iterable(rules.sequence.phases for rules in all_rules()))
