"""A worker within a test: what waits to be done is done here, one job after another."""

from __future__ import annotations

from unittest import mock

from campaign.services import simulation_work
from jobs.models import WAITING, Job
from jobs.services import job_run


def run_waiting_jobs(most: int = 1000) -> int:
    """Let a worker do jobs one after another, at most so many; how many it did."""
    with mock.patch.object(simulation_work, "STEP", 1e-6):  # nobody waits for the clock
        for count in range(most):
            job = Job.objects.filter(status=WAITING).order_by("send_at", "pk").first()
            if job is None:
                return count
            job_run(job=job.pk)
    return most
