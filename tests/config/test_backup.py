"""A backup brings a war back, to the last byte of what was hashed, and takes nothing but a whole backup."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from campaign.models import LedgerRow, Snapshot
from config.backup import NotRestorable, backup_restore, backup_write
from jobs.models import Job
from tests.umpire.services.wars import brought_to, started

ROOT = Path(__file__).resolve().parents[2]


def manage(*arguments: str, url: str, var: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATABASE_URL": url, "BLINDJUMP_VAR": str(var)}
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def rows_of(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path) as packed:
        return [json.loads(line) for line in packed]


@pytest.fixture
def war(transactional_db: None, tmp_path: Path) -> Path:
    """The backup of a war in its second week."""
    User.objects.create_user("ada", password="a long enough pass phrase")
    brought_to("decisions", started()[1])
    path = tmp_path / "war.jsonl.gz"
    assert backup_write(path=path) == len(rows_of(path)) - 2
    return path


def test_a_war_comes_back_whole_in_another_database(war: Path, tmp_path: Path, sqlite_url: str) -> None:
    assert war.stat().st_mode & 0o077 == 0
    restored = manage("restore", str(war), url=sqlite_url, var=tmp_path)
    assert (restored.returncode, restored.stderr) == (0, "")
    again = tmp_path / "again.jsonl.gz"
    assert manage("backup", str(again), url=sqlite_url, var=tmp_path).returncode == 0
    assert rows_of(again) == rows_of(war)
    kept = {(row["model"], row["pk"]): row["fields"] for row in rows_of(again)[1:-1]}
    for snapshot in Snapshot.objects.all():
        assert kept["campaign.snapshot", snapshot.pk]["sha256"] == snapshot.sha256
    assert sum(model == "campaign.ledgerrow" for model, _ in kept) == LedgerRow.objects.count() > 0
    twice = manage("restore", str(war), url=sqlite_url, var=tmp_path)
    assert twice.returncode == 1
    assert "the database is not empty" in twice.stderr


@pytest.mark.postgres
def test_postgresql_takes_a_backup_back_and_counts_on_from_there(war: Path) -> None:
    users = list(User.objects.values_list("pk", "username"))
    assert users
    from django.core.management import call_command

    call_command("flush", verbosity=0, interactive=False)
    assert backup_restore(path=war) == len(rows_of(war)) - 2
    assert list(User.objects.values_list("pk", "username")) == users
    assert User.objects.create_user("grace").pk > max(pk for pk, _ in users)
    assert connection.vendor == "postgresql"


def packed(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


# what is done to the lines of a backup -> why it is refused
SPOILT: tuple[tuple[Callable[[list[bytes]], list[bytes]], str], ...] = (
    (lambda lines: lines[:-1], "its end is missing"),
    (lambda lines: [*lines[:-2], lines[-1]], "it was changed"),
    (lambda lines: [*lines[:-2], lines[-2].replace(b"ada", b"eve"), lines[-1]], "it was changed"),
    (lambda lines: [b'{"format":99}\n', *lines[1:]], "no backup of this program"),
    (lambda lines: [b'{"format":1,"migrations":[]}\n', *lines[1:]], "another release"),
    (lambda lines: [b"no JSON\n"], "damaged"),
    (lambda lines: [], "its end is missing"),
)


def test_what_is_no_whole_backup_changes_nothing(transactional_db: None, tmp_path: Path) -> None:
    ada = User.objects.create_user("ada")
    whole = tmp_path / "whole.gz"
    backup_write(path=whole)
    ada.delete()
    lines = gzip.decompress(whole.read_bytes()).splitlines(keepends=True)
    for spoil, complaint in SPOILT:
        with pytest.raises(NotRestorable, match=complaint):
            backup_restore(path=packed(tmp_path / "spoiled.gz", spoil(lines)))
        assert not User.objects.exists()
    assert backup_restore(path=whole) == 1


def test_a_backup_of_unknown_rows_is_refused(transactional_db: None, tmp_path: Path) -> None:
    whole = tmp_path / "whole.gz"
    backup_write(path=whole)
    head, _end = gzip.decompress(whole.read_bytes()).splitlines(keepends=True)
    row = b'{"model":"sessions.session","pk":"x","fields":{}}\n'
    end = {"end": 2, "sha256": hashlib.sha256(head + row).hexdigest()}
    with pytest.raises(NotRestorable, match=r"rows of sessions\.session"):
        backup_restore(path=packed(tmp_path / "odd.gz", [head, row, json.dumps(end).encode() + b"\n"]))
    assert not Job.objects.exists()


def test_an_existing_file_is_never_written_over(transactional_db: None, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("precious")
    with pytest.raises(FileExistsError):
        backup_write(path=tmp_path / "there")
    assert (tmp_path / "there").read_text() == "precious"
