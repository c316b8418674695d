"""Words for orbits and landings: how lines of a battle's log about them are made."""

from __future__ import annotations

from campaign.words.battle.phrases import BattleNames, Words, die, words_of
from engine.core.kinds import EntryOutcome
from engine.core.phrase import phrase
from engine.events.orbits import EnteredAtmosphere, OrbitTested


@words_of(EnteredAtmosphere)
def entered_atmosphere_words(event: EnteredAtmosphere, names: BattleNames) -> Words:
    """An entry: how it ended, with its die, and what that came to where the reader knows it."""
    words = phrase("{} {}", names.of(event.ship), EntryOutcome.label_of(event.outcome))
    rolled = die(event.die)
    if event.die and event.score is not None:
        return words, phrase("{}, in all {}", rolled, event.score)
    return words, rolled


@words_of(OrbitTested)
def orbit_tested_words(event: OrbitTested, names: BattleNames) -> Words:
    """A test of an orbit: whether it holds."""
    result = (
        phrase("keeps its orbit") if event.die < event.needs else phrase("falls out of its orbit")
    )
    return phrase("{} {}", names.of(event.ship), result), phrase(
        "die {}, lost on {} or more", event.die, event.needs
    )
