"""Events of groups of fighters that close with each other, and break off.

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
    """A group has come into base contact with a hostile one, and that one stays to fight."""

    kind: ClassVar[str] = "dogfight"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).dogfight = self.target
        state.piece(Group, self.target).set_turn(moved=True)


@dataclass(frozen=True, slots=True)
class DogfightBrokenOff(Event):
    """A group gets away from all it was in base contact with; what they shot at it stands
    before.
    """

    kind: ClassVar[str] = "broke-off"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef

    def apply(self, state: BattleState) -> None:
        state.piece(Group, self.group).leave_dogfight(state)


@dataclass(frozen=True, slots=True)
class DogfightOutrun(Event):
    """A group gets no shot at one that refuses its dogfight, because that one is faster.

    Rules: Continuum "Dogfights" 8.10 [pc.dogfights]
    """

    kind: ClassVar[str] = "outrun"
    text: ClassVar[str] = phrase(
        "{group} get no shot at {target}: their target is faster and flies on"
    )
    audience: ClassVar[Audience] = Audience.EVERYBODY
    group: GroupRef
    target: GroupRef
