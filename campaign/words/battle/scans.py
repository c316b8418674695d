"""Words for what scans tell of ships whose record sheets lie closed: in a battle's log, and beside
a contact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.words.battle.phrases import Called, Words, systems, words_of
from engine.core.kinds import Reading
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, system_words
from engine.events.readings import SheetRead


@words_of(SheetRead)
def sheet_read(event: SheetRead, names: Called) -> Words:
    """A scan with better sensors: what it tells, with its dice."""
    ship, target, suite = names.of(event.ship), names.of(event.target), system_words(event.suite)
    dice = [phrase("die {}", event.die), *(phrase("jamming {}", die) for die in event.jamming)]
    facts = SheetFacts(
        event.told, event.mass, event.thrust, event.drive, event.systems, event.damage, event.lost
    )
    learnt = facts_in_words(facts) or phrase("nothing is learnt")
    return phrase("{} scans {} with its {}: {}", ship, target, suite, learnt), joined_phrases(
        ", ", dice
    )


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """What scans have told of a ship whose record sheet lies closed (`told`: a `Reading`)."""

    told: int
    mass: int
    thrust: int
    drive: str
    systems: tuple[str, ...]
    damage: int
    lost: tuple[str, ...]


def facts_of_contact(contact: Mapping[str, Any]) -> SheetFacts:
    """Return what a view says of a contact; what it does not say is 0 or empty."""
    return SheetFacts(
        contact["told"],
        contact.get("mass", 0),
        contact.get("thrust", 0),
        contact.get("drive", ""),
        tuple(contact.get("systems", ())),
        contact.get("damage", 0),
        tuple(contact.get("lost", ())),
    )


def facts_in_words(facts: SheetFacts) -> str:
    """Return the mass, drive and systems of a ship as far as they are known, "" where nothing
    is.
    """
    known = facts.told
    parts: list[str] = []
    if known >= Reading.MASS:
        parts.append(phrase("mass {}", facts.mass))
    if known >= Reading.DRIVE:
        parts.append(phrase("{} drive of thrust {}", facts.drive, facts.thrust))
        none = phrase("no screens") if known < Reading.SYSTEMS else phrase("no systems")
        parts.append(systems(facts.systems) or none)
    if known >= Reading.WHOLE:
        lost = systems(facts.lost)
        parts.append(
            phrase("{} of damage when it was scanned", counted_noun(facts.damage, "point"))
        )
        parts.append(phrase("lost then: {}", lost) if lost else phrase("nothing lost then"))
    return joined_phrases(", ", parts)
