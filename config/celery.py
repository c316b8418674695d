"""The Celery application, the same with files and with Redis. Its messages contain only ids.

Timetable entries may be lost, repeated or run twice at once: the tasks are idempotent. An entry
that is not taken before the next one is due is dropped. The timetable uses a monotonic clock: by
the time of day, setting the clock back an hour would stop it for an hour.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from celery import Celery
from celery.schedules import schedule as every
from celery.signals import setup_logging, worker_ready
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES

from jobs import files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault(
    "CELERY_SKIP_CHECKS", "1"
)  # checks load every page into each worker; `manage.py check` runs them
TRANSPORT_ALIASES.update([files.ALIAS])

LANES = (
    "short",
    "long",
    "interactive",
)  # as in jobs.models, which cannot be imported before Django is set up
START = datetime(2000, 1, 1, tzinfo=UTC)

# Task, seconds between two runs.
TIMETABLE = (
    ("jobs.sweep", 2.0),
    ("umpire.tick", 5.0),
    ("campaign.deliver", 5.0),
    ("umpire.tournaments", 15.0),
    ("umpire.restate", 30.0),
    ("umpire.remind", 60.0),
    ("umpire.reveal", 60.0),
    ("umpire.check", 10.0 * 60),
    ("jobs.forget", 60.0 * 60),
    ("campaign.forget", 60.0 * 60),
)


def steady_now() -> datetime:
    """Return the monotonic clock as a datetime, the form that Celery needs."""
    return START + timedelta(seconds=time.monotonic())


def schedule() -> dict[str, dict[str, Any]]:
    """Return the timetable in Celery's format."""
    result: dict[str, dict[str, Any]] = {}
    for name, seconds in TIMETABLE:
        result[name] = {
            "task": name,
            "schedule": every(seconds, nowfun=steady_now),
            "options": {"expires": seconds},
        }
    return result


@setup_logging.connect
def leave_logging_alone(**_args: Any) -> None:
    """Keep the site's logging (config/logs.py): with a receiver here, Celery sets up none."""


@worker_ready.connect
def start_pulse(**_args: Any) -> None:
    """Start the worker's heartbeat, and retry jobs that an earlier release quarantined."""
    from django.conf import settings

    from jobs.pulse import pulse_begin
    from jobs.services import jobs_retry_by_release
    from jobs.tasks import lanes_here

    pulse_begin(lanes_here())
    jobs_retry_by_release(release=settings.RELEASE)


app = Celery("blindjump", set_as_current=True)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    beat_schedule=schedule(),
    task_queues=[Queue(lane) for lane in LANES],
    task_default_queue=LANES[0],  # for the timetable's own tasks
    beat_scheduler="celery.beat:Scheduler",
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    task_acks_late=False,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    enable_utc=True,
)
app.autodiscover_tasks()
