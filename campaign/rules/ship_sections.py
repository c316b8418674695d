"""Starbases and monster ships: classes whose designs are sections of a larger whole.

A fleet's ships of such classes form as many wholes as it has ships of them. Each section is a ship
that is damaged, repaired and lost on its own. Adjacent sections stay together in battle.

Rules: Continuum "Starbases", "Monster ships" 13.15 [pc.starbases]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import dist
from typing import NamedTuple

from campaign.rules.scenario import ShipClass
from campaign.rules.world import Ship
from engine.core.geometry import Point, rotate_offset
from engine.core.kinds import INSTALLATION
from engine.core.phrase import phrase
from engine.pieces.section import ADJACENT, LEAST_SPACING


class SectionPlace(NamedTuple):
    """The place of a section class in a whole.

    Attributes:
        of: The name of the whole.
        at: Its position in MU, with course 12 upwards.
    """

    of: str
    at: tuple[int, int]


def section_place(cls: ShipClass) -> SectionPlace | None:
    """Return the place of a section class; None if the class is no section."""
    section = cls.design.get("section")
    if not section:
        return None
    return SectionPlace(str(section["of"]), (int(section["at"][0]), int(section["at"][1])))


def find_section_faults(classes: Iterable[ShipClass]) -> dict[str, str]:
    """Return why classes cannot form a whole, by the name of the last class of each whole.

    Rules: Continuum "Monster ships" 13.15 [pc.starbases]
    """
    faults: dict[str, str] = {}
    groups: dict[str, list[tuple[ShipClass, SectionPlace]]] = {}
    for cls in classes:
        if (place := section_place(cls)) is not None:
            groups.setdefault(place.of, []).append((cls, place))
    for name, group in sorted(groups.items()):
        last = group[-1][0]
        spots = [place.at for _, place in group]
        with_drives = [cls for cls, _ in group if cls.thrust or cls.ftl]
        mass = sum(cls.mass for cls, _ in group)
        if len(group) < 2:
            faults[last.name] = phrase("'{}' has one section; it needs two or more", name)
        elif len({cls.classification == INSTALLATION for cls, _ in group}) > 1:
            faults[last.name] = phrase(
                "either all sections of '{}' must be installations, or none", name
            )
        elif any(dist(a, b) < LEAST_SPACING for a, b in combinations(spots, 2)):
            faults[last.name] = phrase(
                "two sections of '{}' are less than {:g} MU apart", name, LEAST_SPACING
            )
        elif len(_clusters(spots)) > 1:
            faults[last.name] = phrase(
                "the sections of '{}' must be connected, with {:g} MU from one to the next",
                name,
                ADJACENT,
            )
        elif len(with_drives) > 1:
            faults[last.name] = phrase("one section of '{}' must have all its drives", name)
        elif (
            with_drives
            and with_drives[0].classification != INSTALLATION
            and int(with_drives[0].design.get("total_mass", 0)) < mass
        ):
            faults[last.name] = phrase(
                "the drives of '{}' are too small for the mass of all its sections, {}",
                name,
                mass,
            )
    return faults


def _clusters(spots: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return groups of the numbers of positions that are connected, each group in order."""
    remaining = list(range(len(spots)))
    clusters = []
    while remaining:
        group = [remaining.pop(0)]
        for number in group:
            near = []
            for candidate in remaining:
                if dist(spots[number], spots[candidate]) <= ADJACENT:
                    near.append(candidate)
            remaining = [candidate for candidate in remaining if candidate not in near]
            group += near
        clusters.append(sorted(group))
    return clusters


def assemble_sections(
    classes: Mapping[str, ShipClass], ships: Sequence[Ship]
) -> list[list[tuple[Ship, SectionPlace]]]:
    """Return the wholes, as far as they are connected, that a fleet's ships form.

    By key, the first ship of each class belongs to the first whole, and so on. A section without
    any adjacent one is left out, and so are sections that could never form a whole.
    """
    copies: dict[tuple[str, int], list[tuple[Ship, SectionPlace]]] = {}
    copy_numbers: dict[str, int] = {}
    for ship in sorted(ships, key=lambda item: (len(item.key), item.key)):
        place = section_place(classes[ship.cls]) if ship.cls in classes else None
        if place is not None:
            number = copy_numbers[ship.cls] = copy_numbers.get(ship.cls, 0) + 1
            copies.setdefault((place.of, number), []).append((ship, place))
    assemblies: list[list[tuple[Ship, SectionPlace]]] = []
    for _, members in sorted(copies.items()):
        alone = {ship.cls: classes[ship.cls] for ship, _ in members}
        if len(members) > 1 and not _is_unsound(list(alone.values()), members):
            parts = _clusters([place.at for _, place in members])
            assemblies += [[members[number] for number in part] for part in parts if len(part) > 1]
    return assemblies


def _is_unsound(classes: Sequence[ShipClass], members: Sequence[tuple[Ship, SectionPlace]]) -> bool:
    """Return whether these sections could not form a whole, even if others are missing."""
    spots = [place.at for _, place in members]
    with_drives = [cls for cls in classes if cls.thrust or cls.ftl]
    mixed = len({cls.classification == INSTALLATION for cls in classes}) > 1
    close = any(dist(a, b) < LEAST_SPACING for a, b in combinations(spots, 2))
    heavy = bool(with_drives) and with_drives[0].classification != INSTALLATION
    heavy = heavy and int(with_drives[0].design.get("total_mass", 0)) < sum(
        cls.mass for cls in classes
    )
    return mixed or close or len(with_drives) > 1 or heavy


def ftl_carried_classes(classes: Sequence[ShipClass]) -> list[str]:
    """Return the names of classes that are sections of a whole whose FTL drive another class has.

    Rules: Continuum "Monster ships" 13.15 [pc.starbases]
    """
    sections = [(cls, place) for cls in classes if (place := section_place(cls)) is not None]
    with_drives = [place.of for cls, place in sections if cls.ftl]
    return [cls.name for cls, place in sections if place.of in with_drives]


def is_carried(classes: Mapping[str, ShipClass], ship: Ship, fleet_ships: Iterable[Ship]) -> bool:
    """Return whether another section in its fleet carries a ship with a working FTL drive.

    Rules: Continuum "Monster ships" 13.15 [pc.starbases]
    """
    place = section_place(classes[ship.cls])
    if place is None:
        return False
    for candidate in fleet_ships:
        cls = classes[candidate.cls]
        lead = section_place(cls)
        works = cls.ftl and "ftl" not in candidate.lost and not candidate.docked
        if (
            candidate is not ship
            and lead is not None
            and lead.of == place.of
            and works
            and candidate.fleet == ship.fleet
        ):
            return True
    return False


def section_position(
    anchor: Point, place: SectionPlace, course: int, table: Point, spots: Sequence[tuple[int, int]]
) -> Point:
    """Return a section's position around the anchor of its whole.

    The whole is shifted as far as needed to fit on the table.

    Args:
        spots: The positions of all sections of the whole.
    """
    turned = [rotate_offset((0.0, 0.0), at, course) for at in spots]
    middle = []
    for axis in (0, 1):
        middle.append(
            min(
                max(anchor[axis], -min(spot[axis] for spot in turned)),
                table[axis] - max(spot[axis] for spot in turned),
            )
        )
    x, y = rotate_offset((middle[0], middle[1]), place.at, course)
    return round(x, 3), round(y, 3)
