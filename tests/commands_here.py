"""Commands of `manage.py` in the test's own process, for another database.

A process of its own takes two seconds of processor time to start. Tests of how a command ends, of
its settings or of signals start one.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

from django.contrib.contenttypes.models import ContentType
from django.core.management import get_commands, load_command_class
from django.db import connections
from django.db.utils import load_backend
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from campaign.store.prepared import PLANS
from config import commands
from config.environment import database_from

ALIAS = "default"


def manage_here(
    *arguments: str, url: str, var: Path, blocker: DjangoDbBlocker
) -> CompletedProcess[str]:
    """Run a command as `manage.py` does, and return its status and what it printed."""
    out, errors = io.StringIO(), io.StringIO()
    status = 0
    with (
        blocker.unblock(),
        use_database(url, var),
        mock.patch.object(commands, "execute_from_command_line", _execute),
        redirect_stdout(out),
        redirect_stderr(errors),
    ):
        try:
            commands.run(["manage.py", *arguments])
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
    return CompletedProcess(arguments, status, out.getvalue(), errors.getvalue())


@contextmanager
def use_database(url: str, var: Path) -> Iterator[None]:
    """Let the site use another database and folder."""
    own = connections[ALIAS]
    settings = connections.configure_settings({ALIAS: database_from(url, var)})[ALIAS]
    other = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, ALIAS)
    plans = dict(PLANS)
    connections[ALIAS] = other
    PLANS.clear()  # they are for the other kind of database
    ContentType.objects.clear_cache()
    try:
        with override_settings(VAR_DIR=var):
            yield
    finally:
        other.close()
        connections[ALIAS] = own
        ContentType.objects.clear_cache()
        PLANS.clear()
        PLANS.update(plans)


def _execute(arguments: Sequence[str]) -> None:
    """Run a command without setting up Django again, which would change the tests' logs."""
    name = arguments[1]
    command = load_command_class(get_commands()[name], name)
    command.run_from_argv(list(arguments))
