"""The measures: how long requests take, how late stages are, how old the oldest job is."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config.tally import Tally

REQUESTS = Tally(
    "blindjump_request_seconds",
    "Time to answer a request, by route.",
    ("method", "route", "status"),
    (0.005, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0),
)


def registry() -> CollectorRegistry:
    """Everything there is to measure now, of all web processes of this machine."""
    found = CollectorRegistry()
    found.register(REQUESTS)
    found.register(State())
    return found


class State(Collector):
    """What the database says, read when asked."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        from campaign.models import Notification
        from jobs.models import DONE, Job
        from umpire.services.ticks import stages_overdue

        now = timezone.now()
        late = [(now - (stage.closes or now)).total_seconds() for stage in stages_overdue(now=now)]
        yield gauge("blindjump_stages_due", "Stages that wait to be resolved.", len(late))
        yield gauge(
            "blindjump_stage_lag_seconds", "How long ago the latest of them had to close.", max(late, default=0)
        )
        jobs = Job.objects.exclude(status=DONE)
        oldest = jobs.order_by("asked_at").values_list("asked_at", flat=True).first()
        age = (now - oldest).total_seconds() if oldest else 0.0
        yield gauge("blindjump_jobs_unfinished", "Jobs that are not done.", jobs.count())
        yield gauge(
            "blindjump_jobs_failing", "Of these, jobs whose last attempt failed.", jobs.exclude(error="").count()
        )
        yield gauge("blindjump_job_age_seconds", "How long ago the oldest of them was asked for.", age)
        unsent = Notification.objects.filter(sent_at__isnull=True).count()
        yield gauge("blindjump_messages_unsent", "Messages in the outbox.", unsent)


def gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=max(0.0, float(value)))
