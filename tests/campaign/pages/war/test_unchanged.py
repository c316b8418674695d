"""Pages with an ETag: a browser's copy is not sent again, and it opens nothing for others."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory

from campaign.models import Membership
from campaign.rules.help_texts import guide_ids
from campaign.services.preferences import guide_mark_done, preference_save
from campaign.web.common import if_changed
from config.sessions import SessionStore
from tests.campaign.pages.war.browsing import Player, at, player
from tests.sealing import orders_seal
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db
PAGES = ("map/", "ships/", "reports/", "ships/?show=damaged", "reports/?week=0")


def page(client: Client, owner: Player, address: str, etag: str = "") -> Any:
    headers = {"If-None-Match": etag} if etag else {}
    return client.get(f"/c/{owner.campaign.public_id}/{address}", headers=headers)


def unguided() -> Player:
    """Return a player without a guide, whose form would make pages differ between browsers."""
    ember = at("orders")
    guide_mark_done(user=ember.user, steps=guide_ids())
    return ember


@pytest.mark.parametrize("address", PAGES)
def test_unchanged_page_is_not_sent_again(address: str) -> None:
    ember = unguided()
    first = page(ember.client, ember, address)
    assert first.status_code == 200
    assert {"private", "no-cache"} == set(first.headers["Cache-Control"].split(", "))
    assert "Cookie" in first.headers["Vary"]
    again = page(ember.client, ember, address, first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    user = User.objects.get(pk=ember.user.pk)
    for change in (
        lambda: orders_seal(stage=ember.stage(), faction=ember.faction, payload={"schema": 1}),
        lambda: preference_save(user=user, zone="Asia/Tokyo"),
        lambda: preference_save(user=user, theme="dark"),
        lambda: User.objects.filter(pk=user.pk).update(username="renamed"),
        lambda: (
            type(ember.campaign).objects.filter(pk=ember.campaign.pk).update(name="Another name")
        ),
        lambda: Membership.objects.create(campaign=ember.campaign, user=user, role="host"),
        lambda: resolve_stage(ember.stage()),
    ):
        known_etag = page(ember.client, ember, address).headers["ETag"]
        change()
        later = page(ember.client, ember, address, known_etag)
        assert later.status_code == 200
        assert later.headers["ETag"] != known_etag


def test_different_addresses_are_different_pages() -> None:
    ember = unguided()
    assert len({page(ember.client, ember, address).headers["ETag"] for address in PAGES}) == len(
        PAGES
    )


def test_cached_page_grants_no_access() -> None:
    """It stays closed after logging out or leaving, to strangers, and to the other side."""
    ember = unguided()
    frost = player(ember.campaign, "frost")
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    for address in PAGES:
        etag = page(ember.client, ember, address).headers["ETag"]
        assert page(frost.client, ember, address, etag).status_code == 200
        assert page(stranger, ember, address, etag).status_code == 404
        assert page(Client(), ember, address, etag).status_code == 302
    Membership.objects.filter(user_id=ember.user.pk).delete()
    assert page(ember.client, ember, "map/", etag).status_code == 404


def test_flash_message_is_not_cached() -> None:
    ember = unguided()
    etag = page(ember.client, ember, "map/").headers["ETag"]
    # a form of a past stage, which leaves a message for the next page
    ember.client.post(f"/c/{ember.campaign.public_id}/orders/", {"stage": "99"})
    answer_with_message = page(ember.client, ember, "map/", etag)
    assert answer_with_message.status_code == 200
    assert "That stage has closed in the meantime" in answer_with_message.content.decode()
    assert "no-store" in answer_with_message.headers["Cache-Control"]
    assert page(ember.client, ember, "map/", etag).status_code == 304


@pytest.mark.parametrize("address", ["", "orders/", "receipts/", "classes/"])
def test_pages_with_forms_are_not_cached(address: str) -> None:
    ember = unguided()
    answer = page(ember.client, ember, address)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]


def test_cached_page_is_rendered_once_per_reader() -> None:
    ember = unguided()
    frost = player(ember.campaign, "frost")
    first = page(ember.client, ember, "map/")
    with patch("campaign.pages.map.starmap.render", side_effect=AssertionError("drawn again")):
        assert page(ember.client, ember, "map/").content == first.content
        with pytest.raises(AssertionError, match="drawn again"):
            page(frost.client, ember, "map/")


def test_page_with_a_token_is_never_cached() -> None:
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    request._messages = SessionStorage(request)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="token"):
        if_changed(request, (uuid4(),), lambda: HttpResponse(get_token(request)))
