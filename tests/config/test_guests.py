"""Guests: a battle without an account, the addresses that they can open, keeping the account."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, GuestAccount, Membership, Preference, Stage
from campaign.selectors.envelopes import has_fought_elsewhere
from campaign.services.guests import LIFETIME, guests_forget
from campaign.services.scenarios import scenarios_load
from config.guests import FORMS, OWN_BATTLE, PUBLIC
from tests.access.site_routes import all_routes
from tests.campaign.seats.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
KEEP = "/guest/keep/"
PASSWORD = "a long enough pass phrase"
ANSWERS = {"username": "ada", "email": "", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def guest(settings: Any) -> Client:
    """Return the browser of a guest whose battle has begun."""
    settings.GUESTS = True
    settings.SIGNUP_OPEN = True
    cache.clear()
    scenarios_load()
    person("host")
    client = Client()
    assert 'name="side"' in client.get("/").content.decode()
    answer = client.post("/guest/", {"side": "nac"})
    assert answer["Location"].endswith("/now/")
    assert client.get(answer["Location"]).status_code == 200
    return client


def _path(route: str, campaign: Campaign) -> str:
    """Return a path for a route, in the guest's own battle where it names one."""
    path = re.sub(r"<\w+:(c|public_id|campaign)>", str(campaign.public_id), route)
    path = re.sub(r"<uuid:\w+>", str(campaign.public_id), path)
    path = re.sub(r"<int:\w+>", "1", path)
    return "/" + re.sub(r"<(\w+:)?\w+>", "x", path)


def test_guest_opens_nothing_but_the_listed_addresses(guest: Client) -> None:
    campaign = Campaign.objects.get()
    for route in all_routes():
        name = route.name
        if "(?P" in route.route:
            continue
        path = _path(route.route, campaign)
        if name not in PUBLIC | OWN_BATTLE:
            read = guest.get(path)
            if path.startswith("/api/"):
                assert read.status_code == 403, path
            else:
                assert (read.status_code, read.headers.get("Location")) == (302, KEEP), path
        if name not in FORMS:
            assert guest.post(path).status_code == 403, path
    assert Campaign.objects.count() == 1
    assert guest.get("/")["Location"].endswith("/now/")


def test_guest_plays_one_battle_at_a_time_and_keeps_it(guest: Client) -> None:
    assert guest.post("/guest/", {"side": "esu"})["Location"].endswith("/now/")
    campaign = Campaign.objects.get()
    assert guest.get(KEEP).status_code == 200
    person("ada")
    assert guest.post(KEEP, ANSWERS).status_code == 200  # the name is taken
    answer = guest.post(KEEP, {**ANSWERS, "username": "bea"})
    assert answer["Location"] == "/"
    assert not GuestAccount.objects.exists()
    assert guest.get("/me/").status_code == 200
    assert guest.get(KEEP).status_code == 404
    seats = Membership.objects.filter(campaign=campaign, user__username="bea")
    assert {seat.role for seat in seats} == {"host", "player"}
    assert (
        Client().post(reverse("account_login"), {"login": "bea", "password": PASSWORD}).status_code
        == 302
    )


def test_first_battle_has_a_guide_until_its_steps_are_done(guest: Client) -> None:
    address = guest.get("/")["Location"]
    text = guest.get(address).content.decode()
    assert re.findall(r'data-guide="(\w+)"', text) == ["list", "seal"]
    assert guest.post("/guide/", {"step": "any-battle/plot/list"}).status_code == 302
    assert re.findall(r'data-guide="(\w+)"', guest.get(address).content.decode()) == ["seal"]
    fields = dict(re.findall(r'type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"', text))
    assert guest.post(address, {**fields, "action": "seal"}).status_code == 302
    user = User.objects.get(username__startswith="guest-")
    assert Preference.objects.get(user=user).completed_guide_steps == [
        "any-battle/plot/list",
        "any-battle/plot/seal",
    ]
    fought, later = Stage.objects.exclude(battle=None).first(), Stage()
    assert fought is not None
    assert not has_fought_elsewhere(user, fought)
    assert has_fought_elsewhere(user, later)


def test_closed_site_asks_a_guest_for_an_invitation(guest: Client, settings: Any) -> None:
    settings.SIGNUP_OPEN = False
    assert "you need an invitation" in guest.get(KEEP).content.decode()
    guest.post(KEEP, ANSWERS)
    assert GuestAccount.objects.exists()


def test_old_guests_are_deleted_and_their_battles_stay(guest: Client) -> None:
    now = timezone.now()
    assert guests_forget(now=now) == 0
    assert guests_forget(now=now + LIFETIME + timedelta(minutes=1)) == 1
    assert not User.objects.filter(username__startswith="guest-").exists()
    assert Campaign.objects.count() == 1
    assert b"Log in" in guest.get("/").content


def test_guests_of_one_address_are_limited(guest: Client) -> None:
    del guest
    for _ in range(5):
        assert Client().post("/guest/", {"side": "nobody"}).status_code == 302
    assert Client().post("/guest/", {"side": "nac"}).status_code == 429
    assert GuestAccount.objects.count() == 1


def test_site_without_guests_refuses_them(settings: Any) -> None:
    assert django_settings.GUESTS is False  # sign-up is closed
    scenarios_load()
    person("host")
    assert b'name="side"' not in Client().get("/").content
    assert Client().post("/guest/", {"side": "nac"})["Location"] == "/"
    settings.GUESTS = True
    User.objects.all().delete()  # before the first account
    assert Client().post("/guest/", {"side": "nac"})["Location"] == "/"
    assert not Campaign.objects.exists()
