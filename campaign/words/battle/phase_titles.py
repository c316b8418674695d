"""The phases of an online battle, by what the engine asks there, and their titles.

This is a separate module because it loads the rules of all editions, which code that only stores
battles does not need.
"""

from __future__ import annotations

from typing import Any

from engine.core.phrase import phrase
from engine.order_requests.base import OrderRequest
from engine.ruleset import all_rules


def phases_in_order() -> tuple[OrderRequest[Any], ...]:
    """Return the requests that name the phases of all editions, in the order of a turn.

    A phase that only one edition has is placed as in that edition.
    """
    asks: list[OrderRequest[Any]] = []
    for rules in all_rules():
        place = 0
        for phase in rules.sequence.phases:
            if phase.ask not in asks:
                asks.insert(place, phase.ask)
            place = asks.index(phase.ask) + 1
    return tuple(asks)


# Titles of phases by what they ask. What is asked with something else has no phase of its
# own. A new phase of the engine appears here without further change.
PHASE_TITLES: dict[str, str] = {ask.key: phrase(ask.title) for ask in phases_in_order()}
PHASES = tuple(PHASE_TITLES)
