"""Words for orbits and landings: how lines of a battle's log about them are made."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.words.battle.phrases import Called, Event, Saying, die
from engine.core.kinds import EntryOutcome
from engine.core.phrase import phrase


def entered_atmosphere(event: Event, names: Called) -> tuple[str, str]:
    """An entry: how it ended, with its die, and what that came to where the reader knows it."""
    words, thrown = phrase("{} {}", names.of(event["ship"]), EntryOutcome.words(event["outcome"])), die(event)
    return words, phrase("{}, in all {}", thrown, event["score"]) if event["die"] and "score" in event else thrown


def orbit_tested(event: Event, names: Called) -> tuple[str, str]:
    """A test of an orbit: whether it holds."""
    held = phrase("keeps its orbit") if event["die"] < event["needs"] else phrase("falls out of its orbit")
    return phrase("{} {}", names.of(event["ship"]), held), phrase(
        "die {}, lost on {} or more", event["die"], event["needs"]
    )


ORBIT_SAYINGS: Mapping[str, Saying] = {"entered-atmosphere": entered_atmosphere, "orbit-tested": orbit_tested}
