"""Celery tasks: run a job, sweep for jobs left behind, and delete old rows."""

from __future__ import annotations

from datetime import timedelta

from celery import current_app, shared_task
from django.utils import timezone

from jobs import services
from jobs.models import LANES
from jobs.pulse import pulses_forget
from jobs.services import RUN, jobs_sweep

RETENTION = timedelta(days=30)  # how long the rows of finished jobs are kept


@shared_task(name=RUN, ignore_result=True)
def run(job: int) -> None:
    """Run a job, then other waiting jobs for a short time."""
    services.jobs_work(job=job, lanes=lanes_here())


def lanes_here() -> list[str]:
    """Return the lanes that this process serves: the queues it was started with."""
    queues = current_app.amqp.queues.consume_from
    return [lane for lane in LANES if lane in queues]


@shared_task(name="jobs.sweep", ignore_result=True)
def sweep() -> None:
    """Take back jobs of dead workers and resend lost messages."""
    jobs_sweep()


@shared_task(name="jobs.forget", ignore_result=True)
def forget() -> None:
    """Delete the rows of old jobs and stopped workers."""
    services.jobs_forget(before=timezone.now() - RETENTION)
    pulses_forget()
