"""The database of a site at the last commit before release 1.0.0, as SQLite and PostgreSQL had it.

`site/sqlite.sql.gz` is the dump of a database that was played there: wars of both rulebooks, online
battles in progress (one with an order sealed) and finished ones, tables with a record and a result,
own scenarios and designs, and a site of a still older commit that had been updated to it.
`site/postgresql-tables.sql.gz` has the tables of the same commit on PostgreSQL.
`site/expected.json` is how its battles and weeks went on there.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SITE = Path(__file__).parent / "site"


def expected() -> dict[str, Any]:
    """How battles and weeks went on at the last commit before the release, by war."""
    document: dict[str, Any] = json.loads((SITE / "expected.json").read_text())
    return document


def load_sqlite(path: Path) -> None:
    """Write the database to a file."""
    connection = sqlite3.connect(path)
    connection.executescript(_text("sqlite.sql.gz"))
    connection.close()


@contextmanager
def on_postgres(url: str, path: Path) -> Iterator[str]:
    """Copy the database in a file to a new PostgreSQL database, and yield its address.

    Args:
        url: Any database of the same server.
    """
    import psycopg

    name = "site_before_release"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
    head, _, rest = url.partition("?")
    address = f"{head.rpartition('/')[0]}/{name}" + (f"?{rest}" if rest else "")
    try:
        with psycopg.connect(address) as target, sqlite3.connect(path) as source:
            target.execute(_text("postgresql-tables.sql.gz").encode())
            target.execute("SET search_path TO public")
            target.execute("SET CONSTRAINTS ALL DEFERRED")
            _copy_rows(source, target)
        yield address
    finally:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _copy_rows(source: sqlite3.Connection, target: Any) -> None:
    found = target.execute(
        "SELECT table_name, column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = 'public'"
    )
    types: dict[str, dict[str, str]] = {}
    for table, column, kind in found.fetchall():
        types.setdefault(table, {})[column] = kind
    for table, kinds in types.items():
        rows = source.execute(f'SELECT * FROM "{table}"')
        columns = [column[0] for column in rows.description]
        names = ", ".join(f'"{column}"' for column in columns)
        marks = ", ".join(_mark(kinds[column]) for column in columns)
        statement = f'INSERT INTO "{table}" ({names}) VALUES ({marks})'
        target.cursor().executemany(statement, rows.fetchall())
        if "id" in columns:
            target.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), MAX(id))"
                f' FROM "{table}" HAVING MAX(id) IS NOT NULL'
            )


def _mark(kind: str) -> str:
    return "%s::integer::boolean" if kind == "boolean" else f"%s::{kind}"


def _text(name: str) -> str:
    return gzip.decompress((SITE / name).read_bytes()).decode()
