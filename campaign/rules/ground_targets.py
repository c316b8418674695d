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
from engine.notation.ground import MOST_BOXES, MOST_SITES
from engine.notation.reading import Reader

PLANET = "planet"
KEYS = ("faction", "planet", "boxes", "name")
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
        on = reader.text(item, "planet", spot, default=planets[0] if planets else "")
        if on not in planets:
            words = phrase(
                "this system has no planet '{}'; it has {}",
                on,
                ", ".join(planets) or phrase("none"),
            )
            reader.fault(f"{spot}.planet", "unknown-planet", words)
        boxes = reader.number(item, "boxes", spot)
        if not 1 <= boxes <= MOST_BOXES:
            reader.fault(
                f"{spot}.boxes", "out-of-range", phrase("expected 1 to {} boxes", MOST_BOXES)
            )
        faction = reader.text(item, "faction", spot)
        targets.append(
            GroundTarget(faction, on, boxes, reader.text(item, "name", spot, default=""))
        )
    if len(targets) > MOST_SITES:
        reader.fault(
            where, "too-many", phrase("a system can have at most {} ground targets", MOST_SITES)
        )
    return tuple(targets)


def target_name(target: GroundTarget, number: int) -> str:
    """Return the name of a ground target; without one, its number in its system."""
    return target.name or phrase("ground target {}", number)


def targets_words(system: StarSystem, powers: Mapping[str, str]) -> str:
    """Return a text of the ground targets of a system, as they are publicly known.

    Args:
        powers: The names of the factions.
    """
    return join_phrases(
        "; ",
        (
            phrase(
                "{} ({}), {boxes:box}",
                target_name(target, number),
                powers.get(target.faction, target.faction),
                boxes=Count(target.boxes),
            )
            for number, target in enumerate(system.ground, 1)
        ),
    )


def damage_words(view: View, system: StarSystem) -> str:
    """Return a text of the damage to a system's ground targets that a faction knows; "" without."""
    damage = damage_by_number(view.ground, system.id)
    return join_phrases(
        "; ",
        (
            _state(target_name(target, number), target.boxes, damage[number])
            for number, target in enumerate(system.ground, 1)
            if number in damage
        ),
    )


def _state(name: str, boxes: int, damage: int) -> str:
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
    """Return all damage, with the present damage to the targets of one system."""
    unchanged = [
        entry
        for entry in ground
        if (entry.system, entry.number) not in {(system, number) for number in now}
    ]
    mine = []
    for number, damage in now.items():
        if damage:
            mine.append(GroundDamage(system, number, damage))
    return tuple(sorted([*unchanged, *mine], key=lambda entry: (entry.system, entry.number)))


def count_ruins(scenario: Scenario, ground: Collection[GroundDamage], faction: str) -> int:
    """Return how many ground targets of a faction are in ruins."""
    damage = {(entry.system, entry.number): entry.damage for entry in ground}
    return sum(
        target.faction == faction and damage.get((system.id, number), 0) >= target.boxes
        for system in scenario.systems
        for number, target in enumerate(system.ground, 1)
    )
