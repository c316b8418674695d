"""Takes the rows out of the old tables and puts them into the tables of release 1.0.0."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

from tools.prerelease import FIRST_RULES, renames
from tools.prerelease.convert import SCHEMA, SCHEMA_OF_THE_RELEASE, convert
from tools.prerelease.documents import DOCUMENTS, NOT_MOVED, ORDERS, REPORT, kind_of_orders

KEPT = "before_"  # old rows wait in temporary tables with this prefix
BATCH_SIZE = 200  # rows with documents in memory at a time
RULES_COLUMN = "rules_version"
Row = dict[str, Any]


class CannotMove(Exception):
    """The database cannot be moved, as the text explains. Nothing was changed."""


def set_aside_tables() -> dict[str, int]:
    """Copy all rows to temporary tables and drop the tables; return the last id of each table."""
    with connection.cursor() as cursor:
        last_ids = _last_ids(cursor)
        tables = connection.introspection.table_names(cursor)
        for table in tables:
            cursor.execute(
                f"CREATE TEMPORARY TABLE {_kept(table)} AS SELECT * FROM {_quoted(table)}"
            )
        if connection.vendor == "postgresql":
            names = ", ".join(map(_quoted, tables))
            cursor.execute(f"DROP TABLE {names} CASCADE")
        else:
            for table in tables:
                cursor.execute(f"DROP TABLE {_quoted(table)}")
    return last_ids


def put_back_rows(tables: Sequence[str]) -> int:
    """Write the rows of all old tables into the new ones; return the number of rows.

    Raises:
        CannotMove: A table or column has no counterpart, or the database refuses a row.
    """
    count = 0
    with connection.cursor() as cursor:
        for table in tables:
            if table not in NOT_MOVED:
                count += _put_back(cursor, table)
    return count


def old_rows(table: str, columns: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the rows of an old table by id, as the database gives them.

    Args:
        columns: Only these columns; all if empty.
    """
    names = ", ".join(map(_quoted, columns)) or "*"
    last = -1
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {names} FROM {_kept(table)} WHERE id > %s ORDER BY id LIMIT {BATCH_SIZE}",
                [last],
            )
            found = [column[0] for column in cursor.description]
            rows = [dict(zip(found, values, strict=True)) for values in cursor.fetchall()]
        if not rows:
            return
        yield from rows
        last = rows[-1]["id"]


def drop_kept_tables(tables: Sequence[str]) -> None:
    """Drop the temporary tables."""
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"DROP TABLE {_kept(table)}")


def from_json(value: Any) -> Any:
    """Return a document as a database gives it without Django's fields."""
    return json.loads(value) if isinstance(value, (str, bytes)) else value


def new_name(table: str) -> str:
    """Return the new name of an old table."""
    return renames.TABLES.get(table, table)


def _put_back(cursor: Any, table: str) -> int:
    columns = _columns_of(cursor, table)
    changes_values = table in DOCUMENTS or table in renames.COLUMN_VALUES
    if not changes_values and SCHEMA not in columns and RULES_COLUMN not in columns:
        return _copy(cursor, table, columns)
    if table in DOCUMENTS:
        cursor.execute(f"CREATE INDEX {KEPT}{table}_id ON {_kept(table)} (id)")
    added = renames.ADDED_COLUMNS.get(table, {})
    names = ", ".join(map(_quoted, (*columns.values(), *added)))
    marks = ", ".join(["%s"] * (len(columns) + len(added)))
    statement = f"INSERT INTO {_quoted(new_name(table))} ({names}) VALUES ({marks})"
    convert_row = _row_converter(table)
    count = 0
    batch: list[list[Any]] = []
    for row in old_rows(table):
        new_row = convert_row(row)
        batch.append([*(new_row[column] for column in columns), *added.values()])
        if len(batch) == BATCH_SIZE:
            cursor.executemany(statement, batch)
            count += len(batch)
            batch = []
    if batch:
        cursor.executemany(statement, batch)
    return count + len(batch)


def _copy(cursor: Any, table: str, columns: Mapping[str, str]) -> int:
    added = renames.ADDED_COLUMNS.get(table, {})
    names = ", ".join(map(_quoted, (*columns.values(), *added)))
    values = ", ".join([*map(_quoted, columns), *["%s"] * len(added)])
    cursor.execute(
        f"INSERT INTO {_quoted(new_name(table))} ({names}) SELECT {values} FROM {_kept(table)}",
        list(added.values()),
    )
    return int(cursor.rowcount)


def _columns_of(cursor: Any, table: str) -> dict[str, str]:
    """Return the new column of each old column that goes on.

    Raises:
        CannotMove: The columns do not match those of the new table.
    """
    cursor.execute(f"SELECT * FROM {_kept(table)} WHERE 1 = 0")
    old = [column[0] for column in cursor.description]
    described = connection.introspection.get_table_description(cursor, new_name(table))
    new = {column.name for column in described}
    names = renames.COLUMNS.get(table, {})
    dropped = renames.DROPPED_COLUMNS.get(table, ())
    columns = {column: names.get(column, column) for column in old if column not in dropped}
    given = {*columns.values(), *renames.ADDED_COLUMNS.get(table, {})}
    if given != new:
        without = ", ".join(sorted(given ^ new))
        raise CannotMove(f"columns of {table} without a counterpart: {without}")
    return columns


def _row_converter(table: str) -> Callable[[Row], Row]:
    """Return a function that converts a row of an old table; the columns keep their old names."""
    kinds = DOCUMENTS.get(table, {})
    column_values = renames.COLUMN_VALUES.get(table, {})
    stages = _stages() if ORDERS in kinds.values() else {}

    def document_kind(kind: str, row: Row) -> str:
        if kind == REPORT:
            return f"{REPORT}{row['kind']}"
        return kind_of_orders(*stages[row["stage_id"]]) if kind == ORDERS else kind

    def convert_row(row: Row) -> Row:
        new_row = dict(row)
        for column, kind in kinds.items():
            document = from_json(row[column])
            if document is not None:
                version = row.get(SCHEMA, SCHEMA_OF_THE_RELEASE)
                document = convert(document_kind(kind, row), document, version)
                new_row[column] = json.dumps(document)
        for column, values in column_values.items():
            new_row[column] = values.get(row[column], row[column])
        if table == "jobs_job":
            _, _, work = row["dedupe_key"].partition("/")
            new_row["dedupe_key"] = f"{new_row['kind']}/{work}"
        if SCHEMA in row:
            new_row[SCHEMA] = SCHEMA_OF_THE_RELEASE
        if RULES_COLUMN in row:
            new_row[RULES_COLUMN] = FIRST_RULES
        return new_row

    return convert_row


def _stages() -> dict[int, tuple[str, object]]:
    """Return kind and battle of each stage, by id."""
    rows = old_rows("campaign_stage", ("id", "kind", "battle_id"))
    return {row["id"]: (row["kind"], row["battle_id"]) for row in rows}


def _last_ids(cursor: Any) -> dict[str, int]:
    """Return the last id used in each old table, so that ids of deleted rows are not used again."""
    if connection.vendor == "sqlite":
        cursor.execute("SELECT name, seq FROM sqlite_sequence")
        return dict(cursor.fetchall())
    cursor.execute(
        "SELECT sequencename, last_value FROM pg_sequences"
        " WHERE schemaname = current_schema() AND last_value IS NOT NULL"
    )
    ending = "_id_seq"
    rows = cursor.fetchall()
    return {name.removesuffix(ending): last for name, last in rows if name.endswith(ending)}


def _kept(table: str) -> str:
    return _quoted(KEPT + table)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
