"""Messages: a job's id to whichever worker hears it first."""

from __future__ import annotations

import time

import structlog
from celery import current_app

RUN = "jobs.run"
PAUSE = 5.0  # seconds without a message after one that failed: nobody waits for a broker that is known to be away
log = structlog.get_logger(__name__)
_next_try = 0.0  # time.monotonic


def message_send(job: int) -> None:
    """Tell the workers of a row. Whatever keeps the message from them, the row itself waits for the next sweep.

    Every transport raises errors of its own kind (OSError, kombu's, redis's), and none of them may undo or deny what
    is already stored: they are logged, and that is all.
    """
    global _next_try  # noqa: PLW0603 known to the whole process
    if time.monotonic() < _next_try:
        return
    try:
        current_app.send_task(RUN, args=(job,), ignore_result=True, retry=False)
    except Exception as error:  # noqa: BLE001 see above
        _next_try = time.monotonic() + PAUSE
        log.warning("broker-away", job=job, kind=type(error).__name__)
