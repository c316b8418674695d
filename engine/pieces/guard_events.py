"""Events of gunboats that fire as point defence for other ships.

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
    """Gunboats fired as point defence at craft; they may have been shot down meanwhile.

    Attributes:
        guarded: The ship that they guard; none if the craft attack no ship.
        boats: How many boats fired.
        rounds: Packs used.
        range: In MU.
        hits: Craft hit.
    """

    kind: ClassVar[str] = "boats-fired-at-craft"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef
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
    """Gunboats fired as point defence at ordnance; fields as in `BoatsFiredAtCraft`."""

    kind: ClassVar[str] = "boats-fired-at-ordnance"
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
        state.piece(Marker, self.marker).destroyed += self.hits


def _guard(state: BattleState, name: GroupId, rounds: int) -> None:
    """Let a group fire as point defence, unless it was shot down meanwhile."""
    group = state.find(Group, name)
    if group is not None:
        group.guard(rounds)
