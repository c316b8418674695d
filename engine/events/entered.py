"""The results that players entered for a battle at a physical table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from engine.events.event import Audience, Event, Open, ShipRef


@dataclass(frozen=True, slots=True)
class ResultEntered(Event):
    """The end of a ship as its side's players entered it.

    Attributes:
        stock: What is left in its magazines, as far as entered.
        captor: The side that took it.
        cause: How it was taken.
    """

    kind: ClassVar[str] = "entered"
    audience: ClassVar[Audience] = Audience.EVERYBODY
    ship: ShipRef
    status: Open[str]
    damage: Open[int]
    lost: Open[tuple[str, ...]]
    stock: Open[Mapping[str, int]] = field(default_factory=dict)
    captor: Open[str] = ""
    cause: Open[str] = ""
