"""Events of the pilots of Continuum's craft: morale, quality, and their aces.

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
class CraftMoraleChecked(Event):
    """The morale die of a group that attacks after losses: craft left, and whether it goes on."""

    kind: ClassVar[str] = "craft-morale-checked"
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
    """The die for the pilots of a bay's group at the start of a battle, and their quality."""

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
    """A group fought in a way that reveals the quality of its pilots to all sides."""

    kind: ClassVar[str] = "pilots-revealed"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    pilots: Open[str]

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).known_pilots = self.pilots


@dataclass(frozen=True, slots=True)
class AceFired(Event):
    """A group's ace fired at a system of a ship (MU away).

    Attributes:
        hits: Points of damage.
        needled: Whether the system is hit.
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
    """A group's ace fought another group's ace (MU away): the dice, and whether it won."""

    kind: ClassVar[str] = "ace-duel"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef
    range: Open[float]
    dice: Open[tuple[int, ...]]
    succeeded: Open[bool]


@dataclass(frozen=True, slots=True)
class AceLost(Event):
    """A group lost its ace."""

    kind: ClassVar[str] = "ace-lost"
    text: ClassVar[str] = phrase("{group} have lost their ace")
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).lose_ace(state)
