"""What a resolved stage leaves behind: the new world and the events on the way, each with its
audience.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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

CARRIED_OFF = "carried-off"  # captured, and off the table under its captor


@dataclass(frozen=True, slots=True)
class ShipAfter:
    """A ship after a battle.

    `status`: fighting, left, ftl, destroyed, captured, struck, hulk, or CARRIED_OFF.

    `stock`: what is left of what is below full, `notes`: what stays pencilled on its sheet, both as
    in `Ship`. `captor`: the faction that took it (captured, carried off, struck).
    """

    ship: str
    damage: int
    lost: tuple[str, ...]
    stock: tuple[tuple[str, int], ...]
    status: str
    captor: str = ""
    notes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class BattleResult:
    """The result of an engagement.

    `decoys_lost`: (fleet, drones found out). `turns` and `winner` are for the reports. `ground`:
    the damage of the system's ground targets, by their numbers. `seen`: what each side saw become
    of the others' contacts.
    """

    engagement: str
    ships: tuple[ShipAfter, ...]
    decoys_lost: tuple[tuple[str, int], ...]
    turns: int
    winner: str | None
    ground: tuple[tuple[int, int], ...] = ()
    seen: tuple[ContactOutcome, ...] = ()


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """The outcome of a stage: the world after it, and what happened on the way."""

    world: World
    week_events: tuple[WeekEvent, ...]


def dropped_events(orders: Iterable[DroppedOrder]) -> list[WeekEvent]:
    """To its owner: an order that could not be carried out, and why."""
    return [
        OrderDropped(
            (item.faction,), "", item.order, item.fault.code, with_code(item.fault.message)
        )
        for item in orders
    ]


def scan_events(scans: Iterable[Scan]) -> list[WeekEvent]:
    """To the viewer: contacts by classification, as falsified."""
    return [events.Scan((scan.viewer,), scan.hex, scan.target, scan.counts) for scan in scans]


def chase_events(hex_: str, chases: Iterable[Chase]) -> list[WeekEvent]:
    """To both: the D6 of a faction that fights against one that withdraws."""
    return [
        events.Chase(
            tuple(sorted((chase.withdrawer, chase.fighter))),
            hex_,
            withdraws=chase.withdrawer,
            fights=chase.fighter,
            die=chase.die,
        )
        for chase in chases
    ]


def decision_events(pairs: Iterable[Pair]) -> list[WeekEvent]:
    """To both: the choices, revealed, and what they came to."""
    return [
        ContactDecision(
            (pair.a, pair.b),
            pair.hex,
            a=pair.a,
            a_choice=pair.choice_a or "",
            b=pair.b,
            b_choice=pair.choice_b or "",
            came_to=pair.settled or "",
        )
        for pair in pairs
    ]


def withdrawal_events(hex_: str, factions: Iterable[str]) -> list[WeekEvent]:
    """To those who went: their ships are under FTL."""
    return [ForceWithdrew((faction,), hex_) for faction in factions]


def battle_joined_events(engagements: Iterable[Engagement]) -> list[WeekEvent]:
    """To those who fight: a battle is to be fought, and by whom."""
    result: list[WeekEvent] = []
    for engagement in engagements:
        factions = tuple(sorted(name for side in engagement.sides for name in side))
        sides = SIDE_SEPARATOR.join(ALLY_SEPARATOR.join(side) for side in engagement.sides)
        result.append(BattleJoined(factions, engagement.hex, sides))
    return result


def contact_events(contacts: Sequence[Contact]) -> list[WeekEvent]:
    """To both: a stand-off, or a contested system; orders of the next week have to say what
    then.
    """
    classes: dict[str, type[StillInContact]] = {
        cls.code: cls for cls in (StandOff, SystemContested)
    }
    return [
        classes[contact.state](
            (contact.a, contact.b), contact.hex, contact.a, contact.b, contact.inner
        )
        for contact in contacts
    ]
