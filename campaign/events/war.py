"""Events of the whole war and of orders: deployment, reinforcements, dropped orders, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaign.events.event import Open, WeekEvent


@dataclass(frozen=True, slots=True)
class WarOver(WeekEvent):
    """The end of the war.

    Attributes:
        winner: A faction, or empty.
    """

    code: ClassVar[str] = "war-over"
    result: Open[str]
    winner: Open[str]


@dataclass(frozen=True, slots=True)
class ForceDeployed(WeekEvent):
    """A force that a faction deployed."""

    code: ClassVar[str] = "deployed"
    fleets: Open[int]
    ships: Open[int]
    points: Open[int]


@dataclass(frozen=True, slots=True)
class OrderDropped(WeekEvent):
    """An order that could not be carried out.

    Attributes:
        fault: The code of the violation.
        why: Its message, a reason.
    """

    code: ClassVar[str] = "order-dropped"
    reasons: ClassVar = ("why",)
    stored_as: ClassVar = {"fault": "code"}
    order: Open[str]
    fault: Open[str]
    why: Open[str]


@dataclass(frozen=True, slots=True)
class ReinforcementArrived(WeekEvent):
    """A fleet that arrived from off the map."""

    code: ClassVar[str] = "reinforced"
    fleet: Open[str]
    ships: Open[int]
    points: Open[int]
