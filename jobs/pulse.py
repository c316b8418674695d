"""Heartbeats of worker processes: each updates a row every few seconds, whatever it is working on.

The rows show that a worker is running, but not what it does or how much is waiting, so anyone may
see whether there is one. Times are written and compared by the database's clock, which all machines
share.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.db import connection
from django.db.models.functions import Now

from jobs.models import LANES, WorkerPulse

PULSE_SECONDS = 5.0  # between two heartbeats
SILENT_AFTER = timedelta(seconds=30)  # a worker silent for longer does not count
RETENTION = timedelta(days=1)  # rows of stopped workers are kept this long
log = structlog.get_logger(__name__)


def pulse_begin(lanes: Sequence[str]) -> None:
    """Start a thread that shows that this process serves these lanes."""
    name = f"{socket.gethostname()[:60]}/{os.getpid()}"
    threading.Thread(target=_beat, args=(name, lanes), name="pulse", daemon=True).start()


def pulse_write(name: str, lanes: Sequence[str]) -> None:
    """Write one heartbeat."""
    WorkerPulse.objects.update_or_create(
        name=name, defaults={"lanes": " ".join(lanes), "seen_at": Now()}
    )


def lanes_served() -> dict[str, bool]:
    """Return for each lane whether a worker has recently shown that it serves it."""
    result = dict.fromkeys(LANES, False)
    for lanes, seen_at, now in WorkerPulse.objects.annotate(now=Now()).values_list(
        "lanes", "seen_at", "now"
    ):
        if abs(now - seen_at) < SILENT_AFTER:
            result.update(dict.fromkeys(lanes.split(), True))
    return result


def pulses_forget() -> int:
    """Delete the rows of workers that stopped long ago; return their number."""
    rows = WorkerPulse.objects.annotate(now=Now()).values_list("pk", "seen_at", "now")
    stale = [row for row, seen_at, now in rows if abs(now - seen_at) > RETENTION]
    return WorkerPulse.objects.filter(pk__in=stale).delete()[0]


def _beat(name: str, lanes: Sequence[str]) -> None:
    """Write heartbeats for ever; one that fails is only logged."""
    while True:
        try:
            pulse_write(name, lanes)
        except Exception as error:  # noqa: BLE001 the database may be away: try again next time
            log.warning("pulse-failed", kind=type(error).__name__)
        finally:
            connection.close()
        time.sleep(PULSE_SECONDS)
