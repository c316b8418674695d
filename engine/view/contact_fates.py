"""The fates of the contacts that a side met in a battle, as far as it saw them.

This uses only what the side was shown: the contacts of its first view, its log, and the contacts of
its last view. A ship that disappeared without a log line that explains it is still nearby.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.core.kinds import DERELICT_STATUSES, DESTROYED, FTL, LANDED, SCANNED_AWAY
from engine.core.state import BattleState
from engine.events.battle import ShipTakenOver
from engine.events.damage import ShipDestroyed
from engine.events.detection import (
    ContactIdentified,
    DummyIdentified,
    QShipUncovered,
    ShipCloaked,
    ShipDecloaked,
)
from engine.events.event import Event
from engine.events.movement import (
    JUMPED,
    FtlExit,
    ShipCarriedOff,
    ShipDetached,
    ShipEscaped,
    ShipTakenAboard,
)
from engine.view.documents import ContactDocument
from engine.view.event_reader import read_events_of
from engine.view.side_log import side_log
from engine.view.side_view import observe

# The events that are read here.
FATE_EVENTS = (
    ShipDestroyed,
    DummyIdentified,
    ShipCarriedOff,
    ShipEscaped,
    ContactIdentified,
    QShipUncovered,
    FtlExit,
    ShipTakenOver,
)
# Those, and the events that change what a side hears: a log of only these gives the same fates as
# the whole log.
SUFFICIENT_EVENTS = (*FATE_EVENTS, ShipCloaked, ShipDecloaked, ShipTakenAboard, ShipDetached)


class FateKind(StrEnum):
    """The fate of a contact, as far as a side saw it."""

    PRESENT = "present"  # on the table, off it, or out of sight, but not known to be gone
    DERELICT = "adrift"  # without a commander: the side that holds the field recovers it
    LANDED = "landed"  # on a planet: it is lost if a hostile side holds the field
    GONE = "gone"  # destroyed, escaped into FTL, taken over, or a decoy


@dataclass(frozen=True, slots=True)
class ContactFate:
    """The fate of a contact.

    Attributes:
        side: The number of the side that it belonged to.
        label: Its classification at the start of the battle, from a long range scan.
        cls: Its class once it was identified, before that "".
    """

    side: int
    label: str
    cls: str
    fate: FateKind


def contact_fates(
    sides: Sequence[str],
    first_contacts: Iterable[ContactDocument],
    log: Iterable[Mapping[str, Any]],
    last_contacts: Iterable[Mapping[str, Any]],
) -> list[ContactFate]:
    """Return the fate of every contact of a side's first view.

    Args:
        sides: The names of all sides, by their numbers.
        first_contacts: The contacts of the side's first view.
        log: All lines of the side's log.
        last_contacts: The id and status of each contact in its last view.
    """
    gone: set[str] = set()
    commanders: dict[str, int] = {}
    classes: dict[str, str] = {}
    for event in read_events_of(log, *FATE_EVENTS):
        match event:
            case ContactIdentified() | QShipUncovered():
                classes[event.ship] = event.cls
            case ShipTakenOver():
                commanders[event.ship] = sides.index(event.side)
                classes[event.ship] = event.cls
            case FtlExit() if event.outcome not in JUMPED:
                pass
            case _:
                gone.add(event.subject)
    statuses = {contact["id"]: contact["status"] for contact in last_contacts}
    fates = []
    for contact in first_contacts:
        id_ = contact["id"]
        side = contact.get("owner", contact["side"])
        is_taken_over = commanders.get(id_, side) != side
        if is_taken_over or id_ in gone:
            fate = FateKind.GONE
        else:
            fate = _fate_of(statuses.get(id_, ""))
        cls = classes.get(id_, contact.get("class", ""))
        fates.append(ContactFate(side, contact["classification"], cls, fate))
    return fates


def fates_by_events(
    start: BattleState, events: Iterable[Event], end: BattleState, side: int
) -> list[ContactFate]:
    """Return the fates for a battle without stored views."""
    fate_events = [event for event in events if isinstance(event, SUFFICIENT_EVENTS)]
    first = visible_contacts(start, side)
    last = visible_contacts(end, side)
    return contact_fates(start.sides, first, side_log(fate_events, start, side), last)


def visible_contacts(state: BattleState, side: int) -> list[ContactDocument]:
    """Return the contacts that a side sees now."""
    return [contact.to_json() for contact in observe(state, side, lent=True).contacts]


def _fate_of(status: str) -> FateKind:
    """Return the fate of a contact by its last status, if no log line says that it is gone."""
    if status in (DESTROYED, FTL, SCANNED_AWAY):
        return FateKind.GONE
    if status in DERELICT_STATUSES:
        return FateKind.DERELICT
    if status == LANDED:
        return FateKind.LANDED
    return FateKind.PRESENT
