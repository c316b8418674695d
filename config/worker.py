"""The embedded worker: processes that do the jobs, the first of them with the timetable's clock
beside it.

They are forked from a parent that has loaded what jobs need. Processes and not threads, for
resolving a week computes, and threads would take turns at it. Elsewhere `celery -A config worker`
and one `celery -A config beat` do the same.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial

import django
from celery.beat import EmbeddedService

from config.celery import app
from config.children import Children, end_with_pipe

# The lanes whose jobs each worker process does. The first is kept free of long jobs, so that stages
# with little to compute never wait for long. What somebody watches at a page shares no process with
# stages, so that its pace tells nothing of these.
LANES_OF = (("short",), ("short", "long"), ("interactive",))
PROCESSES = len(LANES_OF)
NICENESS = 5  # of a process that does long jobs: web pages and the other processes go first


def start(children: Children, on_start: Callable[[], None] = lambda: None) -> None:
    """Start the worker's processes as children of this one, each of which calls `begun` first."""
    load()
    for part in range(PROCESSES):
        children.start(f"worker {part + 1}", partial(_process, part, on_start))


def load() -> None:
    """Import what jobs need, once for all processes."""
    from django.db import connections

    from jobs.kinds import handlers_load

    app.loader.import_default_modules()
    handlers_load()
    connections.close_all()  # no connection to the database may be used on both sides of a fork


def work(part: int) -> int:
    """Do jobs in this process until TERM; its exit status.

    `part`: which of the processes it is, counted from 0.
    """
    lanes = LANES_OF[part]
    if "long" in lanes:
        os.nice(NICENESS)
    if part == 0:
        clock = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
        threading.Thread(target=clock.run, name="clock", daemon=True).start()
    worker = app.Worker(
        hostname=f"worker{part + 1}@localhost",
        queues=list(lanes),
        pool="solo",
        concurrency=1,
        loglevel="WARNING",
        redirect_stdouts=False,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    return int(worker.exitcode or 0)


def main(arguments: Sequence[str]) -> int:
    """Work until told to stop.

    `arguments`: the supervisor's end of the tether, where there is one.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    children = Children(report=lambda line: print(line, file=sys.stderr, flush=True))
    try:
        start(children)
        if arguments:
            end_with_pipe(int(arguments[0]))
        children.watch()
    finally:
        children.end()
    return 0


def _process(part: int, on_start: Callable[[], None]) -> int:
    on_start()
    return work(part)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
