"""The calendar feed: the user's own deadlines, and not a byte more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from campaign.models import Stage
from campaign.services.preferences import calendar_of, feed_token_rotate, preference_save
from campaign.services.seats import campaign_begin
from tests.campaign.seats.people import DAILY, MONDAY, join_by_invitation, open_campaign, person
from umpire.services.control import campaign_pause, stage_extend

pytestmark = pytest.mark.django_db


def events(body: bytes) -> list[tuple[str, str]]:
    calendar = Calendar.from_ical(body)
    return [
        (str(event["summary"]), event.decoded("dtstart").isoformat())
        for event in calendar.walk("VEVENT")
    ]


@pytest.mark.any_database
def test_feed_address_shows_its_owners_deadlines(client: Client) -> None:
    campaign, host = open_campaign(play="ember", timetable=DAILY, name="Evenings")
    pia = join_by_invitation(host, "pia", faction="frost")
    open_campaign(host="otto", play="ember", timetable=DAILY, name="Elsewhere")
    campaign_begin(viewer=host, now=MONDAY)
    address = reverse("feed", args=[feed_token_rotate(user=pia.user)])
    assert address.startswith("/feed/")
    assert address.endswith(".ics")
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert "private" in answer["Cache-Control"]
    assert events(answer.content) == [("Evenings: deployment closes", "2026-11-18T12:00:00+00:00")]
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert str(campaign.public_id) in answer.content.decode()
    preference_save(user=pia.user, language="fr")
    assert events(client.get(address).content) == [
        ("Evenings\u00a0: fin du déploiement", "2026-11-18T12:00:00+00:00")
    ]


def test_other_addresses_show_nothing(client: Client) -> None:
    user = person("vera")
    old = feed_token_rotate(user=user)
    feed_token_rotate(user=user)
    for token in (old, "nonsense", "x" * 200):
        assert client.get(reverse("feed", args=[token])).status_code == 404
    assert client.post(reverse("feed", args=[old])).status_code == 405


def test_equal_deadlines_give_equal_bytes() -> None:
    _, host = open_campaign(play="ember", timetable=DAILY)
    pia = join_by_invitation(host, "pia", faction="frost")
    campaign_begin(viewer=host, now=MONDAY)
    assert calendar_of(host.user) == calendar_of(pia.user) == calendar_of(pia.user)
    assert calendar_of(person("stranger")).count(b"VEVENT") == 0


def test_host_clock_changes_appear_in_the_feed() -> None:
    _, host = open_campaign(play="ember", timetable=DAILY, name="Evenings")
    campaign_begin(viewer=host, now=MONDAY)
    stage_extend(viewer=host, hours=3, now=MONDAY)
    assert events(calendar_of(host.user)) == [
        ("Evenings: deployment closes", "2026-11-18T15:00:00+00:00")
    ]
    campaign_pause(viewer=host, now=MONDAY)
    assert events(calendar_of(host.user))[0][0] == "Evenings: deployment closes (paused)"
    Stage.objects.update(closes=None)
    assert events(calendar_of(host.user)) == []


def test_alarm_is_a_day_before() -> None:
    _, host = open_campaign(play="ember", timetable=DAILY)
    campaign_begin(viewer=host, now=MONDAY)
    alarm = Calendar.from_ical(calendar_of(host.user)).walk("VALARM")[0]
    assert alarm.decoded("trigger") == timedelta(hours=-24)
