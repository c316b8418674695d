"""Parsers for the environment variables behind the settings, with safe defaults."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
import secrets
from email.utils import formataddr, parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

POSTGRES_SCHEMES = ("postgres", "postgresql")
# Scheme: port, STARTTLS, TLS from the start.
MAIL_SCHEMES = {
    "smtp": (587, True, False),
    "smtps": (465, False, True),
    "smtp+plain": (25, False, False),
}
# Sent with every connection. `?options=` in DATABASE_URL replaces it; an empty value removes it,
# for a pooler that refuses it.
POSTGRES_LIMITS = (
    "-c lock_timeout=5s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s"
)
POSTGRES_OPTIONS = {"connect_timeout": "5", "keepalives_idle": "10", "tcp_user_timeout": "15000"}
# Limits on how long a request waits for a broker that is down. The next sweep finds the jobs
# anyway.
SERVER_LIMITS: dict[str, Any] = {
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.2,
    "interval_max": 0.2,
}
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 5,  # seconds that a write waits for another one before it fails
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}
SHORTEST_SIGNING_KEY = 32  # characters
SENDER_NAME = "Blind Jump"  # as shown by mail programs
CONTACT = re.compile(r"mailto:[^@\s]+@[^@\s]+\Z|https://[^/\s]\S*\Z", re.IGNORECASE)
NO_CONTACT = "mailto:host@localhost"


def database_from(url: str, var: Path) -> dict[str, Any]:
    """Return Django's database entry for DATABASE_URL.

    It is PostgreSQL, a named SQLite file, or the SQLite file in `var` if the URL is empty.

    Raises:
        ValueError: The scheme is none of these.
    """
    if not url:
        return _sqlite(var / "blindjump.sqlite3")
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(Path(unquote(parts.path.removeprefix("/")) or var / "blindjump.sqlite3"))
    if parts.scheme not in POSTGRES_SCHEMES:
        raise ValueError(
            f"DATABASE_URL begins with '{parts.scheme}:', which is neither postgresql: nor sqlite:"
        )
    return _postgres(parts)


def _postgres(parts: SplitResult) -> dict[str, Any]:
    """Return Django's database entry for a postgresql: address; its query sets libpq's options."""
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    defaults = {**POSTGRES_OPTIONS, "options": POSTGRES_LIMITS}
    options = {name: value for name, value in (defaults | query).items() if value}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": options.pop("port", "") or str(parts.port or ""),
        "OPTIONS": options,
    }


def secret_from(secret: str, path: Path) -> str:
    """Return the secret if given, else the one in the file.

    The file is created at the first start, readable by its owner only.
    """
    if secret:
        return secret
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):  # another process was first: its secret counts
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii")


def signing_key_from(secret: str, path: Path) -> str:
    """Return the secret behind the site's signatures, as `secret_from` does.

    Raises:
        ValueError: It is short enough to be guessed.
    """
    key = secret_from(secret, path)
    if len(key) < SHORTEST_SIGNING_KEY:
        raise ValueError(f"SIGNING_KEY must have at least {SHORTEST_SIGNING_KEY} characters")
    return key


def proxies_from(
    text: str, https: bool
) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Return the networks of TRUSTED_PROXIES: addresses or CIDR ranges separated by commas.

    Raises:
        ValueError: An entry is neither, or HTTPS=1 is set without a proxy, although only a proxy
            can tell that TLS was used.
    """
    try:
        networks = tuple(ipaddress.ip_network(name, strict=False) for name in hosts_from(text))
    except ValueError as error:
        raise ValueError(f"TRUSTED_PROXIES: {error}") from error
    if https and not networks:
        raise ValueError(
            "HTTPS=1 needs TRUSTED_PROXIES, the address of the proxy with TLS: "
            "127.0.0.1 on this machine"
        )
    return networks


def hosts_from(text: str) -> list[str]:
    """Return the names in a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def contact_from(text: str, site: str) -> str:
    """Return the host's contact for push services: PUSH_CONTACT, else SITE_URL if it is https.

    Without either, a local placeholder is returned.

    Raises:
        ValueError: PUSH_CONTACT is neither mailto: nor https:; every service would refuse it.
    """
    if text and not CONTACT.match(text):
        raise ValueError(
            "PUSH_CONTACT must be mailto:host@example.org, or an address that begins with https:"
        )
    return text or (site if CONTACT.match(site) else NO_CONTACT)


def security_contact_from(text: str) -> str:
    """Return the contact for security reports, or an empty string if SECURITY_CONTACT is not set.

    Raises:
        ValueError: It is neither mailto: nor https:.
    """
    if text and not CONTACT.match(text):
        raise ValueError(
            "SECURITY_CONTACT must be mailto:host@example.org, "
            "or an address that begins with https:"
        )
    return text


def flag_from(text: str) -> bool:
    """Return whether a setting is on: 1, true, yes or on."""
    return text.strip().lower() in {"1", "true", "yes", "on"}


def broker_from(url: str, var: Path) -> tuple[str, dict[str, Any]]:
    """Return Celery's broker URL and its options; without a URL, files in `var`, which need no
    server.
    """
    if url:
        return url, dict(SERVER_LIMITS)
    folder = var / "broker"
    folder.mkdir(parents=True, exist_ok=True)
    return "files://", {"folder": str(folder), "polling_interval": 0.05}


def mail_from(url: str) -> dict[str, Any]:
    """Return Django's mail settings for EMAIL_URL.

    Example: `smtp://user:password@host:587/?from=war@example.org`. `smtp` uses STARTTLS, `smtps`
    TLS from the start, `smtp+plain` neither, and `console` prints. Without a URL no e-mail is sent.

    Raises:
        ValueError: The scheme is none of these.
    """
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    parts = urlsplit(url)
    sender = _named_sender(dict(parse_qsl(parts.query)).get("from", ""))
    sender_settings = {"DEFAULT_FROM_EMAIL": sender, "SERVER_EMAIL": sender} if sender else {}
    if parts.scheme == "console":
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend",
            **sender_settings,
        }
    if parts.scheme not in MAIL_SCHEMES:
        raise ValueError(
            f"EMAIL_URL begins with '{parts.scheme}:', "
            f"which is none of {', '.join(MAIL_SCHEMES)}, console"
        )
    port, tls, ssl = MAIL_SCHEMES[parts.scheme]
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname or "localhost",
        "EMAIL_PORT": parts.port or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": tls,
        "EMAIL_USE_SSL": ssl,
        "EMAIL_TIMEOUT": 20,
        **sender_settings,
    }


def _named_sender(sender: str) -> str:
    """Return the sender with a display name; an existing name is kept."""
    name, address = parseaddr(sender)
    if address:
        return formataddr((name or SENDER_NAME, address))
    return ""


def _sqlite(path: Path) -> dict[str, Any]:
    """Return Django's database entry for an SQLite file, whose folder is created if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": dict(SQLITE_OPTIONS),
    }
