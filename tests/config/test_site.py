"""The site's settings for operators and browsers: production checks, headers, health, metrics."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_django
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from campaign.models import Stage
from campaign.services.campaigns import membership_add
from config import observe
from engine.cli.release import version_of
from jobs.models import WorkerPulse
from jobs.pulse import pulse_write
from jobs.services import job_enqueue
from tests.umpire.services.wars import start_campaign

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "HTTPS": "1",
    "TRUSTED_PROXIES": "127.0.0.1",
    "ALLOWED_HOSTS": "war.example.org",
    "SECRET_KEY": "k" * 20 + "0123456789abcdefghijklmnopqrstuvwxyz",
    "STATIC_COLLECTED": "1",
    "EMAIL_URL": "smtp://war:secret@mail.example.org/?from=war@example.org",
    "CELERY_BROKER_URL": "redis://localhost/0",
}
MEASURING = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}


def test_production_checks_find_nothing(tmp_path: Path, sqlite_url: str) -> None:
    environment = {
        **os.environ,
        **PRODUCTION,
        "DATABASE_URL": sqlite_url,
        "BLINDJUMP_VAR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    process = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert "no issues (0 silenced)" in process.stdout


@pytest.mark.django_db
def test_health_page_queries_the_database_and_reveals_nothing(
    client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        answer = client.get("/health/web/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "version": version_of()})
    assert client.post("/health/web/").status_code == 405


@pytest.mark.django_db
def test_health_page_names_silent_workers_and_broker(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe, "BROKER_CACHE_SECONDS", 0.0)
    response = client.get("/health/")
    assert response.status_code == 503
    assert response.json()["silent"] == [
        f"worker for {lane} jobs" for lane in ("short", "long", "interactive")
    ]
    pulse_write("one", ["short", "long"])
    assert client.get("/health/").json()["silent"] == ["worker for interactive jobs"]
    pulse_write("other", ["interactive"])
    well = client.get("/health/")
    assert (well.status_code, well.json()) == (200, {"status": "ok", "version": version_of()})
    earlier = timezone.now() - timedelta(minutes=1)
    WorkerPulse.objects.filter(name="other").update(seen_at=earlier)
    assert client.get("/health/").status_code == 503
    pulse_write("other", ["interactive"])

    def away(**_: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("celery.current_app.connection_for_write", away)
    assert client.get("/health/").json() == {
        "status": "failing",
        "version": version_of(),
        "silent": ["broker"],
    }


@pytest.mark.django_db
def test_answers_forbid_foreign_and_inline_content(client: Client) -> None:
    headers = client.get("/accounts/login/").headers
    policy = dict(
        rule.strip().split(" ", 1) for rule in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_metrics_show_late_stages_and_old_jobs(client: Client) -> None:
    now = timezone.now()
    campaign, stage = start_campaign()
    membership_add(campaign=campaign, user=User.objects.create_user("ada"), role="host")
    Stage.objects.filter(pk=stage.pk).update(
        opens=now - timedelta(hours=3), closes=now - timedelta(hours=2)
    )
    job_enqueue(kind="tests.any", args={}, dedupe_key="any", now=now - timedelta(hours=1))
    metrics = dict(
        line.rsplit(" ", 1)
        for line in client.get("/metrics", headers=MEASURING).content.decode().splitlines()
        if line[0] != "#"
    )
    assert 7200 <= float(metrics["blindjump_stage_lag_seconds"]) < 7300
    assert 3600 <= float(metrics["blindjump_job_age_seconds"]) < 3700
    assert (metrics["blindjump_stages_due"], metrics["blindjump_jobs_unfinished"]) == ("1.0", "1.0")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer other"},
        {"X-Forwarded-For": "127.0.0.1"},
    ],
    ids=str,
)
def test_metrics_require_the_token(client: Client, headers: dict[str, str]) -> None:
    assert client.get("/metrics", headers=headers, REMOTE_ADDR="127.0.0.1").status_code == 404
    assert (
        client.get(
            "/metrics", headers={**headers, **MEASURING}, REMOTE_ADDR="192.0.2.7"
        ).status_code
        == 200
    )


def test_robots_file_excludes_wars_and_accounts(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /c/", "Disallow: /accounts/", "Disallow: /feed/"} <= set(lines)
    assert not any("gallery" in line or "help" in line for line in lines)


def test_security_file_names_the_contact(client: Client, settings: pytest_django.Settings) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT, settings.SITE_URL = (
        "mailto:host@example.org",
        "https://war.example.org",
    )
    fields = dict(
        line.split(": ", 1)
        for line in client.get("/.well-known/security.txt").content.decode().splitlines()
    )
    assert fields["Contact"] == "mailto:host@example.org"
    assert fields["Canonical"] == "https://war.example.org/.well-known/security.txt"
    time_left = datetime.fromisoformat(fields["Expires"]) - timezone.now()
    assert timedelta(days=170) < time_left < timedelta(days=365)
