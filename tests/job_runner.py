"""A worker within a test: it does waiting jobs one after another."""

from __future__ import annotations

from unittest import mock

from campaign.services import simulation_work
from jobs.models import WAITING, Job
from jobs.services import job_run


def run_waiting_jobs(most: int = 1000) -> int:
    """Do waiting jobs one after another, at most so many; return how many."""
    with mock.patch.object(simulation_work, "STEP_SECONDS", 1e-6):  # without waiting for the clock
        for count in range(most):
            job = Job.objects.filter(status=WAITING).order_by("send_at", "pk").first()
            if job is None:
                return count
            job_run(job=job.pk)
    return most
