"""Two at the same moment: one link, one seat; one message, one delivery.

It needs a database with real concurrency.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection, transaction

from campaign.errors import Refused
from campaign.models import Act, Invite, Membership, Notification, Stage
from campaign.services.invites import invite_accept, invite_create, invite_sign_up
from campaign.services.outbox import notifications_deliver
from campaign.services.seats import campaign_begin
from tests.campaign.seats.people import DAILY, MONDAY, open_campaign, person, viewer
from umpire.services.control import campaign_pause, stage_extend

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Return the results or exceptions of functions started at the same moment in threads."""
    barrier, results = Barrier(len(acts)), list[object]([None] * len(acts))

    def run(n: int, act: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[n] = act()
        except Refused as refused:
            results[n] = refused
        finally:
            connection.close()

    threads = [Thread(target=run, args=(n, act)) for n, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_link_followed_twice_at_once_seats_one() -> None:
    campaign, host = open_campaign()
    people = [person(name) for name in ("ann", "bob", "cat")]
    for _ in range(5):
        token = invite_create(viewer=host, faction="ember").token
        accept = partial(invite_accept, public_id=campaign.public_id, token=token)
        results = at_once(*(partial(accept, user=user) for user in people))
        assert sorted(type(result).__name__ for result in results) == [
            "Membership",
            "NotFound",
            "NotFound",
        ]
        Membership.objects.filter(faction__isnull=False).delete()
    assert Invite.objects.filter(used_at__isnull=False).count() == 5


def test_concurrent_sign_ups_by_one_link_make_one_account() -> None:
    _, host = open_campaign()
    invite = invite_create(viewer=host, faction="ember").invite

    def sign_up(name: str) -> None:
        with transaction.atomic():
            invite_sign_up(public_id=str(invite.public_id))
            person(name)

    results = at_once(*(partial(sign_up, name) for name in ("ann", "bob", "cat")))
    assert sorted(type(result).__name__ for result in results) == [
        "NoneType",
        "NotFound",
        "NotFound",
    ]
    assert User.objects.filter(username__in=("ann", "bob", "cat")).count() == 1


def test_message_found_by_several_workers_is_sent_once() -> None:
    user = person("vera")
    for number in range(20):
        Notification.objects.create(user=user, dedupe_key=str(number), body=f"message {number}")
    results = at_once(*[lambda: notifications_deliver(now=MONDAY)] * 4)
    assert sum(result for result in results if isinstance(result, int)) == 20
    assert sorted(message.subject for message in mail.outbox) == sorted(
        f"message {n}" for n in range(20)
    )


def test_war_started_several_times_at_once_begins_once() -> None:
    _, host = open_campaign(play="ember")
    results = at_once(*[partial(campaign_begin, viewer=host, now=MONDAY)] * 4)
    assert sorted(type(result).__name__ for result in results) == ["AlreadyStarted"] * 3 + ["Stage"]
    assert Stage.objects.count() == 1


def test_clock_stopped_several_times_at_once_stops_once() -> None:
    campaign, host = open_campaign(play="ember", timetable=DAILY)
    campaign_begin(viewer=host, now=MONDAY)
    keeper = viewer(campaign, "hope")
    at_once(
        *[partial(campaign_pause, viewer=keeper, now=MONDAY)] * 3,
        *[partial(stage_extend, viewer=keeper, until=MONDAY.replace(day=19), now=MONDAY)] * 3,
    )
    assert sorted(Act.objects.values_list("verb", flat=True)) == ["extend", "pause"]
    assert Stage.objects.get().closes == MONDAY.replace(day=19)
