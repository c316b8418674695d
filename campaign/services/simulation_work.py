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
from django.utils.module_loading import import_string

from campaign.belief.odds import FEWEST
from campaign.kinds import SimulationEnd, SimulationKind
from campaign.models.simulation import Simulation
from campaign.services.contests import contest_battles
from campaign.services.meetings import meeting_battles
from campaign.services.simulations import simulations_enqueue
from jobs.models import INTERACTIVE
from jobs.services import lane_now

FIRST_RESULTS_SECONDS = 0.2  # longest time until the first results are stored
STEP_SECONDS = 0.5  # in a step of the clock
CPU_SECONDS_PER_STEP = 0.3  # processor time that a question may use in a step
# Possible paces: battles in a hundred steps. There are few, so that small differences in the cost
# of a battle change nothing.
PACES = (5, 10, 25, 50, 100, 200, 300, 500, 800, 1200, 2000, 3000, 5000)
STEPS_PER_PACE = 100
LOOK_SECONDS = 0.1  # between checks for a new question
MAX_SECONDS = 120.0  # processor time for one question
MAX_SECONDS_OF = {SimulationKind.WAR: 600.0}  # for one question of a kind with a longer limit
MAX_TRIES = 3  # of a battle that kills its worker

Battles = Callable[[int], Any]  # fights the battle of a number and returns its result as stored
KINDS: Mapping[str, Callable[[Mapping[str, Any]], Battles]] = {
    SimulationKind.CONTEST: contest_battles,
    SimulationKind.MEETING: meeting_battles,
}
_registered: dict[str, str] = {}  # dotted names of the functions of other kinds

log = structlog.get_logger(__name__)


def simulations_register(*, kind: SimulationKind, source: str) -> None:
    """Set the dotted name of the function that returns the battles, or wars, of a question."""
    _registered[kind] = source


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
    # Matches no row once another worker has stored results of the same question
    unchanged_row = Simulation.objects.filter(pk=row.pk, battles_done=row.battles_done)
    unchanged_row.update(tries=F("tries") + 1)
    battles_before = row.battles_done
    new_questions = pending.filter(battles_done=0).exclude(pk=row.pk)
    start = time.monotonic()
    steps = _steps(row)
    _fight(row, new_questions)
    if lane_now() == INTERACTIVE:
        _wait_for_the_clock(start, steps, new_questions)
    is_stored = unchanged_row.update(
        samples=row.samples,
        battles_done=row.battles_done,
        milliseconds_used=row.milliseconds_used,
        ending=row.ending,
        tries=0,
        pace=row.pace,
    )
    if pending.exists():
        simulations_enqueue(args["user"])
    return {"battles_done": row.battles_done - battles_before if is_stored else 0}


def pace_of(seconds: float) -> int:
    """Return how many battles to fight in a hundred steps of the clock.

    Args:
        seconds: Processor time of one battle.
    """
    most = STEPS_PER_PACE * CPU_SECONDS_PER_STEP / max(seconds, 1e-6)
    return max((pace for pace in PACES if pace <= most), default=PACES[0])


def _steps(row: Simulation) -> int:
    """Return how many steps of the clock the next battles of a question take."""
    if row.pace:
        return max(1, STEPS_PER_PACE // row.pace)
    return 1


def _wait_for_the_clock(start: float, steps: int, new_questions: QuerySet[Simulation]) -> None:
    """Wait until the steps of a question are over, or a new question is there.

    The wait ends with a whole step of `STEP_SECONDS`, so that the time of an answer does not show
    how much was computed.
    """
    steps_begun = math.ceil((time.monotonic() - start) / STEP_SECONDS)
    end = start + max(steps, steps_begun) * STEP_SECONDS
    while (remaining := end - time.monotonic()) > 0 and not new_questions.exists():
        time.sleep(min(LOOK_SECONDS, remaining))


def _fight(row: Simulation, new_questions: QuerySet[Simulation]) -> None:
    """Fight the next battles of a question and add their results to the row.

    It fights as many as the question's pace allows, the first time for a short while, and stops for
    a new question. If a battle killed its worker, it is fought alone, and the question is given up
    after some attempts.
    """
    if row.tries >= MAX_TRIES:
        row.ending = SimulationEnd.FAILED
        return
    cpu_start = time.process_time()
    battles_before = row.battles_done
    try:
        _fight_battles(row, new_questions)
    except OperationalError:  # the database is unreachable: the job is tried again
        raise
    except Exception:
        log.exception("simulation-failed", question=row.pk, battle=row.battles_done)
        row.ending = SimulationEnd.FAILED
    cpu_seconds = time.process_time() - cpu_start
    row.milliseconds_used += round(1000 * cpu_seconds)
    battles_fought = row.battles_done - battles_before
    if not row.pace and battles_fought:
        row.pace = pace_of(cpu_seconds / battles_fought)
    is_unfinished = not row.ending and row.battles_done < row.battles_wanted
    if is_unfinished and row.milliseconds_used > 1000 * max_seconds_of(row.kind):
        row.ending = SimulationEnd.LONG


def _fight_battles(row: Simulation, new_questions: QuerySet[Simulation]) -> None:
    """Add the results of the next battles to the row, until `_fight` has to stop."""
    start = last_look = time.monotonic()
    if row.pace:
        limit = row.battles_done + max(1, row.pace // STEPS_PER_PACE)
    else:
        limit = row.battles_wanted
    battle = _battles_of(row)
    while row.battles_done < min(row.battles_wanted, limit):
        row.samples.append(battle(row.battles_done))
        row.battles_done += 1
        if row.tries or (not row.pace and _has_first_results(row, start)):
            return
        if row.battles_done > FEWEST and time.monotonic() - last_look >= LOOK_SECONDS:
            if new_questions.exists():
                return
            last_look = time.monotonic()


def _battles_of(row: Simulation) -> Battles:
    """Return the function that fights the battles of a question."""
    if row.kind in KINDS:
        return KINDS[row.kind](row.question)
    battles: Battles = import_string(_registered[row.kind])(row.question)
    return battles


def max_seconds_of(kind: str) -> float:
    """Return the limit of the processor time of a question of a kind."""
    return MAX_SECONDS_OF.get(SimulationKind(kind), MAX_SECONDS)


def _has_first_results(row: Simulation, start: float) -> bool:
    """Return whether a question has enough first battles to show, or has taken long enough."""
    return row.battles_done >= FEWEST or time.monotonic() - start >= FIRST_RESULTS_SECONDS
