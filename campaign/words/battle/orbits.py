"""Sentences of a battle's log about orbits and landings."""

from __future__ import annotations

from campaign.words.battle.phrases import BattleNames, Words, die, plural_words_of, words_of
from engine.core.kinds import EntryOutcome
from engine.core.phrase import phrase
from engine.events.orbits import EnteredAtmosphere, OrbitTested


@words_of(EnteredAtmosphere)
def entered_atmosphere_words(event: EnteredAtmosphere, names: BattleNames) -> Words:
    """Describe an entry into an atmosphere: its outcome, die and score if known."""
    words = phrase("{} {}", names.of(event.ship), EntryOutcome.label_of(event.outcome))
    die_text = die(event.die)
    if event.die and event.score is not None:
        return words, phrase("{}, total {}", die_text, event.score)
    return words, die_text


@plural_words_of(EnteredAtmosphere)
def several_entered_atmosphere_words(event: EnteredAtmosphere, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), EntryOutcome.plural_label_of(event.outcome)), ""


@words_of(OrbitTested)
def orbit_tested_words(event: OrbitTested, names: BattleNames) -> Words:
    """Describe a test of whether an orbit holds."""
    is_kept = event.die < event.needs
    result = phrase("keeps its orbit") if is_kept else phrase("falls out of its orbit")
    words = phrase("{} {}", names.of(event.ship), result)
    return words, phrase("die {}, lost on {} or more", event.die, event.needs)


@plural_words_of(OrbitTested)
def orbits_tested_words(event: OrbitTested, names: BattleNames) -> Words:
    is_kept = event.die < event.needs
    result = phrase("keep their orbits") if is_kept else phrase("fall out of their orbits")
    return phrase("{} {}", names.of(event.ship), result), ""
