"""Battles that somebody wants fought to know his odds: asked for, looked at, given up.

Workers fight them (`campaign.services.reckoning_work`), and a row says how far they are.

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

from campaign.errors import NotThere
from campaign.kinds import ReckoningKind
from campaign.models.reckoning import Reckoning
from campaign.services.outside_ids import named_id
from campaign.tasks import RECKON
from engine.core.canonical import digest
from engine.core.phrase import phrase
from engine.core.versions import NEWEST
from jobs.services import JobAccount, job_enqueue

SHAPE = 5  # of questions, of samples and of how they are drawn: raised with a change of any
WATCHED = timedelta(seconds=30)  # that battles are fought for somebody who does not look again
LOOKS = timedelta(seconds=3)  # between two looks that are written down
KEPT = timedelta(days=1)  # after which a question that nobody looks at is forgotten
MOST_KEPT = 40  # questions of one person


def reckoning_of(
    user: AbstractBaseUser, kind: ReckoningKind, question: Mapping[str, Any]
) -> Reckoning | None:
    """What a user had fought of a question; None where he did not ask."""
    return Reckoning.objects.filter(user_id=user.pk, key=_key(kind, question)).first()


def reckoning_named(
    user: AbstractBaseUser, kind: ReckoningKind, public_id: str | uuid.UUID
) -> Reckoning:
    """The same by its id. Raises NotThere, of others' questions as well."""
    try:
        wanted = uuid.UUID(str(public_id))
    except ValueError as error:
        raise NotThere(phrase("there are no such battles")) from error
    row = Reckoning.objects.filter(user_id=user.pk, kind=kind, public_id=wanted).first()
    if row is None:
        raise NotThere(phrase("there are no such battles"))
    return row


def reckoning_ask(
    *,
    user: AbstractBaseUser,
    kind: ReckoningKind,
    question: Mapping[str, Any],
    wanted: int,
    now: datetime | None = None,
) -> Reckoning:
    """Let so many battles of a question be fought; what was fought of it counts."""
    moment = now or timezone.now()
    row = reckoning_of(user, kind, question) or _begun(user, kind, question, wanted, moment)
    if row.wanted < wanted:
        row.wanted = wanted
        row.save(update_fields=["wanted"])
        reckonings_enqueue(row.user_id)  # a look just now asked for none where all were fought
    reckoning_watch(row, now=moment)
    return row


def reckoning_watch(row: Reckoning, *, now: datetime | None = None) -> None:
    """Somebody looks at a question and waits for what is still to be fought of it."""
    moment = now or timezone.now()
    until = moment + WATCHED
    if not row.open:
        if row.until < moment - KEPT / 2:
            Reckoning.objects.filter(pk=row.pk).update(until=until)
    elif not until - LOOKS < row.until <= until:
        row.until = until
        Reckoning.objects.filter(pk=row.pk).update(until=until)
        reckonings_enqueue(row.user_id)


def reckoning_stop(row: Reckoning, *, now: datetime | None = None) -> None:
    """Nobody waits for more of a question's battles; what was fought stays."""
    row.until = now or timezone.now()
    Reckoning.objects.filter(pk=row.pk).update(until=row.until)


def reckonings_enqueue(user: int) -> None:
    """Let a worker see to a user's questions."""
    whose = JobAccount(f"page/{user}")
    job_enqueue(kind=RECKON, args={"user": user}, dedupe_key=f"{RECKON}/{user}", whose=whose)


def reckonings_forget(*, now: datetime) -> int:
    """Forget the questions that nobody has looked at for a day; how many."""
    return Reckoning.objects.filter(until__lt=now - KEPT).delete()[0]


def _key(kind: ReckoningKind, question: Mapping[str, Any]) -> str:
    return digest([SHAPE, NEWEST, kind.value, question])


def _begun(
    user: AbstractBaseUser,
    kind: ReckoningKind,
    question: Mapping[str, Any],
    wanted: int,
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
        wanted=wanted,
        until=moment,
    )
    try:
        with transaction.atomic():
            row.save()
            old = list(mine.order_by("-until", "-pk").values_list("pk", flat=True)[MOST_KEPT:])
            mine.filter(pk__in=old).delete()
    except IntegrityError:  # the same question, asked at the same moment
        return mine.get(key=key)
    return row
