"""The pages and the API of messages, as players and an umpire use them."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.models import Campaign, Message
from campaign.rules.message_rules import MessageRules
from tests.campaign.pages.general.browser_pages import browser, page, read_page
from tests.campaign.seats.people import join_by_invitation, open_campaign

pytestmark = pytest.mark.django_db
TEXT = "Meet me <b>there</b> & bring https://example.org/x"


def table(
    mode: str = "at-once", umpire_reads: bool = False
) -> tuple[Campaign, str, Client, Client, Client]:
    """Return a war before its beginning, its address, and the browsers of two players and the
    umpire.
    """
    campaign, host = open_campaign("first-steps", messages=MessageRules(mode, umpire_reads))
    for key in ("ember", "frost"):
        join_by_invitation(host, f"of-{key}", faction=key)
    join_by_invitation(host, "vera", role="umpire")
    where = f"/c/{campaign.public_id}/messages/"
    return campaign, where, browser("of-ember"), browser("of-frost"), browser("vera")


def test_messages_work_without_scripts_and_text_is_escaped() -> None:
    campaign, where, ember, frost, vera = table()
    assert "Within" in page(ember, where).text
    answer = ember.post(where, {"to": ["faction/frost"], "message": TEXT})
    assert answer.status_code == 302
    assert answer["Location"] == f"{where}to/frost/"
    ember_text = ember.get(answer["Location"]).content.decode()
    assert "Meet me &lt;b&gt;there&lt;/b&gt; &amp; bring https://example.org/x" in ember_text
    assert 'href="https://example.org' not in ember_text
    assert "of-ember" in ember_text
    frost_text = frost.get(f"{where}to/ember/").content.decode()
    assert "Meet me &lt;b&gt;there" in frost_text
    assert "of-ember" not in frost_text
    assert "Mark as read" in frost_text
    assert '<span class="count">1<span' in frost.get(f"/c/{campaign.public_id}/").content.decode()
    (row,) = Message.objects.all()
    assert (
        frost.post(f"{where}to/ember/", {"act": "read", "id": [str(row.public_id)]}).status_code
        == 302
    )
    after = frost.get(f"{where}to/ember/").content.decode()
    assert "Mark as read" not in after
    assert 'class="count"' not in after
    assert "Meet me" not in vera.get(f"{where}to/ember/").content.decode()
    assert vera.get(f"{where}all/").status_code == 404


def test_message_to_several_recipients_keeps_text_on_faults() -> None:
    _, where, ember, frost, vera = table()
    answer = ember.post(where, {"message": "kept words"})
    result = read_page(answer)
    assert answer.status_code == 422
    assert "Choose a recipient" in result.text
    assert "kept words" in answer.content.decode()
    assert (
        ember.post(where, {"to": ["faction/frost", "umpire"], "message": "to both"}).status_code
        == 302
    )
    assert "to both" in page(frost, f"{where}to/ember/").text
    assert "to both" in page(vera, f"{where}to/ember/").text
    answer = ember.post(f"{where}to/frost/", {"message": "  "})
    assert answer.status_code == 422
    assert "Write something" in read_page(answer).text
    assert ember.get(f"{where}to/nobody/").status_code == 404
    assert vera.get(f"{where}umpire/").status_code == 404


def test_umpire_reads_messages_between_factions_if_announced() -> None:
    campaign, where, ember, _, vera = table(umpire_reads=True)
    ember.post(where, {"to": ["faction/frost"], "message": "overheard"})
    ember.post(where, {"to": ["faction/ember"], "message": "among ourselves"})
    umpire_page = page(vera, f"{where}all/").text
    assert "overheard" in umpire_page
    assert "among ourselves" not in umpire_page
    assert "The umpire can also read messages between factions" in page(ember, where).text
    assert (
        "can also read messages between factions" in page(ember, f"/c/{campaign.public_id}/").text
    )


def test_long_thread_is_paginated() -> None:
    campaign, where, ember, frost, _ = table()
    ember.post(where, {"to": ["faction/frost"], "message": "the first"})
    (first,) = Message.objects.all()
    Message.objects.bulk_create(
        Message(
            public_id=f"00000000-0000-4000-8000-{number:012}",
            campaign=campaign,
            sender=first.sender,
            receiver=first.receiver,
            text=f"number {number}",
            week=0,
            written_at=first.written_at,
            delivered_at=first.delivered_at,
        )
        for number in range(105)
    )
    newest = page(frost, f"{where}to/ember/").text
    assert "number 104" in newest
    assert "the first" not in newest
    assert "Earlier messages" in newest
    assert "the first" in page(frost, f"{where}to/ember/?older=100").text


def test_api_writes_reads_and_marks_messages() -> None:
    campaign, _, ember, frost, vera = table()
    api = f"/api/campaigns/{campaign.public_id}/messages/"
    body = {"text": "by program", "to": ["frost"], "umpire": True}
    headers = {"Idempotency-Key": "one"}
    first = ember.post(api, body, "application/json", headers=headers)
    assert first.status_code == 201
    assert ember.post(api, body, "application/json", headers=headers).json() == first.json()
    assert [
        (message_row["receiver"], message_row["mine"]) for message_row in first.json()["messages"]
    ] == [
        ("frost", True),
        (None, True),
    ]
    messages = frost.get(api).json()
    assert (messages["mode"], messages["to"], messages["umpire"]) == (
        "at-once",
        ["frost", "ember"],
        True,
    )
    (message,) = messages["messages"]
    assert (message["sender"], message["text"], message["author"]) == ("ember", "by program", "")
    assert message["unread"] is True
    assert (
        frost.post(f"{api}read/", {"ids": [message["id"]]}, "application/json").status_code == 204
    )
    assert frost.get(api).json()["messages"][0]["unread"] is False
    assert [message_row["text"] for message_row in vera.get(api).json()["messages"]] == [
        "by program"
    ]
    refused = ember.post(api, {"text": "", "to": ["x"]}, "application/json")
    assert refused.status_code == 422
    assert [fault["where"] for fault in refused.json()["violations"]] == ["text", "to"]
    sheet = frost.get(f"/api/campaigns/{campaign.public_id}/").json()
    assert (sheet["messages"], sheet["umpire_reads"]) == ("at-once", False)


def test_host_chooses_message_delivery_at_creation() -> None:
    _, _, ember, *_ = table()
    form = {
        "scenario": "first-steps",
        "name": "A quiet war",
        "part": "host",
        "timetable": "daily",
        "zone": "UTC",
    }
    form |= {"battles": "captains", "number": "0"}
    form |= {"rollback": "vote", "rollback_consent": "two-thirds"}
    opened = ember.post("/campaigns/new", form | {"messages": "sealed", "umpire_reads": "yes"})
    assert opened.status_code == 302
    lobby = read_page(ember.get(opened.headers["Location"])).text
    assert "consent of two thirds of the sides with players, even if an umpire" in lobby
    campaign = Campaign.objects.get(name="A quiet war")
    assert (campaign.ruleset["messages"], campaign.ruleset["umpire_reads"]) == ("sealed", True)
    refused = ember.post(
        "/campaigns/new", form | {"messages": "off", "umpire_reads": "yes", "number": "1"}
    )
    assert refused.status_code == 422
    assert "only if messages are allowed" in read_page(refused).text
