"""What a rollback reveals: what each faction has learnt since the moment to which a war goes back.

Pure. It is for umpires only: it contains what factions know, and how much of it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from campaign.rules.foreign_classes import Class, ForeignClass
from campaign.rules.view import View
from campaign.rules.world import World

SpoilKind: TypeAlias = Literal[
    "fleet", "system", "battle", "class", "mine", "identified", "scanned", "sheet"
]


@dataclass(frozen=True, slots=True)
class Spoil:
    """Something that a faction has learnt.

    Attributes:
        week: When the faction learnt it; 0 if that is not recorded.
        kind: `class` is the faction's own. Classes of others were `identified` in battle,
            `scanned`, or seen with their record `sheet`.
        place: The hex of a fleet or a battle, or the key of a system; empty for a class.
        faction: The key of the faction that it is about; empty for none.
        name: The name of a class.
        is_still_true: It was true already at the moment to which the war goes back, so the faction
            keeps an advantage. The rest results from moves that are undone.
    """

    kind: SpoilKind
    week: int
    place: str
    faction: str
    is_still_true: bool
    name: str = ""


def spoils_of(
    then: View, now: View, truth: World, battles: Iterable[tuple[int, str]]
) -> tuple[Spoil, ...]:
    """Return what a faction has learnt between two of its views.

    Args:
        truth: The world at the time of `then`.
        battles: Week and hex of its battles since then.
    """
    spoils = [
        *_fleets(then, now, truth),
        *_systems(then, now, truth),
        *_mines(then, now, truth),
    ]
    for week, hex_ in battles:
        spoils.append(Spoil("battle", week, hex_, "", is_still_true=False))
    names_then = {cls.name for cls in then.classes}
    for cls in now.classes:
        if cls.name not in names_then:
            spoils.append(Spoil("class", 0, "", "", is_still_true=True, name=cls.name))
    return tuple(spoils)


def foreign_class_spoils(
    then: Mapping[Class, ForeignClass], now: Mapping[Class, ForeignClass]
) -> tuple[Spoil, ...]:
    """Return what a faction has learnt in battles about the classes of others.

    A rollback does not change classes, so all of it stays true.

    Args:
        then: What the faction knew at the moment to which the war would go back.
    """
    spoils = []
    for key, reading in now.items():
        before = then.get(key)
        if before is not None and before.detail >= reading.detail:
            continue
        kind: SpoilKind = "identified"
        if reading.design is not None:
            kind = "sheet"
        elif reading.figures:
            kind = "scanned"
        spoils.append(
            Spoil(kind, reading.week, "", reading.side, is_still_true=True, name=reading.name)
        )
    return tuple(spoils)


def _fleets(then: View, now: View, truth: World) -> list[Spoil]:
    """Return the scans of other factions' fleets."""
    places = {(fleet.faction, fleet.hex) for fleet in truth.fleets}
    sightings_then = set(then.sightings)
    spoils = []
    for sighting in now.sightings:
        if sighting not in sightings_then and sighting.faction != now.faction:
            place = (sighting.faction, sighting.hex)
            spoils.append(
                Spoil(
                    "fleet",
                    sighting.week,
                    sighting.hex,
                    sighting.faction,
                    is_still_true=place in places,
                )
            )
    return spoils


def _systems(then: View, now: View, truth: World) -> list[Spoil]:
    """Return the systems whose holder the faction did not know before."""
    holders = {holding.system: holding.holder for holding in truth.holdings}
    holders_then = {system.system: system.holder for system in then.systems}
    spoils = []
    for system in now.systems:
        if system.system in holders_then and holders_then[system.system] == system.holder:
            continue
        is_still_true = holders.get(system.system) == system.holder
        spoils.append(
            Spoil(
                "system",
                system.week,
                system.system,
                system.holder or "",
                is_still_true=is_still_true,
            )
        )
    return spoils


def _mines(then: View, now: View, truth: World) -> list[Spoil]:
    """Return the mines of other factions."""
    laid = {(mine.system, mine.x, mine.y) for mine in truth.mines}
    places_then = {(mine.system, mine.x, mine.y) for mine in then.mines}
    spoils = []
    for mine in now.mines:
        place = (mine.system, mine.x, mine.y)
        if mine.faction != now.faction and place not in places_then:
            spoils.append(
                Spoil("mine", mine.week, mine.system, mine.faction, is_still_true=place in laid)
            )
    return spoils
