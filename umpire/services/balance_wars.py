"""The background job that plays test wars of a user's scenario.

A worker plays them for a second, stores the results, and enqueues the job again, so that other jobs
of the site do not wait long. A worker that dies loses a second's wars; if a war kills its worker,
it is tried alone, and left out after some attempts. The results are the same on any worker, because
a war depends only on its seed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F

from campaign.kinds import BalanceEnd
from campaign.models.own_scenario import BalancePart, ScenarioBalance
from campaign.rules.scenario import Scenario
from engine.core.errors import RuleViolations
from umpire.balance import WarEnd
from umpire.handicap import steps_of
from umpire.rehearsal import PlayedStage, play
from umpire.services.balances import (
    PARTS,
    balance_end,
    parts_begin,
    parts_enqueue,
    played_scenario,
    quota_of,
)
from umpire.services.handicaps import handicap_next, trial_text

SLICE = 1.0  # seconds that a worker plays before other work gets a turn
LONGEST_WAR = 60.0  # seconds that one war may take
MAX_TOTAL_SECONDS = 1200.0  # processor time for all wars
MAX_TRIES = 3  # of a war that kills its worker
MAX_UNPLAYABLE = 3  # wars that could not be played, without any that could

log = structlog.get_logger(__name__)


class TooLongWar(Exception):
    """A war takes too long."""


def balance_work(args: Mapping[str, Any]) -> dict[str, int]:
    """Play wars of a part for a second, and return how many.

    Does nothing if they were stopped, requested again or deleted.
    """
    part = (
        BalancePart.objects.select_related("balance")
        .filter(balance=args["balance"], step=args["step"], number=args["number"])
        .filter(balance__run=args["run"], balance__place__isnull=False)
        .first()
    )
    if part is None:
        return {"played": 0}
    unchanged = BalancePart.objects.filter(pk=part.pk, played=part.played)
    before = part.played
    quota = quota_of(part.balance, part)
    unchanged.update(tries=F("tries") + 1)
    ending: BalanceEnd | None = None
    if part.played < quota:
        ending = _play_slice(part, quota)
        progress = {
            "played": part.played,
            "counts": part.counts,
            "failed_seeds": part.failed_seeds,
            "milliseconds_used": part.milliseconds_used,
            "tries": 0,
        }
        if not unchanged.update(**progress):
            return {"played": 0}  # another worker had the same part and was quicker
    if part.step:
        # Cached now, so that no transaction waits for it.
        steps_of(part.balance.text, part.balance.side)
    with transaction.atomic():
        row = (
            ScenarioBalance.objects.select_for_update()
            .filter(pk=part.balance_id, run=args["run"])
            .first()
        )
        if row is not None and row.place is not None:
            _plan_next(row, part, ending)
    return {"played": part.played - before}


def _plan_next(row: ScenarioBalance, part: BalancePart, ending: BalanceEnd | None) -> None:
    """Plan what follows a slice of wars: more of them, nothing yet, another handicap, the end."""
    if part.step:
        parts = list(row.parts.filter(step__gt=0))
    else:
        parts = list(row.parts.filter(step=0))
    milliseconds_used = sum(item.milliseconds_used for item in parts)
    if ending is None and milliseconds_used > 1000 * MAX_TOTAL_SECONDS:
        ending = BalanceEnd.LONG
    if ending is not None:
        balance_end(row, ending)
    elif part.played < quota_of(row, part):
        parts_enqueue(row, part.step, [part.number])
    elif all(item.played >= quota_of(row, item) for item in parts if item.step == part.step):
        step = None
        if part.step:
            step = handicap_next(row)
        if step is None:
            balance_end(row, BalanceEnd.COMPLETED)
        else:
            parts_begin(row, step)


def _play_slice(part: BalancePart, quota: int) -> BalanceEnd | None:
    """Play wars for a slice of time, and add their results to the part.

    If a war killed its worker, one war is played alone, and left out after some attempts.

    Returns:
        Why no more wars are played, or None.
    """
    try:
        scenario = played_scenario(trial_text(part.balance, part.step))
    except RuleViolations:  # a later release began them with its rules
        return BalanceEnd.FAILED
    counts = Counter[tuple[Any, ...]]()
    counts.update({tuple(count[:3]): count[3] for count in part.counts})
    started = time.monotonic()
    worked = time.process_time()
    ending = None
    while part.played < quota and ending is None:
        ending = _play_next(part, scenario, counts)
        if part.tries or time.monotonic() - started >= SLICE:
            break
    part.counts = [[*key, number] for key, number in sorted(counts.items(), key=repr)]
    part.milliseconds_used += round(1000 * (time.process_time() - worked))
    return ending


def _play_next(
    part: BalancePart, scenario: Scenario, counts: Counter[tuple[Any, ...]]
) -> BalanceEnd | None:
    """Play the next war of a part, and count its result.

    Returns:
        Why no more wars are played, or None.
    """
    seed = part.number + PARTS * part.played
    end = None
    if part.tries < MAX_TRIES:
        end = _war(scenario, seed)
    if isinstance(end, BalanceEnd):
        return end
    part.played += 1
    if end is not None:
        counts[end.result, end.winner, end.weeks] += 1
        return None
    part.failed_seeds = [*part.failed_seeds, seed]
    if len(part.failed_seeds) == part.played >= MAX_UNPLAYABLE:
        return BalanceEnd.FAILED
    return None


def _war(scenario: Scenario, seed: int) -> WarEnd | BalanceEnd | None:
    """Play a war and return its result, or None if it failed because of a bug, which is logged."""
    until = time.monotonic() + LONGEST_WAR

    def watch(_: PlayedStage) -> None:
        if time.monotonic() > until:
            raise TooLongWar

    try:
        return WarEnd.of(play(scenario, {}, seed, on_stage=watch))
    except TooLongWar:
        return BalanceEnd.LONG
    except Exception:
        log.exception("balance-war-died", seed=seed)
        return None
