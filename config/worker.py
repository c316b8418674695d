"""The embedded worker: threads for the jobs and the timetable's clock, in one process that ends with its supervisor.

Elsewhere `celery -A config worker` and one `celery -A config beat` do the same in many processes.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence

import django
from celery.beat import EmbeddedService

from config.celery import app
from config.tether import hold

THREADS = 2


def main(arguments: Sequence[str]) -> int:
    """Work until told to stop. `arguments`: the supervisor's end of the tether, where there is one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if arguments:
        hold(int(arguments[0]))
    clock = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
    threading.Thread(target=clock.run, name="clock", daemon=True).start()
    worker = app.Worker(
        pool="threads",
        concurrency=THREADS,
        loglevel="WARNING",
        redirect_stdouts=False,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
