"""Backups: one file with every row, that any database this site runs on can take back.

Compressed lines of JSON: a head (format, release, migrations), the rows model by model, the
counters of ids, an end (how many lines, and a hash over all lines before it). Written from one
consistent reading of the database while the site goes on; read back into an empty database at the
same state of the migrations, in one transaction, all or nothing. One that an older release wrote is
read into a new database, which is brought to that release's state first. So a backup also moves a
site from SQLite to PostgreSQL. It holds every secret of every war: keep it as you keep the
database.

Every column of a row is kept as it is stored, to the microsecond. Values go in below the ORM, so
that nothing sets a time or a column of its own on the way.
"""

from __future__ import annotations

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

from config.release import release_of

FORMAT = 2
READ_ERRORS = (OSError, EOFError, ValueError, RecursionError, zlib.error)

# Sessions: a stolen backup opens nobody's session, and after a restore everybody logs in again.
# Slices of battles and printed papers are computed again, and workers show anew that they are
# there. Wrong passwords: counted for a quarter of an hour, with the addresses they came from.
EXCLUDED_MODELS = frozenset(
    {"sessions.session", "campaign.printedpaper", "campaign.battleslice", "jobs.workerpulse"}
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
)  # replaced by the backup's own; in the order of deleting
BATCH_SIZE = 500  # rows in memory at a time
COUNTED_FIELDS = ("AutoField", "BigAutoField")
Row = dict[str, Any]


def backup_write(*, path: Path) -> int:
    """Write every row to a new file, readable by its owner only; how many.

    The file has its name only when it is whole: until then it is called `<name>.part`, and it is
    taken away where writing fails. Raises FileExistsError, or another OSError where the disk takes
    no more.
    """
    if path.exists():
        raise FileExistsError(17, "there is such a file already", str(path))
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
    """Read a backup into an empty, migrated database; how many rows. Raises NotRestorable.

    `registry`: the models as they were at the database's state of the migrations.
    """
    with gzip.open(path, "rb") as packed, transaction.atomic():
        lines = _verified_lines(packed)
        head = _head(lines)
        if head.get("migrations") != _migrations():
            raise NotRestorable(
                f"{_written_by(head)}: restore it with that one and then update, or use --migrate"
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
    """Bring a new database to the state in which a backup's release left its own; the models of
    then.

    Raises NotRestorable where the database has tables, or where the backup is of a newer release.
    """
    with gzip.open(path, "rb") as packed:
        head = _head(_verified_lines(packed))
    if connection.introspection.table_names():
        raise NotRestorable("--migrate needs a new database, without any table")
    executor = MigrationExecutor(connection)
    # An older state may lie within the migrations that a later one stands for.
    executor.loader.replace_migrations = False  # type: ignore[attr-defined]
    executor.loader.build_graph()
    applied = {tuple(name.split(".", 1)) for name in head.get("migrations", ())}
    if unknown := applied - set(executor.loader.graph.nodes):
        raise NotRestorable(
            f"{_written_by(head)}, which is newer than this one ({len(unknown)} unknown migrations)"
        )
    leaves = [
        node for node in applied if not applied & {child.key for child in _children(executor, node)}
    ]
    executor.migrate(leaves)
    state: Apps = executor.loader.project_state(leaves).apps
    return state


def _children(executor: MigrationExecutor, node: tuple[str, str]) -> set[Any]:
    children: set[Any] = executor.loader.graph.node_map[node].children
    return children


def _head(lines: Iterator[Row]) -> Row:
    head = next(lines, {})
    if head.get("format") != FORMAT:
        raise NotRestorable("it is no backup of this program, or of another release")
    return head


def _written_by(head: Row) -> str:
    """By which release a backup was written; older ones did not say."""
    return (
        f"it was written by the release {head['release']}"
        if "release" in head
        else "it was written by another release"
    )


def _write_lines(descriptor: int) -> int:
    rows, lines, checksum = 0, 0, hashlib.sha256()
    with os.fdopen(descriptor, "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", filename="") as packed:
            with consistent_read():
                for line in _lines():
                    text = _text(line)
                    packed.write(text)
                    checksum.update(text)
                    rows += "model" in line
                    lines += 1
            packed.write(_text({"end": lines, "sha256": checksum.hexdigest()}))
        file.flush()
        os.fsync(file.fileno())
    return rows


def _lines() -> Iterator[Row]:
    yield {"format": FORMAT, "release": release_of(), "migrations": _migrations()}
    for model in backed_up_models():
        yield from rows_read(model)
    yield {"counters": counters_read()}


def _verified_lines(packed: gzip.GzipFile) -> Iterator[Row]:
    """The lines up to the end, which has to agree with them. Raises NotRestorable."""
    checksum, lines = hashlib.sha256(), 0
    try:
        for text in packed:
            line = json.loads(text)
            if not isinstance(line, dict):
                raise NotRestorable("it is damaged, or no backup")
            if "end" in line:
                if (line["end"], line.get("sha256")) != (
                    lines,
                    checksum.hexdigest(),
                ) or packed.read(1):
                    raise NotRestorable("it was changed since it was written")
                return
            checksum.update(text)
            lines += 1
            yield line
    except READ_ERRORS as error:
        raise NotRestorable("it is damaged, or no backup") from error
    raise NotRestorable("its end is missing")


def _migrations() -> list[str]:
    """The migrations that are applied, but for those that stand for several: not every database has
    used them.
    """
    loader = MigrationLoader(connection)
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(
        f"{app}.{name}" for app, name in applied if (app, name) not in loader.replacements
    )


def _text(line: Row) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


class NotRestorable(Exception):
    """The file or the database is not as it has to be; the text says why. Nothing was changed."""


def backed_up_models(registry: Apps = apps) -> list[type[models.Model]]:
    """The models a backup holds, in a fixed order; tables between two models are models of their
    own.
    """
    return [
        model for model in _with_tables(registry) if model._meta.label_lower not in EXCLUDED_MODELS
    ]


def rows_read(model: type[models.Model]) -> Iterator[Row]:
    """The rows of a model, by their keys: {"model": label, "row": {column: value}}."""
    fields = _columns(model)
    for row in model._base_manager.order_by("pk").iterator(chunk_size=BATCH_SIZE):
        yield {
            "model": model._meta.label_lower,
            "row": {field.attname: _value_to_json(field, row) for field in fields},
        }


def rows_insert(label: str, lines: Iterator[Row], registry: Apps = apps) -> int:
    """Store rows of one model as they were read; how many. Raises NotRestorable."""
    model = {item._meta.label_lower: item for item in backed_up_models(registry)}.get(label)
    if model is None:
        raise NotRestorable(f"it holds rows of {label}, which no backup has")
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
    """Take out what the migrations have put into the tables.

    Raises NotRestorable where there is anything else.
    """
    made_by_migrations = [registry.get_model(label) for label in MADE_BY_MIGRATIONS]
    filled = [model for model in _with_tables(registry) if model._base_manager.exists()]
    filled = [model for model in filled if model not in made_by_migrations]
    if filled:
        labels = ", ".join(model._meta.label for model in filled)
        raise NotRestorable(f"the database is not empty: there are rows of {labels}")
    for initial in made_by_migrations:
        initial._base_manager.all().delete()


def references_check() -> None:
    """Every key to another table leads somewhere. Raises NotRestorable."""
    try:
        connection.check_constraints()
    except DatabaseError as error:
        raise NotRestorable(f"its rows do not fit together: {_first_line(error)}") from error


def counters_read() -> dict[str, int]:
    """The last id that was given out, by table: ids are not given twice, not even those of rows
    that are gone.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            last = dict(cursor.fetchall())
        else:
            last = {
                table: _last_of_sequence(cursor, table, column)
                for table, column in _id_columns().items()
            }
    return {table: last[table] for table in sorted(_id_columns()) if last.get(table)}


def counters_set(last: Mapping[str, int], registry: Apps = apps) -> None:
    """Let the next ids come after those, and after the rows that are there."""
    with connection.cursor() as cursor:
        for table, column in _id_columns(registry).items():
            quoted_column = connection.ops.quote_name(column)
            quoted_table = connection.ops.quote_name(table)
            # Both names come from Django's own models.
            cursor.execute(f"SELECT MAX({quoted_column}) FROM {quoted_table}")  # noqa: S608
            row = cursor.fetchone()
            number = max(int(last.get(table, 0)), int((row and row[0]) or 0))
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


@contextmanager
def consistent_read() -> Iterator[None]:
    """One consistent reading, which holds up nobody who writes."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(
                "BEGIN DEFERRED"
            )  # Django's own transactions take the writers' lock (SQLITE_OPTIONS)
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _with_tables(registry: Apps = apps) -> list[type[models.Model]]:
    all_models = registry.get_models(include_auto_created=True)
    managed = [model for model in all_models if model._meta.managed and not model._meta.proxy]
    return sorted(managed, key=lambda model: model._meta.label_lower)


def _columns(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def _value_to_json(field: models.Field[Any, Any], row: models.Model) -> Any:
    """A value as JSON has it; times as ISO 8601 with every digit."""
    value = field.value_from_object(row)
    return (
        value
        if value is None or isinstance(value, (bool, int, float, str))
        else field.value_to_string(row)
    )


def _row_values(fields: list[models.Field[Any, Any]], line: Row) -> list[Any]:
    """The values of a row as this database takes them.

    Raises KeyError, TypeError, ValidationError.
    """
    row = line["row"]
    if set(row) != {field.attname for field in fields}:
        raise KeyError(line["model"])
    return [_of_the_database(field, row[field.attname]) for field in fields]


def _of_the_database(field: models.Field[Any, Any], value: Any) -> Any:
    return field.get_db_prep_save(None if value is None else field.to_python(value), connection)


def _id_columns(registry: Apps = apps) -> dict[str, str]:
    """The tables whose ids the database counts, with the column."""
    keys = {model._meta.db_table: model._meta.pk for model in backed_up_models(registry)}
    return {
        table: str(key.column)
        for table, key in keys.items()
        if key.get_internal_type() in COUNTED_FIELDS
    }


def _last_of_sequence(cursor: Any, table: str, column: str) -> int:
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column])
    cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")  # noqa: S608 PostgreSQL's own name
    last, is_called = cursor.fetchone()
    return int(last) if is_called else 0


def _first_line(error: DatabaseError) -> str:
    """What a database says of an error without the row it is about, which PostgreSQL tells in
    further lines.
    """
    return str(error).partition("\n")[0]
