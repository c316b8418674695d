"""The sections of a battle file: ships of a side whose `section` names the same whole.

The whole is a starbase or a monster ship.

Rules: Continuum "Starbases", "Monster ships" 13.15 [pc.starbases]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from engine.continuum.sections import are_connected
from engine.core.edition import Edition
from engine.core.geometry import NEAR, dist
from engine.core.kinds import FIGHTING, INSTALLATION
from engine.core.phrase import phrase
from engine.core.ship import FREE, ShipState
from engine.notation.reading import Reader
from engine.notation.ships_by_key import ships_by_key
from engine.pieces.section import ADJACENT, LEAST_SPACING, Section, make_section
from engine.systems.defences import CLOAKS


def read_sections(
    reader: Reader, document: Mapping[object, object], edition: str, ships: Sequence[ShipState]
) -> list[Section]:
    """Return the space that sections occupy, and record on ships the number of their whole.

    Faults go to the reader.

    Rules: Continuum "Starbases" 13.15 [pc.starbases]
    """
    groups = ships_by_key(reader, document, "section", ships)
    if groups and edition != Edition.CONTINUUM:
        spot = next(iter(groups.values()))[0][0]
        reader.fault(
            f"{spot}.section",
            "section",
            phrase("starbases and ships in sections need the Continuum edition"),
        )
        return []
    numbers: dict[int, int] = {}
    section_ships: list[ShipState] = []
    for (side, name), rows in groups.items():
        numbers[side] = numbers.get(side, 0) + 1
        sections = [ship for _, ship in rows]
        fault = _first_fault(sections) or _group_fault(sections)
        if fault:
            reader.fault(f"{rows[0][0]}.section", "section", f"{name}: {fault}")
        for ship in sections:
            ship.record = ship.record.with_values(section=numbers[side])
            ship.bogey = False  # everybody recognises it
        section_ships += sections
    section_ships.sort(key=lambda ship: (ship.x, ship.y))  # hides the order of the roster
    return [
        make_section(f"section-{number}", ship, fixed=ship.sheet.kind == INSTALLATION)
        for number, ship in enumerate(section_ships, 1)
    ]


def _first_fault(ships: Sequence[ShipState]) -> str:
    """Return the first ship that cannot be a section, with the reason; "" if all can."""
    for ship in ships:
        if words := _section_fault(ship):
            return f"{ship.id} {words}"
    return ""


def _section_fault(ship: ShipState) -> str:
    """Return the reason why a ship cannot be a section, "" if it can."""
    if ship.dummy or ship.cover is not None:
        return phrase("is in disguise; a section cannot be")
    if ship.status != FIGHTING or ship.docking != FREE:
        return phrase("is docked or in FTL; a section cannot be")
    cloaks = [fit.id for fit in ship.sheet.fits if fit.type in CLOAKS]
    if cloaks:
        return phrase("has {}; a section cannot cloak", cloaks[0])
    return ""


def _group_fault(ships: Sequence[ShipState]) -> str:
    """Return the reason why sections cannot form one whole, "" if they can."""
    if len({ship.sheet.kind == INSTALLATION for ship in ships}) > 1:
        return phrase("either all sections must be installations, or none")
    if len({(ship.course, ship.velocity, ship.drift) for ship in ships}) > 1:
        return phrase("all sections of a unit must have the same course and velocity")
    centres = [(ship.x, ship.y) for ship in ships]
    if any(dist(a, b) < LEAST_SPACING - NEAR for a, b in combinations(centres, 2)):
        return phrase("the centres of two sections must be at least {:g} MU apart", LEAST_SPACING)
    if not are_connected(centres):
        return phrase("each section of a unit must be within {:g} MU of the next", ADJACENT)
    return _drive_fault(ships)


def _drive_fault(ships: Sequence[ShipState]) -> str:
    """Return the reason why the drives of sections cannot move the whole, "" if they can."""
    if sum(ship.sheet.thrust > 0 for ship in ships) > 1:
        return phrase("only one section can have drives")
    mass = sum(ship.sheet.mass for ship in ships)
    for ship in ships:
        has_drive = ship.sheet.thrust or ship.profile.ftl >= 0
        drive_mass = int(ship.sheet.design.get("total_mass", ship.sheet.mass))
        if has_drive and ship.sheet.kind != INSTALLATION and drive_mass < mass:
            return phrase(
                "the drives of {} are built for mass {}; all sections together have {}",
                ship.id,
                drive_mass,
                mass,
            )
    return ""
