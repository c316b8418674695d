"""Rows that many tests begin with, built once in a run and written again from then on.

    war = build_once("war at its first battle", build)

`build` runs in the first test that asks; its result and every row it wrote are stored under the
name, for all workers of the run. Later, with an empty database, a test gets the rows and a copy of
the result. If there are rows already, it is built normally beside them.

The result of `build` must depend on its name alone: no clock of its own, no patch by the test. Its
times are those of the run's first test; tests of clocks build their own.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import TransactionTestCase

from campaign.store.rewriting import history_rewritable
from tests.shared import build_shared

Built = TypeVar("Built")
Rows = dict[
    str, Any
]  # by table; on SQLite tuples in column order, on PostgreSQL the output of COPY

_read_rows: dict[str, tuple[bytes, Rows]] = {}  # what this process has read, by name


def build_once(name: str, build: Callable[[], Built]) -> Built:
    """Return the result of `build` and write its rows; it is built once in a run."""
    if _anything_there():
        return build()
    values: list[Built] = []

    def first() -> tuple[bytes, Rows]:
        with transaction.atomic():
            values.append(build())
        return pickle.dumps(values[0], pickle.HIGHEST_PROTOCOL), _all_rows()

    key = f"{connection.vendor}-{name}"
    if key not in _read_rows:
        _read_rows[key] = build_shared(key, first)
    if values:
        return values[0]
    pickled, rows = _read_rows[key]
    with transaction.atomic():
        _write(rows)
    again: Built = pickle.loads(pickled)
    return again


_tables: list[str] = []  # those that are empty before a test
_columns: dict[str, list[str]] = {}  # of tables on SQLite that had rows


def _own_tables() -> list[str]:
    """Return every table without rows from migrations.

    It is called first in a database with nothing else.
    """
    if not _tables:
        filled = {"django_migrations", "django_content_type", "auth_permission"}
        models = apps.get_models(include_auto_created=True)
        _tables.extend(
            sorted({model._meta.db_table for model in models if model._meta.managed} - filled)
        )
    return _tables


def delete_instead_of_flush() -> None:
    """Undo committed tests by deleting rows, and keep those of migrations.

    Django would empty every table, which takes a third of a second on PostgreSQL, and write the
    migrations' rows again.
    """

    def emptied(case: TransactionTestCase) -> None:
        if not _deletes_anything():
            flushed(case)
            return
        with history_rewritable(), connection.cursor() as cursor:
            if (
                connection.vendor == "postgresql"
            ):  # rows protected by triggers or foreign keys are deleted, too
                cursor.execute("SET LOCAL session_replication_role = replica")
            for table in _tables_with_rows():
                cursor.execute(f'DELETE FROM "{table}"')

    case: Any = TransactionTestCase
    flushed, case._fixture_teardown = case._fixture_teardown, emptied


@cache
def _deletes_anything() -> bool:
    """Return whether this database user may bypass triggers; only the tests' own PostgreSQL has
    one.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
        return bool(cursor.fetchone()[0])


def _anything_there() -> bool:
    """Return whether any row has been written."""
    return bool(_tables_with_rows())


def _tables_with_rows() -> list[str]:
    """Return the tables that have rows."""
    query = ", ".join(f'EXISTS(SELECT 1 FROM "{table}")' for table in _own_tables())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {query}")
        row = cursor.fetchone()
    return [table for table, there in zip(_own_tables(), row, strict=True) if there]


def _all_rows() -> Rows:
    """Return every row as the database itself would write it."""
    rows: Rows = {}
    with connection.cursor() as cursor:
        for table in _tables_with_rows():
            if connection.vendor == "postgresql":
                text = io.BytesIO()
                with cursor.copy(f'COPY "{table}" TO STDOUT') as copy:
                    for part in copy:
                        text.write(part)
                rows[table] = text.getvalue()
                continue
            if table not in _columns:
                cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
                _columns[table] = [column[0] for column in cursor.description]
            plain = ", ".join(
                f'+"{name}"' for name in _columns[table]
            )  # as stored, without converters of columns
            cursor.execute(f'SELECT {plain} FROM "{table}"')
            rows[table] = cursor.fetchall()
    return rows


def _write(rows: Rows) -> None:
    """Write stored rows; keys assigned from here on are new."""
    with connection.cursor() as cursor:
        for table, table_rows in rows.items():
            if connection.vendor == "postgresql":
                with cursor.copy(f'COPY "{table}" FROM STDIN') as copy:
                    copy.write(table_rows)
                continue
            marks = ", ".join("?" * len(table_rows[0]))
            connection.connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', table_rows)
        models = [
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.db_table in rows
        ]
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
