"""Celery: one application, the same on files and on Redis. Its messages carry ids only.

Every entry of the timetable may be lost, repeated or done twice at once: ticks come to the same
however often they run. An entry nobody took before the next one is due is dropped. It goes by a
clock that nobody sets: by the time of day an hour's setting back would stop all of it for that
hour.
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
)  # they load every page into each worker; `manage.py check` does them
TRANSPORT_ALIASES.update([files.ALIAS])

LANES = (
    "short",
    "long",
    "interactive",
)  # those of jobs.models, which cannot be imported before Django is set up
START = datetime(2000, 1, 1, tzinfo=UTC)

# task, seconds between two runs
TIMETABLE = (
    ("jobs.sweep", 2.0),
    ("umpire.tick", 5.0),
    ("campaign.deliver", 5.0),
    ("umpire.restate", 30.0),
    ("umpire.remind", 60.0),
    ("jobs.forget", 60.0 * 60),
    ("campaign.forget", 60.0 * 60),
)


def steady_now() -> datetime:
    """A moment of a clock that only ever goes on, in the form in which Celery reads clocks."""
    return START + timedelta(seconds=time.monotonic())


def schedule() -> dict[str, dict[str, Any]]:
    """The timetable in Celery's words."""
    return {
        name: {
            "task": name,
            "schedule": every(seconds, nowfun=steady_now),
            "options": {"expires": seconds},
        }
        for name, seconds in TIMETABLE
    }


@setup_logging.connect
def leave_logging_alone(**_args: Any) -> None:
    """Celery sets up no logging of its own where this signal is heard: the site's stays
    (config/logs.py).
    """


@worker_ready.connect
def start_pulse(**_args: Any) -> None:
    """A worker is there: it says so from now on, and tries what an earlier release had given up."""
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
    task_default_queue=LANES[0],  # where the timetable's own tasks go
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
