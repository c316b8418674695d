"""Battles that workers fight while a reader waits: asked for by a page, and how far they are.

The first time somebody asks a question it is a heavy act of his
(`campaign.web.common.count_heavy_request`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest

from campaign.kinds import SimulationEnd, SimulationKind, words_of
from campaign.models.simulation import Reckoning
from campaign.services.simulations import (
    simulation_of,
    simulation_request,
    simulation_stop,
    simulation_watch,
)
from campaign.web.common import count_heavy_request

STOP = "stop"  # what the address says of a reader who wants no more of them
ENDS = words_of(SimulationEnd)


@dataclass(frozen=True, slots=True)
class Progress:
    """`working`: more battles come while the reader waits; `more`: they would come if he did.

    `again`, `stop`: the addresses at which he waits and does not. `every`: after which time the
    page asks. `ended`: why no more can come.
    """

    is_working: bool
    has_more: bool
    battles_fought: int
    battles_wanted: int
    continue_address: str
    stop_address: str
    poll_trigger: str
    end_text: str


def run_background_battles(
    request: HttpRequest,
    kind: SimulationKind,
    question: Mapping[str, Any],
    battle_count: int,
    *,
    is_watched: bool,
) -> Reckoning:
    """The battles of a question of the reader's: more of them are fought while he `waits`, up to
    `wanted`. Raises TooOften where he asks too many.
    """
    user = cast(Any, request.user)
    row = simulation_of(user, kind, question)
    if row is None:
        count_heavy_request(request)
        row = simulation_request(user=user, kind=kind, question=question, battle_count=battle_count)
    simulation_watch(row) if is_watched else simulation_stop(row)
    return row


def progress(
    row: Reckoning, again: str, stop: str, *, is_watched: bool, fewest: int = 1
) -> Progress:
    """How far a question is.

    `waits`: whether its reader waits for more; `fewest`: battles that are told of.
    """
    return Progress(
        is_working=row.open and is_watched,
        has_more=row.open,
        battles_fought=row.fought,
        battles_wanted=row.wanted,
        continue_address=again,
        stop_address=stop,
        poll_trigger="1s" if row.fought >= fewest else "300ms" if row.fought else "150ms",
        end_text=ENDS[row.ending] if row.ending else "",
    )
