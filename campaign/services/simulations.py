"""Simulated battles that a user requests for odds: request, watch and stop them.

Workers fight them (`campaign.services.simulation_work`); a row records the progress. The same
question of the same user is one row, so earlier results are still there when the user returns. At
most one worker works on a user's questions, in turn, so that many questions load the site no more
than one.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.errors import NotFound
from campaign.kinds import SimulationKind
from campaign.models.simulation import Simulation
from campaign.services.outside_ids import named_id
from campaign.tasks import SIMULATE
from engine.core.canonical import digest
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from jobs.services import JobAccount, job_enqueue

QUESTION_VERSION = 5  # version of questions, samples and how they are drawn: raised with any change
WATCH_TIME = timedelta(seconds=30)  # how long battles are fought after the user last looked
WATCH_UPDATE_INTERVAL = timedelta(seconds=3)  # between two stored looks at a page
RETENTION = timedelta(days=1)  # after which an unwatched question is deleted
MAX_STORED = 40  # questions per user


def simulation_of(
    user: AbstractBaseUser, kind: SimulationKind, question: Mapping[str, Any]
) -> Simulation | None:
    """Return the row of a user's question, or None."""
    return Simulation.objects.filter(user_id=user.pk, key=_key(kind, question)).first()


def simulation_by_id(
    user: AbstractBaseUser, kind: SimulationKind, public_id: str | uuid.UUID
) -> Simulation:
    """Return a user's question by its id. Raises NotFound, also for questions of other users."""
    try:
        simulation_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(phrase("there are no such battles")) from error
    row = Simulation.objects.filter(user_id=user.pk, kind=kind, public_id=simulation_id).first()
    if row is None:
        raise NotFound(phrase("there are no such battles"))
    return row


def simulation_request(
    *,
    user: AbstractBaseUser,
    kind: SimulationKind,
    question: Mapping[str, Any],
    battle_count: int,
    now: datetime | None = None,
) -> Simulation:
    """Request a number of battles of a question; those already fought count."""
    moment = now or timezone.now()
    row = simulation_of(user, kind, question)
    if row is None:
        row = _create(
            user=user, kind=kind, question=question, battle_count=battle_count, now=moment
        )
    if row.battles_wanted < battle_count:
        row.battles_wanted = battle_count
        row.save(update_fields=["battles_wanted"])
        simulations_enqueue(row.user_id)  # an earlier look enqueued nothing, if all were fought
    simulation_watch(row, now=moment)
    return row


def simulation_watch(row: Simulation, *, now: datetime | None = None) -> None:
    """Record that the user is watching a question, so that its remaining battles are fought.

    A question whose battles are all fought is only kept from being deleted.
    """
    moment = now or timezone.now()
    until = moment + WATCH_TIME
    if not row.open:
        if row.until < moment - RETENTION / 2:
            Simulation.objects.filter(pk=row.pk).update(until=until)
        return
    was_just_recorded = until - WATCH_UPDATE_INTERVAL < row.until <= until
    if not was_just_recorded:
        row.until = until
        Simulation.objects.filter(pk=row.pk).update(until=until)
        simulations_enqueue(row.user_id)


def simulation_stop(row: Simulation, *, now: datetime | None = None) -> None:
    """Stop fighting a question's battles; the results so far stay."""
    row.until = now or timezone.now()
    Simulation.objects.filter(pk=row.pk).update(until=row.until)


def simulations_enqueue(user: int) -> None:
    """Enqueue the job that works on a user's questions."""
    account = JobAccount(f"page/{user}")
    job_enqueue(
        kind=SIMULATE, args={"user": user}, dedupe_key=f"{SIMULATE}/{user}", account=account
    )


def simulations_forget(*, now: datetime) -> int:
    """Delete the questions that were not watched for a day, and return their number."""
    deleted, _ = Simulation.objects.filter(until__lt=now - RETENTION).delete()
    return deleted


def _key(kind: SimulationKind, question: Mapping[str, Any]) -> str:
    """Return the same key for the same question of the same kind under the same rules."""
    return digest([QUESTION_VERSION, NEWEST, kind.value, question])


def _create(
    *,
    user: AbstractBaseUser,
    kind: SimulationKind,
    question: Mapping[str, Any],
    battle_count: int,
    now: datetime,
) -> Simulation:
    """Create a row, and delete the user's oldest questions beyond the limit."""
    mine = Simulation.objects.filter(user_id=user.pk)
    key = _key(kind, question)
    row = Simulation(
        user_id=user.pk,
        public_id=named_id("simulation", user, key),
        kind=kind,
        key=key,
        question=question,
        battles_wanted=battle_count,
        until=now,
    )
    try:
        with transaction.atomic():
            row.save()
            old = list(mine.order_by("-until", "-pk").values_list("pk", flat=True)[MAX_STORED:])
            mine.filter(pk__in=old).delete()
    except IntegrityError:  # the same question, asked at the same moment
        return mine.get(key=key)
    return row
