"""Battles simulated by background workers while a page shows their progress.

The first request for a question counts as a heavy request
(`campaign.web.common.count_heavy_request`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest

from campaign.kinds import SimulationEnd, SimulationKind, words_of
from campaign.models.simulation import Simulation
from campaign.services.simulations import (
    simulation_of,
    simulation_request,
    simulation_stop,
    simulation_watch,
)
from campaign.web.common import count_heavy_request

STOP = "stop"  # query parameter: the reader wants no more battles
END_TEXTS = words_of(SimulationEnd)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a simulation."""

    is_working: bool  # more battles follow while the reader waits
    has_more: bool  # more battles would follow if the reader waited
    battles_fought: int
    battles_wanted: int
    continue_address: str  # page address that waits for more battles
    stop_address: str  # page address that does not
    poll_trigger: str  # delay until the page polls again
    end_text: str  # why there will be no more battles


def run_background_battles(
    request: HttpRequest,
    kind: SimulationKind,
    question: Mapping[str, Any],
    battle_count: int,
    *,
    is_watched: bool,
) -> Simulation:
    """Return the simulation of a question, and start or stop its workers.

    Args:
        battle_count: The most battles to simulate.
        is_watched: Whether the reader is waiting for more.

    Raises:
        TooOften: If the reader starts too many simulations.
    """
    user = cast(Any, request.user)
    row = simulation_of(user, kind, question)
    if row is None:
        count_heavy_request(request)
        row = simulation_request(user=user, kind=kind, question=question, battle_count=battle_count)
    if is_watched:
        simulation_watch(row)
    else:
        simulation_stop(row)
    return row


def progress(
    row: Simulation,
    continue_address: str,
    stop_address: str,
    *,
    is_watched: bool,
    fewest: int = 1,
) -> Progress:
    """Return the progress of a simulation.

    Args:
        continue_address: Page address that waits for more battles.
        stop_address: Page address that does not.
        is_watched: Whether the reader is waiting for more.
        fewest: The number of battles needed before results are shown.
    """
    if row.battles_done >= fewest:
        poll_trigger = "1s"
    elif row.battles_done:
        poll_trigger = "300ms"
    else:
        poll_trigger = "150ms"
    return Progress(
        is_working=row.open and is_watched,
        has_more=row.open,
        battles_fought=row.battles_done,
        battles_wanted=row.battles_wanted,
        continue_address=continue_address,
        stop_address=stop_address,
        poll_trigger=poll_trigger,
        end_text=END_TEXTS[row.ending] if row.ending else "",
    )
