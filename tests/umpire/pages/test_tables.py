"""The umpire's table of all wars, and what is wrong with one: what cannot wait first, and nothing of other wars."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign.access import viewer_of
from campaign.models import Act, Campaign, Notification, Stage
from campaign.services.campaigns import membership_add
from campaign.services.due import STAGE_RESOLVE
from campaign.services.messages import message_write
from jobs.models import WAITING, Job
from tests.umpire.pages.desk import Desk
from tests.umpire.services.wars import started
from umpire.pages.trouble import span_words

pytestmark = pytest.mark.django_db


def table(desk: Desk, query: str = "", who: str = "umpire") -> str:
    answer = desk.client(who).get(reverse("umpire-tables") + query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def another(desk: Desk, name: str, closes_in: int | None = 72) -> Stage:
    """One more war of the same umpire, at its deployment, with two players."""
    campaign, stage = started(seed=len(name))
    Campaign.objects.filter(pk=campaign.pk).update(name=name)
    umpire = desk.people["umpire"]
    assert isinstance(umpire, User)
    membership_add(campaign=campaign, user=umpire, role="umpire")
    for faction in campaign.factions.all():
        user = User.objects.create_user(f"{faction.key}-{name}")
        membership_add(campaign=campaign, user=user, role="player", faction=faction)
    closes = None if closes_in is None else timezone.now() + timedelta(hours=closes_in)
    Stage.objects.filter(pk=stage.pk).update(closes=closes)
    stage.refresh_from_db()
    return stage


def failing(stage: Stage) -> Job:
    """The job of a stage, which has failed three times."""
    return Job.objects.create(
        kind=STAGE_RESOLVE,
        args={"stage": stage.pk},
        dedupe_key=f"{STAGE_RESOLVE}/{stage.pk}",
        status=WAITING,
        send_at=timezone.now(),
        attempts=3,
        error="ValueError in reckon, week.py:7",
        asked_at=timezone.now(),
    )


def unsent(desk: Desk, campaign: Campaign, **more: Any) -> Notification:
    return Notification.objects.create(
        user=User.objects.get(username="player"),
        dedupe_key=f"stage/{campaign.public_id}/1/4/{len(more)}",
        body="A stage is open.",
        attempts=3,
        **more,
    )


def test_trouble_comes_first_then_what_closes_first(desk: Desk) -> None:
    another(desk, "Late war", 72)
    another(desk, "Soon war", 5)
    failing(another(desk, "Broken war", 90))
    another(desk, "Open war", None)
    page = table(desk)
    places = [page.index(f">{name}<") for name in ("Broken war", "Soon war", "Late war", "Open war")]
    assert places == sorted(places)
    assert "Resolving has failed 3 times: ValueError in reckon, week.py:7" in page
    assert "4 h 59 min" in page
    assert "no deadline" in page
    assert "5 campaigns" in page
    narrowed = table(desk, "?show=today")
    assert ">Soon war<" in narrowed
    assert ">Late war<" not in narrowed
    assert ">Late war<" not in table(desk, "?show=trouble")
    assert ">Late war<" in table(desk, "?show=nonsense")


def test_another_umpires_table_has_nothing_of_it(desk: Desk) -> None:
    failing(desk.stage)
    unsent(desk, desk.campaign)
    page = table(desk, who="umpire elsewhere")
    assert "ValueError" not in page
    assert "could not be sent" not in page
    assert "ValueError" in table(desk)


def test_ten_wars_cost_as_many_queries_as_two(desk: Desk) -> None:
    client = desk.client("umpire")

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert client.get(reverse("umpire-tables")).status_code == 200
        return len(asked)

    another(desk, "War 1")
    queries()
    two = queries()
    for number in range(8):
        another(desk, f"War of number {number}")
    assert queries() == two
    assert two <= 16


def test_a_war_says_what_is_wrong_with_it_on_its_own_table(desk: Desk) -> None:
    client = desk.client("umpire")
    assert "Nothing is wrong with this campaign." in client.get(desk.url("umpire")).content.decode()
    failing(desk.stage)
    unsent(desk, desk.campaign)
    unsent(desk, desk.campaign, given_up_at=timezone.now())
    Campaign.objects.filter(pk=desk.campaign.pk).update(paused_at=timezone.now() - timedelta(hours=3))
    page = unescape(client.get(desk.url("umpire")).content.decode())
    assert "Resolving has failed 3 times" in page
    assert "A message to player could not be sent yet (3 attempts)" in page
    assert "A message to player could not be sent and was given up" in page
    assert "The clock has been stopped for 3 h" in page
    assert "Nothing is wrong" not in page


def test_a_stage_that_hangs_is_said_to_hang(desk: Desk) -> None:
    Stage.objects.filter(pk=desk.stage.pk).update(status="closed", closed_at=timezone.now() - timedelta(minutes=9))
    assert "Closed 9 min ago and not resolved yet" in table(desk)
    Stage.objects.filter(pk=desk.stage.pk).update(closed_at=timezone.now())
    assert "not resolved yet" not in table(desk)


def test_the_site_says_no_more_than_that_it_is_behind(desk: Desk, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    page = table(desk)
    assert "The site keeps pace" in page
    assert "There is no backup on this machine." in page
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "blindjump-1.jsonl.gz").write_bytes(b"")
    other = another(desk, "Elsewhere")
    job = failing(Stage.objects.exclude(pk__in=(desk.stage.pk, other.pk)).filter(status="open").earliest("pk"))
    assert "The site keeps pace" in table(desk)
    Job.objects.filter(pk=job.pk).update(asked_at=timezone.now() - timedelta(minutes=11))
    page = table(desk)
    assert "The site is behind" in page
    assert "ValueError" not in page
    assert f'Newest backup on this machine: <time datetime="{timezone.now():%Y-%m-%d}">' in page


def test_who_has_not_sealed_is_reminded_once_an_hour_and_nobody_else(desk: Desk) -> None:
    client = desk.client("umpire")
    door = desk.url("umpire-act", verb="remind")
    assert "Within an hour" in client.get(door).content.decode()
    sent = client.post(door, {"stage": desk.stage.ordinal}, follow=True).content.decode()
    users = Notification.objects.filter(dedupe_key__contains="by-hand").values_list("user__username", flat=True)
    assert set(users) == {"host-who-plays", "player", "staff"}
    assert "3 reminders on the way." in sent
    again = client.post(door, {"stage": desk.stage.ordinal}, follow=True).content.decode()
    assert "Nobody was left to remind." in again
    assert Notification.objects.filter(dedupe_key__contains="by-hand").count() == 3
    assert "Nothing was done" in client.post(door, {"stage": 99}, follow=True).content.decode()
    assert not Act.objects.exists()
    assert desk.client("host").get(desk.url("host-act", verb="remind")).status_code == 404


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "0 min"), (59, "59 min"), (372, "6 h 12 min"), (1560, "1 day 2 h"), (4320, "3 days"), (-5, "0 min")],
)
def test_spans_in_words(minutes: int, words: str) -> None:
    assert span_words(timedelta(minutes=minutes)) == words


def test_one_war_on_its_table_costs_a_bounded_number_of_queries(desk: Desk) -> None:
    client = desk.client("umpire")
    client.get(desk.url("umpire"))
    with CaptureQueriesContext(connection) as asked:
        client.get(desk.url("umpire") + "?as=frost")
    assert len(asked) <= 32


def test_messages_to_the_umpire_are_counted_and_those_of_others_are_not(desk: Desk) -> None:
    campaign = desk.campaign
    campaign.ruleset = {**campaign.ruleset, "messages": "at-once"}
    campaign.save(update_fields=["ruleset"])
    assert "Read and write messages" in desk.client("umpire").get(desk.url("umpire")).content.decode()
    player = viewer_of(desk.people["player"], campaign.public_id)
    message_write(viewer=player, to=[None], text="May a convoy be boarded?")
    message_write(viewer=player, to=["ember"], text="Peace?")
    page = table(desk)
    assert "1 new<" in page
    assert "Messages 1<" in page
    assert "boarded" not in page
    shown = desk.client("umpire").get(desk.url("umpire")).content.decode()
    assert "1 unread" in shown
    assert "May a convoy be boarded?" in shown
    assert "Peace?" not in shown
    assert player.faction is not None
    door = desk.url("messages-to", key=player.faction.key)
    assert f'href="{door}"' in shown
    assert "boarded" in desk.client("umpire").get(door).content.decode()
    assert "new<" not in table(desk, who="umpire elsewhere")
    assert "First Steps" in table(desk, "?show=messages")
    another(desk, "Soon war", 30)
    page = table(desk)
    assert page.index(f">{campaign.name}<") < page.index(">Soon war<"), "a message waits for an answer"
