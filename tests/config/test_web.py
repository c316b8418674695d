"""What a web process does before its first request."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import django.db
import pytest
from django.db.utils import ConnectionHandler

from config import web
from config.environment import database_from

pytestmark = pytest.mark.django_db  # then connections may be opened


def open_database(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path))


def test_needed_files_stay_open_while_idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite removes them with the last connection, and a full disk has no room to create them
    again.
    """
    path, index = tmp_path / "one.sqlite3", tmp_path / "one.sqlite3-shm"
    with open_database(path) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE one (id)")
    assert not index.exists()
    own_connection = ConnectionHandler({"default": database_from(f"sqlite:///{path}", tmp_path)})[
        "default"
    ]
    monkeypatch.setattr(django.db, "connection", own_connection)
    web.stay_connected()
    with open_database(path) as other:
        other.execute("INSERT INTO one VALUES (1)")
        other.commit()
    assert index.exists()
    own_connection.close()
    assert not index.exists()


def test_unreachable_database_does_not_stop_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = ConnectionHandler({"default": database_from(f"sqlite:///{tmp_path}", tmp_path)})
    monkeypatch.setattr(django.db, "connection", handler["default"])
    web.stay_connected()
    assert handler["default"].connection is None
