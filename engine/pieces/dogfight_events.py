"""Events of groups of fighters that start a dogfight or break off.

Rules: 2E "Fighter-to-fighter combat" [2e.dogfights]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.phrase import phrase
from engine.core.state import BattleState
from engine.events.event import Audience, Event, GroupRef
from engine.pieces.group import Group


@dataclass(frozen=True, slots=True)
class DogfightStarted(Event):
    """A group came into base contact with a hostile group; both stay to fight."""

    kind: ClassVar[str] = "dogfight"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).dogfight = self.target
        state.piece(Group, self.target).set_turn(has_moved=True)


@dataclass(frozen=True, slots=True)
class DogfightBrokenOff(Event):
    """A group broke off all its dogfights; the fire at it was reported before."""

    kind: ClassVar[str] = "broke-off"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).leave_dogfight(state)


@dataclass(frozen=True, slots=True)
class DogfightOutrun(Event):
    """A group gets no shot at a faster group that refuses its dogfight.

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """

    kind: ClassVar[str] = "outrun"
    text: ClassVar[str] = phrase(
        "{group} cannot fire at {target}: their target is faster and flies on"
    )
    plural_text: ClassVar[str] = text
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef
