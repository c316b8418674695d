"""Tugs at work: ships that lost their FTL drive are brought to a base that can repair them."""

from __future__ import annotations

from collections.abc import Container, Sequence

from campaign.rules.orders import Tow
from campaign.rules.towing import can_tow
from campaign.rules.view import Ship
from umpire.admirals.forming import Party, leg
from umpire.admirals.keeping import base_for_ship
from umpire.admirals.picture import Picture, Stack


def towed(
    picture: Picture, stack: Stack, ships: Sequence[Ship], docked: Container[str]
) -> tuple[list[Tow], list[Party]]:
    """The tows of a stack and the parties they form: each tug takes what it can carry to one base, the dearest first.

    `ships`: those that are free to go; `docked`: the keys of those that dock. Ships built without FTL stay where they
    are: they are posted there.

    Rules: 2E "FTL tugs and tenders" [camp.tugs]
    """
    classes = picture.reckoner.classes
    waiting: list[tuple[Ship, str]] = []
    for ship in sorted(stack.stuck, key=lambda ship: (-classes[ship.cls].points, ship.key)):
        base = base_for_ship(picture, ship, stack.hex)
        if base is not None and base != stack.hex and classes[ship.cls].ftl and ship.key not in docked:
            waiting.append((ship, base))
    tows: list[Tow] = []
    parties: list[Party] = []
    for tug in sorted((ship for ship in ships if can_tow(classes[ship.cls], ship)), key=lambda ship: ship.key):
        room = classes[tug.cls].mass
        to = next((base for ship, base in waiting if classes[ship.cls].mass <= room), "")
        if not to or not leg(picture, stack, to):
            continue
        crew = []
        for ship, base in waiting:
            if base == to and classes[ship.cls].mass <= room:
                crew.append(ship)
                room -= classes[ship.cls].mass
        waiting = [(ship, base) for ship, base in waiting if ship not in crew]
        tows.append(Tow(tug.key, tuple(sorted(ship.key for ship in crew))))
        parties.append(Party((tug, *crew), to))
    return tows, parties
