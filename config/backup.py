"""Backups: one file with every row, which any database supported by this site can restore.

A backup is gzipped JSON lines: a head (format, release, migrations), the rows model by model, the
id counters, and an end line (number of lines, and a hash of all lines before it). It is written
from one consistent read while the site keeps running. It is restored into an empty database at the
same state of the migrations, in one transaction. A backup of an older release is restored into a
new database that is first migrated to that release's state. Backups also move a site from SQLite to
PostgreSQL. A backup contains every secret of every war: protect it like the database.

Every column is stored as it is in the database, to the microsecond. Values are inserted below the
ORM, so that no automatic timestamp or column changes them.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from campaign.store.signatures import site_key
from config.release import release_of

FORMAT = 1
READ_ERRORS = (OSError, EOFError, ValueError, RecursionError, zlib.error)
DAMAGED = "it is damaged, or not a backup"

# Sessions are left out so that a stolen backup opens no session; after a restore everyone logs in
# again. Battle slices and printed documents are computed again, and workers write new heartbeats.
# Wrong passwords count only for a quarter of an hour, and their rows hold network addresses.
EXCLUDED_MODELS = frozenset(
    {"sessions.session", "campaign.printeddocument", "campaign.battleslice", "jobs.workerpulse"}
    | {
        "axes.accessattempt",
        "axes.accesslog",
        "axes.accessfailurelog",
        "axes.accessattemptexpiration",
    }
)
MADE_BY_MIGRATIONS = (
    "auth.permission",
    "contenttypes.contenttype",
)  # replaced by the backup's rows, in the order of deletion
BATCH_SIZE = 500  # rows in memory at a time
COUNTED_FIELDS = ("AutoField", "BigAutoField")
Row = dict[str, Any]


def backup_write(*, path: Path) -> int:
    """Write every row to a new file that only its owner can read; return the number of rows.

    The file is called `<name>.part` until it is complete, and is deleted if writing fails.

    Raises:
        FileExistsError: The file exists already.
        OSError: The file cannot be written, for example because the disk is full.
    """
    if path.exists():
        raise FileExistsError(errno.EEXIST, "the file exists already", str(path))
    part = path.with_name(path.name + ".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        rows = _write_lines(descriptor)
        part.replace(path)
    except BaseException:
        part.unlink()
        raise
    return rows


def backup_restore(*, path: Path, registry: Apps = apps) -> int:
    """Restore a backup into an empty, migrated database; return the number of rows.

    Args:
        registry: The models at the database's state of the migrations.

    Raises:
        NotRestorable: The file or the database is not suitable.
    """
    with gzip.open(path, "rb") as packed, transaction.atomic():
        lines = _verified_lines(packed)
        head = _head(lines)
        if head.get("migrations") != _migrations():
            raise NotRestorable(
                f"{_written_by(head)}: restore it with that release and then update, "
                "or use --migrate"
            )
        empty_database(registry)
        rows, counters = 0, {}
        for label, group in groupby(lines, key=lambda line: str(line.get("model", ""))):
            if label:
                rows += rows_insert(label, group, registry)
            else:
                counters = next(group).get("counters", {})
        references_check()
        counters_set(counters, registry)
    ContentType.objects.clear_cache()
    return rows


def prepare_database(*, path: Path) -> Apps:
    """Migrate a new database to the state of the backup's release; return the models of that state.

    Raises:
        NotRestorable: The database has tables, or the backup is of a newer release.
    """
    with gzip.open(path, "rb") as packed:
        head = _head(_verified_lines(packed))
    if connection.introspection.table_names():
        raise NotRestorable("--migrate needs a new database, without any table")
    executor = MigrationExecutor(connection)
    applied = {tuple(name.split(".", 1)) for name in head.get("migrations", ())}
    if unknown := applied - set(executor.loader.disk_migrations):
        raise NotRestorable(
            f"{_written_by(head)}, which is newer than this one ({len(unknown)} unknown migrations)"
        )
    applied = _nodes_of(executor.loader, applied)
    leaves = []
    for node in applied:
        if not applied & {child.key for child in _children(executor, node)}:
            leaves.append(node)
    executor.migrate(leaves)
    state: Apps = executor.loader.project_state(leaves).apps
    return state


def _nodes_of(loader: MigrationLoader, applied: set[Any]) -> set[Any]:
    """Return the nodes of a graph that leads to the state of these migrations.

    A squashed migration takes the place of those that it replaces. If only some of these are in
    the state, the graph is built again without squashed migrations.
    """
    nodes = set(applied)
    for squashed, migration in loader.replacements.items():
        replaced = set(migration.replaces)
        if replaced <= nodes:
            nodes = {squashed, *nodes - replaced}
        elif replaced & nodes:
            loader.replace_migrations = False  # type: ignore[attr-defined]
            loader.build_graph()
            return applied
    return nodes


def _children(executor: MigrationExecutor, node: tuple[str, str]) -> set[Any]:
    """Return the nodes of the migrations that build on a migration."""
    children: set[Any] = executor.loader.graph.node_map[node].children
    return children


def _head(lines: Iterator[Row]) -> Row:
    """Return the first line of a backup.

    Raises:
        NotRestorable: It is not the head of a backup in this format.
    """
    head = next(lines, {})
    if head.get("format") != FORMAT:
        raise NotRestorable("it is not a backup of this program, or is in an unknown format")
    return head


def signer_of(path: Path) -> str:
    """Return the public key of the site that wrote a backup; empty for a backup of release 1.0.

    Raises:
        NotRestorable: It is not a backup.
    """
    with gzip.open(path, "rb") as packed:
        return str(_head(_verified_lines(packed)).get("vkey", ""))


def _written_by(head: Row) -> str:
    """Describe the release that wrote a backup."""
    if "release" in head:
        return f"it was written by the release {head['release']}"
    return "it was written by another release"


def _write_lines(descriptor: int) -> int:
    """Write a backup to an open file and wait until it is on the disk; return the rows written."""
    rows, lines, checksum = 0, 0, hashlib.sha256()
    with os.fdopen(descriptor, "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", filename="") as packed:
            with consistent_read():
                for line in _lines():
                    text = _text(line)
                    packed.write(text)
                    checksum.update(text)
                    lines += 1
                    if "model" in line:
                        rows += 1
            packed.write(_text({"end": lines, "sha256": checksum.hexdigest()}))
        file.flush()
        os.fsync(file.fileno())
    return rows


def _lines() -> Iterator[Row]:
    """Yield the lines of a new backup, without the end line."""
    yield {
        "format": FORMAT,
        "release": release_of(),
        "migrations": _migrations(),
        "vkey": site_key().verifier,
    }
    for model in backed_up_models():
        yield from rows_read(model)
    yield {"counters": counters_read()}


def _verified_lines(packed: gzip.GzipFile) -> Iterator[Row]:
    """Yield the lines up to the end line, and check them against it.

    Raises:
        NotRestorable: The file is damaged, changed or incomplete.
    """
    checksum, lines = hashlib.sha256(), 0
    try:
        for text in packed:
            line = json.loads(text)
            if not isinstance(line, dict):
                raise NotRestorable(DAMAGED)
            if "end" in line:
                expected = (lines, checksum.hexdigest())
                if (line["end"], line.get("sha256")) != expected or packed.read(1):
                    raise NotRestorable("it was changed since it was written")
                return
            checksum.update(text)
            lines += 1
            yield line
    except READ_ERRORS as error:
        raise NotRestorable(DAMAGED) from error
    raise NotRestorable("its end is missing")


def _migrations() -> list[str]:
    """Return the applied migrations without squashed ones, which not every database has used."""
    loader = MigrationLoader(connection)
    applied = MigrationRecorder(connection).applied_migrations()
    migrations: list[str] = []
    for app, name in applied:
        if (app, name) not in loader.replacements:
            migrations.append(f"{app}.{name}")
    return sorted(migrations)


def _text(line: Row) -> bytes:
    """Return a line of the file."""
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


class NotRestorable(Exception):
    """The file or the database is not suitable, as the text explains. Nothing was changed."""


def backed_up_models(registry: Apps = apps) -> list[type[models.Model]]:
    """Return the models in a backup, in a fixed order, including those of many-to-many tables."""
    result: list[type[models.Model]] = []
    for model in _models_with_tables(registry):
        if model._meta.label_lower not in EXCLUDED_MODELS:
            result.append(model)
    return result


def rows_read(model: type[models.Model]) -> Iterator[Row]:
    """Yield the rows of a model by primary key: {"model": label, "row": {column: value}}."""
    fields = _columns(model)
    for row in model._base_manager.order_by("pk").iterator(chunk_size=BATCH_SIZE):
        yield {
            "model": model._meta.label_lower,
            "row": {field.attname: _value_to_json(field, row) for field in fields},
        }


def rows_insert(label: str, lines: Iterator[Row], registry: Apps = apps) -> int:
    """Insert rows of one model from a backup; return their number.

    Raises:
        NotRestorable: The model or its columns are unknown, or the database refuses a row.
    """
    model = {item._meta.label_lower: item for item in backed_up_models(registry)}.get(label)
    if model is None:
        raise NotRestorable(f"it contains rows of {label}, which are never backed up")
    fields = _columns(model)
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    table = connection.ops.quote_name(model._meta.db_table)
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 names of our own models
    count = 0
    try:
        with connection.cursor() as cursor:
            while batch := [_row_values(fields, line) for line in islice(lines, BATCH_SIZE)]:
                cursor.executemany(statement, batch)
                count += len(batch)
    except (KeyError, TypeError, ValidationError) as error:
        raise NotRestorable(
            f"a row of {label} does not have the columns of this release"
        ) from error
    except DatabaseError as error:
        raise NotRestorable(
            f"the database refuses a row of {label}: {_first_line(error)}"
        ) from error
    return count


def empty_database(registry: Apps = apps) -> None:
    """Delete the rows that migrations have created.

    Raises:
        NotRestorable: The database has other rows.
    """
    made_by_migrations = [registry.get_model(label) for label in MADE_BY_MIGRATIONS]
    filled = []
    for model in _models_with_tables(registry):
        if model not in made_by_migrations and model._base_manager.exists():
            filled.append(model._meta.label)
    if filled:
        raise NotRestorable(f"the database is not empty: there are rows of {', '.join(filled)}")
    for initial in made_by_migrations:
        initial._base_manager.all().delete()


def references_check() -> None:
    """Check that every foreign key refers to an existing row.

    Raises:
        NotRestorable: A foreign key refers to a missing row.
    """
    try:
        connection.check_constraints()
    except DatabaseError as error:
        raise NotRestorable(f"a row refers to a missing row: {_first_line(error)}") from error


def counters_read() -> dict[str, int]:
    """Return the last id used in each table, so that no id is used twice, even of deleted rows."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            last = dict(cursor.fetchall())
        else:
            last = {}
            for table, column in _id_columns().items():
                last[table] = _last_sequence_value(cursor, table, column)
    return {table: last[table] for table in sorted(_id_columns()) if last.get(table)}


def counters_set(last: Mapping[str, int], registry: Apps = apps) -> None:
    """Set the id counters past these ids and past the existing rows."""
    with connection.cursor() as cursor:
        for table, column in _id_columns(registry).items():
            number = max(int(last.get(table, 0)), _highest_id(cursor, table, column))
            if not number:
                continue
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number]
                )
            else:
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
                    [f'"{table}"', column, number],
                )


def _highest_id(cursor: Any, table: str, column: str) -> int:
    """Return the highest id in a table; 0 if it is empty."""
    quoted_column = connection.ops.quote_name(column)
    quoted_table = connection.ops.quote_name(table)
    # Both names come from Django's models, so the query is safe.
    cursor.execute(f"SELECT MAX({quoted_column}) FROM {quoted_table}")  # noqa: S608
    return int(cursor.fetchone()[0] or 0)


@contextmanager
def consistent_read() -> Iterator[None]:
    """Read from one snapshot of the database while the block runs, without blocking writers."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # Django's own transactions would take the write lock (SQLITE_OPTIONS).
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _models_with_tables(registry: Apps = apps) -> list[type[models.Model]]:
    """Return the models that have a table which Django manages, in a fixed order."""
    all_models = registry.get_models(include_auto_created=True)
    managed = [model for model in all_models if model._meta.managed and not model._meta.proxy]
    return sorted(managed, key=lambda model: model._meta.label_lower)


def _columns(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """Return the fields of a model that have a stored column; generated columns are left out."""
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def _value_to_json(field: models.Field[Any, Any], row: models.Model) -> Any:
    """Return a value for JSON; times become ISO 8601 with all digits."""
    value = field.value_from_object(row)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return field.value_to_string(row)


def _row_values(fields: list[models.Field[Any, Any]], line: Row) -> list[Any]:
    """Return the values of a row in the form that this database takes.

    Raises:
        KeyError, TypeError, ValidationError: The row does not match the columns.
    """
    row = line["row"]
    if set(row) != {field.attname for field in fields}:
        raise KeyError(line["model"])
    return [_to_database_value(field, row[field.attname]) for field in fields]


def _to_database_value(field: models.Field[Any, Any], value: Any) -> Any:
    """Return a value from JSON in the form that this database takes."""
    python_value = None if value is None else field.to_python(value)
    return field.get_db_prep_save(python_value, connection)


def _id_columns(registry: Apps = apps) -> dict[str, str]:
    """Return the tables with automatic ids, and the column of each."""
    keys = {}
    for model in backed_up_models(registry):
        keys[model._meta.db_table] = model._meta.pk
    result: dict[str, str] = {}
    for table, key in keys.items():
        if key.get_internal_type() in COUNTED_FIELDS:
            result[table] = str(key.column)
    return result


def _last_sequence_value(cursor: Any, table: str, column: str) -> int:
    """Return the last id that PostgreSQL's sequence of a column has given; 0 if none."""
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column])
    cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")  # noqa: S608 PostgreSQL's own name
    last, is_called = cursor.fetchone()
    if is_called:
        return int(last)
    return 0


def _first_line(error: DatabaseError) -> str:
    """Return the first line of a database error: PostgreSQL quotes the row in later lines."""
    return str(error).partition("\n")[0]
