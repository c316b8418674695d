"""What Celery calls: run a row, and every two seconds look for rows that were left behind."""

from __future__ import annotations

from datetime import timedelta

from celery import current_app, shared_task
from django.utils import timezone

from jobs import services
from jobs.models import LANES
from jobs.pulse import pulses_forget
from jobs.services import RUN, jobs_sweep

RETENTION = timedelta(days=30)


@shared_task(name=RUN, ignore_result=True)
def run(job: int) -> None:
    """Do a job, and for a while what else waits."""
    services.jobs_work(job=job, lanes=lanes_here())


def lanes_here() -> list[str]:
    """Return the lanes whose messages this process takes: the queues it was started with."""
    queues = current_app.amqp.queues.consume_from
    return [lane for lane in LANES if lane in queues]


@shared_task(name="jobs.sweep", ignore_result=True)
def sweep() -> None:
    """Take back what dead workers held, and send lost jobs again."""
    jobs_sweep()


@shared_task(name="jobs.forget", ignore_result=True)
def forget() -> None:
    """Remove what was done long ago."""
    services.jobs_forget(before=timezone.now() - RETENTION)
    pulses_forget()
