"""Limit heavy acts, which cost a server most of a second.

Each account has a number per minute, and one at a time. The count is a database row, so that all
server processes, pages and API share it. The places are locked files on this machine, because its
processors limit how many may run at once; a process that dies frees its place.
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

MINUTE = 60  # seconds
PLACES = 2  # heavy acts at once on one machine; one per account
MAX_WAITING = 4  # accounts with a waiting request in this process; keeps other threads free
_waiting: set[int] = set()
_waiting_lock = Lock()  # held while `_waiting` changes
PATIENCE = 2.0  # seconds to wait for a place
RETRY_INTERVAL = 0.02  # seconds between two attempts


@contextmanager
def heavy_act(user: AbstractBaseUser) -> Iterator[None]:
    """Count a heavy act of an account and hold a place while it runs. Raises TooOften, Busy.

    The count stays even if the act fails, so use this outside the act's transaction.
    """
    heavy_act_count(user)
    with _place(user.pk):
        yield


def heavy_act_count(user: AbstractBaseUser) -> None:
    """Count a heavy act of an account that workers will do, so that it needs no place here.

    Raises:
        TooOften: The account has used up its acts of this minute.
    """
    now = int(time.time())
    minute = now // MINUTE
    row = HeavyUse.objects.filter(user_id=user.pk)
    counted = row.filter(minute=minute).update(count=F("count") + 1)
    if not counted and not row.update(minute=minute, count=1):  # the account has no row yet
        try:
            with transaction.atomic():
                HeavyUse.objects.create(user_id=user.pk, minute=minute, count=1)
        except IntegrityError:  # another request of the account was first
            row.update(count=F("count") + 1)
    most = settings.HEAVY_RATE
    if row.values_list("count", flat=True)[0] > most:
        words = phrase("at most {} of these per minute and account", most)
        raise TooOften(words, MINUTE - now % MINUTE)


@contextmanager
def _place(account: int) -> Iterator[None]:
    """Hold one of this machine's places, and the account's only one."""
    with ExitStack() as stack:  # closing the files frees the places
        with _waiting_for(account):
            machine_places = [f"heavy-{number}" for number in range(PLACES)]
            stack.enter_context(_wait_for_place(f"account-{account}"))
            stack.enter_context(_wait_for_place(*machine_places))
        yield


@contextmanager
def _waiting_for(account: int) -> Iterator[None]:
    """Count an account among those that wait in this process, once each. Raises Busy if full."""
    with _waiting_lock:
        if account in _waiting or len(_waiting) >= MAX_WAITING:
            raise _busy_error()
        _waiting.add(account)
    try:
        yield
    finally:
        with _waiting_lock:
            _waiting.discard(account)


def _wait_for_place(*names: str) -> IO[bytes]:
    """Wait for one of these places and hold it. Raises Busy."""
    deadline = time.monotonic() + PATIENCE
    while True:
        if (file := _take_free_place(names)) is not None:
            return file
        if time.monotonic() >= deadline:
            raise _busy_error()
        time.sleep(RETRY_INTERVAL)


def _take_free_place(names: Sequence[str]) -> IO[bytes] | None:
    """Lock and return one of these places, or None if all are taken."""
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


def _busy_error() -> Busy:
    """Return the error that asks the client to try again after `PATIENCE`."""
    return Busy(phrase("the server is busy; try again in a moment"), int(PATIENCE))
