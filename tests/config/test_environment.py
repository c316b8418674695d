"""What the settings make of the environment."""

from __future__ import annotations

import fcntl
import stat
from pathlib import Path

import pytest
from django.db import connection

from config.environment import (
    POSTGRES_LIMITS,
    POSTGRES_OPTIONS,
    SERVER_LIMITS,
    broker_from,
    contact_from,
    database_from,
    flag_from,
    hosts_from,
    mail_from,
    proxies_from,
    secret_from,
)
from config.start import one_at_a_time


def test_default_database_is_a_file_in_var(tmp_path: Path) -> None:
    settings_of_database = database_from("", tmp_path / "var")
    assert settings_of_database["ENGINE"] == "django.db.backends.sqlite3"
    assert settings_of_database["NAME"] == str(tmp_path / "var" / "blindjump.sqlite3")
    assert (tmp_path / "var").is_dir()


def test_sqlite_uses_wal_and_immediate_transactions(
    tmp_path: Path,
) -> None:
    options = database_from("", tmp_path)["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


def test_database_address_may_name_an_sqlite_file(tmp_path: Path) -> None:
    assert (
        database_from(f"sqlite:///{tmp_path}/my%20war.sqlite3", tmp_path)["NAME"]
        == f"{tmp_path}/my war.sqlite3"
    )


def test_database_address_may_name_a_postgresql_server(tmp_path: Path) -> None:
    database = database_from(
        "postgresql://me:se%40cret@db.example:5433/wars?sslmode=require", tmp_path
    )
    assert database == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "wars",
        "USER": "me",
        "PASSWORD": "se@cret",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require", **POSTGRES_OPTIONS, "options": POSTGRES_LIMITS},
    }


def test_database_address_may_name_a_postgresql_socket(tmp_path: Path) -> None:
    database = database_from(
        "postgres://me@/wars?host=/tmp/pg&connect_timeout=9&options=", tmp_path
    )
    assert (database["HOST"], database["PORT"], database["PASSWORD"]) == ("/tmp/pg", "", "")
    assert database["OPTIONS"] == {**POSTGRES_OPTIONS, "connect_timeout": "9"}


def test_write_waits_briefly_for_another(tmp_path: Path) -> None:
    assert database_from("", tmp_path)["OPTIONS"]["timeout"] <= 5
    assert (
        "lock_timeout=5s" in database_from("postgres://me@db/wars", tmp_path)["OPTIONS"]["options"]
    )


def test_unknown_database_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'mysql:', which is neither"):
        database_from("mysql://me@here/wars", tmp_path)


def test_secret_key_is_created_once_and_private(tmp_path: Path) -> None:
    key = secret_from("", tmp_path / "secret_key")
    assert len(key) >= 50
    assert secret_from("", tmp_path / "secret_key") == key
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_secret_key_of_the_environment_is_used_and_not_stored(tmp_path: Path) -> None:
    assert secret_from("given", tmp_path / "secret_key") == "given"
    assert list(tmp_path.iterdir()) == []


def test_migrations_wait_for_each_other(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with one_at_a_time(lock), lock.open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with lock.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.django_db
def test_tests_use_the_given_database() -> None:
    from django.conf import settings

    assert connection.settings_dict["ENGINE"] == settings.DATABASES["default"]["ENGINE"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


@pytest.mark.postgres
def test_other_programs_reach_the_test_database(postgres_url: str) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as other:
        row = other.execute("SELECT current_database(), count(*) FROM django_migrations").fetchone()
    assert row is not None
    assert row[0] == connection.settings_dict["NAME"]
    assert row[1] > 0


def test_messages_are_files_without_a_broker(tmp_path: Path) -> None:
    url, options = broker_from("", tmp_path)
    assert (url, options["polling_interval"]) == ("files://", 0.05)
    assert Path(options["folder"]).is_dir()
    assert broker_from("redis://somewhere/1", tmp_path) == ("redis://somewhere/1", SERVER_LIMITS)


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://me:pass%20word@mail.example.org/?from=war@example.org", 587, True, False),
        ("smtps://me:pass%20word@mail.example.org/?from=war@example.org", 465, False, True),
        (
            "smtp+plain://me:pass%20word@mail.example.org:2525/?from=war@example.org",
            2525,
            False,
            False,
        ),
    ],
)
def test_mail_address_names_server_and_sender(url: str, port: int, tls: bool, ssl: bool) -> None:
    mail_settings = mail_from(url)
    assert (mail_settings["EMAIL_HOST"], mail_settings["EMAIL_PORT"]) == ("mail.example.org", port)
    assert (mail_settings["EMAIL_USE_TLS"], mail_settings["EMAIL_USE_SSL"]) == (tls, ssl)
    assert (mail_settings["EMAIL_HOST_USER"], mail_settings["EMAIL_HOST_PASSWORD"]) == (
        "me",
        "pass word",
    )
    assert mail_settings["DEFAULT_FROM_EMAIL"] == "Blind Jump <war@example.org>"


def test_no_mail_without_an_address_and_an_unknown_one_is_refused() -> None:
    assert mail_from("")["EMAIL_BACKEND"].endswith("dummy.EmailBackend")
    assert mail_from("console://")["EMAIL_BACKEND"].endswith("console.EmailBackend")
    with pytest.raises(ValueError, match="begins with 'pigeon:'"):
        mail_from("pigeon://loft")


def test_lists_and_flags_are_read_leniently() -> None:
    assert hosts_from(" a.example , ,b.example") == ["a.example", "b.example"]
    assert [flag_from(word) for word in ("1", "True", "on", "", "0", "no")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_proxies_are_addresses_and_https_needs_one() -> None:
    assert proxies_from("", https=False) == ()
    assert [
        str(network) for network in proxies_from("127.0.0.1, 10.1.2.3/8,2001:db8::/32", https=True)
    ] == [
        "127.0.0.1/32",
        "10.0.0.0/8",
        "2001:db8::/32",
    ]
    with pytest.raises(
        ValueError, match=r"TRUSTED_PROXIES: 'proxy\.example' does not appear to be"
    ):
        proxies_from("proxy.example", https=False)
    with pytest.raises(ValueError, match="HTTPS=1 needs TRUSTED_PROXIES"):
        proxies_from("", https=True)


@pytest.mark.parametrize(
    ("text", "site", "expected"),
    [
        ("", "", "mailto:host@localhost"),
        ("", "http://127.0.0.1:8000", "mailto:host@localhost"),  # bin/serve
        ("", "https://war.example.org:8443", "https://war.example.org:8443"),
        ("mailto:host@example.org", "https://war.example.org", "mailto:host@example.org"),
    ],
)
def test_push_services_get_a_contact(text: str, site: str, expected: str) -> None:
    assert contact_from(text, site) == expected


def test_invalid_push_contact_is_reported_at_the_start() -> None:
    for text in ("host@example.org", "http://war.example.org", "mailto:host"):
        with pytest.raises(ValueError, match="PUSH_CONTACT must be mailto:"):
            contact_from(text, "https://war.example.org")
