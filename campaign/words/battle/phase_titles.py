"""The stops of a battle fought online, by what the engine asks there, and their titles.

Apart from the other kinds, as it loads the rules of every edition: whatever only stores battles
does without.
"""

from __future__ import annotations

from typing import Any

from engine.core.phrase import phrase
from engine.order_requests.base import OrderRequest
from engine.ruleset import all_rules


def stops_in_order() -> tuple[OrderRequest[Any], ...]:
    """What gives each stop of any edition its name, in the order of a turn: a stop that one edition
    alone has stands where it has it.
    """
    asks: list[OrderRequest[Any]] = []
    for rules in all_rules():
        place = 0
        for phase in rules.sequence.phases:
            if phase.ask not in asks:
                asks.insert(place, phase.ask)
            place = asks.index(phase.ask) + 1
    return tuple(asks)


# A stage of a battle in which its players give orders online is a stop of the engine: by what it
# asks, each with its title. What is asked beside something else has no stop. A stop that the engine
# learns is one of them; no table knows their names.
STOP_TITLES: dict[str, str] = {ask.key: phrase(ask.title) for ask in stops_in_order()}
STOPS = tuple(STOP_TITLES)
