"""What the settings read from the environment: the database's address and the secret key, with safe defaults."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

POSTGRES_SCHEMES = ("postgres", "postgresql")
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}


def database_from(url: str, var: Path) -> dict[str, Any]:
    """Django's entry for DATABASE_URL: PostgreSQL, a named SQLite file, or (empty) the SQLite file in `var`.

    Raises ValueError on a scheme that is none of these.
    """
    if not url:
        return _sqlite(var / "blindjump.sqlite3")
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(Path(unquote(parts.path.removeprefix("/")) or var / "blindjump.sqlite3"))
    if parts.scheme not in POSTGRES_SCHEMES:
        raise ValueError(f"DATABASE_URL begins with '{parts.scheme}:', which is neither postgresql: nor sqlite:")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": options.pop("port", "") or str(parts.port or ""),
        "OPTIONS": options,
    }


def secret_key_from(given: str, var: Path) -> str:
    """The secret key given, or the one kept in `var`, made at the first start and readable by its owner only."""
    if given:
        return given
    path = var / "secret_key"
    var.mkdir(parents=True, exist_ok=True)
    draft = var / f"secret_key.{os.getpid()}"
    if not path.exists():
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):  # another process was first: its key is the key
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii")


def _sqlite(path: Path) -> dict[str, Any]:
    path.parent.mkdir(parents=True, exist_ok=True)
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path), "OPTIONS": dict(SQLITE_OPTIONS)}
