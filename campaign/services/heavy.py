"""Heavy acts: what costs a server most of a second.

Each account has so many a minute, and one at once.

The count is a row of the database, so that all server processes, and pages and API, share it. The
places are locked files of this machine, because how much may run at once is a matter of its
processors; a process that dies gives its place back.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import IO

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F

from campaign.errors import Busy, TooOften
from campaign.models.account import HeavyUse
from engine.core.phrase import phrase

MINUTE = 60
PLACES = 2  # heavy acts at once, on one machine; of one account one
MOST_WAITING = (
    4  # accounts whose requests wait in this process, one of each, so that other threads stay free
)
_waiting: set[int] = set()
_counting = Lock()  # held while `_waiting` is changed
PATIENCE, PAUSE = 2.0, 0.02  # seconds one waits for a place, and between two looks


@contextmanager
def heavy_act(user: AbstractBaseUser) -> Iterator[None]:
    """Counts a heavy act of an account and holds a place while it runs. Raises TooOften, Busy.

    The count stays, whatever comes of the act: so this stands outside its transaction.
    """
    heavy_act_count(user)
    with _place(user.pk):
        yield


def heavy_act_count(user: AbstractBaseUser) -> None:
    """Counts a heavy act of an account that workers are to do, so that it needs no place here.

    Raises TooOften.
    """
    now = int(time.time())
    minute = now // MINUTE
    row = HeavyUse.objects.filter(user_id=user.pk)
    if not row.filter(minute=minute).update(count=F("count") + 1) and not row.update(
        minute=minute, count=1
    ):
        try:
            with transaction.atomic():
                HeavyUse.objects.create(user_id=user.pk, minute=minute, count=1)
        except IntegrityError:  # another request of the account was first
            row.update(count=F("count") + 1)
    most = settings.HEAVY_RATE
    if row.values_list("count", flat=True)[0] > most:
        raise TooOften(
            phrase("at most {} of these a minute for one account", most), MINUTE - now % MINUTE
        )


@contextmanager
def _place(account: int) -> Iterator[None]:
    """Hold one of the places of this machine, and the only one of the account."""
    with ExitStack() as stack:  # closing the files gives the places back
        with _waiting_for(account):
            stack.enter_context(_wait_for_place(f"account-{account}"))
            stack.enter_context(_wait_for_place(*(f"heavy-{number}" for number in range(PLACES))))
        yield


@contextmanager
def _waiting_for(account: int) -> Iterator[None]:
    """Count an account among those that wait in this process: each once, and not too many.

    Raises Busy.
    """
    with _counting:
        if account in _waiting or len(_waiting) >= MOST_WAITING:
            raise _busy()
        _waiting.add(account)
    try:
        yield
    finally:
        with _counting:
            _waiting.discard(account)


def _wait_for_place(*names: str) -> IO[bytes]:
    """Wait for a free place among some, hold it from now on. Raises Busy."""
    deadline = time.monotonic() + PATIENCE
    while True:
        if (file := _take_free_place(names)) is not None:
            return file
        if time.monotonic() >= deadline:
            raise _busy()
        time.sleep(PAUSE)


def _take_free_place(names: Sequence[str]) -> IO[bytes] | None:
    """A free place, held from now on; None where there is none."""
    folder = Path(settings.VAR_DIR) / "run"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        file = (folder / f"{name}.lock").open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
        else:
            return file
    return None


def _busy() -> Busy:
    return Busy(phrase("the server is busy; try again in a moment"), int(PATIENCE))
