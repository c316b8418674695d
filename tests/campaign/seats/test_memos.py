"""Memos: a faction's reminders above the orders of that week, hidden from others."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from campaign.access import Viewer, viewer_of
from campaign.errors import NotFound
from campaign.models import Memo
from campaign.services.invites import invite_accept, invite_create
from campaign.services.memos import LONGEST_MEMO, memo_write, memos_of
from campaign.services.seats import campaign_begin
from tests.campaign.pages.general.browser_pages import browser, page
from tests.campaign.seats.people import join_by_invitation, open_campaign, person, viewer

pytestmark = pytest.mark.django_db
SECRET = "Frost sleeps: & strike <Ember>"


def seat(name: str, where: str) -> Viewer:
    return viewer_of(User.objects.get(username=name), where[3:-1])


def war() -> str:
    """Return a war of Pia and her staff Paul against Flo, hosted by Hope, observed by Otto."""
    campaign, host = open_campaign()
    join_by_invitation(host, "pia", faction="ember")
    join_by_invitation(host, "paul", role="staff", faction="ember")
    join_by_invitation(host, "flo", faction="frost")
    join_by_invitation(host, "otto", role="observer")
    join_by_invitation(host, "una", role="umpire")
    campaign_begin(viewer=host)
    return f"/c/{campaign.public_id}/"


@pytest.mark.any_database
def test_memo_is_above_that_weeks_orders_for_the_faction() -> None:
    where = war()
    pia = browser("pia")
    assert pia.post(f"{where}memos/", {"week": "0", "text": SECRET}).status_code == 302
    for name in ("pia", "paul"):
        client = browser(name)
        for tail in ("", "deploy/", "memos/"):
            html = client.get(where + tail).content.decode()
            assert "&lt;Ember&gt;" in html, (name, tail)
    assert browser("paul").post(f"{where}memos/", {"week": "3", "text": "Home"}).status_code == 302
    assert "Home" not in pia.get(f"{where}deploy/").content.decode()
    assert "by paul" in " ".join(page(pia, f"{where}memos/").text.split())
    assert pia.post(f"{where}memos/", {"week": "0", "text": " \r\n "}).status_code == 302
    assert [memo.week for memo in Memo.objects.all()] == [3]
    empty = pia.post(f"{where}memos/", {"week": "0", "text": " "})
    assert empty.status_code == 422
    assert "Write something first" in empty.content.decode()


def test_nobody_else_reads_or_writes_memos() -> None:
    where = war()
    browser("pia").post(f"{where}memos/", {"week": "1", "text": SECRET})
    for name in ("hope", "otto", "una"):
        client = browser(name)
        assert client.get(f"{where}memos/").status_code == 404
        assert client.post(f"{where}memos/", {"week": "1", "text": "x"}).status_code == 404
        assert client.get(f"/api/campaigns/{where[3:-1]}/memos/").status_code == 404
    assert SECRET not in browser("flo").get(f"{where}memos/").content.decode()
    assert (
        browser("flo").post(f"{where}memos/", {"week": "1", "text": "of my own"}).status_code == 302
    )
    assert sorted(memo.text for memo in Memo.objects.all()) == sorted([SECRET, "of my own"])


@pytest.mark.any_database
def test_guest_does_not_read_memos() -> None:
    where = war()
    token = invite_create(viewer=seat("pia", where), role="guest", faction="ember").token
    invite_accept(user=person("gus"), public_id=where[3:-1], token=token)
    browser("pia").post(f"{where}memos/", {"week": "0", "text": SECRET})
    gus = browser("gus")
    assert "&lt;Ember&gt;" in browser("pia").get(where).content.decode()
    assert gus.get(where).status_code == 200
    assert "&lt;Ember&gt;" not in gus.get(where).content.decode()
    assert f"{where}memos/" not in gus.get(where).content.decode()
    assert gus.get(f"{where}memos/").status_code == 404


def test_api_saves_memos_and_invalid_ones_change_nothing() -> None:
    where = war()
    client, api = browser("pia"), f"/api/campaigns/{where[3:-1]}/memos/"

    def put_memo(week: int, text: str) -> tuple[int, list[str]]:
        answer = client.put(f"{api}{week}/", {"text": text}, "application/json")
        return answer.status_code, [fault["where"] for fault in answer.json().get("violations", ())]

    assert put_memo(2, SECRET) == (200, [])
    (memo,) = client.get(api).json()["memos"]
    assert (memo["week"], memo["text"], memo["by"]) == (2, SECRET, "pia")
    assert put_memo(99, "x") == (422, ["week"])
    assert put_memo(2, "x" * (LONGEST_MEMO + 1)) == (422, ["text"])
    assert put_memo(2, "a\u202eb") == (422, ["text"])
    form = browser("pia").post(f"{where}memos/", {"week": "99", "text": "kept for me"})
    assert form.status_code == 422
    assert Memo.objects.get().text == SECRET
    assert put_memo(2, "") == (200, [])
    assert not Memo.objects.exists()


def test_services_check_that_the_user_plays() -> None:
    campaign, host = open_campaign()
    join_by_invitation(host, "pia", faction="ember")
    with pytest.raises(NotFound):
        memos_of(viewer(campaign, "hope"))
    with pytest.raises(NotFound):
        memo_write(viewer=viewer(campaign, "hope"), week=1, text="x")
