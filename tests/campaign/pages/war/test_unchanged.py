"""Pages with an ETag: what a browser has is not sent again, and nothing that it kept opens
anything.
"""

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
from campaign.services.preferences import guide_taken, preference_save
from campaign.web.common import if_changed
from config.sessions import SessionStore
from tests.campaign.pages.war.browsing import Player, at, player
from tests.sealing import orders_seal
from tests.umpire.services.wars import resolved

pytestmark = pytest.mark.django_db
PAGES = ("map/", "ships/", "reports/", "ships/?show=damaged", "reports/?week=0")


def page(client: Client, one: Player, address: str, etag: str = "") -> Any:
    headers = {"If-None-Match": etag} if etag else {}
    return client.get(f"/c/{one.campaign.public_id}/{address}", headers=headers)


def unguided() -> Player:
    """Somebody who has no guide on his pages: its form is one browser's, and such a page is not
    kept.
    """
    one = at("orders")
    guide_taken(user=one.user, steps=guide_ids())
    return one


@pytest.mark.parametrize("address", PAGES)
def test_what_a_browser_has_is_not_sent_again_until_something_of_it_changes(address: str) -> None:
    one = unguided()
    first = page(one.client, one, address)
    assert first.status_code == 200
    assert {"private", "no-cache"} == set(first.headers["Cache-Control"].split(", "))
    assert "Cookie" in first.headers["Vary"]
    again = page(one.client, one, address, first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    user = User.objects.get(pk=one.user.pk)
    for change in (
        lambda: orders_seal(stage=one.stage(), faction=one.faction, payload={"schema": 1}),
        lambda: preference_save(user=user, zone="Asia/Tokyo"),
        lambda: preference_save(user=user, theme="dark"),
        lambda: User.objects.filter(pk=user.pk).update(username="renamed"),
        lambda: type(one.campaign).objects.filter(pk=one.campaign.pk).update(name="Another name"),
        lambda: Membership.objects.create(campaign=one.campaign, user=user, role="host"),
        lambda: resolved(one.stage()),
    ):
        known = page(one.client, one, address).headers["ETag"]
        change()
        later = page(one.client, one, address, known)
        assert later.status_code == 200
        assert later.headers["ETag"] != known


def test_two_addresses_are_two_pages() -> None:
    one = unguided()
    assert len({page(one.client, one, address).headers["ETag"] for address in PAGES}) == len(PAGES)


def test_a_page_that_was_kept_opens_nothing() -> None:
    """To who has logged out, who has left the campaign, who never was in it, and who plays the
    other side.
    """
    one = unguided()
    other = player(one.campaign, "frost")
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    for address in PAGES:
        etag = page(one.client, one, address).headers["ETag"]
        assert page(other.client, one, address, etag).status_code == 200
        assert page(stranger, one, address, etag).status_code == 404
        assert page(Client(), one, address, etag).status_code == 302
    Membership.objects.filter(user_id=one.user.pk).delete()
    assert page(one.client, one, "map/", etag).status_code == 404


def test_a_message_is_shown_and_its_page_not_kept() -> None:
    one = unguided()
    etag = page(one.client, one, "map/").headers["ETag"]
    # a form of a stage that is past, which leaves a message for the next page
    one.client.post(f"/c/{one.campaign.public_id}/orders/", {"stage": "99"})
    told = page(one.client, one, "map/", etag)
    assert told.status_code == 200
    assert "That stage has closed in the meantime" in told.content.decode()
    assert "no-store" in told.headers["Cache-Control"]
    assert page(one.client, one, "map/", etag).status_code == 304


@pytest.mark.parametrize("address", ["", "orders/", "receipts/", "classes/"])
def test_pages_with_forms_are_not_kept(address: str) -> None:
    one = unguided()
    answer = page(one.client, one, address)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_page_that_the_site_keeps_is_drawn_once_and_only_for_its_reader() -> None:
    one = unguided()
    other = player(one.campaign, "frost")
    first = page(one.client, one, "map/")
    with patch("campaign.pages.map.starmap.render", side_effect=AssertionError("drawn again")):
        assert page(one.client, one, "map/").content == first.content
        with pytest.raises(AssertionError, match="drawn again"):
            page(other.client, one, "map/")


def test_a_page_with_a_token_in_it_is_never_kept() -> None:
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    request._messages = SessionStorage(request)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="token"):
        if_changed(request, (uuid4(),), lambda: HttpResponse(get_token(request)))
