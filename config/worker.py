"""The embedded worker: processes that run jobs, the first of them with the Celery beat clock.

The processes are forked from a parent that has already loaded what jobs need. They are processes
and not threads because resolving a week is CPU-bound, and threads would block each other. On other
setups `celery -A config worker` and one `celery -A config beat` do the same.
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

# The lanes that each worker process serves. The first process takes no long jobs, so that stages
# with little to compute never wait long. Interactive jobs share no process with stages, so their
# speed reveals nothing about stages.
LANES_OF = (("short",), ("short", "long"), ("interactive",))
PROCESSES = len(LANES_OF)
NICENESS = 5  # of the process for long jobs: web pages and other processes go first


def start(children: Children, on_start: Callable[[], None] = lambda: None) -> None:
    """Start the worker processes as children of this one; each calls `on_start` first."""
    load()
    for part in range(PROCESSES):
        children.start(f"worker {part + 1}", partial(_process, part, on_start))


def load() -> None:
    """Import what jobs need, once for all processes."""
    from django.db import connections

    from jobs.kinds import handlers_load

    app.loader.import_default_modules()
    handlers_load()
    connections.close_all()  # a database connection must not be used on both sides of a fork


def work(part: int) -> int:
    """Run jobs in this process until it receives TERM.

    Args:
        part: Index of the process, counted from 0.

    Returns:
        The exit status.
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
    """Run the worker until it is stopped.

    Args:
        arguments: File descriptor of the supervisor's pipe, if there is one (`end_with_pipe`).
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
