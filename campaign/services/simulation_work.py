"""The background job that fights battles of a user's questions.

How quickly a user sees results must reveal nothing of what else the server computes, such as a
battle between other players. So questions have their own worker process and a fixed pace: a
question's first battles decide how many are fought in each step of the clock, few enough to finish
in time on a busy machine. The worker waits for the rest of a step. The job enqueues itself again
while a question is open.

The question with the fewest battles is next, and a new question interrupts a step. A worker that
dies loses the battles of one step; if a battle kills its worker, it is tried alone, and the
question is given up after some attempts. A battle has the same result on any worker.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from django.db import OperationalError
from django.db.models import F, QuerySet
from django.utils import timezone

from campaign.belief.odds import FEWEST
from campaign.kinds import SimulationEnd, SimulationKind
from campaign.models.simulation import Simulation
from campaign.services.contests import contest_battles
from campaign.services.meetings import meeting_battles
from campaign.services.simulations import simulations_enqueue
from jobs.models import INTERACTIVE
from jobs.services import lane_now

FIRST = 0.2  # longest time in seconds until the first results are stored
STEP = 0.5  # seconds in a step of the clock
USED = 0.3  # seconds of processor time that a question may use in a step
# Possible paces: battles in a hundred steps. There are few, so that small differences in the cost
# of a battle change nothing.
PACES = (5, 10, 25, 50, 100, 200, 300, 500, 800, 1200, 2000, 3000, 5000)
HUNDRED = 100
LOOK = 0.1  # seconds between checks for a new question
MOST_SECONDS = 120.0  # processor time for one question
MOST_TRIES = 3  # of a battle that kills its worker

Battles = Callable[[int], Any]  # fights the battle of a number and returns its result as stored
KINDS: Mapping[str, Callable[[Mapping[str, Any]], Battles]] = {
    SimulationKind.CONTEST: contest_battles,
    SimulationKind.MEETING: meeting_battles,
}

log = structlog.get_logger(__name__)


def simulations_work(args: Mapping[str, Any]) -> dict[str, int]:
    """Fight battles of a user's questions for one step of the clock, and return how many.

    Questions that no user is watching are skipped.
    """
    pending = Simulation.objects.filter(
        user_id=args["user"],
        ending="",
        battles_done__lt=F("battles_wanted"),
        until__gt=timezone.now(),
    ).order_by("battles_done", "pk")
    row = pending.first()
    if row is None:
        return {"battles_done": 0}
    mine = Simulation.objects.filter(pk=row.pk, battles_done=row.battles_done)
    before = row.battles_done
    mine.update(tries=F("tries") + 1)
    fresh = pending.filter(battles_done=0).exclude(pk=row.pk)
    start = time.monotonic()
    steps = _steps(row)
    _fight(row, fresh)
    if lane_now() == INTERACTIVE:
        _wait_for_the_clock(start, steps, fresh)
    changes = {
        "samples": row.samples,
        "battles_done": row.battles_done,
        "milliseconds_used": row.milliseconds_used,
        "ending": row.ending,
        "tries": 0,
    }
    changes["pace"] = row.pace
    updated = mine.update(**changes)  # unless another worker had the same question and was quicker
    if pending.exists():
        simulations_enqueue(args["user"])
    return {"battles_done": row.battles_done - before if updated else 0}


def pace_of(seconds: float) -> int:
    """Return how many battles to fight in a hundred steps of the clock.

    Args:
        seconds: Processor time of one battle.
    """
    most = HUNDRED * USED / max(seconds, 1e-6)
    return max((pace for pace in PACES if pace <= most), default=PACES[0])


def _steps(row: Simulation) -> int:
    """Return how many steps of the clock the next battles of a question take."""
    if row.pace:
        return max(1, HUNDRED // row.pace)
    return 1


def _wait_for_the_clock(start: float, steps: int, fresh: QuerySet[Simulation]) -> None:
    """Wait for the end of these steps (or a later one, if they took longer) or a new question."""
    late = max(steps, math.ceil((time.monotonic() - start) / STEP))
    until = start + late * STEP
    while (remaining := until - time.monotonic()) > 0 and not fresh.exists():
        time.sleep(min(LOOK, remaining))


def _fight(row: Simulation, fresh: QuerySet[Simulation]) -> None:
    """Fight the next battles of a question and add their results to the row.

    It fights as many as the question's pace allows, the first time for a short while, and stops for
    a fresh question. If a battle killed its worker, it is fought alone, and the question is given
    up after some attempts.
    """
    if row.tries >= MOST_TRIES:
        row.ending = SimulationEnd.FAILED
        return
    start = time.monotonic()
    cpu_start = time.process_time()
    before = row.battles_done
    most = max(1, row.pace // HUNDRED) if row.pace else row.battles_wanted
    last_look = start
    try:
        battle = KINDS[row.kind](row.question)
        while row.battles_done < min(row.battles_wanted, before + most):
            row.samples.append(battle(row.battles_done))
            row.battles_done += 1
            if row.tries or (not row.pace and _is_enough(row, start)):
                break
            if row.battles_done > FEWEST and time.monotonic() - last_look >= LOOK:
                if fresh.exists():
                    break
                last_look = time.monotonic()
    except OperationalError:  # the database is unreachable: the job is tried again
        raise
    except Exception:
        log.exception("simulation-failed", question=row.pk, battle=row.battles_done)
        row.ending = SimulationEnd.FAILED
    used = time.process_time() - cpu_start
    row.milliseconds_used += round(1000 * used)
    if not row.pace and row.battles_done > before:
        row.pace = pace_of(used / (row.battles_done - before))
    if (
        not row.ending
        and row.battles_done < row.battles_wanted
        and row.milliseconds_used > 1000 * MOST_SECONDS
    ):
        row.ending = SimulationEnd.LONG


def _is_enough(row: Simulation, start: float) -> bool:
    """Return whether a question has enough first battles to show."""
    return row.battles_done >= FEWEST or time.monotonic() - start >= FIRST
