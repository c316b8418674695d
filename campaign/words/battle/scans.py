"""Sentences about what scans reveal of ships with hidden record sheets, for logs and contacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.words.battle.phrases import BattleNames, Words, systems_words, words_of
from engine.core.kinds import ScanDetail
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, system_words
from engine.events.sheet_scans import SheetScanned


@words_of(SheetScanned)
def sheet_read_words(event: SheetScanned, names: BattleNames) -> Words:
    """Describe a scan with improved sensors: what it reveals, with its dice."""
    ship = names.of(event.ship)
    target = names.of(event.target)
    suite = system_words(event.suite)
    dice = [phrase("die {}", event.die), *(phrase("jamming {}", die) for die in event.jamming)]
    facts = SheetFacts(
        event.detail, event.mass, event.thrust, event.drive, event.systems, event.damage, event.lost
    )
    learnt = sheet_facts_words(facts) or phrase("nothing new")
    return phrase("{} scans {} with its {}: {}", ship, target, suite, learnt), join_phrases(
        ", ", dice
    )


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """What scans have revealed of a ship with a hidden record sheet.

    Attributes:
        reading: How much is known (a `ScanDetail`).
    """

    reading: int
    mass: int
    thrust: int
    drive: str
    systems: tuple[str, ...]
    damage: int
    lost_systems: tuple[str, ...]


def facts_of_contact(contact: Mapping[str, Any]) -> SheetFacts:
    """Return what a view contains of a contact; unknown values are 0 or empty."""
    return SheetFacts(
        contact["scan_detail"],
        contact.get("mass", 0),
        contact.get("thrust", 0),
        contact.get("drive", ""),
        tuple(contact.get("systems", ())),
        contact.get("damage", 0),
        tuple(contact.get("lost", ())),
    )


def sheet_facts_words(facts: SheetFacts) -> str:
    """Describe the mass, drive and systems of a ship as far as they are known."""
    reading = facts.reading
    parts: list[str] = []
    if reading >= ScanDetail.MASS:
        parts.append(phrase("mass {}", facts.mass))
    if reading >= ScanDetail.DRIVE:
        parts.append(phrase("{} drive, thrust {}", facts.drive, facts.thrust))
        if reading < ScanDetail.SYSTEMS:
            none = phrase("no screens")
        else:
            none = phrase("no systems")
        parts.append(systems_words(facts.systems) or none)
    if reading >= ScanDetail.EVERYTHING:
        lost_text = systems_words(facts.lost_systems)
        parts.append(
            phrase("{} of damage when it was scanned", counted_noun(facts.damage, "point"))
        )
        parts.append(
            phrase("lost at that time: {}", lost_text)
            if lost_text
            else phrase("nothing lost at that time")
        )
    return join_phrases(", ", parts)
