"""The outcome of a resolved stage: the new world, and the events with their audiences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pydantic import TypeAdapter

from campaign.events import contacts as events
from campaign.events.battles import ALLY_SEPARATOR, SIDE_SEPARATOR, BattleJoined
from campaign.events.contacts import (
    ContactDecision,
    ForceWithdrew,
    StandOff,
    StillInContact,
    SystemContested,
)
from campaign.events.event import WeekEvent
from campaign.events.war import OrderDropped
from campaign.rules.battle_sightings import ContactOutcome
from campaign.rules.movement import DroppedOrder
from campaign.rules.world import Contact, Engagement, Pair, Scan, World
from engine.core.reason import with_code
from umpire.adjudication.decisions import Chase

CARRIED_OFF = "carried-off"  # captured, and taken off the table by its captor


@dataclass(frozen=True, slots=True)
class ShipAfter:
    """A ship after a battle.

    Attributes:
        ship: The ship's key.
        lost: Its lost systems, as in `Ship`.
        stock: What is left in stores that are not full, as in `Ship`.
        status: fighting, left, ftl, destroyed, captured, struck, hulk, landed, or CARRIED_OFF.
        captor: The faction that took it (captured, carried off, struck).
        notes: The notes on its sheet that carry over, as in `Ship`.
        is_free: Whether a ship that was docked at a station has cast off, or its station is gone.
    """

    ship: str
    damage: int
    lost: tuple[str, ...]
    stock: tuple[tuple[str, int], ...]
    status: str
    captor: str = ""
    notes: tuple[tuple[str, int], ...] = ()
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class BattleResult:
    """The result of an engagement.

    Attributes:
        decoys_lost: (fleet, decoys identified) of each fleet that lost decoys.
        turns: The number of turns, for the reports.
        winner: The name of the winning side, for the reports and for who holds the field.
        ground: (number, damage) of the system's ground targets.
        contacts_seen: What each side saw happen to the other sides' contacts.
        mines: (faction, x, y) of the mines that lie in the system now, as in `Mine`; None: those
            that were there before.
    """

    engagement: str
    ships: tuple[ShipAfter, ...]
    decoys_lost: tuple[tuple[str, int], ...]
    turns: int
    winner: str | None
    ground: tuple[tuple[int, int], ...] = ()
    contacts_seen: tuple[ContactOutcome, ...] = ()
    mines: tuple[tuple[str, int, int], ...] | None = None


RESULT = TypeAdapter(BattleResult)


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """The outcome of a stage: the world after it, and the events on the way."""

    world: World
    week_events: tuple[WeekEvent, ...]


def result_document(result: BattleResult) -> dict[str, Any]:
    """Return a battle's result as stored, without empty lists of ground targets and contacts.

    An empty list of mines says that none are left; without the list they are as before.
    """
    document: dict[str, Any] = RESULT.dump_python(result, mode="json")
    if result.mines is None:
        document.pop("mines")
    return {
        key: value
        for key, value in document.items()
        if value or key not in ("ground", "contacts_seen")
    }


def dropped_events(orders: Iterable[DroppedOrder]) -> list[WeekEvent]:
    """Return the events that tell owners which orders could not be carried out, and why."""
    events: list[WeekEvent] = []
    for item in orders:
        words = with_code(item.fault.message)
        events.append(OrderDropped((item.faction,), "", item.order, item.fault.code, words))
    return events


def scan_events(scans: Iterable[Scan]) -> list[WeekEvent]:
    """Return the events that tell each viewer the scanned contacts, including false ones."""
    result: list[WeekEvent] = []
    for scan in scans:
        result.append(events.Scan((scan.viewer,), scan.hex, scan.target, scan.counts))
    return result


def chase_events(hex_: str, chases: Iterable[Chase]) -> list[WeekEvent]:
    """Return the events that tell both factions the D6 of the one that fights against the one that
    withdraws.
    """
    result: list[WeekEvent] = []
    for chase in chases:
        result.append(
            events.Chase(
                tuple(sorted((chase.withdrawer, chase.fighter))),
                hex_,
                withdraws=chase.withdrawer,
                fights=chase.fighter,
                die=chase.die,
            )
        )
    return result


def decision_events(pairs: Iterable[Pair]) -> list[WeekEvent]:
    """Return the events that tell both factions the choices and their outcome."""
    events: list[WeekEvent] = []
    for pair in pairs:
        events.append(
            ContactDecision(
                (pair.a, pair.b),
                pair.hex,
                a=pair.a,
                a_choice=pair.choice_a or "",
                b=pair.b,
                b_choice=pair.choice_b or "",
                outcome=pair.settled or "",
            )
        )
    return events


def withdrawal_events(hex_: str, factions: Iterable[str]) -> list[WeekEvent]:
    """Return the events that tell each faction that left that its ships are under FTL."""
    return [ForceWithdrew((faction,), hex_) for faction in factions]


def battle_joined_events(engagements: Iterable[Engagement]) -> list[WeekEvent]:
    """Return the events that tell all factions in a battle that it will be fought, and by whom."""
    result: list[WeekEvent] = []
    for engagement in engagements:
        factions = tuple(sorted(chain.from_iterable(engagement.sides)))
        sides = SIDE_SEPARATOR.join(ALLY_SEPARATOR.join(side) for side in engagement.sides)
        result.append(BattleJoined(factions, engagement.hex, sides))
    return result


def contact_events(contacts: Sequence[Contact]) -> list[WeekEvent]:
    """Return the events that tell both factions about a stand-off or contested system.

    Next week's orders must say what happens there.
    """
    event_classes: dict[str, type[StillInContact]] = {
        event_class.code: event_class for event_class in (StandOff, SystemContested)
    }
    events: list[WeekEvent] = []
    for contact in contacts:
        event_class = event_classes[contact.state]
        audience = (contact.a, contact.b)
        events.append(event_class(audience, contact.hex, *audience, contact.inner))
    return events
