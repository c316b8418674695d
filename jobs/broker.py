"""Messages: a job's id to whichever worker hears it first."""

from __future__ import annotations

import structlog
from celery import current_app
from kombu.exceptions import OperationalError

RUN = "jobs.run"
log = structlog.get_logger(__name__)


def message_send(job: int) -> None:
    """Tell the workers of a row. With the broker away the row itself waits for the next sweep."""
    try:
        current_app.send_task(RUN, args=(job,), ignore_result=True, retry=False)
    except OperationalError:
        log.warning("broker-away", job=job)
