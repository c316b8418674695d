"""How a turn is played: the stops where sides choose, and what resolves each, by its edition's row;
and how it ends.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Listed
from dataclasses import dataclass
from typing import Any

from engine.continuum.defence_orders import uncover_all
from engine.continuum.reactors import explode_hulks
from engine.core.dice import Dice
from engine.core.ship import ShipState
from engine.core.state import OVER, PLOT, BattleState
from engine.core.table import Table
from engine.core.victory import Outcome, decide_outcome
from engine.events.battle import BattleOver, TurnEnded
from engine.events.event import Sink
from engine.fighters.hangars import come_home
from engine.order_requests.base import OrderRequest, TurnOrders
from engine.pieces.group import Group
from engine.ruleset import all_rules, rules_of


@dataclass(frozen=True, slots=True)
class Phase:
    """A stop of a turn and what follows it: what is asked, and what resolves it in place by all
    sides' orders.

    `ask` gives the stop its name and says who is asked; `beside`: what is asked at the same stop.
    `resolve` is given the orders by each in turn. `passed_over`: there is no such stop while
    nothing on the table calls for it; `unasked` is what happens in that phase all the same.
    """

    ask: OrderRequest[Any]
    resolve: Callable[..., None]
    passed_over: bool = False
    unasked: Callable[[Table], None] | None = None
    further_asks: tuple[OrderRequest[Any], ...] = ()

    @property
    def asks(self) -> tuple[OrderRequest[Any], ...]:
        """All that is asked at the stop."""
        return (self.ask, *self.further_asks)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A turn: its phases in order, and what ends it."""

    phases: tuple[Phase, ...]
    finish: Callable[[Table], None]

    def place(self, stop: str) -> int:
        """The place of a stop among the phases.

        Raises KeyError where this edition has no such stop.
        """
        for place, phase in enumerate(self.phases):
            if phase.ask.key == stop:
                return place
        raise KeyError(stop)


def asks() -> tuple[OrderRequest[Any], ...]:
    """Every ask of any edition once, in the order of a turn."""
    asks_by_key: dict[str, OrderRequest[Any]] = {}
    for rules in all_rules():
        asks_by_key |= {
            ask.key: ask
            for phase in rules.sequence.phases
            for ask in phase.asks
            if ask.key not in asks_by_key
        }
    return tuple(asks_by_key.values())


def asks_at(state: BattleState) -> tuple[OrderRequest[Any], ...]:
    """What the present stop asks, first what gives it its name.

    Raises KeyError where the battle is over.
    """
    sequence = rules_of(state.terms.edition).sequence
    return sequence.phases[sequence.place(state.stop)].asks


def entries_at(stop: str) -> tuple[str, ...]:
    """The keys of all that any edition asks at a stop, first what names it; that alone once it is
    over.
    """
    phases = [
        phase for rules in all_rules() for phase in rules.sequence.phases if phase.ask.key == stop
    ]
    return tuple(dict.fromkeys((stop, *(ask.key for phase in phases for ask in phase.asks))))


def units_awaiting_orders(state: BattleState) -> Listed[ShipState | Group]:
    """The ships and groups that call for orders at the present stop.

    Raises KeyError where the battle is over.
    """
    return asks_at(state)[0].units_asked(state)


def automatic_units_at(state: BattleState) -> Listed[ShipState | Group]:
    """Those of them whose sides have left the present stop to their captains for good.

    Raises KeyError as that does.
    """
    ask = asks_at(state)[0]
    return [unit for unit in ask.units_asked(state) if ask.is_automatic(state, unit)]


def resolve_orders(
    state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, *, keep: bool = True
) -> BattleState:
    """The state after its stop. `keep=False`: the caller keeps nothing of the state before it.

    Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    sequence = rules_of(state.terms.edition).sequence
    place = sequence.place(state.stop)
    phase = sequence.phases[place]
    table = Table(state.copy() if keep else state, dice.at(f"turn-{state.turn}"), sink)
    phase.resolve(table, *(orders.of(ask) for ask in phase.asks))
    for later in sequence.phases[place + 1 :]:
        if not later.passed_over or later.ask.units_asked(table.state):
            table.state.stop = later.ask.key
            return table.state
        if later.unasked is not None:
            later.unasked(table)
    sequence.finish(table)
    return table.state


def wording(stop: str) -> Mapping[str, str]:
    """What a stop is called, and what is to be done at it: `title`, `task`; empty where there is no
    such stop.
    """
    ask = next(
        (
            phase.ask
            for rules in all_rules()
            for phase in rules.sequence.phases
            if phase.ask.key == stop
        ),
        None,
    )
    return {} if ask is None else {"title": ask.title, "task": ask.task}


def end_turn(table: Table) -> None:
    """The turn is over in place: the battle is, where that decides it, else the next plot is asked
    for.
    """
    state = table.state
    table.tell(TurnEnded)
    outcome = decide_outcome(state, last=False)
    if outcome is not None:
        close_battle(table, outcome)
    else:
        state.turn += 1
        state.stop = PLOT


def close_battle(table: Table, outcome: Outcome | None) -> None:
    """The battle is over in place: abandoned cores explode, fighters come home, who is unseen shows
    itself. `outcome` None: it is judged then.

    Rules: 2E "Fighters" [2e.fighters]; Continuum "Cloaking field" 7.21 [pc.cloaks]; Continuum "Core
    systems" 10.3 [pc.core-systems]
    """
    state = table.state
    state.stop = OVER
    if explode_hulks(table):
        outcome = None  # a condition of victory may count them
    come_home(table)
    uncover_all(table)
    if table.listens:
        final_outcome = outcome or decide_outcome(state, last=True)
        assert final_outcome is not None  # no turn follows
        table.tell(BattleOver, final_outcome.winner, final_outcome.why)
