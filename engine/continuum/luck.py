"""What dice of Continuum do, for the luck account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.continuum.aiming import STERN_REACH
from engine.core.luck import (
    COMMON,
    Counting,
    Event,
    Outcome,
    Outcomes,
    Part,
    hit_or_miss,
    plain_dice,
    pmf_with_rerolls,
)
from engine.core.rolls import BEAM_HITS, NO_REROLL_LEVEL
from engine.core.terms import CIVIL_WAR
from engine.events.fire import GunFired
from engine.systems.defences import CLOAKS
from engine.weapons import beams, torpedoes

# Systems that change dice without a trace in the event, as civil wars do.
CHANGES_DICE = frozenset({*CLOAKS, *STERN_REACH, "holofield"})
BEAM_TYPES = frozenset(weapon.type for weapon in beams.CONTINUUM)
TORPEDO_TYPES = frozenset(weapon.type for weapon in torpedoes.CONTINUUM)


def counted_dice(start: Mapping[str, Any]) -> Mapping[str, Counting]:
    """Return the functions that count dice, by the kind of event.

    Fire is not counted in battles in which something may have changed its dice unseen.
    """
    return COMMON if _has_hidden_modifiers(start) else COUNTED


def _gun(event: Event) -> Outcomes | None:
    """Return the outcome of a beam or torpedo in Continuum.

    Damage of a torpedo depends on screens that the event does not name, so only hits are counted.
    """
    type_ = event["weapon"].rpartition("-")[0]
    dice = event["dice"]
    if type_ in BEAM_TYPES:
        level = event["screens"]
        if level >= NO_REROLL_LEVEL:
            return plain_dice(Part.BEAMS, event["ship"], BEAM_HITS[level], event)
        # Each 6 was rolled again, so the other dice are as many as the first ones.
        count = len(dice) - dice.count(6)
        pmf = pmf_with_rerolls(BEAM_HITS[level], BEAM_HITS[0])
        return (Outcome(Part.BEAMS, event["ship"], pmf, count, event["hits"], len(dice)),)
    if type_ in TORPEDO_TYPES:
        return hit_or_miss(Part.TORPEDO_HITS, event["ship"], event["needed"], dice[0])
    return None


def _has_hidden_modifiers(start: Mapping[str, Any]) -> bool:
    """Return whether dice of a battle may be changed without a trace in its events."""
    if CIVIL_WAR in start.get("options", ()):
        return True
    for side in start["sides"]:
        for ship in side["ships"]:
            systems = ship.get("design", {}).get("systems", ())
            if any(system["type"] in CHANGES_DICE for system in systems):
                return True
    return False


COUNTED: Mapping[str, Counting] = {**COMMON, GunFired.kind: _gun}
