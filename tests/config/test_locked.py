"""Requests while another program holds locks in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from campaign.services.campaigns import membership_add
from tests.umpire.services.wars import start_campaign

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
WAITS = "200ms"  # seconds to wait for a lock; five in the settings


@contextmanager
def locked(url: str, mode: str) -> Iterator[None]:
    """Let another program lock every table of the campaigns while the block runs."""
    with closing(psycopg.connect(url)) as other:
        names = "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE tablename ~ '^(campaign|django)_'"
        tables: Any = other.execute(names).fetchone()
        other.execute(f"LOCK TABLE {tables[0]} IN {mode} MODE")
        yield


@pytest.fixture
def ada(postgres_url: str) -> Iterator[tuple[Client, str]]:
    """Return a player's browser and the address of the war below /api/."""
    campaign, _ = start_campaign()
    user = User.objects.create_user("ada")
    membership_add(
        campaign=campaign, user=user, role="player", faction=campaign.factions.get(key="ember")
    )
    client = Client(raise_request_exception=False)
    client.force_login(user)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [WAITS])
    yield client, str(campaign.public_id)
    connection.close()


def test_blocked_writers_are_refused_and_readers_do_not_wait(
    ada: tuple[Client, str], postgres_url: str
) -> None:
    client, campaign = ada
    with locked(postgres_url, "EXCLUSIVE"):
        for path in (
            "/",
            f"/c/{campaign}/",
            f"/c/{campaign}/map/",
            f"/api/campaigns/{campaign}/view/",
        ):
            assert client.get(path).status_code == 200, path
        orders = client.get(f"/api/campaigns/{campaign}/orders/default/").json()["orders"]
        seal = f"/api/campaigns/{campaign}/orders/seal/"
        refused = client.post(seal, {"orders": orders}, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (503, "database-away")
        assert int(refused.headers["Retry-After"]) > 0
    assert client.post(seal, {"orders": orders}, content_type="application/json").status_code == 201


def test_reader_without_access_is_told_to_come_back(
    ada: tuple[Client, str], postgres_url: str
) -> None:
    client, campaign = ada
    with locked(postgres_url, "ACCESS EXCLUSIVE"):
        for path in ("/", f"/c/{campaign}/map/", f"/api/campaigns/{campaign}/view/"):
            refused = client.get(path)
            assert (refused.status_code, int(refused.headers["Retry-After"]) > 0) == (503, True), (
                path
            )
    assert client.get(f"/c/{campaign}/map/").status_code == 200
