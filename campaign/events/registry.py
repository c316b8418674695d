"""All classes of a week's events, and the functions that restore events from documents.

No other module looks up a class by its code.
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
    StationSeen,
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
from campaign.events.cargo import (
    GoodsLanded,
    GoodsLoaded,
    LandingPrevented,
    ShipSupplied,
    SupplyPrevented,
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
from campaign.events.mines import MinesLaid, MinesLost, MinesSeen, MinesSwept, SweepPrevented
from campaign.events.systems import GroundHit, HoldingChanged
from campaign.events.umpire import (
    Bulletin,
    ContactReported,
    Intelligence,
    PressItem,
    RecordCorrected,
    UmpireRuled,
)
from campaign.events.war import ForceDeployed, OrderDropped, ReinforcementArrived, WarOver

# In the order in which a report lists them at one place: first orders and meetings, then battles
# and their losses, then who holds what, last the work of bases and yards.
WEEK_EVENTS: list[type[WeekEvent]] = [
    WarOver,
    ForceDeployed,
    OrderDropped,
    ReinforcementArrived,
    UmpireRuled,
    RecordCorrected,
    Bulletin,
    PressItem,
    Intelligence,
    ContactReported,
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
    StationSeen,
    CargoLost,
    StoresShort,
    TowEnded,
    StandOff,
    SystemContested,
    HoldingChanged,
    GroundHit,
    MinesLaid,
    MinesSwept,
    SweepPrevented,
    MinesSeen,
    MinesLost,
    GoodsLoaded,
    GoodsLanded,
    LandingPrevented,
    ShipSupplied,
    SupplyPrevented,
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
    """Restore an event from the umpire's record or from a faction's notice, which has no audience.

    Raises:
        KeyError: The code is unknown.
    """
    return event_class(code).from_facts(audience, hex_, facts)


def event_class(code: str) -> type[WeekEvent]:
    """Return the class with this code in documents. Raises KeyError for an unknown one."""
    for cls in WEEK_EVENTS:
        if cls.code == code:
            return cls
    raise KeyError(f"{code}: add its class to WEEK_EVENTS in campaign/events/registry.py")


def events_from(documents: Iterable[Mapping[str, Any]]) -> tuple[WeekEvent, ...]:
    """Restore events from documents written by `WeekEvent.to_document`."""
    result: list[WeekEvent] = []
    for document in documents:
        facts = _facts(document["facts"])
        audience = tuple(document["audience"])
        result.append(event_from(document["code"], document["hex"], facts, audience))
    return tuple(result)


def _facts(pairs: Iterable[Sequence[Any]]) -> Facts:
    """Return the facts of a stored event, with its reasons as values."""
    facts = []
    for key, value in pairs:
        facts.append((key, ReasonFact(**value) if isinstance(value, dict) else value))
    return tuple(facts)
