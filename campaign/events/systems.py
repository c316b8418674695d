"""Events of star systems: who holds them, and what happens to targets on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Audience, Open, WeekEvent


@dataclass(frozen=True, slots=True)
class HoldingChanged(WeekEvent):
    """A system changed hands or state.

    `holder`, `superior`: factions, or empty; `state`: of the `Holding`.
    """

    code: ClassVar[str] = "holding"
    of_a_war: ClassVar[bool] = True
    heard_by: ClassVar[Audience] = Audience.BOTH
    system: Open[str]
    holder: Open[str]
    state: Open[str]
    superior: Open[str]

    def is_own(self, faction: str) -> bool:
        """Whether it is the faction that holds the system now."""
        return bool(self.holder) and faction == self.holder


@dataclass(frozen=True, slots=True)
class GroundHit(WeekEvent):
    """A ground target of `owner` was damaged: `left` of its `boxes` are left."""

    code: ClassVar[str] = "ground-hit"
    heard_by: ClassVar[Audience] = Audience.BOTH
    target: Open[str]
    owner: Open[str]
    boxes: Open[int]
    left: Open[int]
    how: Open[str]

    def is_own(self, faction: str) -> bool:
        """Whether the target is the faction's."""
        return faction == self.owner
