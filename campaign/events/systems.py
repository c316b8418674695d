"""Events of star systems: who holds them, and damage to ground targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Audience, Open, WeekEvent


@dataclass(frozen=True, slots=True)
class HoldingChanged(WeekEvent):
    """A system that changed its holder or state.

    Attributes:
        holder: A faction, or empty.
        state: The state of its `Holding`.
        superior: The faction that has superiority there, or empty.
    """

    code: ClassVar[str] = "holding"
    of_a_war: ClassVar[bool] = True
    heard_by: ClassVar[Audience] = Audience.BOTH
    system: Open[str]
    holder: Open[str]
    state: Open[str]
    superior: Open[str]

    def is_own(self, faction: str) -> bool:
        """Return whether the faction holds the system now."""
        return bool(self.holder) and faction == self.holder


@dataclass(frozen=True, slots=True)
class GroundHit(WeekEvent):
    """A ground target of `owner` that was damaged: `remaining` of its `boxes` are left."""

    code: ClassVar[str] = "ground-hit"
    heard_by: ClassVar[Audience] = Audience.BOTH
    target: Open[str]
    owner: Open[str]
    boxes: Open[int]
    remaining: Open[int]
    cause: Open[str]

    def is_own(self, faction: str) -> bool:
        """Return whether the target belongs to the faction."""
        return faction == self.owner
