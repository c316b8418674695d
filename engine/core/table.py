"""The table a battle is fought on: its state, the dice, and who hears what happens.

Every rule is given the table. A rule changes ships and pieces by their own methods
(`engine.core.ship`, `engine.core.state`) and tells what it did; the event that it tells makes the
same change when the log is replayed.
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

    `turn`: the turn that events are told of. `listens`: somebody hears them.
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
        """Something happened: an event of this kind, its fields in their order after the turn.

        It is made only where somebody listens, so that a battle without a log costs nothing for it.
        """
        if self.sink is not None:
            self.sink(kind(self.turn, *args, **fields))

    def carry_out(self, event: Event) -> None:
        """Make the change that an event tells of, and tell it."""
        event.apply(self.state)
        if self.sink is not None:
            self.sink(event)
