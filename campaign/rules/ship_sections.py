"""Starbases and monster ships: classes whose designs are sections of a larger whole.

A fleet's ships of such classes form as many wholes as it has ships of them. Each section is a ship
that is damaged, repaired and lost on its own. Adjacent sections stay together in battle.

Rules: Continuum "Starbases", "Monster ships" 13.15 [pc.starbases]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from campaign.rules.scenario import ShipClass
from campaign.rules.world import Ship
from engine.core.geometry import Point, dist, rotate_offset
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


PlacedClass = tuple[ShipClass, SectionPlace]
PlacedShip = tuple[Ship, SectionPlace]


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
    groups: dict[str, list[PlacedClass]] = {}
    for cls in classes:
        place = section_place(cls)
        if place is not None:
            groups.setdefault(place.of, []).append((cls, place))
    faults: dict[str, str] = {}
    for name, group in sorted(groups.items()):
        fault = _fault_of_whole(name, group)
        if fault is not None:
            last_class, _ = group[-1]
            faults[last_class.name] = fault
    return faults


def _fault_of_whole(name: str, group: Sequence[PlacedClass]) -> str | None:
    """Return the first reason why sections cannot form a whole; None if they can."""
    classes = [cls for cls, _ in group]
    spots = [place.at for _, place in group]
    if len(group) < 2:
        return phrase("'{}' has one section; it needs two or more", name)
    if _mixes_installations(classes):
        return phrase("either all sections of '{}' must be installations, or none", name)
    if _are_too_close(spots):
        return phrase("two sections of '{}' are less than {:g} MU apart", name, LEAST_SPACING)
    if len(_clusters(spots)) > 1:
        return phrase(
            "the sections of '{}' must be connected, with {:g} MU from one to the next",
            name,
            ADJACENT,
        )
    if len(_with_drives(classes)) > 1:
        return phrase("one section of '{}' must have all its drives", name)
    if _are_drives_too_small(classes):
        mass = sum(cls.mass for cls in classes)
        return phrase(
            "the drives of '{}' are too small for the mass of all its sections, {}", name, mass
        )
    return None


def _mixes_installations(classes: Iterable[ShipClass]) -> bool:
    """Return whether some of the classes are installations and others are not."""
    return len({cls.classification == INSTALLATION for cls in classes}) > 1


def _are_too_close(spots: Iterable[tuple[int, int]]) -> bool:
    """Return whether two of the positions are closer than sections may be."""
    return any(dist(a, b) < LEAST_SPACING for a, b in combinations(spots, 2))


def _with_drives(classes: Iterable[ShipClass]) -> list[ShipClass]:
    """Return the classes that have a main drive or an FTL drive."""
    return [cls for cls in classes if cls.thrust or cls.ftl]


def _are_drives_too_small(classes: Sequence[ShipClass]) -> bool:
    """Return whether the drives of a moving whole were designed for less than its mass."""
    with_drives = _with_drives(classes)
    if not with_drives or with_drives[0].classification == INSTALLATION:
        return False
    return int(with_drives[0].design.get("total_mass", 0)) < sum(cls.mass for cls in classes)


def _clusters(spots: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return groups of the numbers of positions that are connected, each group in order."""
    remaining = list(range(len(spots)))
    clusters = []
    while remaining:
        group = [remaining.pop(0)]
        for number in group:  # the group grows in this loop
            neighbours = []
            for candidate in remaining:
                if dist(spots[number], spots[candidate]) <= ADJACENT:
                    neighbours.append(candidate)
            remaining = [candidate for candidate in remaining if candidate not in neighbours]
            group += neighbours
        clusters.append(sorted(group))
    return clusters


def assemble_sections(
    classes: Mapping[str, ShipClass], ships: Sequence[Ship]
) -> list[list[PlacedShip]]:
    """Return the wholes, as far as they are connected, that a fleet's ships form.

    By key, the first ship of each class belongs to the first whole, and so on. A section without
    any adjacent one is left out, and so are sections that could never form a whole.
    """
    assemblies: list[list[PlacedShip]] = []
    for members in _members_by_whole(classes, ships):
        member_classes = {ship.cls: classes[ship.cls] for ship, _ in members}
        spots = [place.at for _, place in members]
        if len(members) > 1 and not _is_unsound(list(member_classes.values()), spots):
            for cluster in _clusters(spots):
                if len(cluster) > 1:
                    assemblies.append([members[number] for number in cluster])
    return assemblies


def _members_by_whole(
    classes: Mapping[str, ShipClass], ships: Iterable[Ship]
) -> list[list[PlacedShip]]:
    """Return the sections of each whole, connected or not, sorted by the wholes' names."""
    wholes: dict[tuple[str, int], list[PlacedShip]] = {}
    ships_of_class: dict[str, int] = {}
    for ship in sorted(ships, key=lambda item: (len(item.key), item.key)):
        place = section_place(classes[ship.cls]) if ship.cls in classes else None
        if place is not None:
            number = ships_of_class.get(ship.cls, 0) + 1
            ships_of_class[ship.cls] = number
            wholes.setdefault((place.of, number), []).append((ship, place))
    return [members for _, members in sorted(wholes.items())]


def _is_unsound(classes: Sequence[ShipClass], spots: Sequence[tuple[int, int]]) -> bool:
    """Return whether these sections could not form a whole, even if others are missing."""
    if _mixes_installations(classes) or _are_too_close(spots):
        return True
    return len(_with_drives(classes)) > 1 or _are_drives_too_small(classes)


def ftl_carried_classes(classes: Sequence[ShipClass]) -> list[str]:
    """Return the names of the classes of sections without an FTL drive of their own that can jump.

    Another section of the same ship has the drive.

    Rules: Continuum "Monster ships" 13.15 [pc.starbases]
    """
    sections: list[PlacedClass] = []
    for cls in classes:
        place = section_place(cls)
        if place is not None:
            sections.append((cls, place))
    wholes_with_ftl = {place.of for cls, place in sections if cls.ftl}
    return [cls.name for cls, place in sections if place.of in wholes_with_ftl]


def is_carried(classes: Mapping[str, ShipClass], ship: Ship, fleet_ships: Iterable[Ship]) -> bool:
    """Return whether another section in its fleet carries a ship with a working FTL drive.

    Rules: Continuum "Monster ships" 13.15 [pc.starbases]
    """
    place = section_place(classes[ship.cls])
    if place is None:
        return False
    for other in fleet_ships:
        if other is ship or other.fleet != ship.fleet:
            continue
        cls = classes[other.cls]
        other_place = section_place(cls)
        has_working_ftl = cls.ftl and "ftl" not in other.lost and not other.docked
        if has_working_ftl and other_place is not None and other_place.of == place.of:
            return True
    return False


def section_position(
    anchor: Point, place: SectionPlace, course: int, table: Point, spots: Sequence[tuple[int, int]]
) -> Point:
    """Return a section's position around the anchor of its whole.

    The whole is shifted as far as needed to fit on the table.

    Args:
        anchor: Where the middle of the whole should be.
        table: Width and depth of the table in MU.
        spots: The positions of all sections of the whole.
    """
    turned = [rotate_offset((0.0, 0.0), at, course) for at in spots]
    middle = []
    for axis in (0, 1):
        offsets = [spot[axis] for spot in turned]
        least = -min(offsets)
        most = table[axis] - max(offsets)
        middle.append(min(max(anchor[axis], least), most))
    x, y = rotate_offset((middle[0], middle[1]), place.at, course)
    return round(x, 3), round(y, 3)
