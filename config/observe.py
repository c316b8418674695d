"""What the operator can monitor: request logs, health checks and metrics.

Requests are named by route, never by address, because addresses contain invitations, feeds and
reset links. The metrics are how long requests take, how late stages are, and how old the oldest job
is.

Several processes count histograms in shared memory. The memory is anonymous (not backed by a file),
so a full disk cannot affect it. It is created before the processes are forked, and each process
writes only to its own part. A restarted process continues in the part of its predecessor.
"""

from __future__ import annotations

import mmap
import os
import secrets
import struct
import threading
import time
import uuid
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from config.celery import LANES

LABEL_BYTES = 232  # for a combination of labels; a longer one counts as OTHER_LABEL
MAX_RECORDS = 1024  # label combinations per process; further ones count as OTHER_LABEL
OTHER_LABEL = "(other)"
COUNT = struct.Struct("=Q")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Routes that machines request every few seconds.
UNLOGGED_ROUTES = frozenset({"health/", "health/web/", "metrics"})
UNKNOWN, FILE = "(unknown)", "(file)"

BROKER_CACHE_SECONDS = 5.0  # how long a check of the broker stays valid
BROKER_WAIT = 1  # seconds
_broker: dict[str, Any] = {"answers": True, "until": 0.0}
_broker_lock = threading.Lock()

log = structlog.get_logger(__name__)
Handler = Callable[[HttpRequest], HttpResponse]


class Tally(Collector):
    """A histogram with labels, counted by several processes.

    Args:
        buckets: Upper bounds in ascending order, without infinity.
    """

    def __init__(
        self, name: str, description: str, labels: Sequence[str], buckets: Sequence[float]
    ) -> None:
        self._name, self._description, self._labels = name, description, tuple(labels)
        self._buckets = tuple(map(float, buckets))
        # A count for each bucket, the count above them all, and the sum of the values.
        self._numbers = struct.Struct(f"={len(self._buckets) + 2}d")
        self._record = LABEL_BYTES + self._numbers.size
        self._part = COUNT.size + MAX_RECORDS * self._record
        self._lock = threading.Lock()
        self.share(1)

    def share(self, processes: int) -> None:
        """Start again with one part per process. Must be called before the processes are forked."""
        self._memory = mmap.mmap(-1, processes * self._part)
        self._parts = processes
        self.join(0)

    def join(self, part: int) -> None:
        """Make this process count in this part, on top of what the part already holds."""
        if not 0 <= part < self._parts:
            raise ValueError(f"parts are numbered 0 to {self._parts - 1}, not {part}")
        self._start = part * self._part
        self._places = dict(self._records(part))

    def observe(self, labels: Sequence[str], value: float) -> None:
        """Count a value under these labels."""
        with self._lock:
            place = self._place("\n".join(labels))
            numbers = list(self._numbers.unpack_from(self._memory, place + LABEL_BYTES))
            numbers[bisect_left(self._buckets, value)] += 1
            numbers[-1] += value
            self._numbers.pack_into(self._memory, place + LABEL_BYTES, *numbers)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the sums over all processes."""
        sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * (len(self._buckets) + 2))
        for part in range(self._parts):
            for key, place in self._records(part):
                record = self._numbers.unpack_from(self._memory, place + LABEL_BYTES)
                sums[key] = [a + b for a, b in zip(sums[key], record, strict=True)]
        family = HistogramMetricFamily(self._name, self._description, labels=self._labels)
        ends = [*map(str, self._buckets), "+Inf"]
        for key, numbers in sorted(sums.items()):
            labels = key.split("\n")
            cumulative_counts = accumulate(numbers[:-1])
            family.add_metric(
                labels, list(zip(ends, cumulative_counts, strict=True)), sum_value=numbers[-1]
            )
        yield family

    def _place(self, key: str) -> int:
        """Return the offset of the record for these labels, creating it if needed."""
        place = self._places.get(key)
        if place is not None:
            return place
        count: int = COUNT.unpack_from(self._memory, self._start)[0]
        encoded = key.encode()
        other = "\n".join([OTHER_LABEL] * len(self._labels))
        if key != other and (count >= MAX_RECORDS - 1 or len(encoded) > LABEL_BYTES):
            return self._place(other)
        place = self._start + COUNT.size + count * self._record
        self._memory[place : place + LABEL_BYTES] = encoded.ljust(LABEL_BYTES, b"\0")
        # The count comes last, so that readers only see complete records.
        COUNT.pack_into(self._memory, self._start, count + 1)
        self._places[key] = place
        return place

    def _records(self, part: int) -> Iterator[tuple[str, int]]:
        """Yield the records of a part as (labels, offset)."""
        start = part * self._part
        for number in range(COUNT.unpack_from(self._memory, start)[0]):
            place = start + COUNT.size + number * self._record
            yield self._memory[place : place + LABEL_BYTES].rstrip(b"\0").decode(), place


REQUESTS = Tally(
    "blindjump_request_seconds",
    "Time to answer a request, by route.",
    ("method", "route", "status"),
    (0.005, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0),
)


def registry() -> CollectorRegistry:
    """Return the current metrics of all web processes of this machine."""
    result = CollectorRegistry()
    result.register(REQUESTS)
    result.register(DatabaseMetrics())
    return result


class DatabaseMetrics(Collector):
    """Metrics read from the database on request."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        from campaign.models.account import Notification
        from campaign.selectors.checks import faults_found
        from jobs.models import DONE, Job
        from umpire.services.ticks import stages_overdue

        now = timezone.now()
        late = []
        for stage in stages_overdue(now=now):
            late.append((now - (stage.closes or now)).total_seconds())
        yield gauge("blindjump_stages_due", "Stages that wait to be resolved.", len(late))
        yield gauge(
            "blindjump_stage_lag_seconds",
            "How long ago the stage that has waited longest had to close.",
            max(late, default=0),
        )
        jobs = Job.objects.exclude(status=DONE)
        oldest = jobs.order_by("asked_at").values_list("asked_at", flat=True).first()
        age = (now - oldest).total_seconds() if oldest else 0.0
        yield gauge("blindjump_jobs_unfinished", "Jobs that are not done.", jobs.count())
        yield gauge(
            "blindjump_jobs_failing",
            "Of these, jobs whose last attempt failed.",
            jobs.exclude(error="").count(),
        )
        yield gauge(
            "blindjump_job_age_seconds", "How long ago the oldest of them was requested.", age
        )
        unsent = Notification.objects.filter(sent_at__isnull=True).count()
        yield gauge("blindjump_messages_unsent", "Messages in the outbox.", unsent)
        yield gauge(
            "blindjump_integrity_faults",
            "Faults that the newest checks found in the records of wars.",
            faults_found(),
        )


def gauge(name: str, description: str, value: float) -> GaugeMetricFamily:
    """Return a metric with one value, at least 0."""
    return GaugeMetricFamily(name, description, value=max(0.0, float(value)))


class RequestMiddleware:
    """The outermost middleware, which times and logs each request."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=uuid.uuid4().hex[:12]):
            response = self.get_response(request)
            seconds = time.perf_counter() - began
            if request.method in METHODS:
                method = request.method
            else:
                method = UNKNOWN
            route = route_of(request, response)
            REQUESTS.observe((method, route, str(response.status_code)), seconds)
            if route != FILE and route not in UNLOGGED_ROUTES:
                user_id = getattr(getattr(request, "_cached_user", None), "pk", None)
                log.info(
                    "request",
                    method=method,
                    route=route,
                    status=response.status_code,
                    ms=round(seconds * 1e3),
                    user=user_id,
                )
        return response


def route_of(request: HttpRequest, response: HttpResponse) -> str:
    """Return the route that answered, for example `c/<uuid:c>/orders/`."""
    if request.resolver_match is not None:
        return request.resolver_match.route or "/"
    if response.status_code in {200, 206, 304}:
        return FILE
    return UNKNOWN


@never_cache
@require_safe
def web_health(_request: HttpRequest) -> JsonResponse:
    """Check that this web process and the database respond, for load balancers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok", "version": settings.VERSION})


@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Check this web process, the database, the broker, and the workers of every lane.

    Responds with 503 if any of them fails. The response names what is running, but not what it does
    or how much is waiting.
    """
    from jobs.pulse import lanes_served

    served = lanes_served()
    parts = {
        "database": True,  # lanes_served has read it
        "broker": broker_answers(),
        **{f"worker for {lane} jobs": is_served for lane, is_served in served.items()},
    }
    silent = [name for name, answers in parts.items() if not answers]
    body: dict[str, Any] = {"status": "failing" if silent else "ok", "version": settings.VERSION}
    if silent:
        body["silent"] = silent
    return JsonResponse(body, status=503 if silent else 200)


def broker_answers() -> bool:
    """Return whether messages can be sent to workers.

    The result is reused for a few seconds. A check waits at most one second.
    """
    now = time.monotonic()
    with _broker_lock:
        if now >= _broker["until"]:
            _broker["answers"] = _check_broker()
            _broker["until"] = now + BROKER_CACHE_SECONDS
        return bool(_broker["answers"])


def _check_broker() -> bool:
    """Return whether the broker answers now, or its folder is usable."""
    try:
        with current_app.connection_for_write(connect_timeout=BROKER_WAIT) as connection:
            connection.ensure_connection(max_retries=1, timeout=BROKER_WAIT)
            channel: Any = connection.default_channel
            channel.queue_declare(LANES[0])
            folder = (connection.transport_options or {}).get("folder")  # only for the file broker
    except Exception as error:  # noqa: BLE001 every transport raises errors of its own kind
        log.warning("broker-silent", kind=type(error).__name__)
        return False
    return folder is None or _is_usable(Path(folder))


def _is_usable(folder: Path) -> bool:
    """Return whether a folder is writable, or could be created."""
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics for Prometheus to clients with METRICS_TOKEN; respond with 404 to others.

    The client's address is not enough: behind a proxy that adds no header, every client has the
    proxy's address.
    """
    if not has_metrics_token(request):
        raise Http404
    return HttpResponse(generate_latest(registry()), content_type=CONTENT_TYPE_LATEST)


def has_metrics_token(request: HttpRequest) -> bool:
    """Return whether the request carries the metrics token."""
    header = request.headers.get("Authorization", "")
    return secrets.compare_digest(header.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
