"""All classes of events of a week, and events read from documents.

The only place that finds one by its code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.events.bases import (
    RepairFailed,
    RepairSucceeded,
    ShipBackInService,
    ShipLaunched,
    ShipModified,
    ShipReplenished,
    SystemRearmed,
    WorkDropped,
)
from campaign.events.battles import (
    BattleJoined,
    BattleOver,
    CargoLost,
    PrizeTaken,
    ShipLost,
    ShipRecovered,
    StoresShort,
    TakenAtDock,
    TowEnded,
)
from campaign.events.contacts import (
    Chase,
    ContactDecision,
    DummyFound,
    DummyLost,
    ForceWithdrew,
    Scan,
    StandOff,
    Survivors,
    SystemContested,
)
from campaign.events.event import Facts, ReasonFact, WeekEvent
from campaign.events.systems import GroundHit, HoldingChanged
from campaign.events.war import ForceDeployed, OrderDropped, ReinforcementArrived, WarOver

# In the order in which a report tells of them at one place: first what players ordered and how they
# met, then battles and what these cost, then who holds what, last the work of bases and yards.
WEEK_EVENTS: list[type[WeekEvent]] = [
    WarOver,
    ForceDeployed,
    OrderDropped,
    ReinforcementArrived,
    Scan,
    DummyLost,
    DummyFound,
    ContactDecision,
    Chase,
    ForceWithdrew,
    BattleJoined,
    BattleOver,
    Survivors,
    ShipLost,
    TakenAtDock,
    PrizeTaken,
    ShipRecovered,
    CargoLost,
    StoresShort,
    TowEnded,
    StandOff,
    SystemContested,
    HoldingChanged,
    GroundHit,
    RepairSucceeded,
    RepairFailed,
    ShipReplenished,
    SystemRearmed,
    ShipBackInService,
    ShipLaunched,
    ShipModified,
    WorkDropped,
]


def event_from(code: str, hex_: str, facts: Facts, audience: tuple[str, ...] = ()) -> WeekEvent:
    """The event that a document tells of: the umpire's record, or a faction's notice, which names
    no audience.

    Raises KeyError for an unknown code.
    """
    return event_class(code).from_facts(audience, hex_, facts)


def event_class(code: str) -> type[WeekEvent]:
    """Return the class that documents name by `code`. Raises KeyError for an unknown one."""
    for cls in WEEK_EVENTS:
        if cls.code == code:
            return cls
    raise KeyError(f"{code}: add its class to WEEK_EVENTS in campaign/events/registry.py")


def events_from(documents: Iterable[Mapping[str, Any]]) -> tuple[WeekEvent, ...]:
    """The events of a list of documents, as `WeekEvent.to_document` writes them."""
    return tuple(
        event_from(
            document["code"],
            document["hex"],
            _facts(document["facts"]),
            tuple(document["audience"]),
        )
        for document in documents
    )


def _facts(pairs: Iterable[Sequence[Any]]) -> Facts:
    return tuple(
        (key, ReasonFact(**value) if isinstance(value, dict) else value) for key, value in pairs
    )
