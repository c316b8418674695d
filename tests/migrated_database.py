"""One migrated database for all tests, copied for every worker and every tested program.

Django needs two seconds of processor time to migrate a database from nothing. Each PostgreSQL
server has its own.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote, urlsplit

import psycopg
from django.core import management

from tests import shared
from tests.shared import lock_folder

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "test_template"  # a database of the PostgreSQL server of this run


def migrate_sqlite() -> Path:
    """Return an SQLite file with every table and only the migrations' rows, created once."""
    with lock_folder("migrated") as folder:
        database_file = folder / shared.MIGRATED
        if not database_file.exists():
            draft = folder / "migrated.draft"
            draft.unlink(missing_ok=True)
            _migrate(f"sqlite:///{draft}", folder)
            with sqlite3.connect(draft) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            draft.rename(database_file)
    return database_file


def migrate_postgres(url: str) -> str:
    """Return the name of a migrated database on the server of this address, created once."""
    server = hashlib.sha256(url.encode()).hexdigest()[:16]
    with lock_folder(f"{TEMPLATE}-{server}") as folder:
        note = folder / f"{TEMPLATE}-{server}.made"
        if not note.exists():
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {TEMPLATE}")
                connection.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'")
            _migrate(database_at(url, TEMPLATE), folder)
            note.touch()
    return TEMPLATE


def copy_on_postgres(url: str, name: str) -> str:
    """Return the address of a new migrated database on the server of this address."""
    template = migrate_postgres(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return database_at(url, name)


def database_at(url: str, name: str) -> str:
    """Return the address of another database on the same server."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{quote(name)}").geturl()


def address_of(settings: Mapping[str, Any], name: str) -> str:
    """Return the address of a database on the server of these settings."""
    person = quote(settings["USER"]) + (
        f":{quote(settings['PASSWORD'])}" if settings["PASSWORD"] else ""
    )
    port = f"&port={settings['PORT']}" if settings["PORT"] else ""
    return f"postgresql://{person}@/{quote(name)}?host={quote(settings['HOST'])}{port}"


def copy_instead_of_migrating() -> None:
    """Make the next test database that Django creates a copy of the migrated one."""
    from django.db import connection

    on_postgres = connection.vendor == "postgresql"
    if on_postgres:
        connection.settings_dict["TEST"]["TEMPLATE"] = migrate_postgres(
            address_of(connection.settings_dict, "postgres")
        )
    plain = management.call_command

    def call_or_copy(name: Any, *arguments: Any, **options: Any) -> Any:
        if name != "migrate":
            return plain(name, *arguments, **options)
        once.stop()
        return None if on_postgres else _copy_into(connection, migrate_sqlite())

    once = mock.patch.object(management, "call_command", call_or_copy)
    once.start()


def _copy_into(wrapper: Any, database_file: Path) -> None:
    """Fill the empty database of a connection from a file."""
    wrapper.ensure_connection()
    source = sqlite3.connect(database_file)
    try:
        source.backup(wrapper.connection)
    finally:
        source.close()


def _migrate(url: str, folder: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": url, "BLINDJUMP_VAR": str(folder / "migrating")}
    command = [sys.executable, "manage.py", "migrate", "--skip-checks", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
