"""Words for what scans tell of ships whose record sheets lie closed: in a battle's log, and beside a contact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.words.battle.phrases import Called, Event, Saying, systems
from engine.core.kinds import Reading
from engine.core.phrase import joined_phrases, phrase
from engine.english import counted_noun, system_words


def sheet_read(event: Event, names: Called) -> tuple[str, str]:
    """A scan with better sensors: what it tells, with its dice."""
    ship, target, suite = names.of(event["ship"]), names.of(event["target"]), system_words(event["suite"])
    dice = [phrase("die {}", event["die"]), *(phrase("jamming {}", die) for die in event["jamming"])]
    learnt = told(event) or phrase("nothing is learnt")
    return phrase("{} scans {} with its {}: {}", ship, target, suite, learnt), joined_phrases(", ", dice)


def told(facts: Mapping[str, Any]) -> str:
    """What is known of a ship: its mass, its drive, its systems, how it was when a scan told all; "" where nothing is.

    `facts`: an event, or a contact's document, by the same names.
    """
    known, parts = facts["told"], []
    if known >= Reading.MASS:
        parts.append(phrase("mass {}", facts["mass"]))
    if known >= Reading.DRIVE:
        parts.append(phrase("{} drive of thrust {}", facts["drive"], facts["thrust"]))
        parts.append(
            systems(facts["systems"]) or (phrase("no screens") if known < Reading.SYSTEMS else phrase("no systems"))
        )
    if known >= Reading.WHOLE:
        lost = systems(facts["lost"])
        parts.append(phrase("{} of damage when it was scanned", counted_noun(facts["damage"], "point")))
        parts.append(phrase("lost then: {}", lost) if lost else phrase("nothing lost then"))
    return joined_phrases(", ", parts)


SCAN_SAYINGS: Mapping[str, Saying] = {"sheet-read": sheet_read}
