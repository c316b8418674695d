"""Words for the contents of bays, packs, magazines and minelayers."""

from __future__ import annotations

from campaign.rules.bases import FIGHTER_BAYS
from engine.core.phrase import phrase
from engine.english import counted_noun, kind_words, system_words


def stock_words(system: str, amount: int) -> str:
    """Describe what is left in a bay, pack, magazine or minelayer.

    For example: fighter bay 1 with 4 craft; submunition 1 used up; magazine 1 with 2 salvoes
    (extended).
    """
    holder, _, load = system.partition("/")
    is_bay = system.rpartition("-")[0] in FIGHTER_BAYS
    if amount:
        unit = "salvo" if load else "mine"
        if is_bay:
            unit = "craft"
        words = phrase("{} with {}", system_words(holder), counted_noun(amount, unit))
    elif is_bay:
        words = phrase("{} empty", system_words(holder))
    else:
        words = phrase("{} used up", system_words(holder))
    if load:
        return phrase("{} ({})", words, kind_words(load))
    return words
