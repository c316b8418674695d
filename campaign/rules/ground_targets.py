"""Ground targets of a war: installations of factions on planets, which only ortillery can hit.

A scenario puts them in a system that has a planet: `ground: [{faction: esu, boxes: 6, name:
Yards}]`, with `planet: planet-2` where there are several. Owner and strength are public. Damage is
known to the owner and to factions that have been there to see it.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from campaign.rules.scenario import GroundTarget, Scenario, StarSystem
from campaign.rules.view import GroundDamage, View
from engine.core.phrase import Count, join_phrases, phrase
from engine.notation.ground import MAX_BOXES, MAX_SITES
from engine.notation.reading import Reader

PLANET = "planet"
KEYS = ("faction", "planet", "boxes", "name")
# The messages for a value that is no list, and for an item that is no mapping.
WORDS = (
    phrase("expected a list of ground targets"),
    phrase("a ground target needs a faction and boxes"),
)


def planets_of(terrain: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the planets of a system, with their names in battle files."""
    count = sum(entry.get("kind") == PLANET for entry in terrain)
    return tuple(f"{PLANET}-{number}" for number in range(1, count + 1))


def read_targets(
    reader: Reader, rows: object, where: str, terrain: Sequence[Mapping[str, Any]]
) -> tuple[GroundTarget, ...]:
    """Read the ground targets of a system from a scenario file; the reader collects all faults."""
    planets = planets_of(terrain)
    targets = []
    for item, spot in reader.rows(rows, KEYS, where, WORDS):
        planet = reader.text(item, "planet", spot, default=planets[0] if planets else "")
        if not planets:
            words = phrase("this system has no planet")
            reader.fault(f"{spot}.planet", "unknown-planet", words)
        elif planet not in planets:
            planet_list = ", ".join(planets)
            words = phrase("this system has no planet '{}'; it has {}", planet, planet_list)
            reader.fault(f"{spot}.planet", "unknown-planet", words)
        boxes = reader.number(item, "boxes", spot)
        if not 1 <= boxes <= MAX_BOXES:
            words = phrase("expected 1 to {} boxes", MAX_BOXES)
            reader.fault(f"{spot}.boxes", "out-of-range", words)
        target = GroundTarget(
            faction=reader.text(item, "faction", spot),
            planet=planet,
            boxes=boxes,
            name=reader.text(item, "name", spot, default=""),
        )
        targets.append(target)
    if len(targets) > MAX_SITES:
        words = phrase("a system can have at most {} ground targets", MAX_SITES)
        reader.fault(where, "too-many", words)
    return tuple(targets)


def target_name(target: GroundTarget, number: int) -> str:
    """Return the name of a ground target; without one, its number in its system."""
    return target.name or phrase("ground target {}", number)


def targets_words(system: StarSystem, powers: Mapping[str, str]) -> str:
    """Return a text of the ground targets of a system, as they are publicly known.

    Args:
        powers: The names of the factions.
    """
    texts = []
    for number, target in enumerate(system.ground, 1):
        name = target_name(target, number)
        owner = powers.get(target.faction, target.faction)
        texts.append(phrase("{} ({}), {boxes:box}", name, owner, boxes=Count(target.boxes)))
    return join_phrases("; ", texts)


def damage_words(view: View, system: StarSystem) -> str:
    """Return a text of the damage to a system's ground targets that a faction knows; "" without."""
    damage = damage_by_number(view.ground, system.id)
    texts = []
    for number, target in enumerate(system.ground, 1):
        if number in damage:
            texts.append(_damage_text(target_name(target, number), target.boxes, damage[number]))
    return join_phrases("; ", texts)


def _damage_text(name: str, boxes: int, damage: int) -> str:
    """Say how much of a damaged ground target is left."""
    if damage < boxes:
        return phrase("{} has {} of {} boxes left", name, boxes - damage, boxes)
    return phrase("{} is in ruins", name)


def damage_by_number(ground: Iterable[GroundDamage], system: str) -> dict[int, int]:
    """Return the damage of a system's ground targets by number; undamaged ones are left out."""
    return {entry.number: entry.damage for entry in ground if entry.system == system}


def contested_targets(
    system: StarSystem, sides: Mapping[str, str]
) -> Iterator[tuple[int, GroundTarget, str]]:
    """Yield the number, target and side of ground targets that belong to a side of a battle.

    Args:
        sides: The name of the side by faction.
    """
    for number, target in enumerate(system.ground, 1):
        if target.faction in sides:
            yield number, target, sides[target.faction]


def ground_on(
    system: StarSystem, sides: Mapping[str, str], damage: Mapping[int, int]
) -> list[dict[str, Any]]:
    """Return the ground targets of a battle in a system, as in its battle file."""
    result: list[dict[str, Any]] = []
    for number, target, side in contested_targets(system, sides):
        result.append(
            {
                "side": side,
                "planet": target.planet,
                "boxes": target.boxes,
                "damage": damage.get(number, 0),
            }
        )
    return result


def update_damage(
    ground: Iterable[GroundDamage], system: str, now: Mapping[int, int]
) -> tuple[GroundDamage, ...]:
    """Return all damage, with that to some targets of one system replaced.

    Args:
        now: The damage of targets of the system by number; others keep theirs.
    """
    result = []
    for entry in ground:
        if entry.system != system or entry.number not in now:
            result.append(entry)
    for number, damage in now.items():
        if damage:
            result.append(GroundDamage(system, number, damage))
    return tuple(sorted(result, key=lambda entry: (entry.system, entry.number)))


def count_ruins(scenario: Scenario, ground: Collection[GroundDamage], faction: str) -> int:
    """Return how many ground targets of a faction are in ruins."""
    damage = {(entry.system, entry.number): entry.damage for entry in ground}
    ruins = 0
    for system in scenario.systems:
        for number, target in enumerate(system.ground, 1):
            if target.faction == faction and damage.get((system.id, number), 0) >= target.boxes:
                ruins += 1
    return ruins
