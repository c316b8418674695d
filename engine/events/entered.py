"""What people entered of a battle that they fought at a table at home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from engine.events.event import Audience, Event, Open, ShipRef


@dataclass(frozen=True, slots=True)
class ResultEntered(Event):
    """The end of a ship, as a side's players entered it: its status, damage points and lost
    systems.

    `stock`: what is left in its magazines, as far as anybody entered it. `captor`: the side that
    took it. `how`: how it was taken.
    """

    kind: ClassVar[str] = "entered"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    status: Open[str]
    damage: Open[int]
    lost: Open[tuple[str, ...]]
    stock: Open[Mapping[str, int]] = field(default_factory=dict)
    captor: Open[str] = ""
    how: Open[str] = ""
