"""A backup restores a war, byte for byte where hashed, and only a whole backup is accepted."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import resource
import signal
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from pytest_django import DjangoDbBlocker

from campaign.models import Act, Campaign, LedgerRow, Stage
from campaign.selectors.clock import waiting_stage
from campaign.selectors.heads import head_of
from config.backup import (
    EXCLUDED_MODELS,
    NotRestorable,
    backup_restore,
    backup_write,
    consistent_read,
    counters_set,
)
from config.release import release_of
from jobs.models import Job
from tests.commands_here import manage_here, use_database
from tests.config.full_database import MOMENT, every_model, fill_tables, tables
from tests.proof.test_archives import verdict_so_far
from tests.umpire.services.wars import play_until, resolve_stage, start_campaign
from umpire.services.checking import campaign_faults

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def manage(django_db_blocker: DjangoDbBlocker, tmp_path: Path) -> Callable[..., Any]:
    """Return a function that runs a command of `manage.py` for a database."""
    return partial(manage_here, var=tmp_path, blocker=django_db_blocker)


def rows_of(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path) as packed:
        return [json.loads(line) for line in packed]


@pytest.fixture
def war(transactional_db: None, tmp_path: Path) -> Path:
    """Return the backup of a war in its second week."""
    User.objects.create_user("ada", password="a long enough pass phrase")
    play_until("decisions", start_campaign()[1])
    path = tmp_path / "war.jsonl.gz"
    assert backup_write(path=path) == len(rows_of(path)) - 3  # head, counters, end
    return path


def in_order(path: Path) -> list[str]:
    """Return the lines without the hash; databases sort words and keys differently."""
    return sorted(json.dumps(line, sort_keys=True) for line in rows_of(path)[:-1])


def empty_tables() -> None:
    call_command("flush", verbosity=0, interactive=False)


def restored_rows(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Return the tables that a backup restores.

    Applied migrations are not written, but compared.
    """
    left_out = {
        model._meta.db_table
        for model in every_model()
        if model._meta.label_lower in EXCLUDED_MODELS
    }
    return {
        name: rows for name, rows in tables.items() if name not in left_out | {"django_migrations"}
    }


def test_every_column_survives_backup_and_restore_across_databases(
    transactional_db: None, tmp_path: Path, migrated_url: str, manage: Callable[..., Any]
) -> None:
    counters_set({})  # another test may have left these after its restore
    fill_tables()
    before, deleted_user = tables(), User.objects.create_user("gone")
    number = deleted_user.pk
    there, back, again = (tmp_path / f"{name}.jsonl.gz" for name in ("there", "back", "again"))
    deleted_user.delete()
    assert all(restored_rows(before).values())
    backup_write(path=there)
    assert there.stat().st_mode & 0o077 == 0
    (tmp_path / "signing_key").write_text(settings.SIGNING_KEY)  # it is no part of a backup
    for arguments in (
        ("restore", str(there)),
        ("backup", str(back)),
    ):  # SQLite, from this database, and back to it
        process = manage(*arguments, url=migrated_url)
        assert (process.returncode, process.stderr) == (0, "")
    # On PostgreSQL through SQLite only: below, wars are restored from their own database's backup.
    for path in (back,) if connection.vendor == "postgresql" else (there, back):
        empty_tables()
        backup_restore(path=path)
        assert restored_rows(tables()) == restored_rows(before)
        assert not any(
            model._base_manager.exists()
            for model in every_model()
            if model._meta.label_lower in EXCLUDED_MODELS
        )
        backup_write(path=again)
        assert in_order(again) == in_order(there)
        again.unlink()
    # The id of a deleted row is not used again
    assert User.objects.create_user("grace").pk > number
    with pytest.raises(
        NotRestorable, match=r"the database is not empty: there are rows of .*auth\.User"
    ):
        backup_restore(path=there)


def test_war_goes_on_after_a_restore_without_the_signing_key(
    war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = head_of(Campaign.objects.get())
    assert head is not None
    empty_tables()
    monkeypatch.setattr(settings, "SIGNING_KEY", "another key of the site, long enough to be one")
    call_command("restore", str(war), stdout=io.StringIO())
    with pytest.raises(DatabaseError, match="append-only"):
        LedgerRow.objects.update(seq=9)
    campaign = Campaign.objects.get()
    assert Act.objects.get(campaign=campaign, verb="key").stage == waiting_stage(campaign=campaign)
    resolve_stage(Stage.objects.get(status="open"))
    assert campaign_faults(campaign) == []
    origin, size, *rest = head.note.split("\n")
    forged = "\n".join([origin, f"{size}0", *rest])
    verdict = verdict_so_far(campaign, heads=[head.note, forged])
    assert verdict.differences == []
    assert [finding.holds for finding in verdict.findings] == [True, False]


def test_writes_continue_during_a_backup(
    migrated_url: str, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    """On SQLite, where one connection writes at a time, a backup is none of them."""
    with django_db_blocker.unblock(), use_database(migrated_url, tmp_path):
        with consistent_read():
            before = User.objects.count()
            path = str(connection.settings_dict["NAME"])
            with closing(sqlite3.connect(path, timeout=0)) as other:
                other.execute("UPDATE auth_permission SET name = 'changed'")
                other.execute("INSERT INTO django_session VALUES ('k', 'd', '2026-01-01')")
                other.commit()
            assert (before, Session.objects.count()) == (0, 0)
        assert Session.objects.count() == 1


@pytest.mark.any_database
def test_full_disk_leaves_no_file(war: Path, tmp_path: Path) -> None:
    path, before = tmp_path / "new.jsonl.gz", set(tmp_path.iterdir())
    limits, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (war.stat().st_size // 2, limits[1]))
    try:
        with pytest.raises(OSError, match="large"):
            backup_write(path=path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert set(tmp_path.iterdir()) == before


def pack_lines(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(gzip.compress(b"".join(lines)))
    return path


# change of a backup's lines: reason of the refusal
SPOILT: tuple[tuple[Callable[[list[bytes]], list[bytes]], str], ...] = (
    (lambda lines: lines[:-1], "its end is missing"),
    (lambda lines: [*lines[:-2], lines[-1]], "it was changed"),
    (lambda lines: [line.replace(b'"ada"', b'"eve"') for line in lines], "it was changed"),
    (lambda lines: [*lines, b"{}\n"], "it was changed"),
    (lambda lines: [b'{"format":99}\n', *lines[1:]], "not a backup of this program"),
    (lambda lines: [b'{"format":1,"migrations":[]}\n', *lines[1:]], "another release"),
    (lambda lines: [b'{"format":1}\n', *lines[1:]], "another release"),
    (lambda lines: [b"no JSON\n"], "damaged"),
    (lambda lines: [b"[1]\n"], "damaged"),
    (lambda lines: [b"[" * 9999], "damaged"),
    (lambda lines: [], "its end is missing"),
)


def test_incomplete_backup_changes_nothing(transactional_db: None, tmp_path: Path) -> None:
    ada = User.objects.create_user("ada")
    intact = tmp_path / "whole.gz"
    backup_write(path=intact)
    ada.delete()
    lines = gzip.decompress(intact.read_bytes()).splitlines(keepends=True)
    for spoil, complaint in SPOILT:
        with pytest.raises(NotRestorable, match=complaint):
            backup_restore(path=pack_lines(tmp_path / "spoiled.gz", spoil(lines)))
        assert not User.objects.exists()
    assert backup_restore(path=intact) == len(lines) - 3
    assert User.objects.get().username == "ada"


@pytest.mark.any_database
def test_corrupt_backup_changes_nothing(transactional_db: None, tmp_path: Path) -> None:
    ada = User.objects.create_user("ada")
    intact, spoilt = tmp_path / "whole.gz", tmp_path / "spoilt.gz"
    backup_write(path=intact)
    ada.delete()
    data = intact.read_bytes()
    for place in range(
        10, len(data), len(data) // 15
    ):  # after the header, whose time and name mean nothing
        flipped = bytes([*data[:place], data[place] ^ 8, *data[place + 1 :]])
        for bad in (
            (data[:place], flipped)
            if unpack_file(flipped) != unpack_file(data)
            else (data[:place],)
        ):
            spoilt.write_bytes(bad)
            with pytest.raises(NotRestorable):
                backup_restore(path=spoilt)
    assert not User.objects.exists()


def unpack_file(data: bytes) -> bytes | None:
    """Return the contents of a file, or None if it cannot be read.

    Some bits between compressed blocks mean nothing.
    """
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return None


def with_new_checksum(lines: list[bytes]) -> list[bytes]:
    """Return the same lines with a matching end."""
    end = {"end": len(lines) - 1, "sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    return [*lines[:-1], json.dumps(end).encode() + b"\n"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        pytest.param(
            b'"username":',
            b'"surname":',
            "a row of auth.user does not have the columns",
            marks=pytest.mark.any_database,
        ),
        pytest.param(
            b'"is_staff":false',
            b'"is_staff":"perhaps"',
            "a row of auth.user does not have the columns",
            marks=pytest.mark.any_database,
        ),
        (b'"username":"grace"', b'"username":"ada"', "the database refuses a row of auth.user: "),
        (b'"content_type_id":', b'"content_type_id":9', "a row refers to a missing row"),
    ],
)
def test_invalid_rows_are_refused_and_named(
    transactional_db: None, tmp_path: Path, old: bytes, new: bytes, complaint: str
) -> None:
    for name in ("ada", "grace"):
        User.objects.create_user(name)
    intact = tmp_path / "whole.gz"
    backup_write(path=intact)
    User.objects.all().delete()
    lines = [
        line.replace(old, new)
        for line in gzip.decompress(intact.read_bytes()).splitlines(keepends=True)
    ]
    with pytest.raises(NotRestorable, match=complaint):
        backup_restore(path=pack_lines(tmp_path / "spoiled.gz", with_new_checksum(lines)))
    assert not User.objects.exists()
    assert Permission.objects.exists()


def test_backup_of_unknown_rows_is_refused(transactional_db: None, tmp_path: Path) -> None:
    intact = tmp_path / "whole.gz"
    backup_write(path=intact)
    head, *_rows, end = gzip.decompress(intact.read_bytes()).splitlines(keepends=True)
    row = b'{"model":"sessions.session","row":{}}\n'
    with pytest.raises(NotRestorable, match=r"rows of sessions\.session"):
        backup_restore(path=pack_lines(tmp_path / "odd.gz", with_new_checksum([head, row, end])))
    assert not Job.objects.exists()


@pytest.mark.any_database
def test_existing_file_is_not_overwritten(transactional_db: None, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("precious")
    with pytest.raises(FileExistsError):
        backup_write(path=tmp_path / "there")
    assert (tmp_path / "there").read_text() == "precious"


def test_older_backup_is_restored_and_upgraded(tmp_path: Path, manage: Callable[..., Any]) -> None:
    """It simulates a release without a table of jobs; its API token still works."""
    new = tmp_path / "new.sqlite3"
    loader = MigrationLoader(None)
    (leaf,) = loader.graph.leaf_nodes("campaign")
    applied = set(loader.graph.forwards_plan(leaf))
    for squashed in applied & set(loader.replacements):
        applied = applied - {squashed} | set(loader.replacements[squashed].replaces)
    assert "jobs" not in {app for app, _ in applied}
    user = {
        "id": 7,
        "password": "!",
        "last_login": MOMENT.isoformat(),
        "is_superuser": False,
        "username": "ada",
        "first_name": "",
    }
    user |= {
        "last_name": "",
        "email": "",
        "is_staff": True,
        "is_active": True,
        "date_joined": MOMENT.isoformat(),
    }
    token = {
        "id": 1,
        "user_id": 7,
        "public_id": "00000000-0000-4000-8000-000000000001",
        "key": "a" * 40,
        "name": "",
        "read_only": True,
        "password_sha256": "b" * 64,
        "created_at": MOMENT.isoformat(),
    }
    head = {
        "format": 1,
        "release": "0.1.0+0123456789ab",
        "migrations": sorted(f"{app}.{name}" for app, name in applied),
    }
    rows = {"auth.user": user, "campaign.apitoken": token}
    lines = [
        head,
        *({"model": label, "row": row} for label, row in rows.items()),
        {"counters": {"auth_user": 9}},
    ]
    texts = [json.dumps(line).encode() + b"\n" for line in lines]
    end = {"end": len(lines), "sha256": hashlib.sha256(b"".join(texts)).hexdigest()}
    file = tmp_path / "old.jsonl.gz"
    file.write_bytes(gzip.compress(b"".join(texts) + json.dumps(end).encode() + b"\n"))
    refused = manage("restore", str(file), url=f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert "written by the release 0.1.0+0123456789ab" in refused.stderr
    assert "--migrate" in refused.stderr
    process = manage("restore", "--migrate", str(file), url=f"sqlite:///{new}")
    assert (process.returncode, process.stderr, process.stdout) == (0, "", "2 rows restored.\n")
    with closing(sqlite3.connect(new)) as here:
        assert here.execute("SELECT user_id, key, read_only FROM campaign_apitoken").fetchall() == [
            (7, "a" * 40, 1)
        ]
        now_applied = set(here.execute("SELECT app, name FROM django_migrations"))
    assert now_applied == set(loader.disk_migrations)
    again = manage("restore", "--migrate", str(file), url=f"sqlite:///{new}")
    assert "needs a new database" in again.stderr


@pytest.mark.any_database
def test_backup_names_its_release(war: Path) -> None:
    assert rows_of(war)[0]["release"] == release_of()
