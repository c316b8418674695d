"""Backups: one file with every row, that any database this site runs on can take back.

Compressed lines of JSON: a head (format, migrations), the rows model by model, the counters of ids, an end (how many
lines, and a hash over all lines before it). Written from one consistent reading of the database while the site goes on;
read back into an empty database at the same state of the migrations, in one transaction, all or nothing. So it also
moves a site from SQLite to PostgreSQL. It holds every secret of every war: keep it as you keep the database.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from config.backup_rows import (
    NotRestorable,
    Row,
    counters_read,
    counters_set,
    database_emptied,
    models_kept,
    one_reading,
    references_check,
    rows_insert,
    rows_read,
)

FORMAT = 2
UNREADABLE = (OSError, EOFError, ValueError, RecursionError, zlib.error)


def backup_write(*, path: Path) -> int:
    """Write every row to a new file, readable by its owner only; how many.

    The file has its name only when it is whole: until then it is called `<name>.part`, and it is taken away where
    writing fails. Raises FileExistsError, or another OSError where the disk takes no more.
    """
    if path.exists():
        raise FileExistsError(17, "there is such a file already", str(path))
    part = path.with_name(path.name + ".part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        rows = _written(descriptor)
        part.replace(path)
    except BaseException:
        part.unlink()
        raise
    return rows


def backup_restore(*, path: Path) -> int:
    """Read a backup into an empty, migrated database; how many rows. Raises NotRestorable."""
    with gzip.open(path, "rb") as packed, transaction.atomic():
        lines = _checked(packed)
        head = next(lines, {})
        if head.get("format") != FORMAT:
            raise NotRestorable("it is no backup of this program, or of another release")
        if head.get("migrations") != _migrations():
            raise NotRestorable("it was written by another release: restore it with that one, then update")
        database_emptied()
        rows, counters = 0, {}
        for label, group in groupby(lines, key=lambda line: str(line.get("model", ""))):
            if label:
                rows += rows_insert(label, group)
            else:
                counters = next(group).get("counters", {})
        references_check()
        counters_set(counters)
    ContentType.objects.clear_cache()
    return rows


def _written(descriptor: int) -> int:
    rows, lines, seen = 0, 0, hashlib.sha256()
    with os.fdopen(descriptor, "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", filename="") as packed:
            with one_reading():
                for line in _lines():
                    text = _text(line)
                    packed.write(text)
                    seen.update(text)
                    rows += "model" in line
                    lines += 1
            packed.write(_text({"end": lines, "sha256": seen.hexdigest()}))
        file.flush()
        os.fsync(file.fileno())
    return rows


def _lines() -> Iterator[Row]:
    yield {"format": FORMAT, "migrations": _migrations()}
    for model in models_kept():
        yield from rows_read(model)
    yield {"counters": counters_read()}


def _checked(packed: gzip.GzipFile) -> Iterator[Row]:
    """The lines up to the end, which has to agree with them. Raises NotRestorable."""
    seen, lines = hashlib.sha256(), 0
    try:
        for text in packed:
            line = json.loads(text)
            if not isinstance(line, dict):
                raise NotRestorable("it is damaged, or no backup")
            if "end" in line:
                if (line["end"], line.get("sha256")) != (lines, seen.hexdigest()) or packed.read(1):
                    raise NotRestorable("it was changed since it was written")
                return
            seen.update(text)
            lines += 1
            yield line
    except UNREADABLE as error:
        raise NotRestorable("it is damaged, or no backup") from error
    raise NotRestorable("its end is missing")


def _migrations() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _text(line: Row) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"
