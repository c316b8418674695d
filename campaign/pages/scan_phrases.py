"""Words for what scans tell of ships whose record sheets lie closed: in a battle's log, and beside a contact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.pages.battle_phrases import Called, Event, Saying, systems
from engine.core.kinds import Reading
from engine.english import counted_noun, system_words


def sheet_read(event: Event, names: Called) -> tuple[str, str]:
    """A scan with better sensors: what it tells, with its dice."""
    words = f"{names.of(event['ship'])} scans {names.of(event['target'])} with its {system_words(event['suite'])}: "
    dice = [f"die {event['die']}", *(f"jamming {die}" for die in event["jamming"])]
    return words + (told(event) or "nothing is learnt"), ", ".join(dice)


def told(facts: Mapping[str, Any]) -> str:
    """What is known of a ship: its mass, its drive, its systems, how it was when a scan told all; "" where nothing is.

    `facts`: an event, or a contact's document, by the same names.
    """
    known, parts = facts["told"], []
    if known >= Reading.MASS:
        parts.append(f"mass {facts['mass']}")
    if known >= Reading.DRIVE:
        parts.append(f"{facts['drive']} drive of thrust {facts['thrust']}")
        parts.append(systems(facts["systems"]) or ("no screens" if known < Reading.SYSTEMS else "no systems"))
    if known >= Reading.WHOLE:
        lost = systems(facts["lost"])
        parts.append(f"{counted_noun(facts['damage'], 'point')} of damage when it was scanned")
        parts.append(f"lost then: {lost}" if lost else "nothing lost then")
    return ", ".join(parts)


SCAN_SAYINGS: Mapping[str, Saying] = {"sheet-read": sheet_read}
