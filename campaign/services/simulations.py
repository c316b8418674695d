"""Battles that somebody wants fought to know his odds: asked for, looked at, given up.

Workers fight them (`campaign.services.simulation_work`), and a row says how far they are.

    reckoning_of(user, kind, question)          what was fought of it already
    reckoning_ask(user, kind, question, wanted) let so many be fought, as long as somebody waits for them
    reckoning_watch(row)                        he still waits
    reckoning_stop(row)                         he does not

The same question of the same person is one row, so who comes back finds what was fought. One worker
at most is at work for a person, on his questions in turn: many questions take no more of the site
than one does.
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
from campaign.models.simulation import Reckoning
from campaign.services.outside_ids import named_id
from campaign.tasks import SIMULATE
from engine.core.canonical import digest
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from jobs.services import JobAccount, job_enqueue

SHAPE = 5  # of questions, of samples and of how they are drawn: raised with a change of any
WATCHED = timedelta(seconds=30)  # that battles are fought for somebody who does not look again
LOOKS = timedelta(seconds=3)  # between two looks that are written down
RETENTION = timedelta(days=1)  # after which a question that nobody looks at is forgotten
MAX_STORED = 40  # questions of one person


def simulation_of(
    user: AbstractBaseUser, kind: SimulationKind, question: Mapping[str, Any]
) -> Reckoning | None:
    """What a user had fought of a question; None where he did not ask."""
    return Reckoning.objects.filter(user_id=user.pk, key=_key(kind, question)).first()


def simulation_by_id(
    user: AbstractBaseUser, kind: SimulationKind, public_id: str | uuid.UUID
) -> Reckoning:
    """The same by its id. Raises NotThere, of others' questions as well."""
    try:
        simulation_id = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotFound(phrase("there are no such battles")) from error
    row = Reckoning.objects.filter(user_id=user.pk, kind=kind, public_id=simulation_id).first()
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
) -> Reckoning:
    """Let so many battles of a question be fought; what was fought of it counts."""
    moment = now or timezone.now()
    row = simulation_of(user, kind, question) or _start(user, kind, question, battle_count, moment)
    if row.wanted < battle_count:
        row.wanted = battle_count
        row.save(update_fields=["wanted"])
        simulations_enqueue(row.user_id)  # a look just now asked for none where all were fought
    simulation_watch(row, now=moment)
    return row


def simulation_watch(row: Reckoning, *, now: datetime | None = None) -> None:
    """Somebody looks at a question and waits for what is still to be fought of it."""
    moment = now or timezone.now()
    until = moment + WATCHED
    if not row.open:
        if row.until < moment - RETENTION / 2:
            Reckoning.objects.filter(pk=row.pk).update(until=until)
    elif not until - LOOKS < row.until <= until:
        row.until = until
        Reckoning.objects.filter(pk=row.pk).update(until=until)
        simulations_enqueue(row.user_id)


def simulation_stop(row: Reckoning, *, now: datetime | None = None) -> None:
    """Nobody waits for more of a question's battles; what was fought stays."""
    row.until = now or timezone.now()
    Reckoning.objects.filter(pk=row.pk).update(until=row.until)


def simulations_enqueue(user: int) -> None:
    """Let a worker see to a user's questions."""
    account = JobAccount(f"page/{user}")
    job_enqueue(
        kind=SIMULATE, args={"user": user}, dedupe_key=f"{SIMULATE}/{user}", account=account
    )


def simulations_forget(*, now: datetime) -> int:
    """Forget the questions that nobody has looked at for a day; how many."""
    return Reckoning.objects.filter(until__lt=now - RETENTION).delete()[0]


def _key(kind: SimulationKind, question: Mapping[str, Any]) -> str:
    return digest([SHAPE, NEWEST, kind.value, question])


def _start(
    user: AbstractBaseUser,
    kind: SimulationKind,
    question: Mapping[str, Any],
    battle_count: int,
    moment: datetime,
) -> Reckoning:
    """A new row, and the oldest of the user's forgotten where he has too many."""
    mine, key = Reckoning.objects.filter(user_id=user.pk), _key(kind, question)
    row = Reckoning(
        user_id=user.pk,
        public_id=named_id("reckoning", user, key),
        kind=kind,
        key=key,
        question=question,
        wanted=battle_count,
        until=moment,
    )
    try:
        with transaction.atomic():
            row.save()
            old = list(mine.order_by("-until", "-pk").values_list("pk", flat=True)[MAX_STORED:])
            mine.filter(pk__in=old).delete()
    except IntegrityError:  # the same question, asked at the same moment
        return mine.get(key=key)
    return row
