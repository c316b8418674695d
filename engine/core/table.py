"""The table of a battle as rules use it: its state, the dice, and the listener of its events.

A rule changes ships and pieces through their methods (`engine.core.ship`, `engine.core.state`) and
reports what it did. The reported event makes the same change when the log is replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from engine.core.dice import Dice
from engine.core.state import BattleState
from engine.events.event import Event, Sink

P = ParamSpec("P")


class Table:
    """A battle as its rules see it.

    Attributes:
        turn: The turn of reported events.
        listens: Whether there is a listener for events.
    """

    __slots__ = ("dice", "listens", "sink", "state", "turn")

    def __init__(
        self, state: BattleState, dice: Dice, sink: Sink | None = None, turn: int | None = None
    ) -> None:
        self.state = state
        self.dice = dice
        self.sink = sink
        self.turn = state.turn if turn is None else turn
        self.listens = sink is not None

    def tell(
        self, kind: Callable[Concatenate[int, P], Event], *args: P.args, **fields: P.kwargs
    ) -> None:
        """Report an event of this kind; its fields follow the turn in their order.

        The event is created only if there is a listener, so a battle without a log pays nothing for
        it.
        """
        if self.sink is not None:
            self.sink(kind(self.turn, *args, **fields))

    def carry_out(self, event: Event) -> None:
        """Apply an event to the state and report it."""
        event.apply(self.state)
        if self.sink is not None:
            self.sink(event)
