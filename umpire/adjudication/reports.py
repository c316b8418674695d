"""What factions are told: each line with its audience, holding nothing that audience may not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campaign.rules.movement import Dropped
from campaign.rules.world import Contact, Engagement, Pair, Scan
from umpire.adjudication.decisions import Chase
from umpire.adjudication.outcome import Happening


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
