"""The start of bin/play: migrate the database, then play.

Both happen in one process so that later starts are quick.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import django

INTERRUPTED_AGAIN_AFTER = 0.01  # seconds, when the callback is over


def main(arguments: Sequence[str]) -> int:
    """Apply missing migrations, then run `manage.py play` with these arguments; return the exit
    status.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.unraisablehook = repeat_ignored_interrupt
    django.setup()
    from django.conf import settings
    from django.core.management import execute_from_command_line

    try:
        with one_at_a_time(Path(settings.VAR_DIR) / "migrate.lock"):
            migrate()
        execute_from_command_line(["manage.py", "play", *arguments])
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return 0


def repeat_ignored_interrupt(unraisable: sys.UnraisableHookArgs) -> None:
    """Interrupt the main thread again if Python has ignored an interrupt.

    It does so, with a traceback, in `__del__` and in callbacks of weak references.
    """
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        main_thread = threading.main_thread().ident
        again = (main_thread, signal.SIGINT)
        threading.Timer(INTERRUPTED_AGAIN_AFTER, signal.pthread_kill, again).start()
    else:
        sys.__unraisablehook__(unraisable)


def migrate() -> None:
    """Apply missing migrations silently.

    Raises:
        OperationalError: The tables are of another release.
    """
    from django.core.management import call_command
    from django.db import OperationalError, connection
    from django.db.migrations.executor import MigrationExecutor

    from config.commands import OTHER_RELEASE, is_of_another_release

    executor = MigrationExecutor(connection)
    if is_of_another_release(executor):
        raise OperationalError(OTHER_RELEASE)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a file lock while the block runs, so that two first starts do not create the same
    tables.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
