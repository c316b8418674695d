"""Sessions and users read in every way equal those of Django's own store and of allauth."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from config.sessions import Backend, SessionStore

pytestmark = pytest.mark.django_db


def test_session_equals_that_of_django() -> None:
    store = SessionStore()
    store["seat"] = "ember"
    store.create()
    assert dict(SessionStore(store.session_key).items()) == dict(
        db.SessionStore(store.session_key).items()
    )


@pytest.mark.parametrize("key", ["", "nothing", "x" * 32])
def test_key_without_session_is_forgotten(key: str) -> None:
    store = SessionStore(key)
    assert store.load() == {}
    assert store.session_key is None


def test_expired_session_is_invalid() -> None:
    store = SessionStore()
    store["seat"] = "ember"
    store.create()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert SessionStore(store.session_key).load() == {}


def test_disabled_user_loses_access_at_once() -> None:
    user = get_user_model().objects.create_user("grisheva", password="Petrograd-2178")
    client = Client()
    client.force_login(user)
    assert client.get("/me/").status_code == 200
    get_user_model().objects.update(is_active=False)
    assert client.get("/me/").status_code == 302
    assert Backend().get_user(user.pk) is None
    assert Backend().get_user(user.pk + 1) is None


def test_logout_ends_the_session_in_every_worker() -> None:
    user = get_user_model().objects.create_user("grisheva", password="Petrograd-2178")
    client = Client()
    client.force_login(user)
    stolen = Client()
    stolen.cookies.load(client.cookies.output(header=""))
    assert stolen.get("/me/").status_code == 200
    client.logout()
    assert stolen.get("/me/").status_code == 302
