"""How each edition plays a turn: the stops where sides choose, and what resolves each. The one place that knows both.

Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.asks.ask import Ask, TurnOrders
from engine.asks.control import CONTROLS
from engine.asks.engage import ENGAGEMENTS
from engine.asks.flights import FLIGHTS
from engine.asks.plot import PLOTS
from engine.continuum import sequence as turn_phases
from engine.core.dice import Dice
from engine.core.state import BattleState
from engine.core.table import Table
from engine.events.event import Sink
from engine.second_edition import sequence as turn
from engine.turn_end import end_turn


@dataclass(frozen=True, slots=True)
class Phase:
    """A stop of a turn and what follows it: what is asked, and what resolves it in place by all sides' orders.

    `passed_over`: there is no such stop while nothing on the table calls for it.
    """

    ask: Ask[Any]
    resolve: Callable[[Table, Any], None]
    passed_over: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """A turn: its phases in order, and what ends it."""

    phases: tuple[Phase, ...]
    finish: Callable[[Table], None]

    def place(self, stop: str) -> int:
        """The place of a stop among the phases. Raises KeyError where this edition has no such stop."""
        for place, phase in enumerate(self.phases):
            if phase.ask.key == stop:
                return place
        raise KeyError(stop)


SEQUENCES: dict[str, Sequence] = {
    "second-edition": Sequence(
        (
            Phase(PLOTS, turn.move),
            Phase(FLIGHTS, turn.fly, passed_over=True),
            Phase(ENGAGEMENTS, turn.engage),
        ),
        end_turn,
    ),
    "continuum": Sequence(
        (
            Phase(PLOTS, turn_phases.move),
            Phase(ENGAGEMENTS, turn_phases.engage),
            Phase(CONTROLS, turn_phases.control, passed_over=True),
        ),
        turn_phases.finish,
    ),
}


def asks() -> tuple[Ask[Any], ...]:
    """Every ask of any edition once, in the order of a turn."""
    found: dict[str, Ask[Any]] = {}
    for sequence in SEQUENCES.values():
        found |= {phase.ask.key: phase.ask for phase in sequence.phases if phase.ask.key not in found}
    return tuple(found.values())


def ask_at(state: BattleState) -> Ask[Any]:
    """What the present stop asks. Raises KeyError where the battle is over."""
    sequence = SEQUENCES[state.terms.edition]
    return sequence.phases[sequence.place(state.stop)].ask


def resolved(
    state: BattleState, orders: TurnOrders, dice: Dice, sink: Sink | None, *, keep: bool = True
) -> BattleState:
    """The state after its stop. `keep=False`: the caller keeps nothing of the state before it.

    Rules: 2E "Sequence of play" [2e.sequence]; Continuum "Sequence of play" 2.6 [pc.sequence]
    """
    sequence = SEQUENCES[state.terms.edition]
    place = sequence.place(state.stop)
    phase = sequence.phases[place]
    table = Table(state.copy() if keep else state, dice.at(f"turn-{state.turn}"), sink)
    phase.resolve(table, orders.of(phase.ask))
    for later in sequence.phases[place + 1 :]:
        if not later.passed_over or later.ask.callers(table.state):
            table.state.stop = later.ask.key
            return table.state
    sequence.finish(table)
    return table.state


def wording(stop: str) -> Mapping[str, str]:
    """What a stop is called, and what is to be done at it: `title`, `task`; empty where there is no such stop."""
    ask = next((ask for ask in asks() if ask.key == stop), None)
    return {} if ask is None else {"title": ask.title, "task": ask.task}
