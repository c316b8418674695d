"""The stands of a battle file: very small ships of a side that fly as one for the whole battle.

Ships share a stand if their `stand` names the same one.

Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.edition import Edition
from engine.core.kinds import FIGHTING
from engine.core.phrase import phrase
from engine.core.ship import FREE, ShipState
from engine.notation.reading import Reader
from engine.notation.ships_by_key import ships_by_key
from engine.systems.defences import CLOAKS

MAX_SHIPS = 3  # on a stand

MAX_BOXES = 6  # hull boxes of each of its ships


def read_stands(
    reader: Reader, document: Mapping[object, object], edition: str, ships: Sequence[ShipState]
) -> None:
    """Record on the ships of each stand that they share it and follow the first ship's plot.

    Faults go to the reader.

    Rules: Continuum "Squadron operations" 3.7 [pc.squadrons]
    """
    for (_, name), rows in ships_by_key(reader, document, "stand", ships).items():
        on_stand = [ship for _, ship in rows]
        if edition != Edition.CONTINUUM:
            fault = phrase("stands need the Continuum edition")
        else:
            fault = _stand_fault(on_stand)
        if fault:
            reader.fault(f"{rows[0][0]}.stand", "stand", phrase("{}: {}", name, fault))
            continue
        for ship in on_stand:
            ship.record = ship.record.with_values(stand=True)
        for ship in on_stand[1:]:
            ship.record = ship.record.with_values(squadron=on_stand[0].id)


def _stand_fault(ships: Sequence[ShipState]) -> str:
    """Return the reason why ships cannot share a stand, "" if they can."""
    if not 2 <= len(ships) <= MAX_SHIPS:
        return phrase("a stand holds 2 to {} ships", MAX_SHIPS)
    for ship in ships:
        if fault := unfit_for_stand(ship):
            return fault
    movements = set()
    for ship in ships:
        movements.add((ship.x, ship.y, ship.course, ship.velocity, ship.drift, ship.sheet.drive))
    if len(movements) > 1:
        return phrase(
            "ships on a stand must have the same position, course, velocity and type of drive"
        )
    return ""


def unfit_for_stand(ship: ShipState) -> str:
    """Return the reason why a ship cannot be on a stand, "" if it can."""
    if ship.sheet.boxes > MAX_BOXES or ship.sheet.thrust == 0:
        return phrase(
            "{} must be a ship with a drive and at most {} hull boxes", ship.id, MAX_BOXES
        )
    if ship.dummy or ship.cover is not None or ship.status != FIGHTING or ship.docking != FREE:
        return phrase("{} is docked, in FTL or in disguise", ship.id)
    if ship.record.section or any(fit.type in CLOAKS for fit in ship.sheet.fits):
        return phrase("{} is a section or can cloak", ship.id)
    return ""
