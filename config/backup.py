"""A backup: one file with every row, that any database this site runs on can take back.

Compressed lines of JSON: a head (format, migrations), the rows model by model, an end (how many, and a hash over all
lines before it). Written from one consistent reading of the database while the site goes on; read back into an empty
database at the same state of the migrations, in one transaction, all or nothing. So it also moves a site from SQLite
to PostgreSQL. It holds every secret of every war: keep it as you keep the database.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

FORMAT = 1
# made by the migrations themselves, or worth nothing tomorrow
LEFT_OUT = frozenset(
    {"contenttypes.contenttype", "auth.permission", "auth.group", "sessions.session"}
    | {"axes.accessattempt", "axes.accesslog", "axes.accessfailurelog", "axes.accessattemptexpiration"}
)
AT_ONCE = 500  # rows in one statement
Row = dict[str, Any]


class NotRestorable(Exception):
    """The file or the database is not as it has to be; the text says why. Nothing was changed."""


def backup_write(*, path: Path) -> int:
    """Write every row to a new file, readable by its owner only; how many. Raises FileExistsError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    rows, seen = 0, hashlib.sha256()
    with os.fdopen(descriptor, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", filename="") as packed:
        with transaction.atomic():
            _read_as_of_now()
            for line in _lines():
                packed.write(line)
                seen.update(line)
                rows += 1
        packed.write(_line({"end": rows, "sha256": seen.hexdigest()}))
    return rows - 1


def backup_restore(*, path: Path) -> int:
    """Read a backup into an empty, migrated database; how many rows. Raises NotRestorable."""
    with gzip.open(path, "rb") as packed, transaction.atomic():
        lines = _checked(packed)
        head = next(lines, {})
        if head.get("format") != FORMAT:
            raise NotRestorable("it is no backup of this program")
        if head["migrations"] != _migrations():
            raise NotRestorable("it was written by another release: restore it with that one, then update")
        if taken := [model._meta.label for model in _models() if model._default_manager.exists()]:
            raise NotRestorable(f"the database is not empty: there are rows of {', '.join(taken)}")
        rows = 0
        for label, group in groupby(lines, key=lambda row: str(row["model"])):
            rows += _insert(label, group)
        _count_on()
    return rows


def _lines() -> Iterator[bytes]:
    yield _line({"format": FORMAT, "migrations": _migrations()})
    for model in _models():
        rows = model._default_manager.order_by("pk").iterator(chunk_size=AT_ONCE)
        for row in rows:
            yield serializers.serialize("jsonl", [row]).encode()


def _checked(packed: Iterable[bytes]) -> Iterator[Row]:
    """The rows up to the end, which has to agree with them. Raises NotRestorable."""
    seen, rows = hashlib.sha256(), 0
    try:
        for line in packed:
            row = json.loads(line)
            if "end" in row:
                if (row["end"], row["sha256"]) != (rows, seen.hexdigest()):
                    raise NotRestorable("it was changed since it was written")
                return
            seen.update(line)
            rows += 1
            yield row
    except (OSError, EOFError, ValueError) as error:
        raise NotRestorable("it is damaged, or no backup") from error
    raise NotRestorable("its end is missing")


def _insert(label: str, rows: Iterator[Row]) -> int:
    model = apps.get_model(label)
    if model not in _models():
        raise NotRestorable(f"it holds rows of {label}, which no backup has")
    many = 0
    while batch := list(islice(rows, AT_ONCE)):
        made = [one.object for one in serializers.deserialize("python", batch)]
        model._default_manager.bulk_create(made)
        many += len(made)
    return many


def _models() -> list[type[models.Model]]:
    """What is kept, in a fixed order."""
    kept = [model for model in apps.get_models() if model._meta.label_lower not in LEFT_OUT]
    return sorted((model for model in kept if model._meta.managed), key=lambda model: model._meta.label_lower)


def _migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _read_as_of_now() -> None:
    """One consistent reading. (On SQLite every transaction is one.)"""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _count_on() -> None:
    """Let the next ids come after those that were read."""
    statements = connection.ops.sequence_reset_sql(no_style(), _models())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _line(value: Row) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
