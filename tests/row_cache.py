"""What many tests begin with, built once a run: its rows are kept, and written again instead of
being built again.

    war = kept("war at its first battle", build)

`build` runs in the first test of the run that asks; what it returned and every row it wrote are
kept under the name, for all workers of the run. Whoever asks next, with a database in which nothing
is yet, gets the rows and a copy of what was returned. With other rows there already it is built as
it is without this, beside them.

What `build` does must depend on its name alone: no clock of its own, no patch of the test that
asks. Its instants are those of the run's first test; tests of clocks build for themselves.
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

from tests.shared import build_shared

Built = TypeVar("Built")
Rows = dict[
    str, Any
]  # by table; on SQLite tuples in the order of its columns, on PostgreSQL what COPY wrote

_read_rows: dict[str, tuple[bytes, Rows]] = {}  # what this process has read, by name


def build_once(name: str, build: Callable[[], Built]) -> Built:
    """What `build` gives and writes, built once a run."""
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
    """Every table in which migrations wrote nothing.

    Asked for the first time, in a database that has nothing more.
    """
    if not _tables:
        filled = {"django_migrations", "django_content_type", "auth_permission"}
        models = apps.get_models(include_auto_created=True)
        _tables.extend(
            sorted({model._meta.db_table for model in models if model._meta.managed} - filled)
        )
    return _tables


def delete_instead_of_flush() -> None:
    """From now on, what a test has committed is taken back by deleting it: what migrations wrote is
    left.

    Django empties every table there is, a third of a second on PostgreSQL, and writes the
    migrations' rows anew.
    """

    def emptied(case: TransactionTestCase) -> None:
        if not _deletes_anything():
            flushed(case)
            return
        with transaction.atomic(), connection.cursor() as cursor:
            if (
                connection.vendor == "postgresql"
            ):  # rows that triggers keep, or foreign keys, go as well
                cursor.execute("SET LOCAL session_replication_role = replica")
            for table in _tables_with_rows():
                cursor.execute(f'DELETE FROM "{table}"')

    case: Any = TransactionTestCase
    flushed, case._fixture_teardown = case._fixture_teardown, emptied


@cache
def _deletes_anything() -> bool:
    """Whether this user of the database may go past triggers; the tests' own PostgreSQL has only
    one such.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
        return bool(cursor.fetchone()[0])


def _anything_there() -> bool:
    """Whether any row has been written."""
    return bool(_tables_with_rows())


def _tables_with_rows() -> list[str]:
    """The tables in which there is any row."""
    query = ", ".join(f'EXISTS(SELECT 1 FROM "{table}")' for table in _own_tables())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {query}")
        row = cursor.fetchone()
    return [table for table, there in zip(_own_tables(), row, strict=True) if there]


def _all_rows() -> Rows:
    """Every row there is, as the database itself would write it down."""
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
                description = connection.introspection.get_table_description(cursor, table)
                _columns[table] = [column.name for column in description]
            plain = ", ".join(
                f'+"{name}"' for name in _columns[table]
            )  # as it is stored: no column's converter
            cursor.execute(f'SELECT {plain} FROM "{table}"')
            rows[table] = cursor.fetchall()
    return rows


def _write(rows: Rows) -> None:
    """Write kept rows; keys that are given out from here on are new."""
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
