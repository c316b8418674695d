"""Log lines: what happened, and nothing secret."""

from __future__ import annotations

import io
import json
import logging
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from campaign.models import Faction, Submission
from campaign.services.campaigns import membership_add
from config import logs
from config.urls import urlpatterns as site
from jobs import kinds
from jobs.services import job_enqueue, job_run
from tests.sealing import orders_seal
from tests.umpire.services.wars import play_until, resolve_stage, start_campaign

SECRET = "the second fleet goes to Sol"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Return everything that is logged, at the lowest level, as the site writes it."""
    stream = io.StringIO()
    logs.configure({"format": "json", "level": "DEBUG"})
    root = logging.getLogger()
    level_and_handlers = root.level, list(root.handlers)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(level_and_handlers[1][-1].formatter)
    root.handlers = [handler]
    root.setLevel(logging.DEBUG)
    yield stream
    root.handlers, root.level = level_and_handlers[1], level_and_handlers[0]
    structlog.reset_defaults()
    logs.configure({"format": "text", "level": "INFO"})


def events(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def fails(_request: HttpRequest, word: str) -> HttpResponse:
    raise ValueError(SECRET + word)


urlpatterns = [*site, path("join/<str:word>/", fails)]


def handler(_args: Any) -> None:
    raise ValueError(SECRET)


@pytest.mark.django_db
def test_resolved_week_leaves_no_order_nonce_or_seed_in_the_log(
    lines: io.StringIO, django_capture_on_commit_callbacks: Any
) -> None:
    campaign, first = start_campaign()
    stage = play_until("orders", first)
    ember = Faction.objects.get(campaign=campaign, key="ember")
    membership_add(
        campaign=campaign, user=User.objects.create_user("ada"), role="player", faction=ember
    )
    nonce = secrets.token_hex(16)
    with django_capture_on_commit_callbacks(execute=True):
        orders_seal(stage=stage, faction=ember, payload={"schema": 1}, nonce=nonce)
        resolve_stage(stage)
    structlog.get_logger("campaign").info(
        "sealed", orders={"moves": ["f1"]}, nonce=nonce, seed=campaign.seed, stage=7
    )
    log = lines.getvalue()
    assert '"stage": 7' in log
    secrets_of_war = {
        nonce,
        campaign.seed,
        campaign.id_secret,
        "f1",
        *Submission.objects.values_list("digest", flat=True),
    }
    assert [word for word in sorted(secrets_of_war) if word in log] == []


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.django_db
def test_failing_page_is_logged_by_route_class_and_frames(lines: io.StringIO) -> None:
    answer = Client(raise_request_exception=False).get("/join/a-token-nobody-may-see/?orders=7")
    assert answer.status_code == 500
    log = lines.getvalue()
    assert "a-token-nobody-may-see" not in log
    assert SECRET not in log
    failure, request = (
        event for event in events(lines) if event["logger"] in ("django.request", "config.observe")
    )
    assert failure["error"] == "ValueError"
    assert failure["frames"].endswith("fails")
    assert (request["route"], request["status"], request["method"]) == (
        "join/<str:word>/",
        500,
        "GET",
    )


@pytest.mark.django_db
def test_failing_job_is_logged_by_class_and_frames(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "_kinds", {"tests.fail": kinds.Kind(f"{__name__}.handler")})
    job_run(job=job_enqueue(kind="tests.fail", args={"stage": 1}, dedupe_key="fail").pk)
    (event,) = (event for event in events(lines) if event["logger"] == "jobs.services")
    assert (event["event"], event["error"]) == ("job-failed", "ValueError")
    assert event["frames"].endswith("handler")
    assert SECRET not in lines.getvalue()


def test_foreign_log_records_keep_only_their_message(lines: io.StringIO) -> None:
    logging.getLogger("celery.app.trace").error(
        "Task %(name)s failed: %(exc)s", {"name": "x", "exc": SECRET}
    )
    logging.getLogger("kombu").warning("cannot reach %s", f"redis://:{SECRET}@host")
    logging.getLogger("apprise").warning("failed: %s", SECRET)
    assert [event["event"] for event in events(lines)] == [
        "Task %(name)s failed: %(exc)s",
        "cannot reach %s",
    ]
    assert SECRET not in lines.getvalue()


def test_exception_causes_are_named(lines: io.StringIO) -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise RuntimeError(SECRET) from error
    except RuntimeError:
        structlog.get_logger("config").exception("broken")
    (event,) = events(lines)
    assert event["error"] == "RuntimeError from KeyError"
    assert SECRET not in lines.getvalue()
