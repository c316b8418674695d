"""A user's questions as a job: a worker fights battles of one for half a second, writes down what came of them, and
lets the job follow itself, so that the rest of the site's work waits no longer. As many as something is said of are
written down at once: a reader waits for these.

The question of which the fewest were fought is next. One that is new is not kept waiting until the end of a slice, for
who asks otherwise does so while an earlier question is fought. A worker that dies loses half a second's battles; one
that dies of a battle fights it alone, and gives the question up after some tries. A battle is the same whoever fights
it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from django.db import OperationalError
from django.db.models import F, QuerySet
from django.utils import timezone

from campaign.belief.odds import FEWEST
from campaign.kinds import ReckoningEnd, ReckoningKind
from campaign.models.reckoning import Reckoning
from campaign.services.contests import contest_battles
from campaign.services.meetings import meeting_battles
from campaign.services.reckonings import reckonings_enqueue

FIRST, SLICE = 0.2, 0.5  # seconds that a worker fights before it writes down: the first time, and later
LOOK = 0.1  # seconds after which it looks for a new question
MOST_SECONDS = 120.0  # of processor time for one question
MOST_TRIES = 3  # of a battle that kills its worker

Battles = Callable[[int], Any]  # the battle of a number, as what came of it is written down
KINDS: Mapping[str, Callable[[Mapping[str, Any]], Battles]] = {
    ReckoningKind.CONTEST: contest_battles,
    ReckoningKind.MEETING: meeting_battles,
}

log = structlog.get_logger(__name__)


def reckonings_work(args: Mapping[str, Any]) -> dict[str, int]:
    """Fight battles of a user's questions for half a second; how many. Nothing where he waits for none."""
    wanted = Reckoning.objects.filter(
        user_id=args["user"], ending="", fought__lt=F("wanted"), until__gt=timezone.now()
    ).order_by("fought", "pk")
    row = wanted.first()
    if row is None:
        return {"fought": 0}
    mine, before = Reckoning.objects.filter(pk=row.pk, fought=row.fought), row.fought
    mine.update(tries=F("tries") + 1)
    _fight(row, wanted.filter(fought=0).exclude(pk=row.pk))
    told = {"samples": row.samples, "fought": row.fought, "spent": row.spent, "ending": row.ending, "tries": 0}
    written = mine.update(**told)  # not where another worker was given the same question, and was quicker
    if wanted.exists():
        reckonings_enqueue(args["user"])
    return {"fought": row.fought - before if written else 0}


def _fight(row: Reckoning, fresh: QuerySet[Reckoning]) -> None:
    """Fight battles for a slice of time, or until one of the `fresh` questions is there, and note them in the row. A
    question that killed its worker has one battle fought alone, and is given up after some tries.
    """
    if row.tries >= MOST_TRIES:
        row.ending = ReckoningEnd.FAILED
        return
    begun, worked, slice_ = time.monotonic(), time.process_time(), SLICE if row.fought else min(FIRST, SLICE)
    looked = begun
    try:
        battle = KINDS[row.kind](row.question)
        while row.fought < row.wanted:
            row.samples.append(battle(row.fought))
            row.fought += 1
            if row.tries or row.fought == FEWEST or time.monotonic() - begun >= slice_:
                break
            if row.fought > FEWEST and time.monotonic() - looked >= LOOK:
                if fresh.exists():
                    break
                looked = time.monotonic()
    except OperationalError:  # the database is away: the job is tried again
        raise
    except Exception:
        log.exception("reckoning-died", question=row.pk, battle=row.fought)
        row.ending = ReckoningEnd.FAILED
    row.spent += round(1000 * (time.process_time() - worked))
    if not row.ending and row.fought < row.wanted and row.spent > 1000 * MOST_SECONDS:
        row.ending = ReckoningEnd.LONG
