"""Boarding: boarders, fights aboard, captures, recaptures and surrenders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.kinds import HULK, SHIP_SURRENDERED
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, Listener, LogOrder, Open, ShipRef, UnitRef

Units = tuple[tuple[str, int, int], ...]  # of each side, by name: marines and parties


@dataclass(frozen=True, slots=True)
class _BoardingEvent(Event):
    """An event aboard a ship, which only the sides that fight there hear of."""

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
        """Return the names of the sides with boarders in the ship."""
        return {name for name, _, _ in self.aboard}


@dataclass(frozen=True, slots=True)
class LandingNotAgreed(Event):
    """A shot would have landed boarders, but boarding was not agreed."""

    kind: ClassVar[str] = "landing-not-agreed"
    text: ClassVar[str] = phrase(
        "The {weapon} of {ship} lands no boarders: boarding is not allowed in this battle"
    )
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: UnitRef
    weapon: Open[str]


@dataclass(frozen=True, slots=True)
class ShipBoarded(_BoardingEvent):
    """A side sent marines and parties aboard a ship; `aboard` are all boarders there now."""

    kind: ClassVar[str] = "boarded"
    side: Open[str]
    marines: Open[int]
    parties: Open[int]

    def apply(self, state: BattleState) -> None:
        # Slots=True replaces the class, so plain super() fails
        super(ShipBoarded, self).apply(state)
        state.ship(self.ship).add_boarders(state.sides.index(self.side), self.marines, self.parties)


@dataclass(frozen=True, slots=True)
class BoardingFight(_BoardingEvent):
    """A turn's fight aboard a ship.

    Attributes:
        sides: The sides of the boarders.
        repelled: Dice of the ship's parties, as (parties sent, die).
        defended: Dice of its marines.
        attacked: Dice of the boarders.
    """

    kind: ClassVar[str] = "fought-aboard"
    sides: Open[tuple[str, ...]]
    repelled: Open[tuple[tuple[int, int], ...]]
    defended: Open[tuple[int, ...]]
    attacked: Open[tuple[int, ...]]

    def sides_there(self) -> set[str]:
        return {*self.sides, *(name for name, _, _ in self.aboard)}


@dataclass(frozen=True, slots=True)
class BoardersChecked(_BoardingEvent):
    """A threshold check caused by weapons also hits boarders: a die each, and those left aboard."""

    kind: ClassVar[str] = "boarders-checked"
    checked: Open[tuple[str, ...]]
    loses_on: Open[int]
    rolls: Open[tuple[int, ...]]

    def sides_there(self) -> set[str]:
        return {*self.checked, *(name for name, _, _ in self.aboard)}


@dataclass(frozen=True, slots=True)
class ShipCaptured(Event):
    """Boarders captured a ship; it fights no more, and drifts."""

    kind: ClassVar[str] = "captured"
    text: ClassVar[str] = phrase("{ship} is captured by its boarders")
    plural_text: ClassVar[str] = phrase("{ship} are captured by their boarders")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).capture()


@dataclass(frozen=True, slots=True)
class ShipSurrendered(Event):
    """A ship surrendered; it fights no more, and drifts."""

    kind: ClassVar[str] = "colours-struck"
    text: ClassVar[str] = phrase("{ship} strikes its colours")
    plural_text: ClassVar[str] = phrase("{ship} strike their colours")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    log_order: ClassVar[LogOrder] = LogOrder.BEFALLS
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).capture(SHIP_SURRENDERED)


@dataclass(frozen=True, slots=True)
class ShipRecaptured(Event):
    """The owner's units retook a captured ship; it drifts without a crew."""

    kind: ClassVar[str] = "recaptured"
    text: ClassVar[str] = phrase("{ship} is recaptured by its own crew and drifts")
    plural_text: ClassVar[str] = phrase("{ship} are recaptured by their own crews and drift")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    heard_while_cloaked: ClassVar[bool] = True
    log_order: ClassVar[LogOrder] = LogOrder.ON_THE_WAY
    ship: ShipRef

    def apply(self, state: BattleState) -> None:
        state.ship(self.ship).status = HULK
