"""Events of the pilots of Continuum's craft: their morale, how good they are, what their aces do.

Rules: Continuum "Fighter morale" 8.17 [pc.fighter-morale]; Continuum "Fighter pilot quality" 8.18
[pc.aces]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.kinds import PILOTS
from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, GroupRef, Open, ShipRef
from engine.pieces.group import Group, group_id


@dataclass(frozen=True, slots=True)
class MoraleThrown(Event):
    """The die of a group that has lost craft as it goes to attack, how many it has left, and
    whether it goes through with it.
    """

    kind: ClassVar[str] = "morale-thrown"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    die: Open[int]
    craft: Open[int]
    holds: Open[bool]

    def apply(self, state: BattleState) -> None:
        if not self.holds:
            state.piece(Group, self.group).give_up_attack()


@dataclass(frozen=True, slots=True)
class PilotsRolled(Event):
    """The die of the group of a ship's bay as a battle begins, and what pilots it has by that."""

    kind: ClassVar[str] = "pilots-rolled"
    audience: ClassVar[Audience] = Audience.OWN_SIDE
    ship: ShipRef
    bay: Open[str]
    die: Open[int]
    pilots: Open[str]

    def apply(self, state: BattleState) -> None:
        ship = state.ship(self.ship)
        ship.write_fact("pilots", PILOTS.index(self.pilots), self.bay)
        group = state.find(Group, group_id(ship, self.bay))
        if group is not None:
            group.pilots = self.pilots


@dataclass(frozen=True, slots=True)
class PilotsRevealed(Event):
    """A group has fought so that everybody sees what pilots it has."""

    kind: ClassVar[str] = "pilots-shown"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    pilots: Open[str]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).known_pilots = self.pilots


@dataclass(frozen=True, slots=True)
class AceFired(Event):
    """A group's ace fired at a system of a ship (MU away): his die, its points, and whether the
    system is hit.
    """

    kind: ClassVar[str] = "ace-fired"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: ShipRef
    system: Open[str]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]
    needled: Open[bool]


@dataclass(frozen=True, slots=True)
class AceDuel(Event):
    """A group's ace went for another's (MU away): his dice, and whether he shot him down."""

    kind: ClassVar[str] = "ace-duel"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    won: Open[bool]


@dataclass(frozen=True, slots=True)
class AceLost(Event):
    """A group's ace is shot down, with his craft."""

    kind: ClassVar[str] = "ace-lost"
    text: ClassVar[str] = phrase("{group} has lost its ace")
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).lose_ace(state)
