"""One migrated database for a whole test run: made once, then copied for every worker and every program under test.

Django migrates a database from nothing in seven seconds of processor time; a run with two workers did so five times.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core import management

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "test_template"  # a database of the PostgreSQL that the run has for itself


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder of this run, the same in every worker."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def migrated_sqlite(folder: Path) -> Path:
    """An SQLite file with every table and no row but those of the migrations, made by whoever asks first."""
    made = folder / "migrated.sqlite3"
    with _first(folder):
        if not made.exists():
            draft = folder / "migrated.draft"
            draft.unlink(missing_ok=True)
            _migrate(f"sqlite:///{draft}", folder)
            with sqlite3.connect(draft) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            draft.rename(made)
    return made


def migrated_postgres(folder: Path, wrapper: Any) -> str:
    """The name of a migrated database on the server of a connection, made by whoever asks first."""
    given = wrapper.settings_dict
    note = folder / f"{TEMPLATE}.made"
    with _first(folder):
        if not note.exists():
            with wrapper._nodb_cursor() as cursor:
                cursor.execute(f"DROP DATABASE IF EXISTS {TEMPLATE}")
                cursor.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'")
            person = given["USER"] + (f":{given['PASSWORD']}" if given["PASSWORD"] else "")
            port = f"&port={given['PORT']}" if given["PORT"] else ""
            _migrate(f"postgresql://{person}@/{TEMPLATE}?host={given['HOST']}{port}", folder)
            note.touch()
    return TEMPLATE


def copied_instead_of_migrated(folder: Path) -> None:
    """From now on, the next test database that Django makes is a copy of the migrated one."""
    from django.db import connection

    on_postgres = connection.vendor == "postgresql"
    if on_postgres:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_postgres(folder, connection)
    plain = management.call_command

    def called(name: Any, *arguments: Any, **options: Any) -> Any:
        if name != "migrate":
            return plain(name, *arguments, **options)
        once.stop()
        return None if on_postgres else _copy_into(connection, migrated_sqlite(folder))

    once = mock.patch.object(management, "call_command", called)
    once.start()


def _copy_into(wrapper: Any, made: Path) -> None:
    """Fill the empty database of a connection with what is in a file."""
    wrapper.ensure_connection()
    source = sqlite3.connect(made)
    try:
        source.backup(wrapper.connection)
    finally:
        source.close()


def _migrate(url: str, folder: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": url, "BLINDJUMP_VAR": str(folder / "migrating")}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


@contextmanager
def _first(folder: Path) -> Iterator[None]:
    """One worker at a time."""
    with (folder / "migrating.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        yield
