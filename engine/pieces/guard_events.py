"""Events of gunboats on guard: what they meet in the phase of point defence.

Rules: Continuum "Gunboat types" 9.2 [pc.gunboats]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.ids import GroupId
from engine.core.state import BattleState
from engine.events.event import Audience, Event, GroupRef, Open, ShipRef
from engine.pieces.group import Group
from engine.pieces.marker import Marker


@dataclass(frozen=True, slots=True)
class BoatsFiredAtCraft(Event):
    """So many boats of a squadron fired as point defence at craft, MU away, for a ship (`guarded`;
    none where these attack nobody): packs used, their dice, and what they take. The boats may have
    been shot down meanwhile.
    """

    kind: ClassVar[str] = "boats-met-craft"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    prey: GroupRef
    guarded: ShipRef
    boats: Open[int]
    rounds: Open[int]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        _guard(state, self.group, self.rounds)


@dataclass(frozen=True, slots=True)
class BoatsFiredAtOrdnance(Event):
    """The same at ordnance."""

    kind: ClassVar[str] = "boats-met-ordnance"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    marker: Open[str]
    guarded: ShipRef
    boats: Open[int]
    rounds: Open[int]
    range: Open[float]
    dice: Open[tuple[int, ...]]
    hits: Open[int]

    def apply(self, state: BattleState) -> None:
        _guard(state, self.group, self.rounds)
        state.piece(Marker, self.marker).killed += self.hits


def _guard(state: BattleState, name: GroupId, rounds: int) -> None:
    group = state.find(Group, name)
    if group is not None:
        group.guard(rounds)
