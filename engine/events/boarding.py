"""Boarding: who comes aboard a ship, what the fight aboard her comes to, that she is taken, and
that one strikes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.kinds import HULK, SHIP_SURRENDERED
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, Listener, LogOrder, Open, ShipRef

Units = tuple[tuple[str, int, int], ...]  # of each side, by name: marines and parties


@dataclass(frozen=True, slots=True)
class _BoardingEvent(Event):
    """Something aboard a ship, which the two sides that fight there hear of and nobody else."""

    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    ship: ShipRef
    aboard: Open[Units]

    def apply(self, state: BattleState) -> None:
        sides = {name: number for number, name in enumerate(state.sides)}
        state.ship(self.ship).set_boarders(
            {sides[name]: (marines, parties) for name, marines, parties in self.aboard}
        )

    def line_for(self, listener: Listener) -> dict[str, Any] | None:
        if self.ship not in listener.mine and listener.side not in self.sides_there():
            return None
        return self.to_json()

    def sides_there(self) -> set[str]:
        """The names of the sides, beside the ship's own, that have people in it."""
        return {name for name, _, _ in self.aboard}


@dataclass(frozen=True, slots=True)
class LandingNotAgreed(Event):
    """A shot that would set people down on another ship set down nobody: boarding was not agreed
    on.
    """

    kind: ClassVar[str] = "landing-not-agreed"
    text: ClassVar[str] = phrase(
        "The {weapon} of {ship} sets down nobody: boarding was not agreed on"
    )
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    weapon: Open[str]


@dataclass(frozen=True, slots=True)
class ShipBoarded(_BoardingEvent):
    """Marines and parties of a side come aboard a ship; `aboard`: who is there now, of each
    side.
    """

    kind: ClassVar[str] = "boarded"
    text: ClassVar[str] = phrase("{side} sends {marines:marine} and {parties:party} aboard {ship}")
    side: Open[str]
    marines: Open[int]
    parties: Open[int]

    def apply(self, state: BattleState) -> None:
        super(ShipBoarded, self).apply(state)  # a class with slots is another than the one defined
        state.ship(self.ship).add_boarders(state.sides.index(self.side), self.marines, self.parties)


@dataclass(frozen=True, slots=True)
class BoardingFight(_BoardingEvent):
    """A turn's fight aboard a ship: the dice of its parties, (sent, die); of its marines; of the
    boarders; and who is left aboard. `fought`: the sides of the boarders.
    """

    kind: ClassVar[str] = "fought-aboard"
    fought: Open[tuple[str, ...]]
    repelled: Open[tuple[tuple[int, int], ...]]
    defended: Open[tuple[int, ...]]
    attacked: Open[tuple[int, ...]]

    def sides_there(self) -> set[str]:
        return {*self.fought, *(name for name, _, _ in self.aboard)}


@dataclass(frozen=True, slots=True)
class BoardersChecked(_BoardingEvent):
    """A check that weapons have caused finds boarders as it finds systems: a die each, and who is
    left aboard.
    """

    kind: ClassVar[str] = "boarders-checked"
    checked: Open[tuple[str, ...]]
    loses_on: Open[int]
    rolls: Open[tuple[int, ...]]

    def sides_there(self) -> set[str]:
        return {*self.checked, *(name for name, _, _ in self.aboard)}


@dataclass(frozen=True, slots=True)
class ShipCaptured(Event):
    """A ship that boarders have taken: it fights no more, and drifts."""

    kind: ClassVar[str] = "captured"
    text: ClassVar[str] = phrase("{ship} is captured by its boarders")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).capture()


@dataclass(frozen=True, slots=True)
class ShipSurrendered(Event):
    """A ship whose captain has given it up: it fights no more, and drifts."""

    kind: ClassVar[str] = "colours-struck"
    text: ClassVar[str] = phrase("{ship} strikes its colours")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).capture(SHIP_SURRENDERED)


@dataclass(frozen=True, slots=True)
class ShipRecaptured(Event):
    """A captured ship whose owner's people have taken it back: it drifts without a crew to sail
    it.
    """

    kind: ClassVar[str] = "won-back"
    text: ClassVar[str] = phrase("{ship} is won back by its owner's people, and drifts")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).status = HULK
