"""Run `manage.py` commands, and name the missing setup step if one fails because of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

OTHER_RELEASE = (
    "the tables of this database are of a later release, or of a commit from before 1.0.0: "
    "see docs/operating/upgrading.md"
)


def is_of_another_release(executor: MigrationExecutor) -> bool:
    """Return whether migrations are applied that this release does not have."""
    applied = {name for app, name in executor.loader.applied_migrations if app == "campaign"}
    known = {name for app, name in executor.loader.disk_migrations if app == "campaign"}
    return bool(applied - known)


def run(arguments: Sequence[str]) -> None:
    """Run a `manage.py` command.

    Exits with status 1 and a message if the database is not ready for it.
    """
    try:
        execute_from_command_line(list(arguments))
    except DatabaseError as error:
        words = missing_step(error)
        if not words:
            raise
        sys.exit(f"manage.py: {words}")


def missing_step(error: DatabaseError) -> str:
    """Return the setup step whose absence explains this error, or an empty string."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except OperationalError:
        return f"the database cannot be used ({error}): check DATABASE_URL"
    if not missing:
        return ""
    if is_of_another_release(executor):
        return OTHER_RELEASE
    return "the tables of this database are missing or out of date: run `manage.py migrate` first"
