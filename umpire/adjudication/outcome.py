"""What a resolved stage leaves behind: the new world, and what happened, each line with the audience that learns of it.

A line holds nothing that its audience may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaign.rules.battle_sightings import ContactsSeen, Counts
from campaign.rules.movement import Dropped
from campaign.rules.perceive import SURVIVORS
from campaign.rules.world import Contact, Engagement, Pair, Scan, World
from engine.core.frozen import quick
from umpire.adjudication.decisions import Chase

CARRIED_OFF = "carried-off"  # captured, and off the table under its captor


@quick
@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, with the factions that learn of it (no default: nobody hears by accident).

    `facts` are what fills the words of the report; they must hold nothing the audience may not know.
    """

    code: str
    audience: tuple[str, ...]
    hex: str
    facts: tuple[tuple[str, str | int], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class ShipAfter:
    """A ship after a battle. `status`: fighting, left, ftl, destroyed, captured, struck, hulk, or CARRIED_OFF.

    `stock`: what is left of what is below full, `notes`: what stays pencilled on its sheet, both as in `Ship`.
    `captor`: the faction that took it (captured, carried off, struck).
    """

    ship: str
    damage: int
    lost: tuple[str, ...]
    stock: tuple[tuple[str, int], ...]
    status: str
    captor: str = ""
    notes: tuple[tuple[str, int], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class BattleResult:
    """The result of an engagement. `decoys_lost`: (fleet, drones found out). `turns` and `winner` are
    for the reports. `ground`: the damage of the system's ground targets, by their numbers. `seen`: what each side
    saw become of the others' contacts.
    """

    engagement: str
    ships: tuple[ShipAfter, ...]
    decoys_lost: tuple[tuple[str, int], ...]
    turns: int
    winner: str | None
    ground: tuple[tuple[int, int], ...] = ()
    seen: tuple[ContactsSeen, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class StageOutcome:
    """The outcome of a stage: the world after it, and what happened on the way."""

    world: World
    happenings: tuple[Happening, ...]


def dropped(orders: Iterable[Dropped]) -> list[Happening]:
    """To its owner: an order that could not be carried out, and why."""
    return [
        Happening(
            "order-dropped",
            (item.faction,),
            "",
            (("order", item.order), ("code", item.fault.code), ("why", item.fault.message)),
        )
        for item in orders
    ]


def scanned(scans: Iterable[Scan]) -> list[Happening]:
    """To the viewer: contacts by classification, as falsified."""
    return [Happening("scan", (scan.viewer,), scan.hex, (("faction", scan.target), *scan.counts)) for scan in scans]


def survivors(viewers: tuple[str, ...], hex_: str, faction: str, counts: Counts) -> Happening:
    """To the viewers: what they know to be left of a faction at a hex after a battle or withdrawal."""
    return Happening(SURVIVORS, viewers, hex_, (("faction", faction), *counts))


def chased(hex_: str, chases: Iterable[Chase]) -> list[Happening]:
    """To both: the D6 of a faction that fights against one that withdraws."""
    return [
        Happening(
            "chase",
            tuple(sorted((chase.withdrawer, chase.fighter))),
            hex_,
            (("withdraws", chase.withdrawer), ("fights", chase.fighter), ("die", chase.die)),
        )
        for chase in chases
    ]


def decided(pairs: Iterable[Pair]) -> list[Happening]:
    """To both: the choices, revealed, and what they came to."""
    return [
        Happening(
            "decided",
            (pair.a, pair.b),
            pair.hex,
            (
                ("a", pair.a),
                ("a-choice", pair.choice_a or ""),
                ("b", pair.b),
                ("b-choice", pair.choice_b or ""),
                ("came-to", pair.settled or ""),
            ),
        )
        for pair in pairs
    ]


def withdrew(hex_: str, factions: Iterable[str]) -> list[Happening]:
    """To those who went: their ships are under FTL."""
    return [Happening("withdrew", (faction,), hex_) for faction in factions]


def joined(engagements: Iterable[Engagement]) -> list[Happening]:
    """To those who fight: a battle is to be fought, and by whom."""
    found = []
    for engagement in engagements:
        fought = tuple(sorted(name for side in engagement.sides for name in side))
        sides = " v ".join("+".join(side) for side in engagement.sides)
        found.append(Happening("battle-joined", fought, engagement.hex, (("sides", sides),)))
    return found


def still_in_contact(contacts: Sequence[Contact]) -> list[Happening]:
    """To both: they glare at each other, or the system is contested; orders of the next week have to say what then."""
    return [
        Happening(
            contact.state,
            (contact.a, contact.b),
            contact.hex,
            (("a", contact.a), ("b", contact.b), ("inner", contact.inner)),
        )
        for contact in contacts
    ]
