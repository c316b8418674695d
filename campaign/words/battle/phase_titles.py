"""The phases of an online battle, by what the engine asks there, and their titles.

This is a separate module because it loads the rules of all editions, which code that only stores
battles does not need.
"""

from __future__ import annotations

from typing import Any

from engine.core.phrase import phrase
from engine.order_requests.base import OrderRequest
from engine.order_requests.set_up import SET_UP_REQUEST
from engine.ruleset import all_rules


def phases_in_order() -> tuple[OrderRequest[Any], ...]:
    """Return the requests that name the phases: the set-up, then those of a turn of all editions.

    A phase that only one edition has is placed as in that edition.
    """
    requests: list[OrderRequest[Any]] = [SET_UP_REQUEST]
    for rules in all_rules():
        place = 1
        for phase in rules.sequence.phases:
            if phase.ask not in requests:
                requests.insert(place, phase.ask)
            place = requests.index(phase.ask) + 1
    return tuple(requests)


# Titles of phases by the request that names them. A request made together with another one has no
# phase of its own. A new phase of the engine appears here without further change.
PHASE_TITLES: dict[str, str] = {request.key: phrase(request.title) for request in phases_in_order()}
PHASES = tuple(PHASE_TITLES)
