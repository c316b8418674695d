"""A user's questions as a job: a worker fights some battles of one, writes down what came of them
at a point of the clock, and lets the job follow itself.

How quickly a reader sees battles must tell nothing of what else the server computes, such as a
battle between others. So questions have a worker process of their own, and a pace: its first
battles decide how many of a question are fought in each step of the clock, few enough to be over in
time on a busy machine. The rest of a step is waited for.

The question of which the fewest were fought is next. One that is new is not kept waiting until the
end of a step. A worker that dies loses a step's battles; one that dies of a battle fights it alone,
and gives the question up after some tries. A battle is the same whoever fights it.
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
from campaign.models.simulation import Reckoning
from campaign.services.contests import contest_battles
from campaign.services.meetings import meeting_battles
from campaign.services.simulations import simulations_enqueue
from jobs.models import INTERACTIVE
from jobs.services import lane_now

FIRST = 0.2  # seconds that a worker fights at most before it writes down for the first time
STEP = 0.5  # seconds of a step of the clock
USED = 0.3  # seconds of processor time that a question uses in a step at most
# Battles in a hundred steps: the paces there are. Few, so that small differences in what a battle
# costs change nothing.
PACES = (5, 10, 25, 50, 100, 200, 300, 500, 800, 1200, 2000, 3000, 5000)
HUNDRED = 100
LOOK = 0.1  # seconds after which it looks for a new question
MOST_SECONDS = 120.0  # of processor time for one question
MOST_TRIES = 3  # of a battle that kills its worker

Battles = Callable[[int], Any]  # the battle of a number, as what came of it is written down
KINDS: Mapping[str, Callable[[Mapping[str, Any]], Battles]] = {
    SimulationKind.CONTEST: contest_battles,
    SimulationKind.MEETING: meeting_battles,
}

log = structlog.get_logger(__name__)


def simulations_work(args: Mapping[str, Any]) -> dict[str, int]:
    """Fight battles of a user's questions for half a second; how many.

    Nothing where he waits for none.
    """
    pending = Reckoning.objects.filter(
        user_id=args["user"], ending="", fought__lt=F("wanted"), until__gt=timezone.now()
    ).order_by("fought", "pk")
    row = pending.first()
    if row is None:
        return {"fought": 0}
    mine, before = Reckoning.objects.filter(pk=row.pk, fought=row.fought), row.fought
    mine.update(tries=F("tries") + 1)
    fresh = pending.filter(fought=0).exclude(pk=row.pk)
    start, steps = time.monotonic(), _steps(row)
    _fight(row, fresh)
    if lane_now() == INTERACTIVE:
        _wait_for_the_clock(start, steps, fresh)
    changes = {
        "samples": row.samples,
        "fought": row.fought,
        "spent": row.spent,
        "ending": row.ending,
        "tries": 0,
    }
    changes["pace"] = row.pace
    updated = mine.update(
        **changes
    )  # not where another worker was given the same question, and was quicker
    if pending.exists():
        simulations_enqueue(args["user"])
    return {"fought": row.fought - before if updated else 0}


def pace_of(seconds: float) -> int:
    """Return how many battles are fought in a hundred steps of the clock.

    `seconds`: of processor time for one.
    """
    most = HUNDRED * USED / max(seconds, 1e-6)
    return max((pace for pace in PACES if pace <= most), default=PACES[0])


def _steps(row: Reckoning) -> int:
    """How many steps of the clock the next battles of a question take."""
    return max(1, HUNDRED // row.pace) if row.pace else 1


def _wait_for_the_clock(start: float, steps: int, fresh: QuerySet[Reckoning]) -> None:
    """Wait for the end of the steps, or until there is a new question.

    What took longer waits for the next step.
    """
    late = max(steps, math.ceil((time.monotonic() - start) / STEP))
    until = start + late * STEP
    while (remaining := until - time.monotonic()) > 0 and not fresh.exists():
        time.sleep(min(LOOK, remaining))


def _fight(row: Reckoning, fresh: QuerySet[Reckoning]) -> None:
    """Fight as many battles as the question's pace has, the first time for a moment, or until one
    of the `fresh` questions is there; note them in the row. A question that killed its worker has
    one battle fought alone, and is given up after some tries.
    """
    if row.tries >= MOST_TRIES:
        row.ending = SimulationEnd.FAILED
        return
    start, cpu_start, before = time.monotonic(), time.process_time(), row.fought
    most = max(1, row.pace // HUNDRED) if row.pace else row.wanted
    last_look = start
    try:
        battle = KINDS[row.kind](row.question)
        while row.fought < min(row.wanted, before + most):
            row.samples.append(battle(row.fought))
            row.fought += 1
            if row.tries or (not row.pace and _is_enough(row, start)):
                break
            if row.fought > FEWEST and time.monotonic() - last_look >= LOOK:
                if fresh.exists():
                    break
                last_look = time.monotonic()
    except OperationalError:  # the database is away: the job is tried again
        raise
    except Exception:
        log.exception("reckoning-died", question=row.pk, battle=row.fought)
        row.ending = SimulationEnd.FAILED
    used = time.process_time() - cpu_start
    row.spent += round(1000 * used)
    if not row.pace and row.fought > before:
        row.pace = pace_of(used / (row.fought - before))
    if not row.ending and row.fought < row.wanted and row.spent > 1000 * MOST_SECONDS:
        row.ending = SimulationEnd.LONG


def _is_enough(row: Reckoning, start: float) -> bool:
    """Whether the first battles of a question are to be shown."""
    return row.fought >= FEWEST or time.monotonic() - start >= FIRST
